/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/knn - exact nearest neighbours under any metric of near/metric.h.
 *
 * Exact means: the k rows that come first when all rows of the reference are
 * sorted by (d, row number), with d as kith_dist() (near/dist.h) computes it in
 * double.  So the answer depends on no tile, thread, shard or batch.
 *
 * How: KITH_SQUARED with at most 8 features of weight other than 0, and
 * KITH_ABSOLUTE with as many, by a kd-tree; these with more, and
 * KITH_SQUARED_MATRIX, by leaves of rows that lie together, where bounds leave
 * out most of them (near/prune.h), and else by single-precision matrix products
 * that screen out what is too far, under a rigorous bound of their error, and
 * double distances of what is left; the rest, and where rows are few or
 * neighbours many, by a plain vectorised loop, and so are queries that are too
 * few to be worth an index.
 *
 * The environment variable KITH_SEARCH, leaves or full, forces one of the two
 * in the middle, for tests and measurements; the answer is the same.
 */
#ifndef KITH_NEAR_KNN_H
#define KITH_NEAR_KNN_H

#include "near/metric.h"
#include "near/near.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_bridge;
struct kith_mat;
struct kith_pool;

struct kith_knn;

/*
 * Get the rows of X (n x p, n and p >= 1, finite) ready for search under a
 * metric of p features, for about so many queries in all.  X and the metric must
 * stay where they are; the index lives in the pool.  Time O(n p), or O(n log n)
 * for a tree; memory O(n p), or none for at most kith_knn_few() queries.
 */
struct kith_knn *kith_knn_new(const struct kith_mat *X,
    const struct kith_metric *metric, size_t queries, struct kith_pool *pool);

/* How many queries the plain loop answers sooner than an index is made. */
size_t kith_knn_few(enum kith_metric_kind kind, size_t p);

/*
 * Distances are those of the rows times this factor u, a power of two: for
 * KITH_ABSOLUTE d = u times the distance of near/metric.h, for the others u^2
 * times. It is 1 unless squares of the data would leave the range of a double,
 * and depends on X and the metric alone.
 */
double kith_knn_unit(const struct kith_knn *knn);

/*
 * Whether the unit is 1, and would be with any other rows beside those of X for
 * which the same is true.  Time O(n p).
 */
bool kith_knn_unit_is_sure(const struct kith_knn *knn);

/* Which way a search goes, and why. */
struct kith_knn_choice {
	const char *search; /* "plain", "tree", "leaves", "products" */
	double cost; /* of leaves over products on a sample of rows; INFINITY:
			no few axes; NaN: not tried */
};

/* For k neighbours; 0: for all within a limit. */
struct kith_knn_choice kith_knn_choice(const struct kith_knn *knn, size_t k);

/*
 * Find the k rows of the reference nearest to each row of Z (m x p, finite),
 * nearest first, ties by row number, into nn (m x k).  Where self is not NULL,
 * the row self[i] of the reference is left out for row i of Z.
 * Requires 1 <= k <= n, or n - 1 with self.  At most m x n x p operations on
 * `threads` threads; memory O(m k) beside the result.
 */
void kith_knn_search(const struct kith_knn *knn, const struct kith_mat *Z,
    const size_t *self, size_t k, size_t threads, struct kith_neighbour *nn);

/*
 * The same for all rows of X, each leaving itself out (n x k, k <= n - 1), at
 * about half the cost where rows are screened: a product serves both its rows.
 */
void kith_knn_join(const struct kith_knn *knn, size_t k, size_t threads,
    struct kith_neighbour *nn);

/*
 * Find all rows of the reference with d <= limit (>= 0, or INFINITY) for each
 * row of Z (m x p, finite; may be the reference itself), in order of (d, row),
 * in the pool; self as above.  One pass by leaves or by products, whose bounds
 * the limit is, and double distances of what these leave; the plain loop where
 * rows are few or floats do not serve.  Time O(m n p) at most, and the order of
 * the lists; memory: twice the result at most.
 */
void kith_knn_within(const struct kith_knn *knn, const struct kith_mat *Z,
    const size_t *self, double limit, size_t threads,
    struct kith_knn_lists *out, struct kith_pool *pool);

/*
 * The shortest pairs of rows of X that join their parts (near/connect.h): part
 * (n) has numbers from 0 to parts - 1, all of them, and changes; the pairs go
 * into out (parts - 1), in the order of (d, from, to).  By leaves where floats
 * serve, else all pairs are looked at.
 */
void kith_knn_connect(const struct kith_knn *knn, size_t *part, size_t parts,
    size_t threads, struct kith_bridge *out);

#endif
