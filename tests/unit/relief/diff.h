/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/diff - differences of cells, texts and missing ones among them, as
 * lib/relief/relief.h defines them.
 */
#ifndef KITH_TEST_RELIEF_DIFF_H
#define KITH_TEST_RELIEF_DIFF_H

#include "relief/data.h"

/* The range of column a, NaN left out. */
static inline double
range_of(const double *v, size_t step)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		least = fmin(least, v[i * step]);
		most = fmax(most, v[i * step]);
	}
	return most - least;
}

/* 1 / range of the columns. */
static double factor[MOST_P];

static inline double
plain_known(size_t a, double u, double v)
{
	return text[a] ? u != v : fabs(u - v) * factor[a];
}

/* Whether cell a of row j is known, in the class b; every class if b is NOBODY.
 */
static inline bool
is_known(size_t j, size_t a, size_t b)
{
	return !isnan(x[j * p + a]) && (b == NOBODY || y[j] == b);
}

/* b, or NOBODY where its rows do not tell about column a. */
static inline size_t
who_tells(size_t a, size_t b)
{
	for (size_t j = 0; j < n; j++)
		if (is_known(j, a, b))
			return b;
	return NOBODY;
}

/* diff of RELIEFF; classes say what a missing cell may be, if `classes`. */
static inline double
plain_diff(size_t i, size_t j, size_t a, bool classes)
{
	const double u = x[i * p + a], v = x[j * p + a];
	const size_t bi = classes ? who_tells(a, y[i]) : NOBODY;
	const size_t bj = classes ? who_tells(a, y[j]) : NOBODY;
	double sum = 0, count = 0;

	if (!isnan(u) && !isnan(v))
		return plain_known(a, u, v);
	for (size_t r = 0; r < n; r++)
		for (size_t s = 0; s < n; s++) {
			if (isnan(u) ? !is_known(r, a, bi) : r != i)
				break;
			if (isnan(v) ? !is_known(s, a, bj) : s != j)
				continue;
			sum += plain_known(a, x[r * p + a], x[s * p + a]);
			count++;
		}
	return sum / count;
}

static inline bool
is_flat(size_t a)
{
	double first = NAN;

	for (size_t i = 0; i < n; i++) {
		const double v = x[i * p + a];

		if (isnan(first))
			first = v;
		if (!isnan(v) && v != first)
			return false;
	}
	return true;
}

/* All differences: n x n x p. */
static double diff[MOST_N * MOST_N * MOST_P];

static inline void
fill_diff(bool classes)
{
	for (size_t a = 0; a < p; a++)
		factor[a] = 1 / range_of(x + a, p);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			for (size_t a = 0; a < p; a++)
				diff[(i * n + j) * p + a] = is_flat(a)
				    ? 0
				    : plain_diff(i, j, a, classes);
}

#endif
