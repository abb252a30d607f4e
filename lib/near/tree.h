/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/tree - a kd-tree over rows of at most 8 features, under KITH_SQUARED or
 * KITH_ABSOLUTE.
 */
#ifndef KITH_NEAR_TREE_H
#define KITH_NEAR_TREE_H

#include <stdbool.h>
#include <stddef.h>

enum { KITH_KNN_TREE_P = 8 }; /* most features */

struct kith_knn_pack;
struct kith_knn_query;
struct kith_knn_tree;
struct kith_pool;

/*
 * Build a tree over a packed reference of 1..8 features.  The pack must stay
 * where it is.  Time O(n log n), memory O(n p).
 */
struct kith_knn_tree *kith_knn_tree_new(
    const struct kith_knn_pack *pack, struct kith_pool *pool);

/* Answer a query; `own`: it is of all rows of the reference, in their order. */
void kith_knn_tree_search(const struct kith_knn_tree *tree,
    const struct kith_knn_query *query, bool own);

#endif
