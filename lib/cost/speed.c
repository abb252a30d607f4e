/*
 * Two kinds of work, such as the methods do: products of matrices that stay in
 * the cache, by BLAS, and distances of rows, by a plain loop.
 *
 * 1. Each is done in portions of about a millisecond, for .04 s.
 * 2. The median of the portions is its time: what others do on the machine
 *    meanwhile lengthens some of them.
 * 3. Each over its time on the stated machine, and the geometric mean of both.
 */
#include "cost/speed.h"

#include "base/pool.h"
#include "base/sort.h"
#include "cost/usage.h"
#include "la/blas.h"
#include "la/mat.h"
#include "near/dist.h"
#include "near/metric.h"

#include <math.h>
#include <stddef.h>
#include <time.h>

enum {
	SIDE = 192, /* of the matrices */
	ROWS = 100, /* whose distances are computed, of SHORT features */
	SHORT = 32,
	PORTIONS = 400 /* at most */
};

/* Seconds of a portion on the stated machine. */
static const double PRODUCT = 2.9e-4, DISTANCES = 5.4e-4;
static const double ENOUGH = .04;

struct work {
	struct kith_mat A, B, C;
	double sum; /* so that nothing is left out */
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
multiply(struct work *w)
{
	kith_blas_product(SIDE, SIDE, SIDE, w->A.v, w->B.v, w->C.v);
	w->sum += w->C.v[0];
}

static void
measure(struct work *w)
{
	const struct kith_metric plain = {KITH_SQUARED, SHORT, NULL};

	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < ROWS; j++)
			w->sum += kith_dist(
			    &plain, w->A.v + i * SHORT, w->A.v + j * SHORT);
}

/* The median of the seconds of a portion. */
static double
median(void (*portion)(struct work *), struct work *w)
{
	double took[PORTIONS], all = 0;
	size_t n = 0;

	portion(w); /* the first time is not like the others */
	while (n < PORTIONS && (n < 3 || all < ENOUGH)) {
		const double start = now();

		portion(w);
		took[n] = now() - start;
		all += took[n++];
	}
	kith_sort_reals(took, n);
	return took[n / 2];
}

double
kith_cost_speed(void)
{
	struct kith_pool pool = {0};
	struct work w = {.A = {SIDE, SIDE, NULL}};
	double speed;

	w.A = w.B = w.C = (struct kith_mat){SIDE, SIDE, NULL};
	KITH_NEW_REALS(&pool, SIDE, SIDE, &w.A.v, &w.B.v, &w.C.v);
	for (size_t e = 0; e < (size_t)SIDE * SIDE; e++) {
		w.A.v[e] = (double)(e % 1009) / 1009;
		w.B.v[e] = (double)(e % 2003) / 2003;
	}
	speed = sqrt(
	    median(multiply, &w) / PRODUCT * (median(measure, &w) / DISTANCES));
	kith_pool_free(&pool);
	return speed > 0 ? speed : 1;
}
