/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the rules of lib/immigrate/problem.h, written out step by step: where
 * iterations go, when they end, and what is told of them.
 */
#include "immigrate/check.h"
#include "immigrate/walk.h"
#include "tap.h"

static bool
cut(const struct walk *w, double *V)
{
	bool some = false;

	for (size_t k = 0; k < w->len; k++) {
		if (V[k] < w->how->threshold * (1 - 1e-12))
			V[k] = 0;
		some = some || V[k] > 0;
	}
	return some;
}

/* V at W by the rules; false: none. */
static bool
next(struct walk *w)
{
	if (!kith_immigrate_model_closed(w->model, w->V))
		return false;
	if (w->how->package) {
		for (size_t k = 0; k < w->len; k++)
			w->V[k] = fmax(w->V[k], 0);
		normalise(w, w->V);
		return w->how->threshold == 0 || cut(w, w->V);
	}
	if (!w->cutting)
		return true;
	if (!cut(w, w->V))
		return false;
	normalise(w, w->V);
	return true;
}

static double
gap_of(const struct walk *w)
{
	struct kith_check check[KITH_CHECK_IMMIGRATE] = {{0}};
	struct kith_immigrate_how how = *w->how;

	if (w->how->threshold > 0 && !w->cutting && !w->how->package)
		return 0;
	(w->matrix ? kith_check_immigrate : kith_check_im4e)(w->rows, &how, w->W, check);
	return check[0].value;
}

static bool
is_still(const struct walk *w)
{
	const double C = C_of(w), tol = w->how->tol;

	return tol > 0 && w->n >= 2 && fabs(C - w->last_C) <= tol * fmax(1, fabs(C)) &&
	    apart(w->len, w->W, w->last) <= .1 &&
	    gap_of(w) <= .999 * kith_immigrate_limit(tol, false);
}

static bool
is_cycle(const struct walk *w)
{
	return w->how->tol > 0 && w->n >= 3 && apart(w->len, w->W, w->before) <= 1e-12 &&
	    apart(w->len, w->W, w->last) > 1e-6;
}

static void
step(struct walk *w)
{
	const size_t size = w->len * sizeof(double);

	memcpy(w->before, w->last, size);
	memcpy(w->last, w->W, size);
	for (size_t k = 0; k < w->len; k++)
		w->W[k] = w->g < 1 ? w->W[k] + w->g * (w->V[k] - w->W[k]) : w->V[k];
	w->last_C = C_of(w);
	w->iterations++;
	w->step = w->g;
	look(w);
	w->n++;
	if (w->n == 1 || F_of(w) < w->best_F) {
		w->best_F = F_of(w);
		memcpy(w->best, w->W, size);
	}
}

/* Halve the steps, where they are; whether it goes on. */
static bool
damp(struct walk *w, bool cycle)
{
	if (!w->how->damped || w->g <= 0x1p-10 || (!cycle && w->iterations % 50 != 0))
		return false;
	w->g /= 2;
	w->n = 1;
	return true;
}

/* The rules of the paper without monotone, and Step 4. */
static void
by_paper(struct walk *w)
{
	const bool cuts = w->how->threshold > 0;
	const size_t half = w->how->max_iter / 2;
	size_t limit = w->how->max_iter;

	while (w->iterations < limit) {
		bool still, cycle;

		if (cuts && !w->cutting && w->iterations >= half) {
			w->cutting = true;
			w->n = 0;
		}
		w->end = KITH_IMMIGRATE_KEPT;
		if (!next(w))
			return;
		step(w);
		w->end = KITH_IMMIGRATE_LIMIT;
		still = is_still(w);
		cycle = !still && is_cycle(w);
		if ((!still && damp(w, cycle)) || (!still && !cycle))
			continue;
		w->end = still ? KITH_IMMIGRATE_CONVERGED : KITH_IMMIGRATE_CYCLE;
		if (!cuts || w->cutting || w->iterations == limit)
			break;
		if (cycle)
			memcpy(w->W, w->best, w->len * sizeof(double));
		kith_immigrate_model_at(w->model, w->W, false);
		limit = w->iterations + w->how->max_iter - half;
		w->cutting = true;
		w->n = 0;
	}
	if (w->end == KITH_IMMIGRATE_CYCLE)
		memcpy(w->W, w->best, w->len * sizeof(double));
}

/* Those of the package. */
static void
by_package(struct walk *w)
{
	double before = 1;

	w->end = KITH_IMMIGRATE_LIMIT;
	while (w->iterations < w->how->max_iter) {
		const double C = C_of(w);

		w->end = KITH_IMMIGRATE_KEPT;
		if (!next(w))
			return;
		w->end = fabs(C - before) <= w->how->tol ? KITH_IMMIGRATE_CONVERGED
							 : KITH_IMMIGRATE_LIMIT;
		before = C;
		step(w);
		if (w->end == KITH_IMMIGRATE_CONVERGED)
			return;
	}
}

/* Whether two walks were told alike, but for rounding. */
static bool
told_alike(const struct told *a, const struct told *b)
{
	bool same = a->n == b->n;

	for (size_t t = 0; same && t < a->n; t++)
		same = a->trace[t].iteration == b->trace[t].iteration &&
		    a->trace[t].step == b->trace[t].step &&
		    (isnan(a->trace[t].C) ? isnan(b->trace[t].C)
					  : fabs(a->trace[t].C - b->trace[t].C) <=
				1e-9 * (1 + fabs(b->trace[t].C))) &&
		    fabs(a->trace[t].F - b->trace[t].F) <= 1e-9 * (1 + fabs(b->trace[t].F));
	return same;
}

/* All that a fit says, against the walk. */
static bool
same_fit(const struct walk *w, const struct kith_immigrate_fit *fit, const double *W)
{
	const bool open = w->end == KITH_IMMIGRATE_CONVERGED || w->end == KITH_IMMIGRATE_KEPT;

	return fit->end == w->end && fit->iterations == w->iterations && fit->open == open &&
	    (open || isinf(fit->gap)) && (open || !fit->sure) && apart(w->len, W, w->W) <= 1e-9;
}

static void
test_rules(struct kith_immigrate_how how, bool matrix, const char *what)
{
	size_t ended[4] = {0}, odd = 0, untold = 0;
	const bool damped = how.damped;

	for (size_t run = 0; run < 30; run++) {
		const size_t p = 2 + run % 6, most = how.max_iter;
		struct set *set = draw(16 + run, p, 2 + run % 2, run % 5 == 0, run % 4 == 0);
		struct told told = {0};
		struct kith_immigrate_fit fit = {0};
		struct walk w;
		double *W = matrix ? start(p, run % 3) : even(p);

		how.sigma = pow(4, (double)(run % 4) - 2.5);
		how.threshold = how.threshold > 0 ? 1 / (double)p : 0;
		how.damped = damped && run % 2;
		how.max_iter = run % 7 ? most : 7;
		begin(&w, set, &how, matrix, W);
		(how.package ? by_package : by_paper)(&w);
		how.tell = tell;
		how.to = &told;
		(matrix ? kith_immigrate : kith_im4e)(&set->rows, &how, W, &fit);
		how.tell = NULL;
		odd += !same_fit(&w, &fit, W);
		untold += !told_alike(&told, &w.told);
		ended[fit.end]++;
		how.max_iter = most;
		kith_pool_free(&pool);
	}
	is_size(odd, 0, what);
	is_size(untold, 0, "and is told so");
	ok(ended[0] > 0 && ended[1] > 0, "%zu %zu %zu %zu ends", ended[0], ended[1], ended[2],
	    ended[3]);
}

int
main(void)
{
	struct kith_immigrate_how how = {.max_iter = STEPS, .tol = 1e-7, .threads = 1};

	kith_rng_seed(&rng, 10, KITH_RNG_SAMPLE, 0);
	test_rules(how, true, "matrices");
	how.damped = true;
	test_rules(how, false, "vectors, damped or not");
	how.damped = false;
	how.threshold = 1;
	test_rules(how, true, "matrices that are cut");
	test_rules(how, false, "vectors that are cut");
	how.package = true;
	how.tol = 1e-4;
	test_rules(how, true, "matrices of the package, cut");
	how.threshold = 0;
	test_rules(how, true, "matrices of the package");
	test_rules(how, false, "vectors of the package");
	return done();
}
