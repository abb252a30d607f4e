/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/affine - rows as affine combinations of others, as locally linear
 * embedding has them (Roweis and Saul 2000): W, directed, of weights of any
 * sign, whose rows sum to 1, and M = (I - W)'(I - W).
 */
#ifndef KITH_GRAPH_AFFINE_H
#define KITH_GRAPH_AFFINE_H

#include "graph/graph.h"

#include <stddef.h>
#include <stdint.h>

struct kith_ends;
struct kith_err;
struct kith_pool;

struct kith_affine {
	/* I - W by rows, the diagonal among the entries; none of lone nodes. */
	size_t *start;    /* n + 1 */
	uint32_t *column; /* start[n] */
	double *x;        /* start[n] */

	/*
	 * M, with its diagonal, in graph.W, and the components of its graph,
	 * which are those of W when directions are left aside.  Its d is NULL,
	 * and edges counts those of W.
	 */
	struct kith_undirected graph;
};

/*
 * Read the files ("-": standard input) as directed edges "from to weight", the
 * row of "from" being made of those of "to".  Each row is divided by its sum,
 * which must be 1 up to 1e-9; nodes without any edge have none.  Fails as
 * kith_edges_read() does, and (EX_DATAERR) on other sums, and on weights too
 * large for their squares.  Time and memory in proportion to the entries of M:
 * up to n k^2 for k edges a row.
 */
int kith_affine_read(const char *const *files, const struct kith_ends *nodes,
    struct kith_affine *affine, struct kith_pool *pool, struct kith_err *err);

#endif
