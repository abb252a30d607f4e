/* SPDX-License-Identifier: BSD-2-Clause */
/* table/edges_write - edges as a table. */
#ifndef KITH_TABLE_EDGES_WRITE_H
#define KITH_TABLE_EDGES_WRITE_H

#include "table/edges.h"

struct kith_dest;

/*
 * Opens the output and writes the edges with their distances, if there, each list in its order;
 * edges of weight 0 only of a shard.  An error that is NaN is NA.  Fails when the output cannot be
 * opened.
 */
int kith_edges_write(const struct kith_graph *graph, const struct kith_edges_form *form,
    const struct kith_dest *to, struct kith_out *out, struct kith_err *err);

#endif
