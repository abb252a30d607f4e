/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/immigrate.h"

#include "base/pool.h"
#include "base/progress.h"
#include "immigrate/down.h"
#include "immigrate/model.h"
#include "immigrate/run.h"
#include "la/mat.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* How far W moves at most where it stops; a cycle comes back, and goes away. */
#define NEAR .1
#define BACK 1e-12
#define AWAY 1e-6

/* Damped steps are halved each so many iterations, down to this length. */
enum { EACH = 50 };
#define SHORTEST 0x1p-10

/* What may still be above the limit by rounding, of it. */
#define WITHIN .999

static void
tell(const struct kith_immigrate_run *run, size_t iteration)
{
	const int unit = run->model->unit;
	const struct kith_immigrate_trace trace = {
	    iteration, ldexp(run->C, unit), ldexp(run->F, unit), run->step};

	kith_progress_value("iteration", (double)iteration);
	kith_progress_value("C", trace.C);
	kith_progress_value("F", trace.F);
	if (run->how->tell)
		run->how->tell(run->how->to, &trace);
}

/* The largest |W_k - V_k|. */
static double
farthest(const struct kith_immigrate_run *run, const double *V)
{
	double most = 0;

	for (size_t k = 0; k < run->len; k++)
		most = fmax(most, fabs(run->W[k] - V[k]));
	return most;
}

static bool
wants_cut(const struct kith_immigrate_run *run)
{
	return run->how->threshold > 0 && !run->how->package;
}

/* Whether C stands still; C and last_C of the package lag a step behind. */
static bool
stands_still(const struct kith_immigrate_run *run, double C)
{
	const double tol = run->how->tol, one = ldexp(1, -run->model->unit);
	const double change = fabs(C - run->last_C);

	if (run->how->package)
		return change <= tol * one;
	return tol > 0 && run->known >= 2 && change <= tol * fmax(one, fabs(C)) &&
	    farthest(run, run->last) <= NEAR;
}

/* Whether C stood still, too, a step before, where steps are of uneven length. */
static bool
stays(struct kith_immigrate_run *run, bool still)
{
	const bool before = run->still;

	run->still = still;
	return still && (before || !run->twice);
}

static bool
is_cycle(const struct kith_immigrate_run *run)
{
	return run->best && run->how->tol > 0 && run->known >= 3 &&
	    farthest(run, run->before) <= BACK && farthest(run, run->last) > AWAY;
}

/*
 * Whether W, where C stands still, is stationary too.  Before Step 4 that is of
 * no interest, damped steps that are cut may have no such W, and the package
 * does not ask.
 */
static bool
is_there(struct kith_immigrate_run *run)
{
	if (run->how->package || (wants_cut(run) && (run->how->monotone || !run->cutting)))
		return true;
	kith_immigrate_run_all(run);
	return kith_immigrate_run_gap(run).value <=
	    WITHIN * kith_immigrate_limit(run->how->tol, run->how->package);
}

/* What an iteration came to; after the last two W is as it was. */
enum outcome { ON, STOP, CYCLE, REST, STUCK };

static enum outcome
iterate(struct kith_immigrate_run *run)
{
	const double C = run->C;
	bool stop = false;

	if (run->how->monotone && run->cutting && run->known == 0)
		return kith_immigrate_run_cut(run) ? ON : STUCK;
	if (!kith_immigrate_run_next(run))
		return STUCK;
	if (run->how->package)
		stop = stands_still(run, C);
	if (!run->how->monotone)
		kith_immigrate_run_plain(run);
	else if (!kith_immigrate_down(run))
		return REST;
	run->last_C = C;
	if (!run->how->package)
		stop = stays(run, stands_still(run, run->C));
	if (stop && is_there(run))
		return STOP;
	return is_cycle(run) ? CYCLE : ON;
}

/* Whether damped steps go on, half as long as before, after so many. */
static bool
damp(struct kith_immigrate_run *run, size_t iterations, enum outcome outcome)
{
	if (!run->how->damped || run->g <= SHORTEST ||
	    (outcome != CYCLE && (outcome != ON || iterations % EACH != 0)))
		return false;
	run->g /= 2;
	run->known = 1;
	return true;
}

/* Begin Step 4: what was before does not count. */
static void
begin_cutting(struct kith_immigrate_run *run)
{
	run->cutting = true;
	run->known = 0;
}

/*
 * Iterate to the end.  Where a stopping rule ends the iterations before Step 4
 * early, those with it follow at once.
 */
static enum outcome
iterate_all(struct kith_immigrate_run *run, size_t *iterations)
{
	const size_t half = run->how->max_iter / 2;
	size_t limit = run->how->max_iter;
	enum outcome outcome = ON;

	for (*iterations = 0; *iterations < limit;) {
		if (wants_cut(run) && !run->cutting && *iterations >= half)
			begin_cutting(run);
		outcome = iterate(run);
		if (outcome == STUCK)
			return outcome;
		if (outcome != REST)
			tell(run, ++*iterations);
		if (damp(run, *iterations, outcome) || outcome == ON)
			continue;
		if (!wants_cut(run) || run->cutting || *iterations == limit)
			return outcome;
		if (outcome == CYCLE)
			kith_immigrate_run_best(run);
		limit = *iterations + run->how->max_iter - half;
		begin_cutting(run);
	}
	return outcome;
}

/* How far W is from a fixed point, unless it was cut short or goes round. */
static void
measure(struct kith_immigrate_run *run, enum outcome outcome, struct kith_immigrate_fit *fit)
{
	const struct kith_immigrate_how *how = run->how;
	struct kith_immigrate_gap gap = {INFINITY, INFINITY, false, false};

	fit->open = outcome != CYCLE && outcome != ON;
	if (fit->open)
		gap = kith_immigrate_run_gap(run);
	fit->gap = gap.value;
	fit->sure = run->definite &&
	    gap.value + gap.error <= kith_immigrate_limit(how->tol, how->package);
}

static void
fit_all(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how, bool matrix,
    double *W, struct kith_immigrate_fit *fit)
{
	static const enum kith_immigrate_end end[] = {KITH_IMMIGRATE_LIMIT,
	    KITH_IMMIGRATE_CONVERGED, KITH_IMMIGRATE_CYCLE, KITH_IMMIGRATE_CONVERGED,
	    KITH_IMMIGRATE_KEPT};
	struct kith_pool pool = {0};
	struct kith_immigrate_run run;
	enum outcome outcome;

	assert(how->max_iter >= 1 && how->tol >= 0 && how->threshold >= 0);
	assert(!how->monotone || (matrix && !how->package));
	kith_progress_phase("immigrate", 0, NULL);
	run = kith_immigrate_run_new(
	    how, kith_immigrate_model_new(rows, how, matrix, &pool), W, &pool);
	tell(&run, 0);
	outcome = iterate_all(&run, &fit->iterations);
	kith_immigrate_run_all(&run);
	if (outcome == CYCLE)
		kith_immigrate_run_best(&run);
	fit->C = ldexp(run.C, run.model->unit);
	fit->F = ldexp(run.F, run.model->unit);
	fit->no_cost = run.no_cost;
	fit->end = end[outcome];
	measure(&run, outcome, fit);
	if (how->votes)
		kith_immigrate_soft_votes(&run.model->soft, how->votes);
	memcpy(W, run.W, run.len * sizeof(*W));
	kith_progress_end();
	kith_pool_free(&pool);
}

void
kith_immigrate(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how,
    double *W, struct kith_immigrate_fit *fit)
{
	fit_all(rows, how, true, W, fit);
}

void
kith_im4e(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how, double *w,
    struct kith_immigrate_fit *fit)
{
	fit_all(rows, how, false, w, fit);
}
