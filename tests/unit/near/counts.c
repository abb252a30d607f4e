/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/knn.h where blocks, tiles and leaves end: any number of
 * queries, of rows joined, and of rows of the reference, each way to search.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/hard.h"
#include "near/knn.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A reference, queries, and the judge's distances of them. */
struct asked {
	struct problem pr;
	const struct kith_knn *knn;
	const struct kith_mat *Z;
	double *d, limit;
	size_t k;
};

/* A problem of n rows and m queries, or of none but the rows; many are alike. */
static struct asked
ask(const char *search, enum kith_metric_kind kind, size_t p, size_t n, size_t m,
    struct kith_rng *r)
{
	struct asked a = {.pr = {.metric = {.kind = kind, .p = p}}, .k = 3};

	setenv("KITH_SEARCH", search, 1);
	a.pr.X.p = p;
	make(r, &looks[3], &a.pr, n, m ? m : 1);
	return a;
}

/* The index of it, the distances, and a limit that is one of them. */
static void
measure_all(struct asked *a, size_t queries, bool join)
{
	struct problem *pr = &a->pr;

	a->knn = kith_knn_new(&pr->X, &pr->metric, queries, &pr->pool);
	a->Z = join ? &pr->X : &pr->Z;
	a->d = measure(pr, a->Z, &pr->pool);
	a->limit = INFINITY;
	for (size_t j = 0; j < pr->X.n; j++) {
		size_t nearer = 0;

		for (size_t i = 0; i < pr->X.n; i++)
			nearer += a->d[i] < a->d[j];
		if (nearer >= a->k)
			a->limit = fmin(a->limit, fmax(a->d[j], 0));
	}
}

/* How many lists are wrong: of the nearest, or, with start, of all within. */
static size_t
wrong(const struct asked *a, size_t m, const size_t *self, const size_t *start,
    const struct kith_neighbour *nn)
{
	const size_t n = a->pr.X.n;
	size_t bad = 0;

	for (size_t i = 0; i < m; i++) {
		const size_t out = self ? self[i] : SIZE_MAX;
		const size_t from = start ? start[i] : i * a->k;
		const size_t count = start ? start[i + 1] - from : a->k;
		const double *d = a->d + i * n;
		size_t due = 0;

		for (size_t j = 0; j < n; j++)
			due += j != out && d[j] <= a->limit;
		bad += start && count != due;
		bad += !are_first(nn + from, count, d, n, out);
	}
	return bad;
}

/* The first m queries, to the nearest and to all within; lists that are wrong. */
static size_t
search(const struct asked *a, size_t m, const size_t *self, size_t threads)
{
	struct kith_pool tmp = {0};
	const struct kith_mat Z = {m, a->Z->p, a->Z->v};
	struct kith_neighbour *nn = kith_new(&tmp, m * a->k, sizeof(*nn));
	struct kith_knn_lists lists;
	size_t bad;

	kith_knn_search(a->knn, &Z, self, a->k, threads, nn);
	bad = wrong(a, m, self, NULL, nn);
	kith_knn_within(a->knn, &Z, self, a->limit, threads, &lists, &tmp);
	bad += wrong(a, m, self, lists.start, lists.nn);
	kith_pool_free(&tmp);
	return bad;
}

/* Numbers of queries from `least` on that are next to multiples of 16. */
static void
test_queries(const char *way, enum kith_metric_kind kind, size_t p, size_t least, size_t most)
{
	enum { N = 70 };
	struct kith_rng r;
	size_t *self, bad = 0;
	struct asked a;

	kith_rng_seed(&r, p, KITH_RNG_SAMPLE, 0);
	a = ask(way, kind, p, N, most, &r);
	measure_all(&a, *way ? N : 1, false);
	self = kith_new(&a.pr.pool, most, sizeof(*self));
	for (size_t i = 0; i < most; i++)
		self[i] = i % N;
	for (size_t m = least; m <= most; m += (m + 1) % 16 > 1 ? 14 : 1)
		bad += search(&a, m, m % 2 ? self : NULL, 1 + m % 3);
	is_size(bad, 0, kith_knn_choice(a.knn, a.k).search);
	kith_pool_free(&a.pr.pool);
}

/* All rows of the reference, which number about a multiple of `block`. */
static void
test_joins(const char *way, enum kith_metric_kind kind, size_t p, size_t block, size_t times)
{
	size_t bad = 0;

	for (size_t n = block * times - 1; n <= block * times + 1; n++) {
		struct kith_rng r;
		struct kith_neighbour *nn;
		struct asked a;
		size_t *self;

		kith_rng_seed(&r, n, KITH_RNG_SAMPLE, 0);
		a = ask(way, kind, p, n, 0, &r);
		measure_all(&a, n, true);
		nn = kith_new(&a.pr.pool, n * a.k, sizeof(*nn));
		self = kith_new(&a.pr.pool, n, sizeof(*self));
		for (size_t i = 0; i < n; i++)
			self[i] = i;
		kith_knn_join(a.knn, a.k, n % 3 + 1, nn);
		bad += wrong(&a, n, self, NULL, nn);
		bad += times == 1 ? search(&a, n, self, 1) : 0;
		kith_pool_free(&a.pr.pool);
	}
	is_size(bad, 0, "joins of whole blocks, and of one row less or more");
}

/*
 * Rows left out where tiles of so many columns end: only the first rows of the
 * reference, and those about the end of a tile, are near.
 */
static void
test_left_out(size_t p, size_t columns)
{
	const size_t n = columns + 9, m = 70;
	struct kith_rng r;
	struct asked a;
	size_t *self;

	kith_rng_seed(&r, p, KITH_RNG_SAMPLE, 0);
	a = ask("products", KITH_SQUARED, p, n, m, &r);
	for (size_t i = 0; i < n; i++)
		kith_row(&a.pr.X, i)[p - 1] = (i + 4) % columns < 8 ? 0 : 1e3 + (double)i;
	for (size_t i = 0; i < m; i++)
		kith_row(&a.pr.Z, i)[p - 1] = 0;
	a.pr.metric.w = NULL;
	measure_all(&a, m, false);
	a.limit = 1e5;
	self = kith_new(&a.pr.pool, m, sizeof(*self));
	for (size_t i = 0; i < m; i++)
		self[i] = (i * 3 + 4) % 8 + (i % 3 ? columns - 4 : 0);
	is_size(search(&a, m, self, 1), 0, "rows left out at the end of tiles");
	kith_pool_free(&a.pr.pool);
}

/*
 * Queries so far away that floats do not hold them: each, or every third.  All
 * rows are within an infinite limit.
 */
static void
test_far(const char *way, enum kith_metric_kind kind, size_t p, size_t step)
{
	enum { N = 70, M = 68 };
	struct kith_rng r;
	struct asked a;
	size_t self[M];

	kith_rng_seed(&r, p, KITH_RNG_SAMPLE, 0);
	a = ask(way, kind, p, N, M, &r);
	for (size_t i = 0; i < M; i++) {
		self[i] = i;
		if (i % step == 0)
			kith_row(&a.pr.Z, i)[i % p] = 1e60 * (1 + (double)i);
	}
	measure_all(&a, N, false);
	a.limit = INFINITY;
	is_size(search(&a, M, NULL, 1), 0, "queries far away");
	is_size(search(&a, M - 1, self, 2), 0, "which leave a row out");
	kith_pool_free(&a.pr.pool);
}

/*
 * A join of n rows, each of which has many copies among the first and among the
 * last of them: some rows' lists that are wrong.
 */
static size_t
wrong_copies(size_t n, size_t p, size_t k, size_t threads)
{
	enum { KINDS = 3, STEP = 64 };
	struct kith_rng r;
	struct kith_neighbour *nn;
	struct asked a;
	size_t bad = 0;

	kith_rng_seed(&r, n, KITH_RNG_SAMPLE, 0);
	a = ask("products", KITH_SQUARED, p, n, n / STEP + 1, &r);
	a.k = k;
	for (size_t i = 0; i < n; i++)
		if (i < n / 4 || i >= n - n / 4)
			memcpy(
			    kith_row(&a.pr.X, i), kith_row(&a.pr.X, i % KINDS), p * sizeof(double));
	for (size_t i = 0; i < a.pr.Z.n; i++)
		memcpy(kith_row(&a.pr.Z, i), kith_row(&a.pr.X, i * STEP < n ? i * STEP : 0),
		    p * sizeof(double));
	measure_all(&a, n, false);
	nn = kith_new(&a.pr.pool, n * k, sizeof(*nn));
	kith_knn_join(a.knn, k, threads, nn);
	for (size_t i = 0; i * STEP < n; i++)
		bad += !are_first(nn + i * STEP * k, k, a.d + i * n, n, i * STEP);
	kith_knn_search(a.knn, &a.pr.Z, NULL, k, threads, nn);
	bad += wrong(&a, a.pr.Z.n, NULL, NULL, nn);
	kith_pool_free(&a.pr.pool);
	return bad;
}

int
main(void)
{
	test_queries("", KITH_SQUARED, 10, 0, 33);
	test_queries("", KITH_ABSOLUTE, 3, 0, 33);
	test_queries("products", KITH_SQUARED, 3, 0, 129);
	test_queries("leaves", KITH_SQUARED, 3, 0, 129);
	test_queries("leaves", KITH_ABSOLUTE, 9, 0, 129);
	test_queries("products", KITH_SQUARED, 9, 0, 129);
	test_queries("products", KITH_SQUARED_MATRIX, 7, 0, 129);
	test_queries("products", KITH_ABSOLUTE, 12, 1023, 1025);
	test_queries("products", KITH_SQUARED, 12, 1279, 1281);
	test_joins("products", KITH_SQUARED, 3, 128, 2);
	test_joins("leaves", KITH_SQUARED, 5, 64, 3);
	test_joins("products", KITH_SQUARED, 9, 256, 1);
	test_joins("products", KITH_SQUARED, 9, 256, 3);
	test_joins("products", KITH_SQUARED, 256, 256, 1);
	test_far("products", KITH_SQUARED, 9, 1);
	test_far("products", KITH_SQUARED, 10, 3);
	test_far("leaves", KITH_SQUARED, 4, 1);
	test_far("leaves", KITH_ABSOLUTE, 9, 3);
	is_size(wrong_copies(65, 9, 1, 40), 0, "more threads than blocks");
	is_size(wrong_copies(513, 9, 2, 1), 0, "two blocks and one row");
	is_size(wrong_copies(530, 9, 30, 1), 0, "candidates in the result");
	is_size(wrong_copies(4097, 9, 2, 1), 0, "blocks of more than a tile");
	test_left_out(12, 1024);
	test_left_out(256, 2048);
	return done();
}
