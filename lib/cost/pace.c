/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. Work is done in portions of half a millisecond or so.
 * 2. The median of the portions is its time: what others do on the machine
 *    meanwhile lengthens some of them.
 */
#include "cost/pace.h"

#include "base/pool.h"
#include "base/sort.h"
#include "la/mat.h"
#include "near/metric.h"

#include <stddef.h>
#include <time.h>

enum { ROWS = 100, FEATURES = 32, PORTIONS = 400 };

/* Seconds of a portion on the stated machine, and of all portions. */
static const double STATED = 5.4e-4, ENOUGH = .04;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double
kith_cost_median(void (*portion)(void *with), void *with)
{
	double took[PORTIONS], all = 0;
	size_t n = 0;

	portion(with); /* the first time is not like the others */
	while (n < PORTIONS && (n < 3 || all < ENOUGH)) {
		const double start = now();

		portion(with);
		took[n] = now() - start;
		all += took[n++];
	}
	kith_sort_reals(took, n);
	return took[n / 2];
}

struct rows {
	struct kith_mat X;
	double sum; /* so that nothing is left out */
};

static void
measure(void *with)
{
	const struct kith_metric plain = {KITH_SQUARED, FEATURES, NULL};
	struct rows *r = with;

	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < ROWS; j++)
			r->sum += kith_dist(&plain, kith_row(&r->X, i), kith_row(&r->X, j));
}

double
kith_cost_pace(void)
{
	struct kith_pool pool = {0};
	struct rows r = {.X = kith_mat_new(&pool, ROWS, FEATURES)};
	double pace;

	for (size_t e = 0; e < (size_t)ROWS * FEATURES; e++)
		r.X.v[e] = (double)(e % 1009) / 1009;
	pace = kith_cost_median(measure, &r) / STATED;
	kith_pool_free(&pool);
	return pace > 0 ? pace : 1;
}
