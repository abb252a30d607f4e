/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/within - all rows within a limit, one after another; and what all
 * searches for these share.
 *
 * A search works on blocks of the query and offers each row of the reference
 * that may be within the limit to each row of the block; what is kept (near/
 * found.h) is joined by kith_found_end().
 */
#ifndef KITH_NEAR_WITHIN_H
#define KITH_NEAR_WITHIN_H

#include "base/par.h"
#include "near/float.h"
#include "near/found.h"
#include "near/leaves.h"

#include <stdbool.h>

struct kith_knn_prune;
struct kith_knn_screen;

enum { KITH_WITHIN_ROWS = 64 }; /* rows that are measured in one go at most */

/* What a thread needs for a block. */
struct kith_within_worker {
	struct kith_pool pool;
	struct kith_found_list *list; /* of each row of the block */
	const double **z;             /* the rows, packed */
	double *room;
	size_t *row, *left_out;

	/* Leaves: */
	float *bound;               /* of all leaves of the reference */
	float known[KITH_KNN_LEAF]; /* s + off of each row */
	float limit[KITH_KNN_LEAF]; /* of products, of the rows of a tile */
	double *gathered, *d;       /* rows of that leaf, and distances */
	size_t leaf;                /* which is gathered; SIZE_MAX: none */

	/* Tiles: */
	struct kith_knn_float Z;
	float *C;
};

struct kith_within {
	struct kith_found *found;
	const struct kith_knn_pack *pack;
	struct kith_within_worker *own; /* of each thread */

	const struct kith_knn_prune *prune;
	const struct kith_knn_leaves *leaves; /* of the query */
	const double **z;
	bool absolute;
	float grow;

	const struct kith_knn_screen *screen;
};

/* The worker of a thread, with room for so many rows in a block. */
struct kith_within_worker *kith_within_worker(
    const struct kith_within *job, size_t thread, size_t rows);

/* Take in m rows of the query, from row first on. */
void kith_within_take(const struct kith_within *job,
    struct kith_within_worker *own, size_t first, size_t m);

/* Push a row of the reference for row i of the block, if it is within. */
static inline void
kith_within_offer(const struct kith_within *job, struct kith_within_worker *own,
    size_t i, size_t row, double d)
{
	if (d <= job->found->limit && row != own->left_out[i])
		kith_found_push(&own->list[i], row, d, &own->pool);
}

/* Measure and offer the rows from..to-1, at most KITH_WITHIN_ROWS; one; */
void kith_within_offer_rows(const struct kith_within *job,
    struct kith_within_worker *own, size_t i, size_t from, size_t to);
void kith_within_offer_row(const struct kith_within *job,
    struct kith_within_worker *own, size_t i, size_t row);

/* and all of the reference, for rows from..to-1 of the block. */
void kith_within_offer_all(const struct kith_within *job,
    struct kith_within_worker *own, size_t from, size_t to);

/* Do all blocks of the query; `work` keeps what each finds. */
void kith_within_work(
    struct kith_within *job, size_t blocks, kith_par_work *work);

/* Search one after another: time O(m n p), or p^2 for a matrix. */
void kith_within_plain(
    const struct kith_knn_pack *pack, struct kith_found *found);

#endif
