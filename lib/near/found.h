/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/found - the rows of a reference within a limit of each row of a query,
 * as blocks of the query find them.
 *
 * A thread holds a list for each row of its block, in any order; a block that
 * is done keeps them in order, in room of their size, until all are joined.
 */
#ifndef KITH_NEAR_FOUND_H
#define KITH_NEAR_FOUND_H

#include "base/pool.h"
#include "near/near.h"
#include "near/pack.h"

#include <stddef.h>

/* What is found for one row. */
struct kith_found_list {
	struct kith_neighbour *nn;
	size_t n, room;
};

struct kith_found_block;

struct kith_found {
	struct kith_knn_query query; /* without k and nn */
	double limit;                /* rows with d <= limit are found */
	struct kith_found_block *block;
	size_t blocks;
	struct kith_neighbour **at; /* the list of each row of the query */
	size_t *count;              /* and its length */
	struct kith_pool pool;
};

/* Room for so many blocks of the query. */
void kith_found_begin(struct kith_found *found, size_t blocks);

/* Put a row at distance d into a list of a thread's pool. */
static inline void
kith_found_push(
    struct kith_found_list *list, size_t row, double d, struct kith_pool *pool)
{
	if (list->n == list->room)
		list->nn = kith_more(
		    pool, list->nn, list->n, &list->room, sizeof(*list->nn));
	list->nn[list->n++] = (struct kith_neighbour){row, d};
}

/*
 * Keep the lists of m rows of the query as those of a block, in order of
 * (d, row), and empty them.  Blocks have different numbers and rows.
 */
void kith_found_keep(struct kith_found *found, size_t block, size_t m,
    const size_t *row, struct kith_found_list *list);

/* Join the lists of all rows of the query, and free all else. */
void kith_found_end(struct kith_found *found, struct kith_knn_lists *out,
    struct kith_pool *pool);

#endif
