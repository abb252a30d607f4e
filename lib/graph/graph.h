/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/graph - an undirected graph with weights, its degrees and components.
 *
 * W (n x n) is symmetric with a diagonal of 0 and w_ij > 0 where there is an
 * edge; d = W 1 are the degrees, D = diag(d), and L = D - W is the Laplacian.
 * Nodes are the rows of a table, from 0; a node without an edge has d_i = 0.
 */
#ifndef KITH_GRAPH_GRAPH_H
#define KITH_GRAPH_GRAPH_H

#include "solve/sparse.h"

#include <stddef.h>

struct kith_ends;
struct kith_err;
struct kith_pool;

struct kith_undirected {
	struct kith_sparse W; /* its diagonal is 0 */
	double *d;            /* n degrees */
	int exponent;         /* weights were divided by 2^exponent */
	size_t edges;

	/* Components: connected sets of nodes, numbered by their first node. */
	size_t components;
	uint32_t *component; /* n */
	uint32_t *order;     /* n nodes, breadth first, a component after another */
};

/*
 * Read the files ("-": standard input) as one table of edges "from to weight"
 * between nodes, into the pool.  An edge stands once, whichever end comes
 * first, or all edges stand twice, from either end with the same weight; one of
 * weight 0 is none.  Weights are as they are read, unless degrees would
 * overflow: then they are divided by a power of 2.
 *
 * Fails as kith_edges_each() does (table/edges.h), and (EX_DATAERR), naming a
 * line, on an edge that stands twice in one direction or has two weights, on
 * lists in which some edges stand once and some twice (directed lists, as of
 * nnkgraph --symmetrize none), and where weights are too far apart to be
 * divided.  24 bytes an edge; while reading 40 a line.
 */
int kith_undirected_read(const char *const *files, const struct kith_ends *nodes,
    struct kith_undirected *graph, struct kith_pool *pool, struct kith_err *err);

/* Number the components of W, whose entries may have any sign. */
void kith_undirected_connect(struct kith_undirected *graph, struct kith_pool *pool);

/*
 * The same graph with its nodes numbered in that order, in the pool: neighbours
 * are near each other in memory then, which large graphs are solved twice as fast
 * by.  Returns the new number of each node (n).
 */
const uint32_t *kith_undirected_arrange(
    const struct kith_undirected *from, struct kith_undirected *to, struct kith_pool *pool);

#endif
