/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/targets.h: targets and ties by the definition, written
 * out, on grids, with duplicates, weights of 0 and numbers at the ends of the
 * range, for tables that are compared whole and such that are searched.
 */
#include "sqpfw/targets.h"

#include "base/pool.h"
#include "base/rng.h"
#include "base/sort.h"
#include "la/mat.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N ((size_t)260)
#define P ((size_t)5)

static struct kith_pool pool;
static struct kith_rng rng;
static double x[N * P];
static size_t y[N];

/* A table and weights of a kind; how many classes there are. */
static size_t
draw(struct kith_mat *X, size_t kind, double *w)
{
	const size_t classes = 2 + kind % 3, n = kind % 7 == 6 ? N : N / 6;
	double sum = 0;

	*X = (struct kith_mat){n, P, x};
	for (size_t i = 0; i < n * P; i++) {
		x[i] = kith_rng_unit(&rng);
		if (kind % 4 == 1)
			x[i] = floor(x[i] * 4) / 4;
		if (kind % 4 == 2)
			x[i] = floor(x[i] * 3);
		if (kind % 5 == 4)
			x[i] *= kind % 2 ? 1e150 : 1e-150;
		if (kind % 4 == 3 && i >= n / 2 * P)
			x[i] = x[i - n / 2 * P];
	}
	for (size_t i = 0; i < n; i++)
		y[i] = i % classes;
	for (size_t j = 0; j < P; j++) {
		w[j] = kind % 3 == 1 ? 1 : kith_rng_unit(&rng);
		w[j] = kith_rng_below(&rng, 4) && kind % 13 < 12 ? w[j] : 0;
		sum += w[j];
	}
	for (size_t j = 0; j < P && sum > 0; j++)
		w[j] /= sum;
	return classes;
}

static double
distance(const double *w, size_t i, size_t j)
{
	double d = 0;

	for (size_t f = 0; f < P; f++) {
		const double D = x[i * P + f] - x[j * P + f];

		d += w[f] * D * D;
	}
	return d;
}

static int
by_size(const void *a, const void *b)
{
	const double *s = a, *t = b;

	return (*s > *t) - (*s < *t);
}

/* What is wrong with the target of row i, and the group at *g if it has one. */
static size_t
judge_row(const struct kith_ties *ties, const double *w, size_t rows, size_t i, bool miss, size_t k,
    size_t *g)
{
	double d[N] = {0}, t;
	size_t n = 0, tied = 0, nearer = 0, bad = 0;
	const struct kith_tie *group = ties->group + *g;

	for (size_t j = 0; j < rows; j++)
		if (j != i && (y[j] != y[i]) == miss)
			d[n++] = distance(w, i, j);
	qsort(d, n, sizeof(*d), by_size);
	t = distance(w, i, ties->target[2 * i + miss]);
	bad += fabs(t - d[k - 1]) > 1e-12 * t;
	bad += (y[ties->target[2 * i + miss]] != y[i]) != miss;
	for (size_t j = 0; j < n; j++) {
		tied += fabs(d[j] - t) <= 1e-9 * t;
		nearer += d[j] < t * (1 - 1e-9);
	}
	if (tied == 1)
		return bad;
	if (*g == ties->n || group->row != i || group->miss != miss)
		return bad + 1;
	bad += group->count != tied || group->nearer != nearer;
	for (size_t m = group->first; m < group->first + group->count; m++) {
		const size_t j = ties->other[m];

		bad += fabs(distance(w, i, j) - t) > 1e-9 * t;
		bad += (y[j] != y[i]) != miss || j == i;
		bad += m > group->first && ties->other[m - 1] >= j;
	}
	++*g;
	return bad;
}

/* Targets and ties of a table, and of the same with three threads. */
static void
test_ties(size_t seeds)
{
	size_t bad = 0, some = 0, differ = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const size_t k[] = {1 + seed % 4, 1 + seed / 4 % 4};
		struct kith_targets *one, *three;
		const struct kith_ties *ties, *again;
		struct kith_mat X;
		double w[P];
		size_t g = 0, c;

		c = draw(&X, seed, w);
		one = kith_targets_new(&X, y, c, k[0], k[1], 1, &pool);
		three = kith_targets_new(&X, y, c, k[0], k[1], 3, &pool);
		ties = kith_targets_at(one, w, NULL);
		again = kith_targets_at(three, w, NULL);
		for (size_t i = 0; i < X.n; i++) {
			bad += judge_row(ties, w, X.n, i, false, k[0], &g);
			bad += judge_row(ties, w, X.n, i, true, k[1], &g);
		}
		bad += g != ties->n;
		some += ties->n > 0;
		differ += ties->n != again->n ||
		    memcmp(ties->target, again->target, 2 * X.n * sizeof(*ties->target)) != 0;
		for (size_t t = 0; t < ties->n && ties->n == again->n; t++)
			differ += ties->group[t].first != again->group[t].first ||
			    ties->group[t].count != again->group[t].count;
		kith_targets_free(one);
		kith_targets_free(three);
		kith_pool_free(&pool);
	}
	is_size(bad, 0, "targets and ties as defined");
	ok(some > seeds / 3, "%zu of %zu sets have ties", some, seeds);
	is_size(differ, 0, "the same for three threads");
}

/* What a hint tells: the rows up to so many beyond the target, or too few. */
struct told {
	const double *w;
	size_t n, k[2], more;
	double lie; /* times the margin that is true */
};

static size_t
ask(const void *of, size_t i, bool miss, uint32_t *rows, double *margin)
{
	const struct told *told = of;
	const size_t most = told->k[miss] + told->more;
	double d[N], sorted[N] = {0}, last;
	size_t n = 0, held = 0;

	for (size_t j = 0; j < told->n; j++) {
		d[j] = j != i && (y[j] != y[i]) == miss ? distance(told->w, i, j) : INFINITY;
		if (d[j] < INFINITY)
			sorted[n++] = d[j];
	}
	kith_sort_reals(sorted, n);
	last = most < n ? sorted[most - 1] : INFINITY;
	for (size_t j = 0; j < told->n; j++)
		if (d[j] < INFINITY && d[j] <= last)
			rows[held++] = (uint32_t)j;
	*margin = INFINITY;
	if (held < n)
		*margin = told->lie * (sorted[held] - sorted[told->k[miss] - 1]);
	return held;
}

/* Hints that are true are used; those that promise nothing change nothing. */
static void
test_hints(void)
{
	static const double lie[] = {1, .5, 0, -1};
	size_t bad = 0;

	for (size_t seed = 0; seed < 120; seed++) {
		struct told told = {
		    .k = {1 + seed % 3, 1 + seed % 2}, .more = seed % 5, .lie = lie[seed / 5 % 4]};
		const struct kith_targets_hint hint = {ask, &told};
		struct kith_targets *targets;
		const struct kith_ties *ties;
		struct kith_mat X;
		double w[P];
		size_t g = 0, c;

		c = draw(&X, seed, w);
		told.w = w;
		told.n = X.n;
		targets = kith_targets_new(&X, y, c, told.k[0], told.k[1], 1, &pool);
		ties = kith_targets_at(targets, w, &hint);
		for (size_t i = 0; i < X.n; i++)
			for (size_t miss = 0; miss < 2; miss++)
				bad += judge_row(ties, w, X.n, i, miss, told.k[miss], &g);
		bad += g != ties->n;
		kith_targets_free(targets);
		kith_pool_free(&pool);
	}
	is_size(bad, 0, "targets and ties by hints");
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_ties(more && *more ? 20000 : 400);
	test_hints();
	return done();
}
