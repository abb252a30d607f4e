/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/bound - bounds of distances of leaves and their rows (near/leaves.h), in
 * floats: sums over the axes of squares, or of absolute values, of what lies
 * between.  Masks have bit i for row i of a leaf.
 */
#ifndef KITH_NEAR_BOUND_H
#define KITH_NEAR_BOUND_H

#include "near/leaves.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KITH_BOUND_FOUR = 4 }; /* rows that are compared at a time */

/*
 * Of a box low..high (count) and the boxes of all leaves, into bound (of->ld);
 * what is behind the last leaf has no meaning.  Time O(leaves count).
 */
void kith_bound_boxes(const struct kith_knn_leaves *of, const float *low,
    const float *high, bool absolute, float *bound);

/* The pairs of rows of two leaves that may be near enough, row after row. */
struct kith_bound_pairs {
	size_t i;      /* a row of the first leaf */
	uint64_t mask; /* rows of the second that may be near enough to it */
	size_t sums; /* times that four rows were compared with all of these */

	/* The rest is near/bound.c's. */
	const struct kith_knn_leaves *of;
	const float *x, *y;
	bool absolute;
	float limit[KITH_KNN_LEAF];
	uint64_t there, alive, masks[KITH_BOUND_FOUR];
	size_t row[KITH_BOUND_FOUR], n, r;
};

/*
 * Begin with `rows` of a leaf y and leaf l, where row i knows a distance
 * known[i] (KITH_KNN_LEAF of them): beyond
 *
 *	((known[i] + of->most[l]) grow)^2, or without the square if absolute,
 *
 * nothing is near enough.  known may change on the way.
 */
void kith_bound_begin(struct kith_bound_pairs *pairs,
    const struct kith_knn_leaves *of, size_t l, const float *y, uint64_t rows,
    const float *known, float grow, bool absolute);

/* The next i with a mask that is not 0; false: there is none. */
bool kith_bound_next(struct kith_bound_pairs *pairs);

#endif
