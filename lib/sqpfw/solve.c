/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Algorithm 1: a local minimum of F at one theta.  An iteration is
 *
 *	1. dw = (v - w)_P projected on the null space of C',
 *	   v = prior - theta g.                     kith_sqpfw_eqp_direction()
 *	2. dw != 0, a step:
 *	   a. tau = min(1, w_f / -dw_f, a'w / -a'dw), the largest at which no
 *	      weight is below 0 and no pair passes its target (Lemma 5).
 *	                                            kith_sqpfw_step_test()
 *	   b. w += tau dw.                          kith_sqpfw_step_take()
 *	   c. What blocked becomes active: a weight is fixed at 0, a pair is
 *	      tied.                                 kith_sqpfw_step_activate()
 *	3. dw = 0, multipliers: C y = (v - w)_P, alpha = (v - w)_Z - C_Z y.
 *	   a. Of those of the wrong sign that Lemma 6 lets go the largest leaves
 *	      the active set.                       kith_sqpfw_release_choose()
 *	   b. If there is none, pairs of gap 0 are tied, which may block in
 *	      another direction; where that brings nothing, w is the solution.
 *	                                            release_zero_gap()
 */
#include "sqpfw/solve.h"

#include "base/progress.h"
#include "sqpfw/active.h"
#include "sqpfw/awake.h"
#include "sqpfw/candidates.h"
#include "sqpfw/eqp.h"
#include "sqpfw/pair.h"
#include "sqpfw/release.h"
#include "sqpfw/scale.h"
#include "sqpfw/step.h"

#include <float.h>

enum {
	CHANGES = 256, /* of targets, before the gradient is computed anew */
	STUCK = 100    /* steps in a row that change neither w nor the ties */
};

/* An objective that falls by less, relative to itself, does not fall. */
#define FALL 1e-15

/* The largest gap that counts as 0. */
#define ZERO 1e-11
/* Pairs are looked for that w could tie if it moved by so much. */
#define RANGE 1e-9

/* The lowest objective so far, and releases since then. */
struct progress {
	double lowest;
	size_t idle;
};

/* Whether so many releases have not lowered F that the active set cycles. */
static bool
cycles(const struct kith_sqpfw *s, struct progress *progress)
{
	const double F = kith_sqpfw_eqp_objective(s);

	kith_progress_value("objective", F);
	if (F < progress->lowest - FALL * fabs(progress->lowest)) {
		progress->lowest = F;
		progress->idle = 0;
		return false;
	}
	return ++progress->idle > 200 + 4 * (s->positive + s->active.qr.m);
}

/* The length, by either scale, of a change of w by RANGE. */
static double
range_length(const struct kith_sqpfw *s)
{
	return 2 * RANGE / sqrt(s->scale_min);
}

/* Renew the lists that might lack pairs of gap 0. */
static void
renew_lists(struct kith_sqpfw *s)
{
	kith_sqpfw_candidates_test(s, range_length(s), 0, RANGE, KITH_SQPFW_NONE);
	for (size_t k = 0; k < s->candidates.n_fresh; k++)
		kith_sqpfw_pair_requeue(s, s->candidates.fresh[k]);
	for (size_t k = 0; k < s->candidates.n_due; k++)
		kith_sqpfw_candidates_queue(s, s->candidates.due[k]);
	s->candidates.n_due = 0;
}

/*
 * Tie the pairs with |a'w| <= 1e-11 whose rows do not depend on those of the
 * ties; returns how many.  w may be no minimum though no multiplier says so:
 * such a pair blocks at once in one direction and may, once tied, open another.
 */
static size_t
tie_zero_gap(struct kith_sqpfw *s)
{
	uint32_t *due;
	size_t n, ties = 0;

	renew_lists(s);
	due = s->pairs.due;
	n = s->box.on ? kith_sqpfw_awake_near(s, RANGE, due)
		      : kith_sqpfw_queue_all(&s->pairs.queue, range_length(s), due);
	for (size_t k = 0; k < n; k++) {
		const double gap = kith_sqpfw_pair_gap(s, due[k]);

		kith_sqpfw_pair_take(s, due[k]);
		if (fabs(gap) <= ZERO && s->active.qr.m < s->positive &&
		    !kith_sqpfw_active_depends(s, due[k]) && kith_sqpfw_active_tie(s, due[k]))
			ties++;
		else
			kith_sqpfw_pair_queue(s, due[k], gap);
	}
	return ties;
}

/*
 * Tie the pairs of gap 0, and see whether there is a direction or a release
 * then; else undo that, and return false.
 */
static bool
release_zero_gap(struct kith_sqpfw *s, struct kith_sqpfw_release *release)
{
	const size_t ties = kith_sqpfw_ties_n(s);

	release->what = KITH_SQPFW_RELEASE_NONE;
	if (tie_zero_gap(s) == 0)
		return false;
	if (!kith_sqpfw_eqp_direction(s))
		kith_sqpfw_release_choose(s, release);
	else
		release->what = KITH_SQPFW_RELEASE_STEP;
	if (release->what == KITH_SQPFW_RELEASE_NONE) {
		kith_sqpfw_active_untie(s, ties);
		return false;
	}
	for (size_t t = ties; t < kith_sqpfw_ties_n(s); t++) {
		const uint32_t at = s->active.tie[t];

		kith_sqpfw_active_report(s, at, s->pairs.pair[at].state_before, KITH_SQPFW_TIED);
	}
	return true;
}

/* A step along dw; whether it changed w or the active set. */
static bool
take_step(struct kith_sqpfw *s)
{
	struct kith_sqpfw_block block;
	double tau;

	kith_sqpfw_scale_renew(s);
	kith_sqpfw_step_measure(s);
	tau = kith_sqpfw_step_test(s, 1, &block);
	kith_sqpfw_step_take(s, tau);
	kith_sqpfw_step_activate(s, &block);
	return tau > 0 || block.by != KITH_SQPFW_BLOCK_NONE;
}

bool
kith_sqpfw_solve_warm(struct kith_sqpfw *s)
{
	const size_t most = s->problem.how->max_iter, from = s->iterations;
	struct progress progress = {DBL_MAX, 0};
	struct kith_sqpfw_release release;
	size_t stuck = 0;

	if (s->active.target_changes > CHANGES)
		kith_sqpfw_active_gradient(s);
	kith_progress_value("theta", kith_sqpfw_theta(s));
	s->step.stale = true;
	s->done = false;
	s->limited = false;
	while (most == 0 || s->iterations - from < most) {
		const bool exact = s->step.stale;

		if (s->broken)
			return false;
		s->iterations++;
		kith_progress_value("iteration", (double)s->iterations);
		if (kith_sqpfw_eqp_direction(s)) {
			stuck = take_step(s) ? 0 : stuck + 1;
			s->broken |= stuck > STUCK;
			continue;
		}
		kith_sqpfw_release_choose(s, &release);
		if (release.what == KITH_SQPFW_RELEASE_NONE && !exact) {
			/* An updated dw is 0: so must be one from w. */
			s->step.stale = true;
			s->iterations--;
			continue;
		}
		if (release.what == KITH_SQPFW_RELEASE_NONE && !release_zero_gap(s, &release)) {
			s->done = true;
			return true;
		}
		if (cycles(s, &progress))
			return false;
		kith_sqpfw_release_apply(s, &release);
	}
	s->limited = true;
	return false;
}
