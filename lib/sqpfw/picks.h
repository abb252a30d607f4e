/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/picks - what a pass over the points of a group has found becomes the
 * candidates of the group (sqpfw/candidates.h).
 */
#ifndef KITH_SQPFW_PICKS_H
#define KITH_SQPFW_PICKS_H

#include "sqpfw/state.h"

struct kith_neighbour;

enum { KITH_SQPFW_INNER = 16 }; /* of these pairs are kept at hand */

/* The pairs of a group that are nearer than the target or tied: q and r. */
struct kith_sqpfw_inner {
	const struct kith_sqpfw *s;
	uint32_t group;
	uint32_t pair[KITH_SQPFW_INNER];
	size_t n; /* more than INNER: not in pair[] */
};

/* The largest state of the pairs q that sqpfw/candidates.h bounds targets by: 0
 * where the nearer pairs and the copies of the target are fewer than its rank,
 * else -1. */
static inline int
kith_sqpfw_inner_last(const struct kith_sqpfw *s, uint32_t g)
{
	const struct kith_sqpfw_group *group = &s->group[g];

	return group->nearer + s->pairs.pair[group->target].copies >= group->rank ? -1 : 0;
}

struct kith_sqpfw_inner kith_sqpfw_inner_of(const struct kith_sqpfw *s, uint32_t group);

/* Whether point j is in one of these pairs, which `of` points at: a pass is to
 * skip it (sqpfw/scan.h). */
bool kith_sqpfw_inner_has(const void *of, size_t j);

/*
 * Let the candidates of a group be n points that a pass found, in the order of
 * numbers nn[].d >= 0 that are equal, but for rounding, where rows are: such
 * points become one pair.  Pairs that stay candidates keep their number, as
 * does `keep` (KITH_SQPFW_NONE: none) in any case; new ones go to
 * candidates.fresh, measured, and neither queued nor evaluated.
 */
void kith_sqpfw_picks_take(
    struct kith_sqpfw *s, uint32_t group, const struct kith_neighbour *nn, size_t n, uint32_t keep);

#endif
