/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/dist - the distance of two rows, computed in one fixed order.
 *
 * Features that do not count (of weight 0, or with a row of the matrix that
 * is all 0) are left out.  The sum over the others runs in eight lanes, the
 * j-th of them, from 0, in lane j % 8, which are added as
 * ((0+4)+(2+6))+((1+5)+(3+7)).  A term is (w_j D_j) D_j, so it overflows or
 * vanishes only if its value does; for a matrix, lane l adds up
 * D_i (sum over j = l, l+8, ... of W_ij D_j) over i.
 *
 * A sum below 0 that rounding alone explains, as where a matrix is positive
 * semidefinite but not definite, is a distance of 0; of D' W D also one that an
 * eigenvalue explains which counts as 0 (near/semi.h).
 *
 * Every instruction set that the code was compiled for gives the same bits,
 * and d(x, z) = d(z, x).  Rows so far apart that the sum is no number (sums
 * of different signs that overflow) are at distance inf.
 */
#ifndef KITH_NEAR_DIST_H
#define KITH_NEAR_DIST_H

#include <stddef.h>

struct kith_mat;
struct kith_metric;
struct kith_pool;

/*
 * d(x, z) of near/metric.h, for rows of metric->p features.  Time O(p), O(p^2).
 */
double kith_dist(
    const struct kith_metric *metric, const double *x, const double *z);

/*
 * The features that count, in order, into kept (metric->p); returns their
 * number.
 */
size_t kith_dist_kept(const struct kith_metric *metric, size_t *kept);

/*
 * The metric of the p features kept alone, in the pool unless it is the same;
 * p may be 0.
 */
struct kith_metric kith_dist_pack(const struct kith_metric *metric,
    const size_t *kept, size_t p, struct kith_pool *pool);

/*
 * d(z, x) for the n rows x of metric->p features that follow each other from
 * X on, into d (n).  Requires that all features of the metric count.
 */
void kith_dist_rows(const struct kith_metric *metric, const double *z,
    const double *X, size_t n, double *d);

#endif
