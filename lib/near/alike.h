/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/alike - pairs of rows that differ by the same amounts.
 *
 * Where |x_f - a_f| = |x_f - b_f| in every feature f, rows a and b are as far
 * from row x under all weights, as duplicates and mirror images are.  Amounts
 * count as the same when they differ by no more than 1e-12 of themselves, and
 * in features whose differences may be inexact also when the rounding of the
 * three numbers explains what they differ by.
 */
#ifndef KITH_NEAR_ALIKE_H
#define KITH_NEAR_ALIKE_H

#include <stdbool.h>
#include <stddef.h>

struct kith_mat;
struct kith_pool;

/*
 * For each feature the relative rounding error of its numbers: 0 where all of
 * them are multiples of one power of two and small enough (integers, for
 * example) for their differences to be exact; p entries, in the pool.
 * Time O(n p).
 */
double *kith_alike_rounding(const struct kith_mat *X, struct kith_pool *pool);

/* Whether x differs from a and from b by the same amount in one feature. */
bool kith_alike_feature(double x, double a, double b, double rounding);

/* Whether this holds in all p features of the rows x, a and b. */
bool kith_alike(size_t p, const double *x, const double *a, const double *b,
    const double *rounding);

#endif
