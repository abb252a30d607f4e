/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/graph - graphs read from edge lists, their nodes, and tables with a row for each node.
 *
 * W (n x n) is symmetric with w_ij > 0 where there is an edge and a diagonal of 0; d = W 1 are the
 * degrees, D = diag(d), and L = D - W is the Laplacian.  Nodes are rows of a table, from 0.
 */
#ifndef KITH_GRAPH_GRAPH_H
#define KITH_GRAPH_GRAPH_H

#include "solve/sparse.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_node_names;
struct kith_err;
struct kith_how;
struct kith_pool;
struct kith_rows;
struct kith_table;

/* Matrices whose eigenvectors are coordinates: graph/embed.h. */
enum kith_laplacian { KITH_RANDOM_WALK, KITH_SYMMETRIC, KITH_COMBINATORIAL, KITH_AFFINE };

struct kith_undirected {
	struct kith_sparse W; /* the weights; of kith_affine_read(): M = B'B, with its diagonal */
	struct kith_sparse
	    B;     /* of kith_affine_read(): I - W by rows, the diagonal among the entries */
	double *d; /* n degrees; NULL after kith_affine_read() */
	double least, most; /* weights, of kith_undirected_read(); INFINITY and 0: no edge */
	int exponent;       /* the weights were divided by 2^exponent */
	size_t edges;

	/*
	 * Components: maximal sets of connected nodes, numbered by their first node.  Component c
	 * has the nodes node[start[c]] .. node[start[c + 1] - 1], of which i is the place[i]-th.
	 */
	size_t components, largest; /* largest: the first one with the most nodes */
	size_t *component;          /* n */
	size_t *start;              /* components + 1 */
	size_t *node, *place;       /* n */
	uint32_t *order; /* n nodes in breadth-first order, one component after the other */
};

/*
 * Reads the files ("-": standard input) as one table of edges "from to weight" between the nodes
 * into the pool.  Either each edge is listed once, whichever end comes first, or all edges are
 * listed in both directions; the two weights may then differ by 1e-9 of the larger, and their mean
 * is taken.  A weight of 0 is no edge.  The weights are divided by a power of 2 where sums of them
 * would overflow.
 *
 * Fails as kith_edges_each() (table/edges.h) and, with EX_DATAERR and the line, on an edge that is
 * listed twice in one direction or has two weights, on lists of which some edges have one direction
 * and some have two, and where weights are too far apart to be divided.  Memory: 24 bytes an edge;
 * while reading 64 a line.
 */
int kith_undirected_read(const char *const *files, const struct kith_node_names *nodes,
    struct kith_undirected *graph, struct kith_pool *pool, struct kith_err *err);

/*
 * Reads directed edges "from to weight" of any sign for locally linear embedding: row "from" is the
 * weighted sum of the rows "to".  The weights of a row must sum to 1, up to 1e-9, and are divided
 * by their sum; nodes without any edge need no weights.  Fails as kith_undirected_read(), on other
 * sums, and on weights too large for their squares.  Time and memory in proportion to the entries
 * of M: up to n k^2 for k edges a row.
 */
int kith_affine_read(const char *const *files, const struct kith_node_names *nodes,
    struct kith_undirected *graph, struct kith_pool *pool, struct kith_err *err);

/*
 * Reads the rows of a table ("-": standard input) as nodes: the id and the columns to keep of
 * `how`, and with `target` the target of each row, which may be missing in some; no features.
 * Fails as kith_table_read(), and where the target is the id.
 */
int kith_nodes_read(const char *file, const struct kith_how *how, bool target,
    struct kith_table *nodes, struct kith_pool *pool, struct kith_err *err);

/*
 * Reads a table with a row for each node, which the column "id" names: find_columns() is called
 * once, then take() for each row with its node; -1 ends the reading.  seen (n, false at first)
 * becomes true for nodes that have a row.  Fails where the table cannot be read, an id is no node,
 * or a node has two rows; and as find_columns() and take() do.
 */
int kith_node_rows_read(const char *file, const struct kith_node_names *nodes,
    int (*find_columns)(void *to, const struct kith_rows *rows, struct kith_err *err),
    int (*take)(void *to, const struct kith_rows *rows, size_t node, struct kith_err *err),
    void *to, bool *seen, struct kith_err *err);

#endif
