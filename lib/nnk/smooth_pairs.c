/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/either.h"
#include "nnk/local.h"
#include "nnk/smooth.h"

#include "base/pool.h"
#include "base/sort.h"
#include "near/heap.h"

#include <assert.h>
#include <math.h>

enum { WIDER = 3 }; /* candidates per edge that is asked for */

/* A mean of distances is as large as the last, but for so much of it. */
#define FLAT 1e-12

/* 1 / sqrt(k z^2 - b z), without squares; infinite where b = k z. */
static double
bound(double z, double k, double b)
{
	const double left = k - b / z;

	return left > FLAT * k ? 1 / z / sqrt(left) : INFINITY;
}

/* The middle of n numbers, the smaller of two; sorts them. */
static double
median(double *v, size_t n)
{
	kith_sort_reals(v, n);
	return v[(n - 1) / 2];
}

/*
 * By itself, a row whose candidates have z_1 <= z_2 <= ... has k edges for
 * theta from 1 / sqrt(k z_{k+1}^2 - b z_{k+1}) to 1 / sqrt(k z_k^2 - b z_k), b
 * being z_1 + ... + z_k; with k candidates or less it counts for as many but
 * one.  A bound is infinite where all are as far as the last.  Where the median
 * of the upper bounds is, as with k = 1, twice that of the lower ones is taken;
 * where both are, the inverse of the median distance to the last; or 1.
 */
static double
choose_theta(const struct kith_local *local, size_t n, size_t k)
{
	struct kith_pool tmp = {0};
	double *low = kith_new(&tmp, n, sizeof(*low));
	double *high = kith_new(&tmp, n, sizeof(*high));
	double *last = kith_new(&tmp, n, sizeof(*last));
	double theta = 1, from, to;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		const struct kith_neighbour *nn = local->nn + local->start[i];
		const size_t most = local->start[i + 1] - local->start[i];
		const size_t l = k < most ? k : most - 1;
		double b = 0;

		if (most == 0)
			continue;
		for (size_t j = 0; j < l; j++)
			b += nn[j].d;
		last[m] = nn[l].d;
		low[m] = l > 0 ? bound(nn[l].d, (double)l, b) : INFINITY;
		high[m] = l > 0 ? bound(nn[l - 1].d, (double)l, b) : INFINITY;
		m++;
	}
	if (m > 0) {
		from = median(low, m);
		to = median(high, m);
		if (isfinite(to))
			theta = sqrt(from) * sqrt(to);
		else if (isfinite(from))
			theta = 2 * from;
		else if (median(last, m) > 0)
			theta = 1 / median(last, m);
	}
	kith_pool_free(&tmp);
	return theta;
}

int
kith_smooth_pairs(const struct kith_local_rows *rows, size_t k, const struct kith_graph *given,
    struct kith_smooth_pairs *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_local_how how = {.k = WIDER * k, .radius = -1, .given = given};
	struct kith_local local;

	assert(!rows->Z && rows->first == 0);
	*out = (struct kith_smooth_pairs){.theta = 1};
	if (kith_local_find(rows, &how, &local, &tmp, err)) {
		kith_pool_free(&tmp);
		return -1;
	}
	out->theta = choose_theta(&local, rows->m, k);
	kith_either(&local, rows->m, &out->graph, pool);
	kith_pool_free(&tmp);
	return 0;
}
