/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/expect - prediction by expected distance (Zhao, Ni et al., IMMIGRATE,
 * eqs. (3.11) and (3.12)): with all rows n of a class c
 *
 *	V_c(z) = sum_n alpha_n d(z, x_n),
 *	alpha_n = exp(-d(z, x_n) / sigma) / (their sum over the class),
 *
 * the class of a row z is the one with the smallest V_c.  The exponents are
 * shifted by the nearest row of the class, so any sigma > 0 will do: alpha
 * goes to the nearest rows alone as sigma becomes small.  Distances are those
 * of near/metric.h, below 0 too.
 */
#ifndef KITH_NEAR_EXPECT_H
#define KITH_NEAR_EXPECT_H

#include <stddef.h>

struct kith_expect;
struct kith_mat;
struct kith_metric;
struct kith_pool;

/*
 * Get rows X (n x p, n >= 1, finite) of classes y (0..c-1) ready, in the pool.
 * y NULL: they are of one class, 0, and c is 1.  Metric must stay where it is.
 * Time and memory O(n p).
 */
struct kith_expect *kith_expect_new(const struct kith_mat *X, const size_t *y,
    size_t c, const struct kith_metric *metric, double sigma,
    struct kith_pool *pool);

/*
 * V_c of each row of Z (m x p, finite) into V (m x c), all times one positive
 * factor, which keeps them in the range of a double; a class without rows has
 * V infinite.  Where self is not NULL, row self[i] of X is left out for row i
 * of Z.  Time O(m n p), for a matrix O(m n p^2), on `threads` threads.
 */
void kith_expect_values(const struct kith_expect *e, const struct kith_mat *Z,
    const size_t *self, size_t threads, double *V);

/*
 * The mean of the numbers t (n) under the alpha of all rows, into out (m); for
 * a sample of one class.  With self n must be 2 at least.
 */
void kith_expect_means(const struct kith_expect *e, const double *t,
    const struct kith_mat *Z, const size_t *self, size_t threads, double *out);

/* The class of the smallest of c values, of equal ones the first. */
size_t kith_expect_class(const double *V, size_t c);

/*
 * Shares of the classes, of sum 1, in proportion to 1 / V_c; where some V_c
 * are 0 or less, the smallest have all of it in equal parts, and so where all
 * are infinite.
 */
void kith_expect_shares(const double *V, size_t c, double *share);

#endif
