/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw/groups - the points of a group of a solver, for tests of its lists. */
#ifndef KITH_TEST_SQPFW_GROUPS_H
#define KITH_TEST_SQPFW_GROUPS_H

#include "sqpfw/state.h"

static inline double
distance_at(const struct kith_sqpfw *s, const double *w, size_t i, size_t j)
{
	double d = 0;

	for (size_t f = 0; f < s->points.p; f++) {
		const double a = kith_sqpfw_value(&s->points, i, f) -
		    kith_sqpfw_value(&s->points, j, f);

		d += w[f] * (a * a);
	}
	return d;
}

static inline bool
belongs(const struct kith_sqpfw *s, uint32_t g, size_t j)
{
	return j != g / 2 &&
	    (s->points.of[j] != s->points.of[g / 2]) == (g % 2 == 1);
}

#endif
