/* SPDX-License-Identifier: BSD-2-Clause */
/* la/vec - what several rooms ask of a vector. */
#ifndef KITH_LA_VEC_H
#define KITH_LA_VEC_H

#include <math.h>
#include <stddef.h>

/* max |v_i| of n numbers; 0 where there is none. */
static inline double
kith_vec_largest(size_t n, const double *v)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fabs(v[i]) > most ? fabs(v[i]) : most;
	return most;
}

/* The index of the largest of n >= 1 numbers, of equal ones the first. */
static inline size_t
kith_vec_argmax(size_t n, const double *v)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (v[i] > v[best])
			best = i;
	return best;
}

/* The index of the smallest of n >= 1 numbers, of equal ones the first. */
static inline size_t
kith_vec_argmin(size_t n, const double *v)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (v[i] < v[best])
			best = i;
	return best;
}

/* fmin() and fmax() without their care for NaN, which costs a call. */
static inline double
kith_lesser(double a, double b)
{
	return a < b ? a : b;
}

static inline double
kith_larger(double a, double b)
{
	return a > b ? a : b;
}

/* Exchange v_a and v_b. */
static inline void
kith_vec_swap(double *v, size_t a, size_t b)
{
	const double x = v[a];

	v[a] = v[b];
	v[b] = x;
}

/* sum_i v_i of n numbers, in their order. */
static inline double
kith_vec_sum(size_t n, const double *v)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return sum;
}

/* The sum of eight lanes, in the one order of near/metric.h. */
static inline double
kith_vec_lanes(const double s[8])
{
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* x'z of n numbers, in their order. */
static inline double
kith_vec_dot(size_t n, const double *x, const double *z)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * z[i];
	return sum;
}

#endif
