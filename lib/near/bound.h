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

enum { KITH_BOUND_FOUR = 4 };

/*
 * Of a box low..high (count) and the boxes of all leaves, into bound (of->ld);
 * what is behind the last leaf has no meaning.  Time O(leaves count).
 */
void kith_bound_boxes(const struct kith_knn_leaves *of, const float *low,
    const float *high, bool absolute, float *bound);

/*
 * Which of the rows y of a leaf are not above their limits (KITH_KNN_LEAF) of
 * the box of leaf l.
 */
uint64_t kith_bound_rows(const struct kith_knn_leaves *of, size_t l,
    const float *y, const float *limit, bool absolute);

/*
 * Which of the rows x of a leaf are not above the limits of each of four rows,
 * i[0..3], of another leaf y, into mask[0..3]: the limit of row i is limit[i].
 */
void kith_bound_four(size_t count, const float *x, const float *y,
    const size_t *i, const float *limit, bool absolute, uint64_t *mask);

/*
 * Take the first rows of a mask, which is not 0, at most four, into i; the last
 * places repeat the first row.  Returns how many were taken.
 */
static inline size_t
kith_bound_take_four(uint64_t *mask, size_t *i)
{
	size_t n = 0;

	do {
		i[n++] = (size_t)__builtin_ctzll(*mask);
		*mask &= *mask - 1;
	} while (*mask && n < KITH_BOUND_FOUR);
	for (size_t r = n; r < KITH_BOUND_FOUR; r++)
		i[r] = i[0];
	return n;
}

/*
 * ((known + most) grow)^2 for each of KITH_KNN_LEAF rows, or without the
 * square, into `to`.
 */
void kith_bound_limits(
    const float *known, float most, float grow, bool absolute, float *to);

#endif
