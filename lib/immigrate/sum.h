/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/sum - sums over the pairs of rows with the weights c of
 * immigrate/soft.h, D being |x - z|, feature by feature:
 *
 *	Sigma = sum c D D'     (a matrix)
 *	u     = sum c D        (a vector)
 *
 * Pairs with |c| <= least, first 1e-12 of the mean weight of a row, are left out.  The pairs
 * of tiles are cut into parts that depend on the data alone; the parts' sums
 * are added in order, so that any number of threads gives the same bytes.
 */
#ifndef KITH_IMMIGRATE_SUM_H
#define KITH_IMMIGRATE_SUM_H

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_soft;
struct kith_immigrate_sum_room;
struct kith_pool;

struct kith_immigrate_sum {
	const struct kith_immigrate_soft *soft;
	bool matrix;
	bool floats;        /* of many features: products of floats */
	double least;       /* |c| up to this is left out */
	size_t parts, once; /* in all, and at the same time */
	size_t len;         /* of a sum */

	/*
	 * p x p: the upper triangle of Sigma; a vector: ld sums over hits, then
	 * ld over misses, of |c| D.
	 */
	double *total;
	double trace; /* of Sigma */
	double size;  /* sum |c| D'D; a vector: sum |c| sum_j D_j */

	struct kith_immigrate_sum_room *room;
	size_t base; /* the first part of those being summed */
};

/* Room in the pool: O(p^2) per thread, or up to 64 MB. */
struct kith_immigrate_sum kith_immigrate_sum_new(
    const struct kith_immigrate_soft *soft, bool matrix, bool floats, struct kith_pool *pool);

/* Sum anew.  Time O(n^2 p^2 / 2), with a vector O(n^2 p). */
void kith_immigrate_sum(struct kith_immigrate_sum *sum);

/*
 * The pairs that count as rows of a matrix: sqrt|c| D into Z (most x ld), the
 * sign of c into sign (most).  Returns their number, or most + 1 where there
 * are more; trace and size are set.
 */
size_t kith_immigrate_sum_rows(
    struct kith_immigrate_sum *sum, size_t most, double *Z, double *sign);

#endif
