/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/edges - graphs: lists of rows, what their rows are called, and edges as one command writes
 * them and the next reads them.
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

#include "base/names.h"
#include "base/num.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_dest;
struct kith_err;
struct kith_out;
struct kith_pool;
struct kith_rows;
struct kith_table;

/* ---- Graphs ---- */

/*
 * m lists, that of row first + i being entries start[i]..start[i+1]-1, each
 * row of the reference at most once in a list.  An entry of weight 0 is a
 * candidate that got no edge.
 */
struct kith_graph {
	size_t first, m;
	size_t *start; /* m + 1 */
	size_t *to;    /* rows of the reference, from 0 */
	double *w;     /* weights, >= 0 but for signed ones that a method or a
			  reader says; NULL: candidates alone */
	double *d;     /* sqrt(d) of near/metric.h; NULL: not known */
	double *J;     /* m local errors, eq. (5); NULL: not known */
};

/* ---- Names of rows ---- */

/* What the rows at one end of edges are called: by their ids, or by their numbers. */
struct kith_node_names {
	size_t n;             /* rows, from 0 */
	const size_t *number; /* n numbers of them, increasing; NULL: 1..n */
	const char *column;   /* the column that has their ids, or NULL: */
	struct kith_names id; /* n ids, all different */
};

/*
 * What the rows of a table are called; memory from the pool, and that of the table.  Fails
 * (EX_DATAERR) when two of them have one id.  Time O(n).
 */
int kith_node_names_of(const struct kith_table *table, struct kith_node_names *names,
    struct kith_pool *pool, struct kith_err *err);

/*
 * Finds the row that a cell of the current row of a table names; fails with EX_DATAERR where the
 * cell is missing or names no row.
 */
int kith_node_names_find(const struct kith_node_names *names, const struct kith_rows *rows,
    size_t column, size_t *row, struct kith_err *err);

/* What row i is called: its id, or its number, which goes into text. */
const char *kith_node_name(const struct kith_node_names *names, size_t i, char text[KITH_NUM_ROOM]);

/* ---- Edges ---- */

/* What the comment line of a shard says. */
struct kith_edges_shard {
	size_t i, n;     /* the i-th of n shards, from 1 */
	size_t rows;     /* of the table that edges go from */
	size_t others;   /* rows of another table that edges go to; 0: it is the same table */
	const char *how; /* the method and its options, equal in all shards of a graph */
};

/* What to read. */
struct kith_edges_how {
	const struct kith_node_names *from, *to; /* equal: the rows are the same */
	bool weights;                            /* are due; else all but the ends is passed over */
	bool any_sign; /* weights may be negative; else they are refused */
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
 * row that differ.  Time and memory in proportion to edges and rows.
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

/* An edge as it is read; d and J are 0 where there is no such column. */
struct kith_edge {
	size_t from, to;
	double w, d, J;
	const char *file; /* where the edge stands */
	size_t line;
};

/*
 * Reads the files as kith_edges_read() does, and gives each edge to `give` in place of making
 * lists, so that an edge that is listed twice is not found; -1 of `give` ends the reading, and is
 * returned.
 */
int kith_edges_each(const char *const *files, const struct kith_edges_how *how,
    int (*give)(void *to, const struct kith_edge *edge, struct kith_err *err), void *to,
    struct kith_err *err);

/* How to write them. */
struct kith_edges_form {
	const struct kith_node_names *from, *to;
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
