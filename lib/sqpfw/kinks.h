/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/kinks - where the objective of sqpfw/sqpfw.h is not smooth at given
 * weights.
 *
 * Of the rows tied at a target of rank k, those alike (near/alike.h) are one
 * pair, with as many copies.  Near the weights the distance of the target is
 * the k-th smallest of those of the pairs, copies counted: with s = d for hits
 * and s = -d for misses (whose distance counts negatively), it enters the
 * objective as
 *
 *	min over sets S of pairs with at least `rank` copies of max over S of s
 *
 * (for misses rank is counted from the farthest).  The kink is convex where one
 * such set, of the pairs that no set can do without, is enough: the minimum is
 * then over that set alone.  A convex kink of one pair is no kink.
 */
#ifndef KITH_SQPFW_KINKS_H
#define KITH_SQPFW_KINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_mat;
struct kith_pool;
struct kith_ties;

struct kith_kink {
	size_t row; /* i */
	bool miss, convex;
	size_t rank;
	size_t n;       /* pairs; convex: those of the set that is enough */
	size_t *pair;   /* n: a row j of each */
	size_t *copies; /* n */
};

struct kith_kinks {
	size_t n;
	struct kith_kink *kink; /* n: one for each group of the ties */
	size_t ties;            /* pairs that differ, less one for each kink */
};

/*
 * Find the kinks that go with the ties of rows X, for targets of the ranks hits
 * and misses; rounding is that of near/alike.h.  Time O(ties^2 p) in a group.
 */
struct kith_kinks kith_kinks_find(const struct kith_mat *X, const struct kith_ties *ties,
    size_t hits, size_t misses, const double *rounding, struct kith_pool *pool);

/*
 * The sets S of a concave kink that are minimal, as bits of the pairs, into
 * *set, in the pool; returns how many, or 0 where there are more than `most` or
 * more than 64 pairs.
 */
size_t kith_kinks_sets(
    const struct kith_kink *kink, size_t most, uint64_t **set, struct kith_pool *pool);

#endif
