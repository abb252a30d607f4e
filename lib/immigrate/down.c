/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/down.h"

#include "immigrate/model.h"
#include "immigrate/rows.h"
#include "immigrate/run.h"
#include "immigrate/start.h"

#include <math.h>

/*
 * Damped steps: 1, 1/2, ... 2^-30; where scales of features are far apart and W
 * is not there yet, on to 2^-100.
 */
enum { HALVINGS = 30, MOST = 100 };

/* So many steps towards V come before those of projected gradients. */
enum { TOWARDS = 20 };

/* trial = W + g (V - W), normalised; cut where Step 4 is active. */
static bool
make_trial(const struct kith_immigrate_run *run, double g, double *trial)
{
	for (size_t k = 0; k < run->len; k++)
		trial[k] = g == 1 ? run->V[k] : run->W[k] + g * (run->V[k] - run->W[k]);
	if (run->cutting && !kith_immigrate_cut(run->len, run->how->threshold, trial))
		return false;
	if (g < 1 || run->cutting)
		kith_immigrate_normalise(run->len, run->model->matrix, trial);
	return true;
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
	run->some |= kith_immigrate_model_draw(run->model, run->V, run->definite && !run->all);
	for (int halving = 0; ldexp(g, -halving) >= 0x1p-30; halving++) {
		const double at = ldexp(g, -halving);

		kith_immigrate_model_go(run->model, run->W, at, point(run, at));
		kith_immigrate_run_look(run);
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
	if (kith_immigrate_model_near(run->model, run->W, run->slope, length, run->V) &&
	    search_line(run, 1, F))
		return true;
	kith_immigrate_run_at(run, run->W, false);
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
		kith_immigrate_run_at(run, run->before, halving == 0 && !run->cutting);
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
	kith_immigrate_run_at(run, run->W, false);
	return kith_immigrate_run_next(run) && go_down_a_line(run);
}

bool
kith_immigrate_down(struct kith_immigrate_run *run)
{
	const bool lines = run->model->lines && !run->cutting;
	const double C = run->C, F = run->F;

	if (lines ? go_down(run) : halve(run, 0, HALVINGS, F))
		return true;
	kith_immigrate_run_at(run, run->W, false);
	if (may_fall(run)) {
		if (halve(run, HALVINGS + 1, MOST, F))
			return true;
		kith_immigrate_run_at(run, run->W, false);
	}
	if (!run->all) { /* they are what they were */
		run->C = C;
		run->F = F;
	}
	return false;
}
