/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_knn_connect() of lib/near/knn.h: by leaves and plain, against
 * the algorithm of Kruskal over all pairs, on data made to be hard.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/hard.h"
#include "near/knn.h"
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

static int
by_order(const void *a, const void *b)
{
	const struct kith_knn_edge *x = a, *y = b;

	if (x->d != y->d)
		return x->d < y->d ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Kruskal: all pairs in order, each taken that joins two parts. */
static size_t
judge(const double *d, const size_t *part, size_t n, struct kith_knn_edge *out,
    struct kith_pool *pool)
{
	struct kith_knn_edge *all = kith_new(pool, n * n, sizeof(*all));
	size_t *set = kith_new(pool, n, sizeof(*set)), pairs = 0, taken = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			all[pairs++] = (struct kith_knn_edge){d[i * n + j], i, j};
	qsort(all, pairs, sizeof(*all), by_order);
	for (size_t i = 0; i < n; i++)
		set[i] = part[i];
	for (size_t e = 0; e < pairs; e++) {
		const size_t a = set[all[e].from], b = set[all[e].to];

		if (a == b)
			continue;
		out[taken++] = all[e];
		for (size_t i = 0; i < n; i++)
			if (set[i] == b)
				set[i] = a;
	}
	return taken;
}

/*
 * Parts of n rows, all of them, into part; how many.  By chance, or one large
 * part and small ones, or runs of rows, or each row its own.
 */
static size_t
cut(struct kith_rng *r, size_t n, size_t *part)
{
	const size_t c = 1 + kith_rng_below(r, n < 20 ? n : 20);
	const size_t way = kith_rng_below(r, 4);
	size_t *number = calloc(n, sizeof(*number)), parts = 0;

	for (size_t i = 0; i < n; i++) {
		size_t h = kith_rng_below(r, c);

		if (way == 1)
			h = kith_rng_below(r, 8) ? 0 : h;
		else if (way == 2)
			h = i * c / n;
		else if (way == 3)
			h = i;
		if (!number[h])
			number[h] = ++parts;
		part[i] = number[h] - 1;
	}
	free(number);
	return parts;
}

static void
test_oracle(const struct look *l, enum kith_metric_kind kind, size_t n, size_t p, size_t seed)
{
	static const char *const search[] = {"products", "leaves", "plain"};
	struct kith_pool tmp = {0};
	struct kith_rng r;
	struct problem pr = {.metric = {.kind = kind}};
	const struct kith_knn *knn;
	struct kith_knn_edge *due, *got;
	size_t *part, parts, good = 0;
	double *d;

	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	if (p == 0)
		p = 1 + kith_rng_below(&r, kith_rng_below(&r, 2) ? 20 : 8);
	if (n == 0)
		n = 1 + kith_rng_below(&r, kith_rng_below(&r, 2) ? 180 : 70);
	pr.X.p = p;
	make(&r, l, &pr, n, 1);
	part = kith_new(&tmp, n, sizeof(*part));
	due = kith_new(&tmp, n, sizeof(*due));
	got = kith_new(&tmp, n, sizeof(*got));
	setenv("KITH_SEARCH", search[seed % 3], 1);
	knn = kith_knn_new(&pr.X, &pr.metric, n, &tmp);
	d = measure(&pr, &pr.X, 1, &tmp);
	parts = cut(&r, n, part);
	is_size(judge(d, part, n, due, &tmp), parts - 1, "as many as due");
	kith_knn_connect(knn, part, parts, 1 + seed % 3, got);
	for (size_t e = 0; e + 1 < parts; e++)
		good += got[e].from == due[e].from && got[e].to == due[e].to &&
		    got[e].d == due[e].d;
	ok(good == parts - 1, "%s, seed %llu: n %zu p %zu kind %d, %zu parts, KITH_SEARCH=%s",
	    l->name, (unsigned long long)seed, n, p, (int)kind, parts, search[seed % 3]);
	kith_pool_free(&pr.pool);
	kith_pool_free(&tmp);
}

/* Many leaves, whose boxes overlap: what all pairs say. */
static void
test_large(enum kith_metric_kind kind, size_t p, bool alone)
{
	enum { N = 1500 };
	struct problem pr = {.metric = {.kind = kind}};
	struct kith_knn_edge *out[2];
	struct kith_rng r;
	size_t parts = N, good = 0;

	kith_rng_seed(&r, p, KITH_RNG_SAMPLE, 0);
	pr.X.p = p;
	make(&r, &looks[2], &pr, N, 1);
	for (size_t s = 0; s < 2; s++) {
		size_t *part = kith_new(&pr.pool, N, sizeof(*part));
		const struct kith_knn *knn;

		setenv("KITH_SEARCH", s ? "leaves" : "products", 1);
		knn = kith_knn_new(&pr.X, &pr.metric, N, &pr.pool);
		parts = alone ? N : 25;
		for (size_t i = 0; i < N; i++)
			part[i] = alone || i < parts ? i : i * i % 17 % parts;
		out[s] = kith_new(&pr.pool, N, sizeof(*out[s]));
		kith_knn_connect(knn, part, parts, 2, out[s]);
	}
	for (size_t e = 0; e + 1 < parts; e++)
		good += out[0][e].from == out[1][e].from && out[0][e].to == out[1][e].to &&
		    out[0][e].d == out[1][e].d;
	ok(good == parts - 1, "%d rows, p %zu, %zu parts: by leaves as by all", (int)N, p, parts);
	kith_pool_free(&pr.pool);
}

int
main(void)
{
	const size_t n = sizeof(looks) / sizeof(*looks);
	const uint64_t times = getenv("KITH_LONG") ? 60 : 2;
	size_t seed = 0;

	for (uint64_t t = 0; t < times; t++)
		for (size_t l = 0; l < n; l++)
			for (int kind = 0; kind < 4; kind++)
				test_oracle(&looks[l], (enum kith_metric_kind)kind, 0, 0, seed++);
	for (size_t l = 0; l < n; l += 5) /* more leaves than are visited first */
		test_oracle(&looks[l], KITH_SQUARED, 900, 3 + l % 14, 3 * seed++ + 1);
	test_large(KITH_SQUARED, 6, true);
	test_large(KITH_SQUARED, 12, false);
	test_large(KITH_ABSOLUTE, 10, true);
	test_large(KITH_ABSOLUTE, 5, false);
	return done();
}
