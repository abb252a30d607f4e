/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/lists - the neighbours of rows that are to vote, all that may count for
 * one of the k or one of the radii: found by a search, or known before.
 */
#ifndef KITH_VOTE_LISTS_H
#define KITH_VOTE_LISTS_H

#include "near/heap.h"

#include <stddef.h>

struct kith_err;
struct kith_knn;
struct kith_mat;
struct kith_pool;
struct kith_predict_how;
struct kith_sample;

struct kith_vote_lists {
	struct kith_knn_lists near;
	size_t most;                 /* that count of a row, at least 1 */
	struct kith_neighbour *join; /* n x most: of all rows of the reference,
					each from the others; or NULL */
};

/*
 * Those of the rows of Z, or where it is NULL of the rows known, from the
 * others, in the pool; knn is NULL where pairs are known.  Fails with EX_DATAERR when a row has
 * fewer than k of them, but with how->radius, and when a distance is below 0
 * and the vote does not take that.  Time of the search (near/knn.h).
 */
int kith_vote_lists(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_knn *knn, const struct kith_mat *Z, struct kith_vote_lists *out,
    struct kith_pool *pool, struct kith_err *err);

#endif
