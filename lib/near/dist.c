/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/dist.h"

#include "base/pool.h"
#include "la/lanes.h"
#include "la/simd.h"
#include "near/metric.h"
#include "near/semi.h"

#include <assert.h>
#include <math.h>

#define ROUNDING 0x1p-50 /* of a sum of p terms, over p + 8 */

/*
 * Numbers of features for which four rows at a time are faster than one: below
 * there are no whole vectors, above the rows do not stay in the first cache.
 */
enum { FOURS_LEAST = 8, FOURS_MOST = 256 };

KITH_CLONES static void
dist_squared(size_t p, const double *w, const double *z, const double *X,
    size_t n, double *d)
{
	if (!w)
		for (size_t i = 0; i < n; i++)
			d[i] = kith_lanes_vector(p, NULL, z, X + i * p, false);
	else
		for (size_t i = 0; i < n; i++)
			d[i] = kith_lanes_vector(p, w, z, X + i * p, false);
}

/* The same for whole fours of rows, which share what is read of z and w. */
KITH_CLONES static void
dist_squared_fours(size_t p, const double *w, const double *z, const double *X,
    size_t n, double *d)
{
	for (size_t i = 0; i < n; i += 4)
		if (!w)
			kith_lanes_vectors(
			    d + i, 4, p, NULL, z, X + i * p, false);
		else
			kith_lanes_vectors(d + i, 4, p, w, z, X + i * p, false);
}

KITH_CLONES static void
dist_absolute(size_t p, const double *w, const double *z, const double *X,
    size_t n, double *d)
{
	if (!w)
		for (size_t i = 0; i < n; i++)
			d[i] = kith_lanes_vector(p, NULL, z, X + i * p, true);
	else
		for (size_t i = 0; i < n; i++)
			d[i] = kith_lanes_vector(p, w, z, X + i * p, true);
}

KITH_CLONES static void
dist_squared_matrix(size_t p, const double *W, const double *z, const double *X,
    size_t n, double *d)
{
	for (size_t i = 0; i < n; i++)
		d[i] = kith_lanes_matrix(p, W, z, X + i * p, false);
}

KITH_CLONES static void
dist_absolute_matrix(size_t p, const double *W, const double *z,
    const double *X, size_t n, double *d)
{
	for (size_t i = 0; i < n; i++)
		d[i] = kith_lanes_matrix(p, W, z, X + i * p, true);
}

/*
 * A distance below 0 that may be one of 0: compared with the sum of the
 * absolute terms, of which rounding may have left so much, and with what an
 * eigenvalue may be that counts as 0.
 */
static double
mend_sign(const struct kith_metric *metric, const double *x, const double *z,
    double d)
{
	const size_t p = metric->p;
	double sum = 0;

	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++)
			sum += fabs((x[i] - z[i]) * metric->w[i * p + j] *
			    (x[j] - z[j]));
	if (isfinite(sum) && -d <= ROUNDING * (double)(p + 8) * sum)
		return 0;
	return metric->kind == KITH_SQUARED_MATRIX && isfinite(sum) &&
		-d <= kith_semi_below(p, metric->w, x, z)
	    ? 0
	    : d;
}

void
kith_dist_rows(const struct kith_metric *metric, const double *z,
    const double *X, size_t n, double *d)
{
	const size_t p = metric->p;
	size_t fours = 0;

	assert(metric->w || !kith_metric_is_matrix(metric->kind));
	switch (metric->kind) {
	case KITH_SQUARED:
		if (n >= 4 && p >= FOURS_LEAST && p <= FOURS_MOST) {
			fours = n / 4 * 4;
			dist_squared_fours(p, metric->w, z, X, fours, d);
		}
		dist_squared(
		    p, metric->w, z, X + fours * p, n - fours, d + fours);
		break;
	case KITH_ABSOLUTE:
		dist_absolute(p, metric->w, z, X, n, d);
		break;
	case KITH_SQUARED_MATRIX:
		dist_squared_matrix(p, metric->w, z, X, n, d);
		break;
	case KITH_ABSOLUTE_MATRIX:
		dist_absolute_matrix(p, metric->w, z, X, n, d);
		break;
	}
	for (size_t i = 0; i < n; i++)
		if (isnan(d[i]))
			d[i] = INFINITY;
		else if (d[i] < 0)
			d[i] = mend_sign(metric, z, X + i * p, d[i]);
}

static bool
counts(const struct kith_metric *metric, size_t j)
{
	const size_t p = metric->p;

	if (!metric->w)
		return true;
	if (!kith_metric_is_matrix(metric->kind))
		return metric->w[j] != 0;
	for (size_t i = 0; i < p; i++)
		if (metric->w[j * p + i] != 0)
			return true;
	return false;
}

size_t
kith_dist_kept(const struct kith_metric *metric, size_t *kept)
{
	size_t n = 0;

	for (size_t j = 0; j < metric->p; j++)
		if (counts(metric, j))
			kept[n++] = j;
	return n;
}

struct kith_metric
kith_dist_pack(const struct kith_metric *metric, const size_t *kept, size_t p,
    struct kith_pool *pool)
{
	const size_t rows = kith_metric_is_matrix(metric->kind) ? p : 1;
	double *w;

	if (p == metric->p)
		return *metric;
	w = kith_new(pool, p * rows, sizeof(*w));
	for (size_t i = 0; i < rows; i++) {
		const size_t row = kith_metric_is_matrix(metric->kind) ? kept[i]
								       : 0;

		for (size_t j = 0; j < p; j++)
			w[i * p + j] = metric->w[row * metric->p + kept[j]];
	}
	return (struct kith_metric){metric->kind, p, w};
}

/* The distance where some features do not count. */
static double
dist_packed(const struct kith_metric *metric, const double *x, const double *z)
{
	struct kith_pool tmp = {0};
	size_t *kept = kith_new(&tmp, metric->p, sizeof(*kept));
	const size_t p = kith_dist_kept(metric, kept);
	const struct kith_metric packed = kith_dist_pack(metric, kept, p, &tmp);
	double *a = kith_new(&tmp, p, sizeof(*a));
	double *b = kith_new(&tmp, p, sizeof(*b)), d;

	for (size_t j = 0; j < p; j++) {
		a[j] = x[kept[j]];
		b[j] = z[kept[j]];
	}
	kith_dist_rows(&packed, a, b, 1, &d);
	kith_pool_free(&tmp);
	return d;
}

double
kith_dist(const struct kith_metric *metric, const double *x, const double *z)
{
	double d;

	for (size_t j = 0; j < metric->p; j++)
		if (!counts(metric, j))
			return dist_packed(metric, x, z);
	kith_dist_rows(metric, x, z, 1, &d);
	return d;
}
