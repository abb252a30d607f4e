/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/data - random rows for tests of lib/relief/relief.h, and how weights
 * compare.
 */
#ifndef KITH_TEST_RELIEF_DATA_H
#define KITH_TEST_RELIEF_DATA_H

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "base/rng.h"
#include "near/metric.h"
#include "relief/relief.h"
#include "tap.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 80, MOST_P = 12, MOST_C = 5 };
static const size_t NOBODY = SIZE_MAX;

static struct kith_pool pool;
static struct kith_err err;
static struct kith_rng rng;

/* Rows under test. */
static size_t n, p, c;
static double x[MOST_N * MOST_P], t[MOST_N];
static size_t y[MOST_N];
static bool text[MOST_P];

/* Draw rows: continuous, on grids, with duplicates; ranges of grids are 1. */
static inline void
draw(uint64_t seed)
{
	const size_t kind = seed % 4;

	kith_rng_seed(&rng, seed, KITH_RNG_START, 0);
	n = 20 + kith_rng_below(&rng, MOST_N - 20);
	p = 1 + kith_rng_below(&rng, MOST_P);
	c = 2 + kith_rng_below(&rng, MOST_C - 1);
	memset(text, 0, sizeof(text));
	for (size_t i = 0; i < n; i++) {
		const size_t twin = i > 2 ? kith_rng_below(&rng, i) : 0;

		y[i] = i < 2 ? i : kith_rng_below(&rng, c);
		t[i] = kith_rng_unit(&rng) + (double)y[i];
		for (size_t a = 0; a < p; a++) {
			double *v = &x[i * p + a];

			*v = kith_rng_unit(&rng) + .3 * (double)(y[i] * (a % 3));
			if (kind == 1 || kind == 2)
				*v = (double)kith_rng_below(&rng, kind == 1 ? 5 : 3) /
				    (kind == 1 ? 4 : 2);
			if ((kind == 1 || kind == 2) && i < 2)
				*v = (double)i;
			if (kind == 3 && i > 2 && twin % 3 == 0)
				*v = x[twin * p + a];
		}
	}
}

static inline double
square(double a)
{
	return a * a;
}

static inline struct kith_relief_rows
rows(void)
{
	static char letter[MOST_P + 1][2], *name[MOST_P + 1];
	static const struct kith_names names = {.name = name, .n = MOST_P + 1};

	for (size_t a = 0; a <= MOST_P; a++) {
		letter[a][0] = "abcdefghijklm"[a];
		name[a] = letter[a];
	}
	return (struct kith_relief_rows){.X = {n, p, x}, .y = y, .c = c, .name = &names};
}

/*
 * The scale of lib/relief/relief.h: the root of the mean sample variance of the features, with row
 * weights s of mean 1 (NULL: all ones).  Requires that no feature is constant.
 */
static inline double
scale_of(const double *s)
{
	double sum = 0;

	for (size_t a = 0; a < p; a++) {
		double mean = 0;

		for (size_t i = 0; i < n; i++)
			mean += (s ? s[i] : 1) * x[i * p + a] / (double)n;
		for (size_t i = 0; i < n; i++)
			sum += (s ? s[i] : 1) * square(x[i * p + a] - mean);
	}
	return sqrt(sum / (double)(p * (n - 1)));
}

/* Run it; NULL (with err) when it fails. */
static inline const struct kith_relief *
run(const struct kith_relief_rows *in, const struct kith_relief_how *how)
{
	static struct kith_relief out;

	return kith_relief(in, how, &out, &pool, &err) ? NULL : &out;
}

/* The largest difference of weights, relative to the largest, or to 1e-4. */
static inline double
apart(const double *got, const double *due, size_t count)
{
	double most = 0, size = 1e-4;

	for (size_t a = 0; a < count; a++) {
		if (isnan(got[a]))
			return INFINITY;
		most = fmax(most, fabs(got[a] - due[a]));
		size = fmax(size, fabs(due[a]));
	}
	return most / size;
}

#endif
