/* SPDX-License-Identifier: BSD-2-Clause */
/* near/visits - which leaves a search visits, and which rows there, by bounds. */
#ifndef KITH_NEAR_VISITS_H
#define KITH_NEAR_VISITS_H

#include "near/leaves.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KITH_VISITS_FIRST = 12 }; /* leaves visited before others are bounded */

/* A leaf of the reference, and the bound of its box. */
struct kith_prune_visit {
	float bound;
	uint32_t leaf;
};

/*
 * What a row off by `off` knows of a limit s = sqrt(scale d), or scale d of
 * KITH_ABSOLUTE: no less than s + off.
 */
float kith_prune_known(double s, float off);

/*
 * The limit of bounds for a row that knows so much, in a leaf that is off by
 * most.  What floats round here is far less than the slack, which counts twice.
 */
static inline float
kith_prune_limit(float known, float most, float grow, bool absolute)
{
	const float s = (known + most) * grow;

	return absolute ? s : s * s;
}

/*
 * The leaves with the smallest bounds, at most KITH_VISITS_FIRST and none that
 * is infinite, into the list; how many.
 */
size_t kith_visits_first(const struct kith_knn_leaves *of, const float *bound,
    struct kith_prune_visit *list);

/*
 * All leaves whose bounds, not infinite, are within the limit of a row that
 * knows so much, in order of (bound, leaf), into the list;
 * how many.
 */
size_t kith_visits_within(const struct kith_knn_leaves *of, const float *bound,
    float known, float grow, bool absolute, struct kith_prune_visit *list);

#endif
