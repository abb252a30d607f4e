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

enum { K = 3 };

/* A reference, queries, and the judge's distances of them. */
struct asked {
	struct problem pr;
	const struct kith_knn *knn;
	const struct kith_mat *Z;
	double *d, limit;
};

/* A problem of n rows and m queries, or of none but the rows; many are alike. */
static struct asked
ask(const char *search, enum kith_metric_kind kind, size_t p, size_t n,
    size_t m, struct kith_rng *r)
{
	struct asked a = {.pr = {.metric = {.kind = kind, .p = p}}};

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
	a->d = measure(pr, a->Z, kith_knn_unit(a->knn), &pr->pool);
	a->limit = INFINITY;
	for (size_t j = 0; j < pr->X.n; j++) {
		size_t nearer = 0;

		for (size_t i = 0; i < pr->X.n; i++)
			nearer += a->d[i] < a->d[j];
		if (nearer >= K)
			a->limit = fmin(a->limit, fmax(a->d[j], 0));
	}
}

/* How many lists are wrong: of the K nearest, or, with start, of all within. */
static size_t
wrong(const struct asked *a, size_t m, const size_t *self, const size_t *start,
    const struct kith_neighbour *nn)
{
	const size_t n = a->pr.X.n;
	size_t bad = 0;

	for (size_t i = 0; i < m; i++) {
		const size_t out = self ? self[i] : SIZE_MAX;
		const size_t from = start ? start[i] : i * K;
		const size_t count = start ? start[i + 1] - from : K;
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
	struct kith_neighbour *nn = kith_new(&tmp, m * K, sizeof(*nn));
	struct kith_knn_lists lists;
	size_t bad;

	kith_knn_search(a->knn, &Z, self, K, threads, nn);
	bad = wrong(a, m, self, NULL, nn);
	kith_knn_within(a->knn, &Z, self, a->limit, threads, &lists, &tmp);
	bad += wrong(a, m, self, lists.start, lists.nn);
	kith_pool_free(&tmp);
	return bad;
}

/* Numbers of queries from `least` on that are next to multiples of 16. */
static void
test_queries(const char *way, enum kith_metric_kind kind, size_t p,
    size_t least, size_t most)
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
	is_size(bad, 0, kith_knn_choice(a.knn, K).search);
	kith_pool_free(&a.pr.pool);
}

/* All rows of the reference, which number about a multiple of `block`. */
static void
test_joins(const char *way, enum kith_metric_kind kind, size_t p, size_t block,
    size_t times)
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
		nn = kith_new(&a.pr.pool, n * K, sizeof(*nn));
		self = kith_new(&a.pr.pool, n, sizeof(*self));
		for (size_t i = 0; i < n; i++)
			self[i] = i;
		kith_knn_join(a.knn, K, n % 3 + 1, nn);
		bad += wrong(&a, n, self, NULL, nn);
		bad += search(&a, n, self, 1);
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
	const size_t n = columns + 40, m = 70;
	struct kith_rng r;
	struct asked a;
	size_t *self;

	kith_rng_seed(&r, p, KITH_RNG_SAMPLE, 0);
	a = ask("full", KITH_SQUARED, p, n, m, &r);
	for (size_t i = 0; i < n; i++)
		kith_row(&a.pr.X,
		    i)[p - 1] = (i + 4) % columns < 8 ? 0 : 1e3 + (double)i;
	for (size_t i = 0; i < m; i++)
		kith_row(&a.pr.Z, i)[p - 1] = 0;
	a.pr.metric.w = NULL;
	measure_all(&a, m, false);
	a.limit = 1e5;
	self = kith_new(&a.pr.pool, m, sizeof(*self));
	for (size_t i = 0; i < m; i++)
		self[i] = (i * 3 + 4) % 8 + (i % 4 ? columns - 4 : 0);
	is_size(search(&a, m, self, 1), 0, "rows left out at the end of tiles");
	kith_pool_free(&a.pr.pool);
}

int
main(void)
{
	test_queries("", KITH_SQUARED, 10, 0, 33);
	test_queries("", KITH_ABSOLUTE, 3, 0, 33);
	test_queries("full", KITH_SQUARED, 3, 0, 129);
	test_queries("leaves", KITH_SQUARED, 3, 0, 129);
	test_queries("leaves", KITH_ABSOLUTE, 9, 0, 129);
	test_queries("full", KITH_SQUARED, 9, 0, 129);
	test_queries("full", KITH_SQUARED_MATRIX, 7, 0, 129);
	test_queries("full", KITH_ABSOLUTE, 12, 1023, 1025);
	test_queries("full", KITH_SQUARED, 12, 1279, 1281);
	test_joins("full", KITH_SQUARED, 3, 128, 2);
	test_joins("leaves", KITH_SQUARED, 5, 64, 3);
	test_joins("full", KITH_SQUARED, 9, 256, 1);
	test_joins("full", KITH_SQUARED, 9, 256, 3);
	test_joins("full", KITH_SQUARED, 256, 256, 1);
	test_left_out(12, 1024);
	test_left_out(256, 2048);
	return done();
}
