/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/sigma.h: the unit by medians of plain distances, and
 * which of the scales is wrong least, from all other rows.
 */
#include "immigrate/sigma.h"

#include "immigrate/data.h"
#include "tap.h"

#include <float.h>

enum { SCALES = 4 };
static const double times[SCALES] = {8, 2, .25, .03125};

static double
distance(const struct set *set, size_t i, size_t n, const double *W, bool matrix)
{
	const size_t p = set->X.p;
	const double *x = kith_row(&set->X, i), *z = kith_row(&set->X, n);
	double d = 0;

	for (size_t j = 0; j < p; j++)
		for (size_t k = 0; k < (matrix ? p : 1); k++)
			d += matrix ? fabs(x[j] - z[j]) * W[j * p + k] * fabs(x[k] - z[k])
				    : W[j] * fabs(x[j] - z[j]);
	return d;
}

/* The lower median of the distances to nearest misses, of those above 0. */
static double
unit_of(const struct set *set, bool matrix)
{
	const size_t n = set->X.n, p = set->X.p;
	double *W = matrix ? start(p, true) : even(p), sorted[128] = {0};
	size_t held = 0, zeros = 0;

	for (size_t i = 0; i < n; i++) {
		double least = INFINITY;
		size_t at = held++;

		for (size_t k = 0; k < n; k++)
			if (set->y[k] != set->y[i])
				least = fmin(least, distance(set, i, k, W, matrix));
		zeros += least == 0;
		for (; at > 0 && sorted[at - 1] > least; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = least;
	}
	if (sorted[(n - 1) / 2] > 0)
		return sorted[(n - 1) / 2];
	return zeros < n ? sorted[zeros + (n - zeros - 1) / 2] : 0;
}

/* The class of row i from all others. */
static size_t
predict(const struct set *set, size_t i, const double *W, bool matrix, double sigma)
{
	double best = INFINITY;
	size_t class = 0;

	for (size_t h = 0; h < set->rows.c; h++) {
		double least = INFINITY, sum = 0, total = 0;

		for (size_t n = 0; n < set->X.n; n++)
			if (n != i && set->y[n] == h)
				least = fmin(least, distance(set, i, n, W, matrix));
		for (size_t n = 0; n < set->X.n; n++)
			if (n != i && set->y[n] == h) {
				const double d = distance(set, i, n, W, matrix);

				sum += exp((least - d) / sigma) * d;
				total += exp((least - d) / sigma);
			}
		if (total > 0 && sum / total < best) {
			best = sum / total;
			class = h;
		}
	}
	return class;
}

/* The share of the weights that a fit at sigma gets wrong. */
static double
wrong_at(const struct set *set, struct kith_immigrate_how how, bool matrix, const double *W)
{
	const size_t p = set->X.p, len = matrix ? p * p : p;
	double *Z = kith_new(&pool, len, sizeof(*Z)), bad = 0, all = 0;
	struct kith_immigrate_fit fit = {0};

	how.max_iter = how.max_iter < 10 ? how.max_iter : 10;
	how.tol = fmax(how.tol, 1e-3);
	how.threshold = 0;
	memcpy(Z, W, len * sizeof(*Z));
	(matrix ? kith_immigrate : kith_im4e)(&set->rows, &how, Z, &fit);
	for (size_t i = 0; i < set->X.n; i++) {
		const double weight = set->rows.weight ? set->weight[i] : 1;

		all += weight;
		if (predict(set, i, Z, matrix, how.sigma) != set->y[i])
			bad += weight;
	}
	return bad / all;
}

static void
no_tell(void *to, const struct kith_immigrate_trace *trace)
{
	(void)trace;
	++*(size_t *)to;
}

/* The scale that is wrong least, of equal ones the largest. */
static void
test_best(bool matrix)
{
	size_t chosen[SCALES] = {0}, odd = 0, told = 0;
	double worst = 0;

	for (size_t run = 0; run < 24; run++) {
		const size_t p = 2 + run % 4;
		struct set *set = draw(20 + run, p, 2 + run % 3, false, run % 4 == 3);
		struct kith_immigrate_how how = usual(0, run % 3 ? 30 : 3);
		const double *W = matrix ? start(p, false) : even(p);
		struct kith_immigrate_sigma got;
		double least = INFINITY;
		size_t best = 0;

		how.tol = run % 2 ? 0 : .05;
		how.threshold = run % 5 ? 0 : .9;
		how.tell = no_tell;
		how.to = &told;
		set->rows.weight = run % 2 ? set->weight : NULL;
		got = kith_immigrate_sigma(&set->rows, &how, matrix, W);
		worst = fmax(worst, fabs(got.unit / unit_of(set, matrix) - 1));
		how.tell = NULL;
		for (size_t k = 0; k < SCALES; k++) {
			how.sigma = times[k] * got.unit;
			how.sigma = wrong_at(set, how, matrix, W);
			if (how.sigma < least - 1e-12) {
				least = how.sigma;
				best = k;
			}
		}
		chosen[best]++;
		odd += got.times != times[best] || got.rows != set->X.n ||
		    got.value != times[best] * got.unit || fabs(got.wrong - least) > 1e-12;
		kith_pool_free(&pool);
	}
	ok(worst <= 1e-14, "units of %s: %g", matrix ? "matrices" : "vectors", worst);
	is_size(odd, 0, "scales that are not the best");
	is_size(told, 0, "of which nobody is told");
	ok(chosen[0] > 0 && chosen[0] < 24, "%zu %zu %zu %zu", chosen[0], chosen[1], chosen[2],
	    chosen[3]);
}

/* Rows that stand where others do: the median of those that are apart. */
static void
test_apart(void)
{
	double x[] = {0, 0, 0, 1, 3, 0, 0, 0, 7, 20};
	size_t y[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
	const struct kith_mat X = {10, 1, x};
	const struct kith_immigrate_rows rows = {&X, y, 2, NULL};
	const struct kith_immigrate_how how = usual(0, 3);
	const double one = 1;
	struct kith_immigrate_sigma got = kith_immigrate_sigma(&rows, &how, false, &one);

	/* Of 1 3 4 17, which the four rows that differ are away. */
	is_near(got.unit, 3, 1e-15, "half of them above 0");
	is_size(got.rows, 10, "rows");
	got = kith_immigrate_sigma(&rows, &how, true, &one);
	is_near(got.unit, 9, 1e-15, "squares");
	x[3] = x[4] = x[8] = x[9] = 0;
	got = kith_immigrate_sigma(&rows, &how, true, &one);
	ok(got.unit == 0 && got.value == 1 && got.times == 0 && isinf(got.wrong),
	    "rows that never differ have a scale of 1");
	for (size_t i = 0; i < 10; i++)
		x[i] = (double)(1 + i) * 0x1p-900;
	got = kith_immigrate_sigma(&rows, &how, true, &one);
	ok(got.unit == DBL_MIN && got.value == got.times * DBL_MIN, "squares that vanish");
	for (size_t i = 0; i < 10; i++)
		x[i] = (double)(1 + i) * 0x1p900;
	got = kith_immigrate_sigma(&rows, &how, true, &one);
	ok(got.unit == DBL_MAX && isfinite(got.value) &&
		got.value == fmin(got.times * got.unit, DBL_MAX),
	    "squares that are too large");
}

static bool
same(const struct kith_immigrate_sigma *a, const struct kith_immigrate_sigma *b)
{
	return a->value == b->value && a->unit == b->unit && a->times == b->times &&
	    a->wrong == b->wrong && a->rows == b->rows;
}

/* Of many rows some stand for all: every other one of each class. */
static void
test_many(void)
{
	enum { N = 2000, MOST = KITH_IMMIGRATE_SIGMA_ROWS };
	struct set *set = draw(N, 2, 3, false, false);
	struct kith_immigrate_how how = usual(0, 1);
	size_t *y = kith_new(&pool, MOST, sizeof(*y)), n = 0, seen[3] = {0};
	size_t row[MOST];
	double *weight = kith_new(&pool, MOST, sizeof(*weight));
	struct kith_mat X;
	struct kith_immigrate_rows part = {&X, y, 3, weight};
	struct kith_immigrate_sigma all, half;

	/* Classes of 1000, 600 and 400 rows. */
	for (size_t i = 0; i < N; i++)
		set->y[i] = i % 10 < 5 ? 0 : i % 10 < 8 ? 1 : 2;
	for (size_t i = 0; i < N; i++)
		if (seen[set->y[i]]++ % 2 == 0) {
			row[n] = i;
			y[n] = set->y[i];
			weight[n++] = set->weight[i];
		}
	X = kith_mat_rows(&set->X, row, n, &pool);
	set->rows.weight = set->weight;
	all = kith_immigrate_sigma(&set->rows, &how, false, even(2));
	half = kith_immigrate_sigma(&part, &how, false, even(2));
	is_size(all.rows, MOST, "as many as may be");
	ok(same(&all, &half) && all.wrong > 0, "half of them: %g, %g wrong", all.value, all.wrong);
	/* 1001 rows, of which one is of a class of its own: 501 499 0 1. */
	set->X.n = MOST + 1;
	set->rows.c = 4;
	for (size_t i = 0; i <= MOST; i++)
		set->y[i] = i == 3 ? 3 : i % 2;
	all = kith_immigrate_sigma(&set->rows, &how, false, even(2));
	is_size(all.rows, 501 + 499 + 1, "a class of one row counts");
	set->y[3] = 1;
	set->X.n = MOST;
	all = kith_immigrate_sigma(&set->rows, &how, false, even(2));
	is_size(all.rows, MOST, "all of a thousand");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 5, KITH_RNG_SAMPLE, 0);
	test_best(true);
	test_best(false);
	test_apart();
	test_many();
	return done();
}
