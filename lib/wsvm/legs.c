/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tolerances, rounding and the steps of restarts go with the size of the
 * weights.  So a leg goes
 *
 *  1. to the end of the path, or where weights grow until their size is GROWS
 *     times as large, but at least until the terms of a gradient are SMALL
 *     times |q|;
 *  2. where they shrink, until their size is SHRINKS of that; once the terms
 *     are below NOTHING of |q|, all weights are alike;
 *  3. the next leg begins with the solution there, at weights that are rounded
 *     once; where the size is an eighth of that at which the scores of I were
 *     computed, they are computed anew.
 */
#include "wsvm/legs.h"

#include "wsvm/active_set.h"
#include "wsvm/leg.h"

#include <float.h>

#define GROWS 1e3    /* of weights in a leg, at most, or to .. */
#define SMALL 1e2    /* .. terms of a gradient, over the largest |q| */
#define SHRINKS 1e-2 /* of weights in a leg, at most */
#define NOTHING 1e-3 /* terms, over |q|, below which all weights are alike */

double
kith_wsvm_legs_size(const struct kith_wsvm *s, double theta)
{
	return s->path.sum[0] + theta * (s->path.sum[1] - s->path.sum[0]);
}

/* Where the leg that begins at base ends. */
static double
leg_end(const struct kith_wsvm *s)
{
	const double from = s->path.sum[0], to = s->path.sum[1];
	const double now = kith_wsvm_legs_size(s, s->path.base);
	const double unit = s->q_max / s->root_most;
	double most, end;

	most = to > from ? fmax(GROWS * now, SMALL * unit) : SHRINKS * now;
	if ((to > from ? to <= most : to >= most || now <= NOTHING * unit) ||
	    !isfinite(unit) || !isfinite(most))
		return 1;
	end = (most - from) / (to - from);
	return end > s->path.base + KITH_WSVM_NEAR * DBL_EPSILON * end &&
		end < 1 - KITH_WSVM_NEAR * DBL_EPSILON
	    ? end
	    : 1;
}

void
kith_wsvm_legs_begin(struct kith_wsvm *s, bool first)
{
	const double now = kith_wsvm_legs_size(s, s->path.base);

	s->path.end = leg_end(s);
	s->path.length = s->path.end - s->path.base;
	s->path.cut = !first;
	if (now < s->path.rebuilt / 8) {
		kith_wsvm_bounded_rebuild(s);
		s->path.rebuilt = now;
	}
	for (size_t v = 0; v < s->N; v++)
		s->path.C[v] = kith_wsvm_path_weight(s, v, s->path.end);
	kith_wsvm_leg_aim(s, s->path.C, first);
}

void
kith_wsvm_legs_freeze(struct kith_wsvm *s, double theta)
{
	kith_wsvm_leg_freeze(s);
	s->path.base = theta;
	for (size_t v = 0; v < s->N; v++) {
		const double C = kith_wsvm_path_weight(s, v, theta);

		s->C.from[v] = s->C.to[v] = C;
		if (s->set.where[v] == KITH_WSVM_IN)
			s->piece.alpha0[v] = C;
	}
}
