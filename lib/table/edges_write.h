/* SPDX-License-Identifier: BSD-2-Clause */
/* table/edges_write - edges as a table, or as lines without a header. */
#ifndef KITH_TABLE_EDGES_WRITE_H
#define KITH_TABLE_EDGES_WRITE_H

#include "table/edges.h"

struct kith_dest;

/*
 * Open path (NULL: standard output) and write the edges, each list in its
 * order, without those of weight 0 unless form->full.  ncol is lines
 * "from to weight" without a header.
 *
 * An error that is not known is NA.  Fails when the output cannot be opened,
 * and, before anything is written, when an id cannot stand in ncol: one with a
 * blank, or that starts with "#" (EX_DATAERR).
 */
int kith_edges_write(const struct kith_graph *graph, const struct kith_edges_form *form,
    const struct kith_dest *to, struct kith_out *out, struct kith_err *err);

#endif
