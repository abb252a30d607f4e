/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/knn.h on random sets that are nasty in one way or several:
 * leaves, products and what is chosen give the bytes of the plain search, for many
 * queries and for few.  40 sets, and with KITH_LONG=1 500.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/knn.h"
#include "near/metric.h"
#include "near/pack.h"
#include "near/plain.h"
#include "normal.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 9 };

static const char *const way[WAYS] = {"normal", "duplicates", "all equal",
    "one feature", "constant columns", "1e-300 and 1e300 in one column",
    "fewer than 64 rows", "k near n", "5000 features"};

/* A cell of the column of sizes that are far apart. */
static double
far_apart(struct kith_rng *r)
{
	static const double size[] = {
	    1e-300, 1e300, 1, 0, -1e300, 1e-160, 1e150};

	return size[kith_rng_below(r, sizeof(size) / sizeof(*size))] *
	    (1 + (double)kith_rng_below(r, 3));
}

/* n x p numbers, nasty in this way. */
static struct kith_mat
make(struct kith_rng *r, size_t w, size_t n, size_t p, struct kith_pool *pool)
{
	const struct kith_mat X = kith_mat_new(pool, n, p);
	const size_t grid = kith_rng_below(r, 3) ? 0 : 2 + kith_rng_below(r, 5);
	const size_t kinds = (size_t)1 << kith_rng_below(r, 3);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < p; j++)
			kith_row(&X, i)[j] = grid
			    ? (double)kith_rng_below(r, grid)
			    : normal(r) / (1 + (double)j);
	for (size_t i = 0; i < n; i++) {
		double *x = kith_row(&X, i);

		if (w == 2 || (w == 1 && i >= kinds && kith_rng_below(r, 50)))
			memcpy(x, kith_row(&X, w == 2 ? 0 : i & (kinds - 1)),
			    p * sizeof(*x));
		for (size_t j = 0; j < p && w == 4; j++)
			if (j % 3)
				x[j] = 1e9 / (double)j;
		if (w == 5)
			x[0] = far_apart(r);
	}
	return X;
}

/* Whether a search gives what the plain one does. */
static bool
same(const struct kith_mat *X, const struct kith_mat *Z,
    const struct kith_metric *metric, size_t k, size_t threads)
{
	struct kith_pool tmp = {0};
	const struct kith_mat *of = Z ? Z : X;
	const struct kith_knn_pack pack = kith_knn_pack(X, metric, &tmp);
	const struct kith_knn *knn = kith_knn_new(X, metric, of->n, &tmp);
	const size_t all = of->n * k;
	struct kith_neighbour *due = kith_new(&tmp, all, sizeof(*due));
	struct kith_neighbour *got = kith_new(&tmp, all, sizeof(*got));
	size_t *self = kith_new(&tmp, X->n, sizeof(*self)), bad = 0;
	const struct kith_knn_query query = {of, Z ? NULL : self, k, 1, due};

	for (size_t i = 0; i < X->n; i++)
		self[i] = i;
	kith_knn_plain(&pack, &query);
	if (Z)
		kith_knn_search(knn, Z, NULL, k, threads, got);
	else
		kith_knn_join(knn, k, threads, got);
	for (size_t i = 0; i < all; i++)
		bad += got[i].row != due[i].row || got[i].d != due[i].d;
	kith_pool_free(&tmp);
	return bad == 0;
}

/* Weights of a random kind, or none. */
static struct kith_metric
metric_new(struct kith_rng *r, size_t p, struct kith_pool *pool)
{
	const enum kith_metric_kind kind = p > 100 || kith_rng_below(r, 3)
	    ? KITH_SQUARED
	    : (enum kith_metric_kind)kith_rng_below(r, 3);
	const bool matrix = kith_metric_is_matrix(kind);
	double *w = kith_new(pool, p, (matrix ? p : 1) * sizeof(*w));

	for (size_t j = 0; j < p; j++)
		w[matrix ? j * p + j : j] = (double)(1 + kith_rng_below(r, 4));
	for (size_t j = 1; j < p && matrix; j++)
		w[j * p + j - 1] = w[(j - 1) * p + j] = .25;
	if (!matrix && kith_rng_below(r, 2))
		w = NULL;
	return (struct kith_metric){kind, p, w};
}

static void
test_set(size_t seed)
{
	static const char *const search[] = {"leaves", "full", ""};
	struct kith_pool tmp = {0};
	const size_t w = seed % WAYS;
	size_t n, p, k, good = 0, few = 0;
	struct kith_metric metric;
	struct kith_mat X, Z;
	struct kith_rng r;

	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	n = w == 6   ? 2 + kith_rng_below(&r, 62)
	    : w == 8 ? 64 + kith_rng_below(&r, 60)
		     : 64 + kith_rng_below(&r, w == 7 ? 300 : 1200);
	p = w == 3 ? 1 : w == 8 ? 5000 : 1 + kith_rng_below(&r, 30);
	k = w == 7 ? n - 1 - kith_rng_below(&r, 3) : 1 + kith_rng_below(&r, 40);
	k = k < n ? k : n - 1;
	X = make(&r, w, n, p, &tmp);
	Z = make(&r, w, 1 + kith_rng_below(&r, 200), p, &tmp);
	metric = metric_new(&r, p, &tmp);
	for (size_t s = 0; s < 3; s++) {
		setenv("KITH_SEARCH", search[s], 1);
		good += same(&X, NULL, &metric, k, 1 + seed % 3);
		good += same(&X, &Z, &metric, k, 1 + seed % 2);
		for (size_t m = 1; m <= 3; m++)
			few += same(
			    &X, &(struct kith_mat){m, p, X.v}, &metric, k, m);
	}
	ok(good == 6, "set %zu: %s, n %zu, p %zu, k %zu, kind %d", seed, way[w],
	    n, p, k, (int)metric.kind);
	ok(few == 9, "and of 1, 2 and 3 queries");
	kith_pool_free(&tmp);
}

/* Whether m queries go this way to their nearest, and this to all within. */
static bool
goes(const struct kith_mat *X, const struct kith_metric *metric, size_t m,
    const char *way_near, const char *way_within)
{
	struct kith_pool tmp = {0};
	const struct kith_knn *knn = kith_knn_new(X, metric, m, &tmp);
	const char *near = kith_knn_choice(knn, 3).search;
	const char *within = kith_knn_choice(knn, 0).search;

	kith_pool_free(&tmp);
	return strcmp(near, way_near) == 0 && strcmp(within, way_within) == 0;
}

/* At most so many queries take the plain loop, unless another is forced. */
static void
test_few(enum kith_metric_kind kind, size_t p, size_t few, const char *near,
    const char *within)
{
	struct kith_pool tmp = {0};
	const struct kith_metric metric = {kind, p, NULL};
	struct kith_mat X;
	struct kith_rng r;

	kith_rng_seed(&r, p, KITH_RNG_SAMPLE, 0);
	X = make(&r, 0, 2000, p, &tmp);
	ok(kith_knn_few(kind, p) == few, "%zu features: few are %zu", p, few);
	ok(goes(&X, &metric, few, "plain", "plain"), "few: plain");
	ok(goes(&X, &metric, few + 1, near, within), "one more: %s", near);
	setenv("KITH_SEARCH", "leaves", 1);
	ok(goes(&X, &metric, 1, "leaves", "leaves"), "one, by leaves");
	setenv("KITH_SEARCH", "full", 1);
	ok(goes(&X, &metric, 1, near, "products"), "one, by full search");
	unsetenv("KITH_SEARCH");
	kith_pool_free(&tmp);
}

int
main(void)
{
	const size_t sets = getenv("KITH_LONG") ? 500 : 20;

	for (size_t seed = 1; seed <= sets; seed++)
		test_set(seed);
	unsetenv("KITH_SEARCH");
	test_few(KITH_SQUARED, 3, 16, "tree", "leaves");
	test_few(KITH_SQUARED, 20, 4, "products", "products");
	test_few(KITH_SQUARED, 200, 16, "products", "products");
	test_few(KITH_ABSOLUTE, 20, 16, "products", "products");
	return done();
}
