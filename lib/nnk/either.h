/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/either - pairs of rows of which one at least is a candidate of the other:
 * the edges that methods solve for together.
 */
#ifndef KITH_NNK_EITHER_H
#define KITH_NNK_EITHER_H

#include <stddef.h>

struct kith_graph;
struct kith_local;
struct kith_pool;

/*
 * The pairs, in the pool, each once in the list of its smaller row, in order,
 * with weights of 1; d is what local->nn has: the square of the distance.  The
 * lists are of all n rows.  Time and memory
 * O(n + candidates).
 */
void kith_either(
    const struct kith_local *local, size_t n, struct kith_graph *pairs, struct kith_pool *pool);

/* Replace the squares d by distances. */
void kith_either_distances(struct kith_graph *pairs);

/*
 * Give the pairs the weights of edges between the same rows, in lists in order,
 * from either end, and 0 where there is no edge; returns the number of edges of
 * positive weight that are no pair, or there twice.  Time O(pairs + edges log
 * pairs).
 */
size_t kith_either_put(const struct kith_graph *edges, struct kith_graph *pairs);

#endif
