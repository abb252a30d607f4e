/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/leaves - rows on axes (near/axes.h) in leaves of KITH_KNN_LEAF rows that
 * lie together, and the box around each.
 *
 * A stretch of rows is split on its widest coordinate, at a multiple of
 * KITH_KNN_LEAF rows next to the middle, until it is a leaf; so all leaves but
 * the last are full.
 */
#ifndef KITH_NEAR_LEAVES_H
#define KITH_NEAR_LEAVES_H

#include <stddef.h>
#include <stdint.h>

enum { KITH_KNN_LEAF = 64 };

struct kith_knn_axes;
struct kith_pool;

struct kith_knn_leaves {
	size_t rows;   /* rows that are in leaves: those not far away */
	size_t leaves; /* ceil(rows / KITH_KNN_LEAF) */
	size_t count;  /* coordinates of a row */
	size_t ld;     /* leaves, rounded up to 16 */

	/* Of each leaf, in its order; at the end of the last what is not
	   there has y = 0. */
	uint32_t *row; /* KITH_KNN_LEAF rows */
	float *y;      /* count x KITH_KNN_LEAF coordinates */
	float *off;    /* KITH_KNN_LEAF */

	/* Of all leaves: */
	float *low, *high; /* count x ld: boxes; of none, 0 */
	float *most;       /* ld: the largest off */

	size_t far;       /* rows far away (axes.h) */
	uint32_t *beyond; /* their numbers */
};

/*
 * The leaves of n < 2^32 packed rows z.  Time O(n count log n) beside
 * kith_knn_axes_fill(), memory O(n count) floats.
 */
struct kith_knn_leaves kith_knn_leaves_new(const struct kith_knn_axes *axes,
    const double *const *z, size_t n, struct kith_pool *pool);

#endif
