/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/nodes - the rows of a table as the nodes of a graph: their number, ids,
 * and cells to copy.  No other cell is looked at.
 */
#ifndef KITH_GRAPH_NODES_H
#define KITH_GRAPH_NODES_H

struct kith_err;
struct kith_how;
struct kith_pool;
struct kith_table;

/*
 * Read the file ("-": standard input) into the pool: the rows, how->id and
 * how->keep of them as kith_table_read() would (table/table.h), without features
 * or target.  Fails as text/rows.h says, on columns that are not there, and on a
 * missing id.
 */
int kith_nodes_read(const char *file, const struct kith_how *how, struct kith_table *nodes,
    struct kith_pool *pool, struct kith_err *err);

#endif
