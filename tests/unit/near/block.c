/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/knn.h and lib/table/root.h: blocks of a reference, merged,
 * against all distances in order, on data made to be hard; roots, read back.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/knn.h"
#include "near/metric.h"
#include "table/root.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int
by_order(const void *a, const void *b)
{
	const struct kith_neighbour *s = a, *t = b;

	return kith_neighbour_before(s, t) ? -1 : kith_neighbour_before(t, s);
}

/* All rows of the reference in order but row i itself; how many. */
static size_t
judge(const struct kith_mat *X, const struct kith_metric *metric, size_t i,
    struct kith_neighbour *out)
{
	size_t n = 0;

	for (size_t j = 0; j < X->n; j++) {
		struct kith_neighbour nn = {j, 0};

		if (j == i)
			continue;
		kith_dist_rows(metric, kith_row(X, i), kith_row(X, j), 1, &nn.d);
		out[n++] = nn;
	}
	qsort(out, n, sizeof(*out), by_order);
	return n;
}

/* Rows z..z_end-1 of X against blocks of it, merged, and the truth. */
static bool
is_merged(const struct kith_mat *X, const struct kith_metric *metric, size_t z, size_t z_end,
    size_t blocks, size_t k, double limit)
{
	struct kith_pool pool = {0};
	const struct kith_mat Z = {z_end - z, X->p, kith_row(X, z)};
	struct kith_neighbour *all, *due = kith_new(&pool, X->n, sizeof(*due));
	struct kith_knn_lists *lists = kith_new(&pool, blocks, sizeof(*lists));
	bool same = true;

	all = kith_new(&pool, X->n, sizeof(*all));
	for (size_t b = 0; b < blocks; b++) {
		const size_t x = b * X->n / blocks;
		const struct kith_mat Y = {(b + 1) * X->n / blocks - x, X->p, kith_row(X, x)};
		const struct kith_knn_block it = {.X = &Y,
		    .Z = &Z,
		    .metric = metric,
		    .x = x,
		    .z = z,
		    .k = k,
		    .limit = limit,
		    .threads = 1 + b % 2};

		kith_knn_block(&it, &lists[b], &pool);
	}
	for (size_t i = 0; i < Z.n && same; i++) {
		const size_t n = judge(X, metric, z + i, due);
		size_t got = 0, most = 0;

		for (size_t b = 0; b < blocks; b++) {
			const size_t *start = lists[b].start + i;

			same = same && (k == 0 || start[1] - start[0] <= k);
			for (size_t e = start[0]; e < start[1]; e++) {
				same = same && lists[b].nn[e].d <= limit;
				all[got] = lists[b].nn[e];
				all[got++].row += b * X->n / blocks;
			}
		}
		qsort(all, got, sizeof(*all), by_order);
		while (most < n && (k == 0 || most < k) && due[most].d <= limit)
			most++;
		same = same && got >= most;
		for (size_t e = 0; e < most && same; e++)
			same = all[e].row == due[e].row && all[e].d == due[e].d;
		same = same && (k > 0 || got == most);
	}
	kith_pool_free(&pool);
	return same;
}

static void
test_blocks(void)
{
	struct kith_rng rng;
	bool good = true;

	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	for (size_t seed = 0; seed < 60; seed++) {
		struct kith_pool pool = {0};
		const size_t n = 1 + kith_rng_below(&rng, 150);
		const size_t p = 1 + kith_rng_below(&rng, 12);
		const size_t z = kith_rng_below(&rng, n);
		const size_t end = z + kith_rng_below(&rng, n - z + 1);
		struct kith_mat X = kith_mat_new(&pool, n, p);
		const struct kith_metric metric = {
		    seed % 3 ? KITH_SQUARED : KITH_ABSOLUTE, p, NULL};

		for (size_t i = 0; i < n * p; i++)
			X.v[i] = seed % 2 ? (double)kith_rng_below(&rng, 3) : kith_rng_unit(&rng);
		good = good &&
		    is_merged(&X, &metric, z, end, 1 + kith_rng_below(&rng, n + 3),
			seed % 5 ? 1 + kith_rng_below(&rng, n) : 0,
			seed % 4 && seed % 5 ? INFINITY : (double)p / 3);
		kith_pool_free(&pool);
	}
	ok(good, "blocks, merged, are all neighbours in order");
}

static bool
comes_back(double d)
{
	char text[KITH_NUM_ROOM];
	double x;

	kith_near_root_format(text, d);
	return kith_near_root_parse(text) == d &&
	    (isinf(d) || kith_parse_real(text, strlen(text), &x) == 0);
}

static void
test_roots(void)
{
	static const double hard[] = {0, 5e-324, 1e-323, 2.2250738585072014e-308,
	    1.7976931348623157e308, INFINITY, 2, 4, 18, -2, -4};
	static const struct {
		double d;
		const char *due;
	} root[] = {{7e-6, "0.00264575131106459057"}, {7e-9, "8.36660026534075537e-5"},
	    {11e-10, "3.31662479035539973e-5"}, {12e5, "1095.44511501033223"},
	    {11e20, "33166247903.5539985"}, {11e40, "3.31662479035539977e20"},
	    {11e-300, "3.31662479035539982e-150"}};
	char text[KITH_NUM_ROOM];
	struct kith_rng rng;
	bool good = true;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < sizeof(hard) / sizeof(*hard); i++)
		good = good && comes_back(hard[i]);
	for (size_t i = 0; i < 20000; i++) {
		const double x = kith_rng_unit(&rng);

		good = good && comes_back(x) && comes_back(nextafter(x, 0)) &&
		    comes_back(ldexp(x, (int)(i % 2000) - 1000));
	}
	ok(good, "squares come back from roots");
	kith_near_root_format(text, 25);
	is_text(text, "5", "a root that is a short number");
	kith_near_root_format(text, 11);
	is_text(text, "3.31662479035539985", "one that needs 18 digits");
	kith_near_root_format(text, -2);
	is_text(text, "-1.4142135623730951", "of a number below 0");
	kith_near_root_format(text, -11);
	is_text(text, "-3.31662479035539985", "and one that needs 18 digits");
	for (size_t i = 0; i < sizeof(root) / sizeof(*root); i++) {
		kith_near_root_format(text, root[i].d);
		is_text(text, root[i].due, "18 digits of a number of any size");
	}
}

int
main(void)
{
	test_blocks();
	test_roots();
	return done();
}
