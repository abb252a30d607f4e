/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/validate_rank - NDCG along a path: within a piece the order of the
 * rows of a query changes where two of their scores cross.
 */
#ifndef KITH_WSVMPATH_VALIDATE_RANK_H
#define KITH_WSVMPATH_VALIDATE_RANK_H

#include "base/pool.h"

#include <stdbool.h>

/* From theta on, a part of the measure has another value. */
struct kith_wsvm_change {
	double theta;
	size_t part;
	double value; /* error: the cost where the row is wrong */
	bool wrong;
};

/* Changes in a piece of the path. */
struct kith_wsvm_changes {
	struct kith_pool *pool;
	struct kith_wsvm_change *v;
	size_t n, room;
};

static inline void
kith_wsvm_changes_add(struct kith_wsvm_changes *list, const struct kith_wsvm_change *change)
{
	list->v = kith_more(list->pool, list->v, list->n, &list->room, sizeof(*list->v));
	list->v[list->n++] = *change;
}

/*
 * Whether only rounding lies between two thetas: where all f are 0 but for
 * rounding, their zeros are as close as that.
 */
static inline bool
kith_wsvm_valid_same(double from, double to)
{
	return !(to > from + 1e-14);
}

/* Where a line from a to b, of different signs, is 0. */
static inline double
kith_wsvm_valid_zero(double from, double to, double a, double b)
{
	const double theta = from + (to - from) * (a / (a - b));

	return theta < from ? from : theta > to ? to : theta;
}

struct kith_wsvm_ranking;

/*
 * m rows of these relevances (NaN: does not count) and queries 0..queries - 1;
 * NDCG is at k.  The arrays must stay.  *count: the queries that have rows.
 */
struct kith_wsvm_ranking *kith_wsvm_ranking_new(const double *relevance, size_t m,
    const size_t *query, size_t queries, size_t k, size_t *count, struct kith_pool *pool);

/* Whether query q has a row that counts. */
bool kith_wsvm_ranking_counts(const struct kith_wsvm_ranking *r, size_t q);

/*
 * Add the changes of each query's NDCG on a piece, with f = f0 + theta f1 (m
 * rows).  Time O(m), and O(g^2 log g) for each query of g rows whose order
 * changes.
 */
void kith_wsvm_ranking_piece(struct kith_wsvm_ranking *r, double from, double to, const double *f0,
    const double *f1, struct kith_wsvm_changes *changes);

#endif
