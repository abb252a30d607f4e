/* SPDX-License-Identifier: BSD-2-Clause */
/* draw - random numbers of which the tables of tests/gen are made. */
#ifndef KITH_GEN_DRAW_H
#define KITH_GEN_DRAW_H

#include "base/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static struct kith_rng rng; /* seeded by each generator */

/* A whole number from 0 to n - 1. */
static inline size_t
below(size_t n)
{
	return (size_t)kith_rng_below(&rng, n);
}

static inline double
uniform(double from, double to)
{
	return from + (to - from) * kith_rng_unit(&rng);
}

/* True once in n times. */
static inline bool
once_in(size_t n)
{
	return below(n) == 0;
}

static inline double
power_of_ten(double from, double to)
{
	return pow(10, uniform(from, to));
}

/* One of n numbers. */
static inline double
one_of(const double *x, size_t n)
{
	return x[below(n)];
}

/* Nearly a standard normal number: the sum of twelve uniform ones. */
static inline double
normal(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += kith_rng_unit(&rng);
	return sum;
}

/* The number x to four decimal digits. */
static inline double
rounded(double x)
{
	char text[32];

	snprintf(text, sizeof(text), "%.4g", x);
	return strtod(text, NULL);
}

#endif
