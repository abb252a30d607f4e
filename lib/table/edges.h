/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/edges - graphs as one tool writes them and the next reads them.
 *
 *	from to weight [distance] [error]
 *
 * "from" and "to" name rows: by their numbers from 1, or by ids.  "error" is
 * the local error of row "from", the same in all its edges.  A table without
 * weights, "from to", lists candidates: the rows that may get an edge.
 */
#ifndef KITH_TABLE_EDGES_H
#define KITH_TABLE_EDGES_H

#include "table/ends.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_graph;
struct kith_out;
struct kith_pool;

/* What to read. */
struct kith_edges_how {
	const struct kith_ends *from, *to; /* equal: the rows are the same */
	bool weights;                      /* are due; else all but the ends is passed over */
	bool distances;                    /* distances are due, not only read where they are */
	bool errors;                       /* the same for local errors */
	bool any_sign;                     /* weights may be negative; else they are refused */
	bool selves;                       /* edges from a row to itself are read, too */
	const char *weight;                /* the column of weights; NULL: "weight" */

	bool *blocks; /* or NULL: becomes true on failure because the table is
			 one of edges to a block of the rows (table/lists.h) */

	/*
	 * Or NULL; else from and to are the same rows, without ids, and the
	 * lists are of those that edges name, where these are few: met becomes
	 * what they are called.
	 */
	struct kith_ends *met;
};

/*
 * Read the files ("-": standard input) as one table of edges, in any order,
 * into the pool: a list for each row, in order, w where weights are due and d
 * and J where there are such columns (J of rows without edges is NaN).  Columns
 * of other names are passed over.  A header alone is a graph without an edge.
 *
 * Fails, naming file, line and column, when the table cannot be read
 * (text/rows.h) or lacks a column that is due, on names that no row has, an
 * edge from a row to itself (but with selves), the same edge twice, cells that
 * are no finite number, a weight (but with any_sign) or a distance below 0, and
 * errors of one row that differ.
 * Memory in proportion to edges and rows, with met to edges alone; time too,
 * but for sorting what is in another order.
 */
int kith_edges_read(const char *const *files, const struct kith_edges_how *how,
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

/*
 * Whether lists of so many rows, at least those of the graph, hold candidates
 * of weight 0 too, as far as one can tell: one is there, or all lists are of
 * one length, as those of k neighbours are.
 */
bool kith_edges_full(const struct kith_graph *graph, size_t rows);

enum { KITH_EDGES_TSV, KITH_EDGES_NCOL };

/* How to write them. */
struct kith_edges_form {
	int format; /* of the enum above */
	const struct kith_ends *from, *to;
	bool distance, error; /* tsv: columns to write, if there */
	bool full;            /* edges of weight 0 too */
};

#endif
