/* SPDX-License-Identifier: BSD-2-Clause */
/* near/kth - a bound that holds about k of some numbers below it. */
#ifndef KITH_NEAR_KTH_H
#define KITH_NEAR_KTH_H

#include <stddef.h>

enum { KITH_KNN_WIDE = 16 }; /* numbers come in multiples of it */

/* The least multiple of KITH_KNN_WIDE that is >= n. */
static inline size_t
kith_knn_widen(size_t n)
{
	return (n + KITH_KNN_WIDE - 1) / KITH_KNN_WIDE * KITH_KNN_WIDE;
}

/*
 * A number x that at least k of v[0..n-1] do not exceed, and at most `enough`
 * (>= k), unless many are equal to the k-th smallest: then x is just that.
 * Requires 1 <= k <= the finite ones among them, no NaN, and room for
 * kith_knn_widen(n) numbers, which is filled.  Time O(n).
 */
float kith_knn_kth(float *v, size_t n, size_t k, size_t enough);

#endif
