/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/data - random rows for tests of lib/relief/relief.h, with weights, samples, texts and missing
 * cells; and how feature weights compare.
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

/* Rows and features that are drawn at most; room for tests of other sizes. */
enum {
	DRAWN_N = 80,
	DRAWN_P = 12,
	MOST_N = 130,
	MOST_P = 600,
	MOST_C = 5,
	CELLS = MOST_N * MOST_N
};
static const size_t NOBODY = SIZE_MAX;

static struct kith_pool pool;
static struct kith_err err;
static struct kith_rng rng;

/* Rows under test. */
static size_t n, p, c;
static double x[CELLS], t[MOST_N];
static size_t y[MOST_N];
static bool text[MOST_P];
static double weight[MOST_N], s[MOST_N]; /* of the rows; s: of mean 1 */
static bool on[MOST_N];                  /* the rows sampled */

/* Weights of the rows, all 1 unless `weighted`. */
static inline void
weigh(bool weighted)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += weight[i] = weighted ? .1 + kith_rng_unit(&rng) : 1;
	for (size_t i = 0; i < n; i++)
		s[i] = weight[i] * (double)n / sum;
}

/* Draws m rows as kith_relief() does: the first of a shuffle. */
static inline void
sample(uint64_t seed, size_t m)
{
	size_t at[MOST_N];
	struct kith_rng r;

	for (size_t i = 0; i < n; i++)
		at[i] = i;
	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	if (m < n)
		kith_rng_shuffle(&r, at, n);
	for (size_t i = 0; i < n; i++)
		on[at[i]] = i < m;
}

/* Draw rows: continuous, on grids, with duplicates; ranges of grids are 1.  All count alike. */
static inline void
draw(uint64_t seed)
{
	const size_t kind = seed % 4;

	kith_rng_seed(&rng, seed, KITH_RNG_START, 0);
	n = 20 + kith_rng_below(&rng, DRAWN_N - 20);
	p = 1 + kith_rng_below(&rng, DRAWN_P);
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
	weigh(false);
	sample(0, n);
}

/*
 * Make some columns texts, and some cells missing; where cells are, the last column is continuous,
 * or rounding would decide on ties.
 */
static inline void
roughen(uint64_t seed)
{
	for (size_t a = 0; a < p; a++) {
		text[a] = (seed + a) % 3 == 0 && a + 1 < p;
		for (size_t i = 0; i < n; i++) {
			double *v = &x[i * p + a];

			if (text[a])
				*v = (double)kith_rng_below(&rng, 4);
			if (seed % 2 && a + 1 == p)
				*v = kith_rng_unit(&rng);
			else if (seed % 2 && a % 2 == 0 && kith_rng_below(&rng, 6) == 0)
				*v = NAN;
		}
	}
	/* A class that knows nothing of a column. */
	for (size_t i = 0; seed % 10 == 1 && p > 1 && i < n; i++)
		if (y[i] == 1)
			x[i * p] = NAN;
}

static inline double
square(double a)
{
	return a * a;
}

static inline struct kith_relief_rows
rows(void)
{
	static char letter[DRAWN_P + 1][2], *name[DRAWN_P + 1];
	static const struct kith_names names = {.name = name, .n = DRAWN_P + 1};

	for (size_t a = 0; a <= DRAWN_P; a++) {
		letter[a][0] = "abcdefghijklm"[a];
		name[a] = letter[a];
	}
	return (struct kith_relief_rows){.X = {n, p, x}, .y = y, .c = c, .name = &names};
}

/* The scale of lib/relief/relief.h.  Requires that no feature is constant. */
static inline double
scale_of(void)
{
	double sum = 0;

	for (size_t a = 0; a < p; a++) {
		double mean = 0;

		for (size_t i = 0; i < n; i++)
			mean += s[i] * x[i * p + a] / (double)n;
		for (size_t i = 0; i < n; i++)
			sum += s[i] * square(x[i * p + a] - mean);
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
