/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/knn.h: every search against a plain judge, which sorts all
 * rows by (distance, row number), on data made to be hard.
 */
#include "near/knn.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/hard.h"
#include "near/metric.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Put a row in its place among the nearest, ordered by (d, row). */
static void
insert(struct kith_neighbour *nn, size_t *held, size_t k, size_t row, double d)
{
	size_t at;

	if (*held == k && d >= nn[k - 1].d)
		return;
	if (*held < k)
		++*held;
	for (at = *held - 1; at > 0 && nn[at - 1].d > d; at--)
		nn[at] = nn[at - 1];
	nn[at] = (struct kith_neighbour){row, d};
}

/* The judge: for each row of Z all rows of X, one by one. */
static void
judge(const struct problem *pr, const struct kith_mat *Z, const size_t *self, double unit,
    struct kith_neighbour *nn)
{
	struct kith_pool tmp = {0};
	size_t *kept = kith_new(&tmp, pr->X.p, sizeof(*kept));
	const size_t p = kith_dist_kept(&pr->metric, kept), k = pr->k;
	const struct kith_metric metric = kith_dist_pack(&pr->metric, kept, p, &tmp);
	const struct kith_mat A = packed(Z, kept, p, unit, &tmp);
	const struct kith_mat B = packed(&pr->X, kept, p, unit, &tmp);

	for (size_t i = 0; i < A.n; i++) {
		size_t held = 0;

		for (size_t j = 0; j < B.n; j++)
			if (!self || self[i] != j)
				insert(nn + i * k, &held, k, j,
				    kith_dist(&metric, kith_row(&A, i), kith_row(&B, j)));
	}
	kith_pool_free(&tmp);
}

static bool
same(const struct kith_neighbour *a, const struct kith_neighbour *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].row != b[i].row || a[i].d != b[i].d)
			return false;
	return true;
}

static void
show(const struct kith_neighbour *got, const struct kith_neighbour *due, size_t m, size_t k)
{
	for (size_t i = 0; i < m * k; i++)
		if (!same(&got[i], &due[i], 1)) {
			printf("# row %zu place %zu: got %zu at %.17g, "
			       "not %zu at %.17g\n",
			    i / k, i % k, got[i].row, got[i].d, due[i].row, due[i].d);
			return;
		}
}

/* Search in pieces of `piece` rows, on `threads` threads. */
static bool
pieces_agree(const struct problem *pr, const struct kith_knn *knn, size_t piece, size_t threads,
    const struct kith_neighbour *due)
{
	struct kith_pool tmp = {0};
	struct kith_neighbour *nn = kith_new(&tmp, pr->Z.n * pr->k, sizeof(*nn));
	bool agree;

	for (size_t i = 0; i < pr->Z.n; i += piece) {
		const size_t m = pr->Z.n - i < piece ? pr->Z.n - i : piece;
		const struct kith_mat part = {m, pr->Z.p, kith_row(&pr->Z, i)};

		kith_knn_search(
		    knn, &part, pr->self ? pr->self + i : NULL, pr->k, threads, nn + i * pr->k);
	}
	agree = same(nn, due, pr->Z.n * pr->k);
	kith_pool_free(&tmp);
	return agree;
}

/* Search and join against the judge, in pieces and with threads. */
static void
check(struct problem *pr, const char *what, uint64_t seed)
{
	struct kith_pool tmp = {0};
	const size_t m = pr->Z.n, n = pr->X.n, k = pr->k;
	const size_t most = m > n ? m : n;
	struct kith_knn *knn = kith_knn_new(&pr->X, &pr->metric, pr->X.n, &tmp);
	const double unit = 1;
	struct kith_neighbour *due = kith_new(&tmp, most * k, sizeof(*due));
	struct kith_neighbour *got = kith_new(&tmp, most * k, sizeof(*got));
	size_t *self = kith_new(&tmp, n, sizeof(*self));
	bool good = true;

	judge(pr, &pr->Z, pr->self, unit, due);
	kith_knn_search(knn, &pr->Z, pr->self, k, 1, got);
	if (!same(got, due, m * k)) {
		show(got, due, m, k);
		good = false;
	}
	good = good && pieces_agree(pr, knn, m, 3, due);
	if (m <= 100)
		good = good && pieces_agree(pr, knn, 1, 1, due) &&
		    pieces_agree(pr, knn, 3, 2, due) && pieces_agree(pr, knn, 7, 2, due);
	if (k < n) {
		for (size_t i = 0; i < n; i++)
			self[i] = i;
		judge(pr, &pr->X, self, unit, due);
		for (size_t threads = 1; threads <= 3 && good; threads++) {
			kith_knn_join(knn, k, threads, got);
			good = same(got, due, n * k);
			if (!good)
				show(got, due, n, k);
		}
	}
	ok(good, "%s, seed %llu: n %zu p %zu k %zu kind %d", what, (unsigned long long)seed, n,
	    pr->X.p, k, (int)pr->metric.kind);
	kith_pool_free(&tmp);
}

/* k, and rows left out; few: so few neighbours that they are screened. */
static void
ask(struct kith_rng *r, struct problem *pr, bool few)
{
	const size_t n = pr->X.n, m = pr->Z.n;

	pr->k = 1 + kith_rng_below(r, n);
	if (few || kith_rng_below(r, 2))
		pr->k = 1 + pr->k / 12;
	if (pr->k > n)
		pr->k = n;
	if (pr->k < n && kith_rng_below(r, 2)) {
		pr->self = kith_new(&pr->pool, m, sizeof(*pr->self));
		for (size_t i = 0; i < m; i++)
			pr->self[i] = kith_rng_below(r, n);
	}
}

/* n or p 0: any. */
static void
test_oracle(const struct look *l, enum kith_metric_kind kind, size_t n, size_t p, uint64_t seed)
{
	const size_t most = kind < KITH_SQUARED_MATRIX ? 40 : 20;
	struct kith_rng r;
	struct problem pr = {.metric = {.kind = kind}};
	const bool few = n > 0;

	setenv("KITH_SEARCH", seed % 2 ? "leaves" : "products", 1);
	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	if (p == 0)
		p = 1 + kith_rng_below(&r, kith_rng_below(&r, 2) ? 12 : most);
	if (n == 0)
		n = 1 + kith_rng_below(&r, kith_rng_below(&r, 2) ? 90 : 200);
	pr.X.p = p;
	make(&r, l, &pr, n, 1 + kith_rng_below(&r, n > 300 ? 400 : 40));
	ask(&r, &pr, few);
	check(&pr, l->name, seed);
	kith_pool_free(&pr.pool);
}

/* Data times a power of two: the same rows, at distances times another. */
static void
test_units(enum kith_metric_kind kind, size_t p, double factor)
{
	enum { N = 100, M = 50, K = 5, MK = 250 };
	struct kith_rng r;
	struct problem pr = {.metric = {.kind = kind}};
	struct kith_neighbour a[MK], b[MK];
	struct kith_knn *knn;
	double unit;
	bool good = true;

	kith_rng_seed(&r, p, KITH_RNG_SAMPLE, 0);
	pr.X.p = p;
	make(&r, &looks[2], &pr, N, M);
	kith_knn_search(kith_knn_new(&pr.X, &pr.metric, pr.X.n, &pr.pool), &pr.Z, NULL, K, 1, a);
	for (size_t i = 0; i < N * p; i++)
		pr.X.v[i] *= factor;
	for (size_t i = 0; i < M * p; i++)
		pr.Z.v[i] *= factor;
	knn = kith_knn_new(&pr.X, &pr.metric, pr.X.n, &pr.pool);
	unit = factor;
	kith_knn_search(knn, &pr.Z, NULL, K, 1, b);
	for (size_t i = 0; i < MK; i++)
		good = good && a[i].row == b[i].row &&
		    a[i].d * unit * (kind == KITH_ABSOLUTE ? 1 : unit) == b[i].d;
	ok(good, "data times %g, unit %g, kind %d, p %zu", factor, unit / factor, (int)kind, p);
	kith_pool_free(&pr.pool);
}

/* All kinds of rows, from this seed on: every other by leaves. */
static void
test_all(uint64_t seed)
{
	const size_t n = sizeof(looks) / sizeof(*looks);

	for (size_t l = 0; l < n; l++)
		for (int kind = 0; kind < 4; kind++)
			for (int times = 0; times < 4; times++)
				test_oracle(&looks[l], (enum kith_metric_kind)kind, 0, 0, ++seed);
	for (size_t l = 0; l < n; l++)
		for (size_t p = 9; p < 40; p += 10) {
			test_oracle(&looks[l], KITH_SQUARED, 90 + p, p, ++seed);
			test_oracle(&looks[l], KITH_SQUARED_MATRIX, 130 - p, p / 2 + 5, ++seed);
		}
	for (int kind = 0; kind < 4; kind++)
		for (int e = -480; e <= 480; e += 240)
			test_units((enum kith_metric_kind)kind, e % 480 ? 4 : 12, ldexp(1, e));
	for (size_t l = 0; l < n; l += 3) { /* large enough for many tiles */
		if (l % 2)
			test_oracle(&looks[l], KITH_SQUARED_MATRIX, 530, 7 + l % 4, ++seed);
		else
			test_oracle(&looks[l], KITH_SQUARED, 1100, 9 + l % 4, ++seed);
		test_oracle(&looks[l], KITH_SQUARED, 1100, 3, ++seed);
	}
	test_oracle(&looks[2], KITH_SQUARED, 2100, 9, ++seed);
	test_oracle(&looks[2], KITH_SQUARED, 400, 260, ++seed);
}

/* Rows about a plane in p axes, where leaves are chosen. */
static struct kith_mat
plane(size_t n, size_t p, struct kith_pool *pool)
{
	struct kith_rng rng;
	struct kith_mat X = kith_mat_new(pool, n, p);

	kith_rng_seed(&rng, 5, KITH_RNG_SAMPLE, p);
	for (size_t i = 0; i < n; i++) {
		const double u = normal(&rng), v = normal(&rng);

		for (size_t j = 0; j < p; j++)
			kith_row(&X, i)[j] = (double)j * u + (double)(j % 7) * v * v +
			    .05 * normal(&rng);
	}
	return X;
}

/* Many leaves: the same neighbours as full products give. */
static void
test_plane(size_t n, size_t p, enum kith_metric_kind kind)
{
	static const char *const search[] = {"products", "leaves", "auto"};
	struct kith_pool pool = {0};
	struct kith_mat X = plane(n, p, &pool);
	const struct kith_metric metric = {kind, p, NULL};
	const struct kith_mat Z = {n / 8, p, X.v};
	struct kith_neighbour *nn[3], *to[3];

	for (int s = 0; s < 3; s++) {
		const struct kith_knn *knn;

		setenv("KITH_SEARCH", search[s], 1);
		nn[s] = kith_new(&pool, n, 20 * sizeof(**nn));
		to[s] = kith_new(&pool, n, 20 * sizeof(**to));
		knn = kith_knn_new(&X, &metric, n, &pool);
		kith_knn_join(knn, 20, 2, nn[s]);
		kith_knn_search(knn, &Z, NULL, 20, 1, to[s]);
		ok(same(nn[s], nn[0], n * 20), "join: %s, %zu features, kind %d", search[s], p,
		    (int)kind);
		ok(same(to[s], to[0], n / 8 * 20), "search: %s, %zu features, kind %d", search[s],
		    p, (int)kind);
	}
	kith_pool_free(&pool);
}

/*
 * All rows at distance 0 by a singular matrix, and copies: row COPY + i is row i.  The nearest of
 * row i are the rows of the smallest numbers, without i, so the copy of row i comes late.
 */
static void
test_all_at_zero(const char *search)
{
	enum { N = 200, COPY = 150, K = 5 };
	static const double w[] = {1, -1, -1, 1};
	static const struct kith_metric metric = {KITH_SQUARED_MATRIX, 2, w};
	struct kith_pool pool = {0};
	const struct kith_mat X = kith_mat_new(&pool, N, 2);
	struct kith_neighbour nn[N * K];
	size_t self[N], bad = 0;

	for (size_t i = 0; i < N; i++) {
		self[i] = i;
		kith_row(&X, i)[0] = kith_row(&X, i)[1] = (double)(i % COPY);
	}
	setenv("KITH_SEARCH", search, 1);
	kith_knn_search(kith_knn_new(&X, &metric, N, &pool), &X, self, K, 1, nn);
	for (size_t i = 0; i < N; i++)
		for (size_t e = 0; e < K; e++)
			bad += nn[i * K + e].row != e + (i <= e) || nn[i * K + e].d != 0;
	ok(bad == 0, "copies, all at distance 0: %s, %zu differ", search, bad);
	kith_pool_free(&pool);
}

int
main(void)
{
	for (uint64_t seed = 0; seed < (getenv("KITH_LONG") ? 20 : 1); seed++)
		test_all(seed);
	test_plane(5000, 9, KITH_SQUARED);
	test_plane(5000, 70, KITH_SQUARED);
	test_plane(3000, 20, KITH_ABSOLUTE);
	test_all_at_zero("products");
	test_all_at_zero("leaves");
	test_all_at_zero("plain");
	return done();
}
