/* SPDX-License-Identifier: BSD-2-Clause */
/* near/near - the k nearest of the rows seen so far. */
#ifndef KITH_NEAR_NEAR_H
#define KITH_NEAR_NEAR_H

#include <stdbool.h>
#include <stddef.h>

struct kith_neighbour {
	size_t row; /* row of the reference, from 0 */
	double d;   /* its distance, in units of kith_knn_unit() (near/knn.h) */
};

/* Neighbours of row i: nn[start[i]] to nn[start[i + 1] - 1]. */
struct kith_knn_lists {
	size_t *start;
	struct kith_neighbour *nn;
};

/* The first k of the rows pushed, ordered by distance, then row number. */
struct kith_near {
	struct kith_neighbour *nn; /* k; a heap, the last of the order on top */
	size_t k, held;
};

static inline bool
kith_near_before(const struct kith_neighbour *a, const struct kith_neighbour *b)
{
	return a->d < b->d || (a->d == b->d && a->row < b->row);
}

/* Whether a row at distance d might be among the first k. */
static inline bool
kith_near_wants(const struct kith_near *near, double d)
{
	return near->held < near->k || d <= near->nn[0].d;
}

/* See a row.  Time O(log k); k >= 1. */
void kith_near_push(struct kith_near *near, size_t row, double d);

/* Put the rows held in order, the nearest first; then push no more. */
void kith_near_sort(struct kith_near *near);

/* The largest d whose root is not above r >= 0, which may be infinite. */
double kith_near_square(double r);

#endif
