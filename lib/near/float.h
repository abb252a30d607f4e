/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/float - rows in single precision, and how far their products can be
 * from the distances that kith_dist() computes.
 *
 * Rows are centred by about the median of the reference, in double, and scaled.
 * With A, B the float rows (B = A for KITH_SQUARED, whose weights go into A as
 * roots, and for KITH_ABSOLUTE, whose weights go into A; B = A W for a matrix),
 *
 *	d(i, j) = q_i + q_j + C_ij,  q_i = A_i B_i,  C_ij = -2 A_i B_j,
 *	or for KITH_ABSOLUTE         q_i = 0,        C_ij = |A_i - A_j|_1,
 *
 * where C_ij may be off by gamma (h_i + h_j), h_i being |A_i|^2,
 * (|A_i|^2 + |B_i|^2) for a matrix, or |A_i|_1: rounding to float, p products
 * or differences, sums in any order, fused or not, and the sums that
 * near/sieve forms.  So with
 *
 *	low_i = q_i - gamma h_i - tiny,    wide_i = 2 (gamma h_i + tiny),
 *
 * g = low_j + C_ij obeys the bounds that near/sieve asks for; tiny covers what
 * is lost below the smallest normal float.  gamma = 1.05 (p + 16) 2^-24.
 */
#ifndef KITH_NEAR_FLOAT_H
#define KITH_NEAR_FLOAT_H

#include <stdbool.h>
#include <stddef.h>

struct kith_knn_pack;
struct kith_pool;

struct kith_knn_scale {
	const struct kith_knn_pack *pack;
	const double *centre; /* p */
	const double *factor; /* p */
	const double *W;      /* p x p, scaled, or NULL */
	double a, b;          /* powers of two that A and B take at last */
	double scale;         /* distances of the pack times this are ours */
	double rounding;      /* of products with W in double, times |A|^2 */
};

/* Rows in floats; A and B are the same for KITH_SQUARED. */
struct kith_knn_float {
	size_t n;
	float *A, *B;      /* n x p; B of KITH_ABSOLUTE: A in strips */
	float *low, *wide; /* n */
};

/* Whether floats can serve: p and the sizes of the data are in range. */
bool kith_knn_float_serves(const struct kith_knn_pack *pack);

/* Choose centre and scale for a reference that floats can serve. */
struct kith_knn_scale kith_knn_scale_new(
    const struct kith_knn_pack *pack, struct kith_pool *pool);

/* (x - centre) factor, feature by feature, of a packed row x, into out (p). */
void kith_knn_scale_row(
    const struct kith_knn_scale *scale, const double *x, double *out);

/* Room for n rows. */
struct kith_knn_float kith_knn_float_room(
    const struct kith_knn_scale *scale, size_t n, struct kith_pool *pool);

/*
 * Turn packed rows z[0..n-1] into floats, as the first n of to.  A row too far
 * away for floats gets A = B = 0 and low = INFINITY.  Time O(n p), O(n p^2).
 */
void kith_knn_float_fill(const struct kith_knn_scale *scale,
    const double *const *z, size_t n, struct kith_knn_float *to);

/*
 * The tile C_ij for m rows A and the n rows j, j + 1, ... of X, j a multiple of
 * KITH_STRIP.  Time O(m n p).
 */
void kith_knn_float_cross(const struct kith_knn_scale *scale, size_t m,
    const float *A, const struct kith_knn_float *X, size_t j, size_t n,
    float *C);

#endif
