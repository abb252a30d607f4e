/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/run.h"

#include "base/pool.h"
#include "immigrate/model.h"
#include "immigrate/start.h"

#include <math.h>
#include <string.h>

/*
 * Damped steps: 1, 1/2, ... 2^-30; where scales of features are far apart and W
 * is not there yet, on to 2^-100.
 */
enum { HALVINGS = 30, MOST = 100 };

/* So many steps towards V come before those of projected gradients. */
enum { TOWARDS = 20 };

/* A number equal to the threshold but for rounding stays. */
#define EQUAL (1 - 1e-12)

static void
normalise(const struct kith_immigrate_run *run, double *W)
{
	kith_immigrate_normalise(run->len, run->model->matrix, W);
}

bool
kith_immigrate_cut(size_t len, double threshold, double *W)
{
	bool left = false;

	for (size_t k = 0; k < len; k++) {
		if (W[k] < threshold * EQUAL)
			W[k] = 0;
		left |= W[k] != 0;
	}
	return left;
}

/* Step 4, without normalising; false: nothing is left. */
static bool
cut(const struct kith_immigrate_run *run, double *W)
{
	return kith_immigrate_cut(run->len, run->how->threshold, W);
}

/* V at W, by the rules, anew. */
static bool
find_next(struct kith_immigrate_run *run)
{
	const struct kith_immigrate_how *how = run->how;
	double *V = run->V;

	if (!kith_immigrate_model_closed(run->model, V) &&
	    !(how->monotone && kith_immigrate_model_edge(run->model, V)))
		return false;
	if (how->package) {
		for (size_t k = 0; k < run->len; k++)
			V[k] = fmax(V[k], 0);
		normalise(run, V);
		return how->threshold == 0 || cut(run, V);
	}
	if (run->cutting && !how->monotone) {
		if (!cut(run, V))
			return false;
		normalise(run, V);
	}
	return true;
}

bool
kith_immigrate_run_next(struct kith_immigrate_run *run)
{
	if (!run->ready)
		run->found = find_next(run);
	run->ready = true;
	return run->found;
}

/* What the model says where it is. */
static void
look(struct kith_immigrate_run *run)
{
	run->C = run->model->C;
	run->F = run->model->F;
	run->error = run->model->error;
	run->ready = false;
}

/* Bring the model to weights; is_closed: they are V as the model gave it. */
static void
evaluate(struct kith_immigrate_run *run, const double *W, bool is_closed)
{
	kith_immigrate_model_at(run->model, W, is_closed);
	look(run);
	if (isnan(run->C))
		run->no_cost = true;
}

void
kith_immigrate_run_all(struct kith_immigrate_run *run)
{
	if (run->model->soft.some)
		evaluate(run, run->W, false);
}

/* Remember W where its F is the lowest. */
static void
remember(struct kith_immigrate_run *run)
{
	if (!run->best || (run->known > 1 && !(run->F < run->best_F)))
		return;
	run->best_F = run->F;
	memcpy(run->best, run->W, run->len * sizeof(*run->W));
}

void
kith_immigrate_run_plain(struct kith_immigrate_run *run)
{
	double *spare = run->before;

	for (size_t k = 0; k < run->len && run->g < 1; k++)
		run->V[k] = run->W[k] + run->g * (run->V[k] - run->W[k]);
	run->before = run->last;
	run->last = run->W;
	run->W = run->V;
	run->V = spare;
	run->step = run->g;
	run->definite = true;
	evaluate(run, run->W, !run->how->package && !run->cutting);
	run->known++;
	remember(run);
}

/* trial = W + g (V - W), normalised; cut where Step 4 is active. */
static bool
make_trial(const struct kith_immigrate_run *run, double g, double *trial)
{
	for (size_t k = 0; k < run->len; k++)
		trial[k] = g == 1 ? run->V[k]
				  : run->W[k] + g * (run->V[k] - run->W[k]);
	if (run->cutting && !cut(run, trial))
		return false;
	if (g < 1 || run->cutting)
		normalise(run, trial);
	return true;
}

void
kith_immigrate_run_accept(struct kith_immigrate_run *run, double step)
{
	double *spare = run->last;

	run->last = run->W;
	run->W = run->before;
	run->before = spare;
	run->step = step;
	run->definite |= step == 1;
	run->known++;
}

/* W + g (V - W), normalised, into run->before; what it is divided by. */
static double
point(const struct kith_immigrate_run *run, double g)
{
	double square = 0, norm, *Z = run->before;

	for (size_t k = 0; k < run->len; k++) {
		Z[k] = run->W[k] + g * (run->V[k] - run->W[k]);
		square += Z[k] * Z[k];
	}
	norm = sqrt(square);
	for (size_t k = 0; k < run->len; k++)
		Z[k] /= norm;
	return norm;
}

/*
 * The first of the steps g, g/2, ... towards V that takes F below this, along a line
 * on which F is cheap.  Pairs may be left out, so that F has an error.
 */
static bool
search_line(struct kith_immigrate_run *run, double g, double F)
{
	run->some |= kith_immigrate_model_draw(
	    run->model, run->V, run->definite && !run->all);
	for (int halving = 0; ldexp(g, -halving) >= 0x1p-30; halving++) {
		const double at = ldexp(g, -halving);

		kith_immigrate_model_go(run->model, run->W, at, point(run, at));
		look(run);
		if (run->F + run->error < F) {
			kith_immigrate_run_accept(run, at);
			return true;
		}
	}
	return false;
}

/*
 * The length of a step along the gradient at W (Barzilai & Borwein 1988): with s
 * and y the last changes of W and of the gradient, s's / s'y and s'y / y'y in turn.
 * 0: there is none.
 */
static double
find_length(struct kith_immigrate_run *run)
{
	const size_t p = run->model->data.p;
	double *G = run->last_slope, ss = 0, sy = 0, yy = 0;
	bool known = run->sloped;
	double length;

	run->sloped = kith_immigrate_model_slope(run->model, run->W, G);
	run->last_slope = run->slope;
	run->slope = G;
	for (size_t i = 0; i < p && known && run->sloped; i++)
		for (size_t k = i * p + i; k < (i + 1) * p; k++) {
			const double s = run->W[k] - run->last[k];
			const double y = G[k] - run->last_slope[k];
			const double twice = k == i * p + i ? 1 : 2;

			ss += twice * s * s;
			sy += twice * s * y;
			yy += twice * y * y;
		}
	length = run->known % 2 ? ss / sy : sy / yy;
	return ss > 0 && sy > 0 && length > 0 && length < INFINITY ? length : 0;
}

/*
 * The same towards the projection of a step along the gradient, which is where W
 * goes after the first steps: V lies on the edge of what is allowed, and steps
 * towards the edge alone come near to a W inside ever more slowly.  False: none,
 * and the model is at W again.
 */
static bool
search_near(struct kith_immigrate_run *run, double F)
{
	double length;

	if (!run->slope || run->known < TOWARDS)
		return false;
	length = find_length(run);
	if (length == 0)
		return false;
	if (kith_immigrate_model_near(
		run->model, run->W, run->slope, length, run->V) &&
	    search_line(run, 1, F))
		return true;
	evaluate(run, run->W, false);
	run->sloped = false;
	kith_immigrate_run_next(run);
	return false;
}

/* The first of steps 2^-from, ... 2^-to that takes F below this. */
static bool
halve(struct kith_immigrate_run *run, int from, int to, double F)
{
	for (int halving = from; halving <= to; halving++) {
		const double g = ldexp(1, -halving);

		if (!make_trial(run, g, run->before))
			continue;
		evaluate(run, run->before, halving == 0 && !run->cutting);
		if (run->F < F) {
			kith_immigrate_run_accept(run, g);
			return true;
		}
	}
	return false;
}

/* Whether V is a direction of descent, and W not there. */
static bool
may_fall(struct kith_immigrate_run *run)
{
	const struct kith_immigrate_gap gap = kith_immigrate_run_gap(run);

	return gap.falls && run->how->threshold == 0 &&
	    gap.value > kith_immigrate_limit(run->how->tol, run->how->package);
}

/* A step by lines; false: none lowers F, and the model is somewhere. */
static bool
go_down_a_line(struct kith_immigrate_run *run)
{
	const double F = run->F - run->error;
	double g = 1;

	run->some = run->model->soft.some;
	if (search_near(run, F))
		return true;
	if (run->step > 0 && run->step < .5)
		g = 2 * run->step;
	return search_line(run, g, F);
}

/* The same, again with all pairs where F may have fallen by less than its error. */
static bool
go_down(struct kith_immigrate_run *run)
{
	if (go_down_a_line(run))
		return true;
	if (!run->some)
		return false;
	run->all = true;
	evaluate(run, run->W, false);
	return kith_immigrate_run_next(run) && go_down_a_line(run);
}

bool
kith_immigrate_run_down(struct kith_immigrate_run *run)
{
	const bool lines = run->model->lines && !run->cutting;
	const double C = run->C, F = run->F;

	if (lines ? go_down(run) : halve(run, 0, HALVINGS, F))
		return true;
	evaluate(run, run->W, false);
	if (may_fall(run)) {
		if (halve(run, HALVINGS + 1, MOST, F))
			return true;
		evaluate(run, run->W, false);
	}
	if (!run->all) { /* they are what they were */
		run->C = C;
		run->F = F;
	}
	return false;
}

bool
kith_immigrate_run_cut(struct kith_immigrate_run *run)
{
	memcpy(run->before, run->W, run->len * sizeof(*run->W));
	if (!cut(run, run->before))
		return false;
	normalise(run, run->before);
	evaluate(run, run->before, false);
	kith_immigrate_run_accept(run, 1);
	return true;
}

void
kith_immigrate_run_best(struct kith_immigrate_run *run)
{
	memcpy(run->W, run->best, run->len * sizeof(*run->W));
	evaluate(run, run->W, false);
	run->C = run->F = run->best_F;
}

/* V as it would be kept: damped steps are cut, V itself is not. */
static const double *
shape(struct kith_immigrate_run *run)
{
	if (!run->shaped)
		return run->V;
	memcpy(run->shaped, run->V, run->len * sizeof(*run->V));
	if (cut(run, run->shaped))
		normalise(run, run->shaped);
	return run->shaped;
}

struct kith_immigrate_gap
kith_immigrate_run_gap(struct kith_immigrate_run *run)
{
	const bool cuts = run->how->threshold > 0;
	const bool squared = cuts || (run->how->package && run->model->matrix);
	struct kith_immigrate_gap gap = {INFINITY, INFINITY, false, false};

	if (!kith_immigrate_run_next(run))
		return gap;
	gap = kith_immigrate_gap(run->model, run->W, shape(run), squared);
	if (gap.left_out) {
		kith_immigrate_model_all(run->model);
		run->ready = false;
		if (kith_immigrate_run_next(run))
			gap = kith_immigrate_gap(
			    run->model, run->W, shape(run), squared);
	}
	if (cuts)
		gap.error = INFINITY;
	return gap;
}

/* Whether W is a diagonal matrix, or a vector, without negative entries. */
static bool
is_definite(const struct kith_immigrate_run *run)
{
	const size_t p = run->model->data.p;

	for (size_t k = 0; k < run->len; k++)
		if (run->W[k] < 0 ||
		    (run->model->matrix && k % (p + 1) != 0 && run->W[k] != 0))
			return false;
	return true;
}

struct kith_immigrate_run
kith_immigrate_run_new(const struct kith_immigrate_how *how,
    struct kith_immigrate_model *model, const double *W, struct kith_pool *pool)
{
	const size_t len = model->len;
	struct kith_immigrate_run run = {.how = how,
	    .model = model,
	    .len = len,
	    .last_C = ldexp(1, -model->unit),
	    .g = 1,
	    .known = 1};

	KITH_NEW_REALS(pool, len, 1, &run.W, &run.V, &run.last, &run.before);
	if (!how->package && !how->monotone)
		run.best = kith_new(pool, len, sizeof(*W));
	if (how->monotone && how->threshold > 0)
		run.shaped = kith_new(pool, len, sizeof(*W));
	if (model->lines && model->matrix)
		KITH_NEW_REALS(pool, len, 1, &run.slope, &run.last_slope);
	run.twice = model->at.R;
	memcpy(run.W, W, len * sizeof(*W));
	run.definite = is_definite(&run);
	evaluate(&run, run.W, false);
	remember(&run);
	return run;
}
