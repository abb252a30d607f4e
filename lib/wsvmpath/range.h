/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/range - whether doubles hold kernels, and resolve their differences.
 *
 * With K* = max K(x, x), each K has an error of about 1e-16 K*.  A machine with a bias learns from
 * the differences of rows: with
 *
 *	S = min_r mean_i (K(x_i, x_i) - 2 K(x_i, x_r) + K(x_r, x_r)),
 *
 * the mean squared distance from a row, which is between 1 and about 2 times the mean of the
 * centred diagonal, and the ridge as it is added,
 *
 *	K* > 1e14 S            the signs of f are rounding
 *	K* > 5e9 (S + ridge)   f is off by a large part of the margin
 *
 * as measured with 30 rows of normal numbers plus a constant, the linear kernel and polynomials of
 * degree 2, 3 and 5, C = 3 / D, D the mean of the centred diagonal, against kernels centred in
 * exact arithmetic.  With ridge 0 the worst f of 8 tables was off by 5e-5 where K* / D was 1e9, and
 * by 3e-4 at 1e10; from 1.6e10 on some were off by 300, and from 1e12 on all by 1 and more.  With
 * ridge 1e-6 f was right to 2e-8 throughout, and signs were wrong from 1e15 on, but for one.
 */
#ifndef KITH_WSVMPATH_RANGE_H
#define KITH_WSVMPATH_RANGE_H

#include <stdbool.h>
#include <stddef.h>

struct kith_kern;
struct kith_mat;

/*
 * Returns whether neither inequality holds; true for gaussian kernels, and where all K of the rows
 * are equal.  The ridge is relative: times the mean of K(x, x).  r is one of at most 16 rows spread
 * over X.  Requires finite K.  Time O(16 n p).
 */
bool kith_svm_resolved(const struct kith_kern *kern, const struct kith_mat *X, double ridge);

/*
 * Returns the first item of X whose kernel with itself is too large for sums in doubles, or X->n;
 * |K(x, z)| <= max K(x, x).
 */
size_t kith_svm_too_large(const struct kith_kern *kern, const struct kith_mat *X);

/* Returns the ridge as it is added: `ridge` times the mean of K(x, x) over X. */
double kith_svm_ridge(double ridge, const struct kith_kern *kern, const struct kith_mat *X);

#endif
