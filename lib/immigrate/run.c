/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/run.h"

#include "base/pool.h"
#include "immigrate/model.h"
#include "immigrate/start.h"

#include <math.h>
#include <string.h>

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

void
kith_immigrate_run_look(struct kith_immigrate_run *run)
{
	run->C = run->model->C;
	run->F = run->model->F;
	run->error = run->model->error;
	run->ready = false;
}

void
kith_immigrate_run_at(struct kith_immigrate_run *run, const double *W, bool is_closed)
{
	kith_immigrate_model_at(run->model, W, is_closed);
	kith_immigrate_run_look(run);
	if (isnan(run->C))
		run->no_cost = true;
}

void
kith_immigrate_run_all(struct kith_immigrate_run *run)
{
	if (run->model->soft.some)
		kith_immigrate_run_at(run, run->W, false);
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
	kith_immigrate_run_at(run, run->W, !run->how->package && !run->cutting);
	run->known++;
	remember(run);
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

bool
kith_immigrate_run_cut(struct kith_immigrate_run *run)
{
	memcpy(run->before, run->W, run->len * sizeof(*run->W));
	if (!cut(run, run->before))
		return false;
	normalise(run, run->before);
	kith_immigrate_run_at(run, run->before, false);
	kith_immigrate_run_accept(run, 1);
	return true;
}

void
kith_immigrate_run_best(struct kith_immigrate_run *run)
{
	memcpy(run->W, run->best, run->len * sizeof(*run->W));
	kith_immigrate_run_at(run, run->W, false);
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
			gap = kith_immigrate_gap(run->model, run->W, shape(run), squared);
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
		if (run->W[k] < 0 || (run->model->matrix && k % (p + 1) != 0 && run->W[k] != 0))
			return false;
	return true;
}

struct kith_immigrate_run
kith_immigrate_run_new(const struct kith_immigrate_how *how, struct kith_immigrate_model *model,
    const double *W, struct kith_pool *pool)
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
	kith_immigrate_run_at(&run, run.W, false);
	remember(&run);
	return run;
}
