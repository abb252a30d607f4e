/* SPDX-License-Identifier: BSD-2-Clause */
/* near/visits - which leaves a search visits, by the bounds of their boxes. */
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
 * The leaves with the smallest bounds, at most KITH_VISITS_FIRST and none that
 * is infinite, into the list; how many.
 */
size_t kith_visits_first(const struct kith_knn_leaves *of, const float *bound,
    struct kith_prune_visit *list);

/*
 * All leaves whose bounds, not infinite, are within the limit of a row that
 * knows so much (near/prune_leaf.h), in order of (bound, leaf), into the list;
 * how many.
 */
size_t kith_visits_within(const struct kith_knn_leaves *of, const float *bound,
    float known, float grow, bool absolute, struct kith_prune_visit *list);

#endif
