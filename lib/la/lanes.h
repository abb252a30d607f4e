/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * la/lanes - sums over features in the one order of near/metric.h, to be compiled
 * for several instruction sets (la/simd.h).
 */
#ifndef KITH_LA_LANES_H
#define KITH_LA_LANES_H

#include "la/simd.h"

#include <stdbool.h>
#include <stddef.h>

/* Halves and quarters of eight numbers. */
typedef double kith_lanes_v4d __attribute__((vector_size(32)));
typedef double kith_lanes_v2d __attribute__((vector_size(16)));

/* Eight numbers at any address. */
KITH_INLINE const kith_v8d_at *
kith_lanes_at(const double *x)
{
	return (const kith_v8d_at *)x;
}

/* D = x - z, or |x - z|, for eight features. */
KITH_INLINE void
kith_lanes_diff(kith_v8d *D, const double *x, const double *z, bool absolute)
{
	*D = *kith_lanes_at(x) - *kith_lanes_at(z);
	if (absolute)
		*D = (kith_v8d)((kith_v8i)*D & INT64_MAX);
}

KITH_INLINE double
kith_lanes_one(double x, double z, bool absolute)
{
	const double D = x - z;

	return absolute && D < 0 ? -D : D;
}

KITH_INLINE double
kith_lanes_total(const double s[8])
{
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* The same of lanes that were stored one by one: clang would load them in pairs, and
 * wait until both are in memory. */
KITH_INLINE double
kith_lanes_apart(const volatile double s[8])
{
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* The same of lanes that are in a vector still; in GCC 11, by their halves. */
KITH_INLINE double
kith_lanes_sum(const kith_v8d *s)
{
#if defined(__clang__) || __GNUC__ >= 12
	const kith_lanes_v4d half = __builtin_shufflevector(*s, *s, 0, 1, 2, 3) +
	    __builtin_shufflevector(*s, *s, 4, 5, 6, 7);
	const kith_lanes_v2d quarter = __builtin_shufflevector(half, half, 0, 1) +
	    __builtin_shufflevector(half, half, 2, 3);
#else
	const union {
		kith_v8d all;
		kith_lanes_v4d half[2];
	} a = {*s};
	const union {
		kith_lanes_v4d all;
		kith_lanes_v2d half[2];
	} b = {a.half[0] + a.half[1]};
	const kith_lanes_v2d quarter = b.half[0] + b.half[1];
#endif

	return quarter[0] + quarter[1];
}

/* Add what is left of p features, from j on, to the lanes v, and add up. */
KITH_INLINE double
kith_lanes_finish(const kith_v8d *v, size_t j, size_t p, const double *w, const double *x,
    const double *z, bool absolute)
{
	double s[8] = {0};

	if (j == p)
		return kith_lanes_sum(v);
	*(kith_v8d_at *)s = *v;
#ifdef __clang__ /* they are seven at most */
#pragma clang loop vectorize(disable) unroll(disable)
#endif
	for (size_t l = 0; j < p; j++, l++) {
		const double e = kith_lanes_one(x[j], z[j], absolute);
		const double t = w ? w[j] * e : e;

		s[l] += absolute ? t : t * e;
	}
	return kith_lanes_apart(s);
}

/*
 * sum_j (w_j D_j) D_j, or sum_j w_j |D_j|, for z and `rows` rows x that follow
 * each other from X on, into d; w NULL: all ones.  Requires that rows is a
 * constant, 1 to 4: as many lanes stay in registers.
 */
KITH_INLINE void
kith_lanes_vectors(double *d, size_t rows, size_t p, const double *w, const double *z,
    const double *X, bool absolute)
{
	kith_v8d v[4] = {{0}}, D, f;
	size_t j;

	for (j = 0; j + 8 <= p; j += 8) {
#pragma GCC unroll 4
		for (size_t l = 0; l < rows; l++) {
			kith_lanes_diff(&D, X + l * p + j, z + j, absolute);
			f = D;
			if (w)
				f *= *kith_lanes_at(w + j);
			if (!absolute)
				f *= D;
			v[l] += f;
		}
	}
#pragma GCC unroll 4
	for (size_t l = 0; l < rows; l++)
		d[l] = kith_lanes_finish(&v[l], j, p, w, X + l * p, z, absolute);
}

/* The same for one row. */
KITH_INLINE double
kith_lanes_vector(size_t p, const double *w, const double *x, const double *z, bool absolute)
{
	double d;

	kith_lanes_vectors(&d, 1, p, w, z, x, absolute);
	return d;
}

/* s += D_i (W D)_i lane by lane, for `rows` rows of W from i on. */
KITH_INLINE void
kith_lanes_rows(double s[8], size_t i, size_t rows, size_t p, const double *W, const double *x,
    const double *z, bool absolute)
{
	const double *row = W + i * p;
	kith_v8d r[4] = {{0}}, D;
	double t[8] = {0};
	size_t j;

	for (j = 0; j + 8 <= p; j += 8) {
		kith_lanes_diff(&D, x + j, z + j, absolute);
		for (size_t l = 0; l < rows; l++)
			r[l] += *kith_lanes_at(row + l * p + j) * D;
	}
	for (size_t l = 0; l < rows; l++) {
		const double e = kith_lanes_one(x[i + l], z[i + l], absolute);

		*(kith_v8d_at *)t = r[l];
		for (size_t m = j; m < p; m++)
			t[m - j] += row[l * p + m] * kith_lanes_one(x[m], z[m], absolute);
		*(kith_v8d_at *)s += *kith_lanes_at(t) * e;
	}
}

/* sum_ij D_i W_ij D_j, or the same of |D|. */
KITH_INLINE double
kith_lanes_matrix(size_t p, const double *W, const double *x, const double *z, bool absolute)
{
	double s[8] = {0};
	size_t i;

	for (i = 0; i + 4 <= p; i += 4)
		kith_lanes_rows(s, i, 4, p, W, x, z, absolute);
	for (; i < p; i++)
		kith_lanes_rows(s, i, 1, p, W, x, z, absolute);
	return kith_lanes_total(s);
}

/* As kith_lanes_sum(), by way of memory: in some loops a fifth faster. */
KITH_INLINE double
kith_lanes_stored(const kith_v8d *v)
{
	double s[8] = {0};

	*(kith_v8d_at *)s = *v;
	return kith_lanes_total(s);
}

#endif
