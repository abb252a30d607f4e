/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_knn_within() of lib/near/knn.h: every search against a plain
 * judge on data made to be hard, at limits that are distances of pairs.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/hard.h"
#include "near/knn.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Whether a list has the rows within the limit, each once, in order. */
static bool
is_list(const struct kith_neighbour *nn, size_t count, const double *d, size_t n, size_t left_out,
    double limit)
{
	size_t due = 0;

	for (size_t j = 0; j < n; j++)
		due += d[j] <= limit && j != left_out;
	return count == due && are_first(nn, count, d, n, left_out);
}

/* What is searched for, and the judge's distances. */
struct asked {
	const struct kith_knn *knn;
	const struct kith_mat *Z;
	const size_t *self;
	const double *d;
	size_t n;
};

static bool
agrees(const struct asked *a, double limit, size_t threads)
{
	struct kith_pool tmp = {0};
	struct kith_knn_lists lists = {0};
	size_t bad = 0;

	kith_knn_within(a->knn, a->Z, a->self, limit, threads, &lists, &tmp);
	for (size_t i = 0; i < a->Z->n; i++)
		bad += !is_list(lists.nn + lists.start[i], lists.start[i + 1] - lists.start[i],
		    a->d + i * a->n, a->n, a->self ? a->self[i] : SIZE_MAX, limit);
	if (bad)
		printf("# limit %.17g: %zu rows are wrong\n", limit, bad);
	kith_pool_free(&tmp);
	return bad == 0;
}

/* At 0, without limit, and at, below and above the distance of some pairs. */
static bool
all_agree(struct kith_rng *r, const struct asked *a)
{
	bool good = agrees(a, 0, 1) && agrees(a, INFINITY, 2);

	for (size_t times = 0; times < 4 && good; times++) {
		const size_t e = kith_rng_below(r, a->Z->n * a->n);
		const double at = fmax(a->d[e], 0);

		good = agrees(a, at, 1 + times % 3) && agrees(a, fmax(nextafter(at, -1), 0), 1) &&
		    agrees(a, at * (1 + 1e-9), 1);
	}
	return good;
}

static void
test_oracle(const struct look *l, enum kith_metric_kind kind, size_t n, size_t p, uint64_t seed)
{
	static const char *const search[] = {"products", "leaves", "plain"};
	struct kith_pool tmp = {0};
	struct kith_rng r;
	struct problem pr = {.metric = {.kind = kind}};
	struct asked a;
	size_t *self;
	double unit;
	bool good;

	setenv("KITH_SEARCH", search[seed % 3], 1);
	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	if (p == 0)
		p = 1 + kith_rng_below(&r, kith_rng_below(&r, 2) ? 20 : 8);
	if (n == 0)
		n = 1 + kith_rng_below(&r, kith_rng_below(&r, 2) ? 130 : 70);
	pr.X.p = p;
	make(&r, l, &pr, n, 1 + kith_rng_below(&r, 100));
	a.knn = kith_knn_new(&pr.X, &pr.metric, n, &tmp);
	unit = 1;
	a.n = n;
	a.Z = &pr.Z;
	a.self = NULL;
	a.d = measure(&pr, &pr.Z, unit, &tmp);
	good = all_agree(&r, &a);

	self = kith_new(&tmp, n, sizeof(*self));
	for (size_t i = 0; i < n; i++)
		self[i] = i;
	a.Z = &pr.X;
	a.self = self;
	a.d = measure(&pr, &pr.X, unit, &tmp);
	good = good && all_agree(&r, &a);
	ok(good, "%s, seed %llu: n %zu p %zu kind %d, KITH_SEARCH=%s", l->name,
	    (unsigned long long)seed, n, p, (int)kind, search[seed % 3]);
	kith_pool_free(&pr.pool);
	kith_pool_free(&tmp);
}

/* A part of the reference, from a row on, and no row at all. */
static void
test_part(void)
{
	enum { N = 200, P = 12, FROM = 70, M = 90 };
	struct kith_pool tmp = {0};
	struct kith_rng r;
	struct problem pr = {.metric = {.kind = KITH_SQUARED}};
	struct kith_mat part;
	struct asked a = {.n = N};
	size_t self[M];

	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, 0);
	pr.X.p = P;
	make(&r, &looks[1], &pr, N, 1);
	part = (struct kith_mat){M, P, kith_row(&pr.X, FROM)};
	for (size_t i = 0; i < M; i++)
		self[i] = FROM + i;
	setenv("KITH_SEARCH", "leaves", 1);
	a.knn = kith_knn_new(&pr.X, &pr.metric, M, &tmp);
	a.Z = &part;
	a.self = self;
	a.d = measure(&pr, &part, 1, &tmp);
	ok(all_agree(&r, &a), "a part of the rows");
	part.n = 0;
	ok(agrees(&a, 1, 2), "no row");
	kith_pool_free(&pr.pool);
	kith_pool_free(&tmp);
}

int
main(void)
{
	const size_t n = sizeof(looks) / sizeof(*looks);
	const uint64_t times = getenv("KITH_LONG") ? 60 : 1;
	uint64_t seed = 0;

	for (uint64_t t = 0; t < times; t++)
		for (size_t l = 0; l < n; l++)
			for (int kind = 0; kind < 4; kind++)
				test_oracle(&looks[l], (enum kith_metric_kind)kind, 0, 0, seed++);
	for (size_t l = 0; l < n; l += 9) /* more than one tile */
		test_oracle(&looks[l], KITH_SQUARED, 1100, 9 + l % 4, ++seed);
	test_part();
	return done();
}
