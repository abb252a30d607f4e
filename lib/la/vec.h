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
		most = fmax(most, fabs(v[i]));
	return most;
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
