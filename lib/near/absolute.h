/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/absolute - sums of absolute differences of rows in single precision, as
 * tiles of many rows by many.
 *
 * The rows of one side lie in strips of KITH_STRIP rows, feature by feature:
 * strip s has feature a of row KITH_STRIP s + l at B[(s p + a) KITH_STRIP + l].
 */
#ifndef KITH_NEAR_ABSOLUTE_H
#define KITH_NEAR_ABSOLUTE_H

#include <stddef.h>

enum { KITH_STRIP = 32 }; /* two vectors of floats */

/* Floats that n rows of p features take in strips. */
size_t kith_strips_size(size_t n, size_t p);

/* Put a row into its place among rows in strips. */
void kith_strips_put(float *B, size_t i, size_t p, const float *row);

/*
 * C_ij = sum_a |A_ia - B_ja| (m x n), the n rows of B being in strips, the
 * first of them at the start of one.  A sum is within p 2^-24 of itself, and
 * its differences each within 2^-24 of themselves.  Time O(m n p).
 */
void kith_absolute_cross(
    size_t m, size_t n, size_t p, const float *A, const float *B, float *C);

#endif
