/* SPDX-License-Identifier: BSD-2-Clause */
/* vote/near - neighbours among pairs of a file, in place of a search. */
#ifndef KITH_VOTE_NEAR_H
#define KITH_VOTE_NEAR_H

#include "nnk/pairs.h"
#include "table/edges.h"
#include "table/graph.h"
#include "vote/ballot.h"

#include <stddef.h>

struct kith_err;
struct kith_pool;
struct kith_table;

struct kith_vote_near {
	struct kith_predict_near near; /* for kith_predict() */
	struct kith_ends from, to;     /* of the rows, of the reference */
	struct kith_graph given;       /* pairs without values */
	struct kith_pairs pairs;       /* pairs with values */
};

/*
 * Read the pairs of a file, from rows asked to rows known, or where asked is
 * NULL from rows known to each other, into the pool; `out` must stay.  Fails as
 * kith_ends_of(), and kith_pairs_read() or kith_edges_read() do.
 */
int kith_vote_near_read(const char *file, enum kith_pairs_of of, const struct kith_table *known,
    const struct kith_table *asked, struct kith_vote_near *out, struct kith_pool *pool,
    struct kith_err *err);

/*
 * Get the neighbours of rows first to first + m - 1 ready, those of pairs
 * without values in order of their distances: Z is NULL where asked was.  Fails
 * with EX_DATAERR where a distance is below 0.
 */
int kith_vote_near_set(struct kith_vote_near *it, const struct kith_mat *X,
    const struct kith_mat *Z, size_t first, size_t m, const struct kith_predict_how *how,
    struct kith_pool *pool, struct kith_err *err);

#endif
