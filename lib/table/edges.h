/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/edges - graphs as one tool writes them and the next reads them.
 *
 *	from to weight [distance] [error]
 *
 * "from" and "to" name rows: by their numbers from 1, or by ids.  "error" is
 * the local error of row "from", the same in all its edges.  A table without
 * weights, "from to", lists candidates: the rows that may get an edge.
 *
 * A shard has the edges of a block of rows, with all candidates, and before the header the line
 *
 *	# shard<TAB>I/N of ROWS rows [to OTHERS]: HOW
 */
#ifndef KITH_TABLE_EDGES_H
#define KITH_TABLE_EDGES_H

#include "table/ends.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_dest;
struct kith_err;
struct kith_graph;
struct kith_out;
struct kith_pool;

/* What the comment line of a shard says. */
struct kith_edges_shard {
	size_t i, n;     /* the i-th of n shards, from 1 */
	size_t rows;     /* of the table that edges go from */
	size_t others;   /* rows of another table that edges go to; 0: it is the same table */
	const char *how; /* the method and its options, equal in all shards of a graph */
};

/* What to read. */
struct kith_edges_how {
	const struct kith_ends *from, *to; /* equal: the rows are the same */
	bool weights;                      /* are due; else all but the ends is passed over */
	bool any_sign;                     /* weights may be negative; else they are refused */
};

/*
 * Read the files ("-": standard input) as one table of edges, in any order,
 * into the pool: a list for each row, in order, w where weights are due and d
 * and J where there are such columns (J of rows without edges is NaN).  Columns
 * of other names are passed over.  A header alone is a graph without an edge.
 *
 * Fails, naming file, line and column, when the table cannot be read
 * (text/rows.h) or lacks a column that is due, on names that no row has, an
 * edge from a row to itself, the same edge twice, cells that are no finite
 * number, a weight (but with any_sign) or a distance below 0, and errors of one
 * row that differ.  Time and memory in proportion to edges and rows, but for
 * sorting what is in another order.
 */
int kith_edges_read(const char *const *files, const struct kith_edges_how *how,
    struct kith_graph *graph, struct kith_pool *pool, struct kith_err *err);

/*
 * Reads shards, a file each, in any order, and joins them to the lists of all rows, in the pool,
 * with weights of any sign, distances and errors.  shard becomes what all files say, with i = 0.
 *
 * Fails as kith_edges_read() does, and with EX_DATAERR on a file that is no shard, shards of
 * different rows or options, a shard that occurs twice or is missing, and a shard with a row of
 * another one.
 */
int kith_edges_merge(const char *const *files, struct kith_edges_shard *shard,
    struct kith_graph *graph, struct kith_pool *pool, struct kith_err *err);

/* An edge as it is read, and the line of the file where it stands. */
struct kith_edge {
	size_t from, to;
	double w;
	const char *file;
	size_t line;
};
typedef int kith_edges_take(void *to, const struct kith_edge *edge, struct kith_err *err);

/*
 * Read the files as kith_edges_read() does, and give each edge to `give` in
 * place of making lists, so that the same edge twice is not found; -1 of `give`
 * ends the reading, and is returned.
 */
int kith_edges_each(const char *const *files, const struct kith_edges_how *how,
    kith_edges_take *give, void *to, struct kith_err *err);

/* How to write them. */
struct kith_edges_form {
	const struct kith_ends *from, *to;
	bool error;                           /* write the errors, if there */
	const struct kith_edges_shard *shard; /* or NULL; a shard has edges of weight 0, too */
};

/*
 * Opens the output and writes the edges with their distances, if there, each list in its order;
 * edges of weight 0 only of a shard.  An error that is NaN is NA.  Fails when the output cannot be
 * opened.
 */
int kith_edges_write(const struct kith_graph *graph, const struct kith_edges_form *form,
    const struct kith_dest *to, struct kith_out *out, struct kith_err *err);

#endif
