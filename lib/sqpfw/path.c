/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Algorithm 2: from a solution at theta to the next breakpoint.
 *
 *	1. dw/dtheta = -g_P projected on the null space of C'; the multipliers
 *	   at theta and their slopes, from C y = (v - w)_P and
 *	   C dy/dtheta = -g_P - dw/dtheta.                kith_sqpfw_eqp_slope()
 *	2. How far theta goes, the least of
 *	   a. -multiplier / slope of what Lemma 6 would let go: where its
 *	      multiplier changes sign.                 kith_sqpfw_release_next()
 *	   b. The ratio test along dw/dtheta (Lemma 5).   kith_sqpfw_step_test()
 *	   c. theta_max.
 *	3. theta += far, w += far dw/dtheta, and what ended 2 enters or leaves
 *	   the active set.                                            go_ahead()
 *	4. w need not be a solution then: after a release at a concave kink
 *	   dw != 0, and w jumps.  Solve again at this theta (the paper's
 *	   Algorithm 2 lacks this).                     kith_sqpfw_solve_warm()
 *
 * Where rows that depend on each other keep 3 at one theta, leap() moves theta.
 */
#include "sqpfw/path.h"

#include "sqpfw/eqp.h"
#include "sqpfw/release.h"
#include "sqpfw/scale.h"
#include "sqpfw/solve.h"
#include "sqpfw/step.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Theta that grows by less, relative to itself, stands still. */
#define STILL 1e-12
/* The first leap, relative to theta; the next are so many times longer. */
#define LEAP 1e-9
#define LONGER 4
/* Where theta grows by more, relative to itself, the stall is over. */
#define GROWS 1e-4
/* The least theta that a leap is relative to. */
#define LEAST 1e-6

enum {
	STALLS = 50, /* breakpoints at one theta before it leaps */
	AGAIN = 5    /* those more before it leaps again */
};

/* The next change of the active set, and how far theta goes until then. */
struct ahead {
	struct kith_sqpfw_release release;
	struct kith_sqpfw_block block;
	double far;
	bool moves; /* dw/dtheta is not 0 */
};

static void
look_ahead(struct kith_sqpfw *s, double most, struct ahead *ahead)
{
	ahead->block.by = KITH_SQPFW_BLOCK_NONE;
	kith_sqpfw_scale_renew(s);
	ahead->moves = kith_sqpfw_eqp_slope(s);
	kith_sqpfw_release_next(s, &ahead->release);
	ahead->far = fmin(most - s->theta, ahead->release.size);
	if (!ahead->moves)
		return;
	kith_sqpfw_step_measure(s);
	ahead->far = kith_sqpfw_step_test(s, ahead->far, &ahead->block);
}

/* Go there; whether the active set changes, or only theta. */
static bool
go_ahead(struct kith_sqpfw *s, const struct ahead *ahead, double *before)
{
	if (ahead->far > GROWS * s->theta) {
		s->path.stalls = 0;
		s->path.leap = 0;
	} else
		s->path.stalls += ahead->far <= STILL * s->theta;
	s->theta += ahead->far;
	if (ahead->moves) {
		kith_sqpfw_step_take(s, ahead->far);
		if (ahead->block.by == KITH_SQPFW_BLOCK_WEIGHT)
			s->w_by_feature[s->feature[ahead->block.which]] = 0;
	}
	memcpy(before, s->w_by_feature, s->points.p * sizeof(*before));
	if (ahead->block.by != KITH_SQPFW_BLOCK_NONE)
		kith_sqpfw_step_activate(s, &ahead->block);
	else if (ahead->far >= ahead->release.size)
		kith_sqpfw_release_apply(s, &ahead->release);
	else
		return false;
	return true;
}

/*
 * Where so many breakpoints came at one theta that the active set must go in
 * circles, let theta leap ahead; whether it did.
 */
static bool
leap(struct kith_sqpfw *s, double last, double *before)
{
	const size_t most = STALLS + 2 * (s->active.qr.m + s->positive);

	if (s->path.stalls <= most)
		return false;
	s->path.stalls = most - AGAIN;
	s->path.leap = s->path.leap > 0 ? LONGER * s->path.leap : LEAP;
	memcpy(before, s->w_by_feature, s->points.p * sizeof(*before));
	s->theta = fmin(last, s->theta + s->path.leap * fmax(s->theta, LEAST));
	return true;
}

enum kith_sqpfw_step
kith_sqpfw_next(struct kith_sqpfw *s, double theta_max, double *before)
{
	const int unit = -2 * s->points.exponent;
	const double last = scalbn(theta_max, unit);
	const double largest = scalbn(DBL_MAX, unit);
	struct ahead ahead;

	s->theta_given = NAN;
	while (!leap(s, last, before)) {
		look_ahead(s, last, &ahead);
		if (ahead.far == INFINITY || s->theta + ahead.far > largest) {
			memcpy(before, s->w_by_feature, s->points.p * sizeof(*before));
			return KITH_SQPFW_END;
		}
		if (go_ahead(s, &ahead, before))
			break;
		if (!(s->theta < last)) {
			s->theta = last;
			s->theta_given = theta_max;
			return KITH_SQPFW_THETA_MAX;
		}
	}
	s->iterations++;
	return kith_sqpfw_solve_warm(s) ? KITH_SQPFW_BREAKPOINT : KITH_SQPFW_LIMIT;
}
