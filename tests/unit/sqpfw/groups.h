/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw/groups - the points of a group of a solver, for tests of its lists. */
#ifndef KITH_TEST_SQPFW_GROUPS_H
#define KITH_TEST_SQPFW_GROUPS_H

#include "sqpfw/state.h"

static inline double
distance_at(const struct kith_sqpfw *s, const double *w, size_t i, size_t j)
{
	double d = 0;

	for (size_t f = 0; f < s->points.p; f++) {
		const double a = kith_sqpfw_value(&s->points, i, f) -
		    kith_sqpfw_value(&s->points, j, f);

		d += w[f] * (a * a);
	}
	return d;
}

static inline bool
belongs(const struct kith_sqpfw *s, uint32_t g, size_t j)
{
	return j != g / 2 && (s->points.of[j] != s->points.of[g / 2]) == (g % 2 == 1);
}

/* The row a of a pair of points i and j with the target r, feature f. */
static inline double
row_entry(const struct kith_sqpfw *s, size_t i, size_t j, size_t r, size_t f)
{
	const double x = kith_sqpfw_value(&s->points, i, f);
	const double a = kith_sqpfw_value(&s->points, j, f) - x;
	const double b = kith_sqpfw_value(&s->points, r, f) - x;

	return a * a - b * b;
}

/* |a|^2 = min over c of sum h (a - c)^2 */
static inline double
norm(const struct kith_sqpfw *s, size_t i, size_t j, size_t r, const double *h)
{
	double all = 0, mean = 0, square = 0;

	for (size_t f = 0; f < s->points.p; f++) {
		all += h[f];
		mean += h[f] * row_entry(s, i, j, r, f);
	}
	for (size_t f = 0; f < s->points.p; f++) {
		const double d = row_entry(s, i, j, r, f) - mean / all;

		square += h[f] * d * d;
	}
	return sqrt(square);
}

static inline double
gap(const struct kith_sqpfw *s, size_t i, size_t j, size_t r)
{
	double sum = 0;

	for (size_t f = 0; f < s->points.p; f++)
		sum += s->w_by_feature[f] * row_entry(s, i, j, r, f);
	return sum;
}

#endif
