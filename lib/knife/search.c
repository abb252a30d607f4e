/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The search for weights: min F(w) over 0 <= w <= 1 (knife.h).
 *
 * Quasi-Newton on the profile (the default): F and dF, one machine each, go to the projected L-BFGS
 * method of solve/box.h.  alternate.c is the iteration of the paper; repair.c verifies the results.
 *
 * The lambda2 from which on all weights are 0 (kith_knife_lambda2_max()):
 *
 * 1. Linear kernel: max_j (x_j' L'(0))^2 / (4 lambda1), for the problem is convex.
 * 2. Else lambda2 grows from F(0) / (10 p) until a search ends in w = 0, each search from the
 *    weights of the one before: by a factor of 4, or to the value at which these weights have F(w)
 *    = F(0) if that is larger, for F never rises in a search; or it falls until a search does not
 *    end in 0.  Then by bisection, up to a factor of 1.25.  Searches take three iterations at most.
 * 3. The value counts if searches to the full tolerance end in 0, from the last weights above 0 and
 *    from the start; else it grows by 1.25.
 */
#include "knife/engine.h"

#include "base/err.h"
#include "base/progress.h"
#include "la/vec.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
	MEMORY = 20,   /* steps that the quasi-Newton method remembers */
	CLIMBS = 1200, /* searches of step 2: from any double to any other in ratios of CLOSE */
	CLIMB_ITER = 3 /* iterations of each: most weights that vanish do so in one or two */
};

/* Share of lambda2 at which a gradient, a difference of terms of this size, is rounding. */
#define BALANCED 1e-9

#define ROUNDING 1e-13 /* of F: no rise */

/* Step 2: the first lambda2 in units of F(0)/p, its ratio, and the ratio at which it is found. */
#define FIRST .1
#define FACTOR 4
#define CLOSE 1.25

int
kith_knife_evaluate(
    struct kith_knife_engine *e, const double *w, double *F, double *dF, struct kith_err *err)
{
	if (kith_knife_set_weights(e, w, err) || kith_knife_solve(e, err))
		return -1;
	*F = e->value + e->problem.lambda2 * kith_vec_sum(e->p, w);
	if (!isfinite(*F))
		return kith_fail(
		    err, EX_DATAERR, "the objective is too large for a double (tabscale?)");
	if (dF)
		kith_knife_gradient(e, dF);
	return 0;
}

struct kith_knife_descent
kith_knife_descent_new(
    struct kith_knife_engine *e, double *w, struct kith_err *err, struct kith_pool *pool)
{
	struct kith_knife_descent d = {.e = e, .most = SIZE_MAX, .w = w, .err = err};

	KITH_NEW_REALS(pool, e->p, 1, &d.dF, &d.at, &d.dF_at);
	return d;
}

bool
kith_knife_try(struct kith_knife_descent *d)
{
	d->evaluations++;
	d->failed = kith_knife_evaluate(d->e, d->at, &d->F_at, d->dF_at, d->err);
	if (d->failed)
		d->F_at = NAN;
	kith_progress_value("evaluation", (double)d->evaluations);
	kith_progress_value("objective", d->F_at);
	return d->F_at <= d->F + ROUNDING * fabs(d->F);
}

void
kith_knife_accept(struct kith_knife_descent *d)
{
	memcpy(d->w, d->at, d->e->p * sizeof(*d->w));
	memcpy(d->dF, d->dF_at, d->e->p * sizeof(*d->dF));
	d->F = d->F_at;
}

/* The profile as a function for solve/box.h. */
static double
profile_value(void *to, const double *w, double *g)
{
	struct kith_knife_descent *d = to;

	if (d->evaluations >= d->most)
		return NAN;
	memcpy(d->at, w, d->e->p * sizeof(*w));
	kith_knife_try(d);
	memcpy(g, d->dF_at, d->e->p * sizeof(*g));
	return d->F_at;
}

struct kith_lbfgs_box
kith_knife_descend(struct kith_knife_descent *d, size_t max_iter, double tol, bool log)
{
	const struct kith_lbfgs_box_how how = {.value = profile_value,
	    .log = log ? d->e->control.log : NULL,
	    .to = d,
	    .memory = MEMORY,
	    .max_iter = max_iter,
	    .tol = tol};

	return kith_lbfgs_box(&how, d->e->p, d->w);
}

/* Evaluates w, unless w was evaluated last. */
static void
evaluate_best(struct kith_knife_descent *d)
{
	if (memcmp(d->at, d->w, d->e->p * sizeof(*d->w)) != 0) {
		memcpy(d->at, d->w, d->e->p * sizeof(*d->w));
		kith_knife_try(d);
	}
	kith_knife_accept(d);
}

void
kith_knife_settle(struct kith_knife_descent *d, bool clear)
{
	const size_t p = d->e->p;

	evaluate_best(d);
	for (int round = 0; round < 2 && clear; round++) {
		bool changes = false, good;

		for (size_t j = 0; j < p; j++) {
			const double at = d->dF_at[j] >= d->w[j] ? 0 : d->w[j];

			changes = changes || at != d->at[j];
			d->at[j] = at;
		}
		if (!changes)
			break;
		good = kith_knife_try(d);
		for (size_t j = 0; j < p; j++)
			good = good && !(d->at[j] < d->w[j] && d->dF_at[j] < 0);
		if (good) {
			kith_knife_accept(d);
			break;
		}
	}
	evaluate_best(d);
}

static int
minimise_profile(struct kith_knife_engine *e, struct kith_knife_solution *sol, struct kith_err *err)
{
	const struct kith_knife_control *control = &e->control;
	struct kith_pool tmp = {0};
	struct kith_knife_descent d = kith_knife_descent_new(e, sol->w, err, &tmp);
	const struct kith_lbfgs_box got = kith_knife_descend(
	    &d, control->max_iter, control->tol, true);

	sol->start_gradient = got.start;
	sol->iterations = got.iterations;
	sol->converged = got.end == KITH_LBFGS_BOX_DONE ||
	    (got.end == KITH_LBFGS_BOX_FLAT && got.slope <= BALANCED * e->problem.lambda2);
	if (!d.failed)
		kith_knife_settle(&d, sol->converged);
	sol->objective = d.F;
	sol->gradient = kith_lbfgs_box_gradient(e->p, sol->w, d.dF);
	sol->evaluations = d.evaluations;
	kith_pool_free(&tmp);
	return d.failed;
}

/* A search without verification. */
static int
search(struct kith_knife_engine *e, struct kith_knife_solution *sol, struct kith_err *err)
{
	sol->iterations = sol->evaluations = 0;
	sol->certified = sol->converged = false;
	return e->control.alternate ? kith_knife_alternate(e, sol, err)
				    : minimise_profile(e, sol, err);
}

int
kith_knife_fit(struct kith_knife_engine *e, double lambda2, const double *start,
    struct kith_knife_solution *sol, struct kith_err *err)
{
	e->problem.lambda2 = lambda2;
	if (search(e, sol, err) || kith_knife_verify(e, start, sol, err))
		return -1;
	sol->machine = e->machine;
	sol->products = e->products;
	return 0;
}

/* Whether a search at lambda2 from the weights `from` ends in 0 all over: 1, 0, or -1. */
static int
vanishes(struct kith_knife_engine *e, double lambda2, const double *from,
    struct kith_knife_solution *sol, struct kith_err *err)
{
	e->problem.lambda2 = lambda2;
	memcpy(sol->w, from, e->p * sizeof(*from));
	return search(e, sol, err) ? -1 : kith_vec_largest(e->p, sol->w) == 0;
}

/* Step 2: sets *lambda2, and w to the last weights above 0. */
static int
climb(struct kith_knife_engine *e, double F_at_0, double *w, struct kith_knife_solution *sol,
    double *lambda2, struct kith_err *err)
{
	const size_t p = e->p;
	double at = FIRST * F_at_0 / (double)p, lo = 0, hi = 0;

	for (int i = 0; i < CLIMBS && at > 0 && isfinite(at); i++) {
		const int gone = vanishes(e, at, w, sol, err);
		double tie;

		if (gone < 0)
			return -1;
		*(gone ? &hi : &lo) = at;
		if (!gone)
			memcpy(w, sol->w, p * sizeof(*w));
		if (lo > 0 && hi > 0 && hi <= CLOSE * lo)
			break;
		tie = at + (F_at_0 - sol->objective) / kith_vec_sum(p, w);
		at = lo > 0 && hi > 0 ? sqrt(lo) * sqrt(hi)
		    : gone            ? at / FACTOR
				      : fmax(tie, at * FACTOR);
	}
	*lambda2 = hi > 0 ? hi : at;
	return 0;
}

/* Step 3: raises lambda2 until searches to the full tolerance, from w and from start, end in 0. */
static int
confirm(struct kith_knife_engine *e, const double *start, double *w,
    struct kith_knife_solution *sol, double *lambda2, struct kith_err *err)
{
	int gone = 0;

	while (gone == 0 && isfinite(*lambda2)) {
		gone = vanishes(e, *lambda2, w, sol, err);
		if (gone == 1)
			gone = vanishes(e, *lambda2, start, sol, err);
		else if (gone == 0)
			memcpy(w, sol->w, e->p * sizeof(*w));
		if (gone == 0)
			*lambda2 *= CLOSE;
	}
	return gone < 0 ? -1 : 0;
}

int
kith_knife_lambda2_max(
    struct kith_knife_engine *e, const double *start, double *lambda2, struct kith_err *err)
{
	const struct kith_knife_control control = e->control;
	const bool linear = e->problem.kern.kind == KITH_KERN_LINEAR;
	struct kith_pool tmp = {0};
	struct kith_knife_solution sol = {0};
	double *w, *dF, F;
	int got;

	KITH_NEW_REALS(&tmp, e->p, 1, &w, &dF, &sol.w);
	e->problem.lambda2 = 0;
	e->precise = linear;
	got = kith_knife_evaluate(e, w, &F, dF, err);
	e->precise = false;
	*lambda2 = 0;
	for (size_t j = 0; j < e->p && got == 0 && linear; j++) /* step 1 */
		*lambda2 = fmax(*lambda2, -dF[j]);
	if (got == 0 && !linear) {
		memcpy(w, start, e->p * sizeof(*w));
		e->control.log = NULL;
		e->control.max_iter = control.max_iter < CLIMB_ITER ? control.max_iter : CLIMB_ITER;
		got = climb(e, F, w, &sol, lambda2, err);
		e->control.max_iter = control.max_iter;
		if (got == 0)
			got = confirm(e, start, w, &sol, lambda2, err);
		e->control = control;
	}
	kith_pool_free(&tmp);
	return got;
}
