/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/block - neighbours of rows in a block of a reference, which may have few
 * rows or none, and some of the rows themselves.
 */
#ifndef KITH_NEAR_BLOCK_H
#define KITH_NEAR_BLOCK_H

#include "near/near.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_mat;
struct kith_metric;
struct kith_pool;

struct kith_near_block {
	const struct kith_mat *X; /* n x p, n >= 0: the block */
	const struct kith_mat *Z; /* m x p: the rows */
	const struct kith_metric *metric;

	/* Rows own.. to own + owns - 1 of Z are rows first.. of X, and no
	   neighbours of themselves. */
	size_t own, owns, first;

	size_t k;     /* the nearest k, or all that there are; 0: all */
	double limit; /* with d up to this, or INFINITY */
	size_t threads;
};

/*
 * Say which rows are their own, of X and Z that are rows of one table, from x and
 * from z on.
 */
void kith_near_block_own(struct kith_near_block *block, size_t x, size_t z);

/*
 * Find them, in order of (d, row), in the pool.  False where other rows of the
 * reference may change the unit of the distances (near/knn.h), for cells that
 * are too large or too small.  Time of the search.
 */
bool kith_near_block(const struct kith_near_block *block,
    struct kith_knn_lists *out, struct kith_pool *pool);

#endif
