/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/prune_leaf.h: what a search by leaves looks at, counted by
 * hand for heaps of rows that lie far apart, each a leaf of its own, and that
 * what it passes over has no neighbour.
 */
#include "near/prune_leaf.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/axes.h"
#include "near/hard.h"
#include "near/knn.h"
#include "near/pack.h"
#include "near/prune.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { P = 3 };
static const size_t LEAF = KITH_KNN_LEAF, FIRST = KITH_VISITS_FIRST;

/* Heaps of LEAF rows along a line, the last of `rest`. */
static struct kith_mat
heaps(size_t count, size_t rest, double apart, struct kith_pool *pool)
{
	const size_t n = (count - 1) * LEAF + rest;
	const struct kith_mat X = kith_mat_new(pool, n, P);
	struct kith_rng r;

	kith_rng_seed(&r, n, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < n; i++) {
		const size_t heap = i / LEAF;

		for (size_t j = 0; j < P; j++)
			kith_row(&X, i)[j] = kith_rng_unit(&r) +
			    (j == 0 ? apart * (double)heap : 0);
	}
	return X;
}

/* What the search of all leaves, for the k nearest of all rows, did. */
static struct kith_prune_effort
effort(const struct kith_mat *X, enum kith_metric_kind kind, size_t k,
    size_t rows, struct kith_neighbour *nn)
{
	struct kith_pool pool = {0};
	const struct kith_metric metric = {kind, X->p, NULL};
	const struct kith_knn_pack pack = kith_knn_pack(X, &metric, &pool);
	double cost;
	const struct kith_knn_prune *prune = kith_knn_prune_new(
	    &pack, true, &cost, &pool);
	size_t *self = kith_new(&pool, X->n, sizeof(*self));
	const struct kith_knn_query query = {X, self, k, 1, nn};
	struct kith_prune_searcher *own = kith_new(&pool, 1, sizeof(*own));
	const struct kith_prune_search to = {.prune = prune,
	    .query = &query,
	    .leaves = &prune->leaves,
	    .z = kith_prune_own(&pack, X->n, &pool),
	    .absolute = kind == KITH_ABSOLUTE,
	    .grow = kith_prune_grow(prune->axes),
	    .rows = rows,
	    .own = own};
	struct kith_prune_effort e;

	for (size_t i = 0; i < X->n; i++)
		self[i] = i;
	for (size_t q = 0; q < prune->leaves.leaves; q++)
		kith_prune_leaf((void *)&to, q, 0);
	e = own->effort;
	kith_pool_free(&own->pool);
	kith_pool_free(&pool);
	return e;
}

/* Every so many rows: those whose k nearest are not the first of all. */
static size_t
wrong(const struct kith_mat *X, enum kith_metric_kind kind, size_t k,
    size_t step, const struct kith_neighbour *nn)
{
	struct problem pr = {.metric = {kind, X->p, NULL}, .X = *X};
	double *d;
	size_t bad = 0;

	for (size_t i = 0; i < X->n; i += step) {
		const struct kith_mat z = {1, X->p, kith_row(X, i)};

		d = measure(&pr, &z, 1, &pr.pool);
		bad += !are_first(nn + i * k, k, d, X->n, i);
	}
	kith_pool_free(&pr.pool);
	return bad;
}

/*
 * The own heap is visited first, where nothing is known: each four rows have a
 * sum, and each row all distances.  Then so many others are visited as always
 * are, but all the rows are known to have their neighbours.
 */
static void
test_heaps(enum kith_metric_kind kind, size_t count, size_t rest, size_t k)
{
	struct kith_pool pool = {0};
	const struct kith_mat X = heaps(count, rest, 100, &pool);
	struct kith_neighbour *nn = kith_new(&pool, X.n * k, sizeof(*nn));
	const struct kith_prune_effort e = effort(&X, kind, k, LEAF, nn);
	const size_t visits = count < FIRST ? count : FIRST, full = count - 1;

	is_size((size_t)e.boxes, count, "bounds of all boxes for each leaf");
	is_size((size_t)e.visits, count * visits, "visits");
	is_size((size_t)e.sums, full * LEAF / 4 + (rest + 3) / 4,
	    "sums of four rows of the leaf itself");
	is_size((size_t)e.distances, full * LEAF * LEAF + rest * rest,
	    "distances of rows of the leaf itself");
	is_size(
	    wrong(&X, kind, k, k / 4 + 1, nn), 0, "neighbours that are wrong");
	kith_pool_free(&pool);
}

/* Of a leaf some rows alone may be worked on. */
static void
test_part(void)
{
	struct kith_pool pool = {0};
	const struct kith_mat X = heaps(3, LEAF, 100, &pool);
	struct kith_neighbour *nn = kith_new(&pool, X.n, 5 * sizeof(*nn));
	const struct kith_prune_effort e = effort(
	    &X, KITH_SQUARED, 5, LEAF / 4, nn);

	is_size((size_t)e.sums, 3 * LEAF / 16, "a part of the sums");
	is_size((size_t)e.distances, 3 * LEAF * LEAF / 4, "and of distances");
	kith_pool_free(&pool);
}

/*
 * A row more than a heap has is wanted of each: the last one is in the next
 * heap, and where that ends nothing is looked for any more.
 */
static void
test_next(enum kith_metric_kind kind)
{
	const size_t count = 20;
	struct kith_pool pool = {0};
	const struct kith_mat X = heaps(count, LEAF, 1e4, &pool);
	struct kith_neighbour *nn = kith_new(&pool, X.n, LEAF * sizeof(*nn));
	const struct kith_prune_effort e = effort(&X, kind, LEAF, LEAF, nn);

	is_size((size_t)e.visits, count * FIRST, "no more visits");
	ok((size_t)e.sums >= count * LEAF / 4 * 2 &&
		(size_t)e.sums <= count * LEAF / 4 * 3,
	    "sums of the heap itself, the next, and the one on the other side");
	is_size(wrong(&X, kind, LEAF, 17, nn), 0, "and are right");
	kith_pool_free(&pool);
}

/*
 * More neighbours than the leaves hold that are always visited: the next ones
 * are looked at in their order, for the row that is the last leaf, too.
 */
static void
test_many(enum kith_metric_kind kind)
{
	const size_t count = 21, k = (FIRST + 1) * LEAF;
	struct kith_pool pool = {0};
	const struct kith_mat X = heaps(count, 1, 100, &pool);
	struct kith_neighbour *nn = kith_new(&pool, X.n, k * sizeof(*nn));
	const struct kith_prune_effort e = effort(&X, kind, k, LEAF, nn);

	ok((size_t)e.visits >= count * (FIRST + 2) &&
		(size_t)e.visits <= count * (FIRST + 5),
	    "two or a few more visits: %g", e.visits);
	is_size(
	    wrong(&X, kind, k, 2 * LEAF, nn), 0, "neighbours of first rows");
	kith_pool_free(&pool);
}

/*
 * A cloud of more leaves than are always visited: fewer distances than pairs,
 * and every row has its neighbours.
 */
static void
test_cloud(enum kith_metric_kind kind, size_t n, size_t p, size_t k)
{
	struct kith_pool pool = {0};
	const struct kith_mat X = kith_mat_new(&pool, n, p);
	struct kith_neighbour *nn = kith_new(&pool, n, k * sizeof(*nn));
	struct kith_prune_effort e;
	struct kith_rng r;
	size_t leaves = (n + LEAF - 1) / LEAF;

	kith_rng_seed(&r, n, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < n * p; i++)
		X.v[i] = normal(&r);
	e = effort(&X, kind, k, LEAF, nn);
	ok(e.visits > (double)(leaves * FIRST) &&
		e.visits < (double)(leaves * leaves),
	    "%zu rows in %zu leaves: %g visits", n, leaves, e.visits);
	ok(e.distances < (double)(n * n) / 2, "%g distances", e.distances);
	is_size(
	    wrong(&X, kind, k, k / 4 + 1, nn), 0, "neighbours that are wrong");
	kith_pool_free(&pool);
}

int
main(void)
{
	unsetenv("KITH_SEARCH");
	for (int absolute = 0; absolute < 2; absolute++) {
		const enum kith_metric_kind kind = absolute ? KITH_ABSOLUTE
							    : KITH_SQUARED;

		test_heaps(kind, 1, 5, 3);
		test_heaps(kind, 3, LEAF, 1);
		test_heaps(kind, 20, LEAF - 3, 9);
		test_heaps(kind, 15, LEAF, LEAF - 1);
		test_next(kind);
		test_many(kind);
		test_cloud(kind, 1000, 3, 1);
		test_cloud(kind, 1025, 3, 2);
	}
	test_part();
	return done();
}
