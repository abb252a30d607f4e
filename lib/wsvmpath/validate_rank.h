/*
 * wsvmpath/validate_rank - NDCG along a path: within a piece the order of the
 * rows of a query changes where two of their scores cross.
 */
#ifndef KITH_WSVMPATH_VALIDATE_RANK_H
#define KITH_WSVMPATH_VALIDATE_RANK_H

#include "wsvmpath/validate_change.h"

struct kith_wsvm_ranking;

/*
 * m rows of these relevances (NaN: does not count) and queries 0..queries - 1;
 * NDCG is at k.  The arrays must stay.
 */
struct kith_wsvm_ranking *kith_wsvm_ranking_new(const double *relevance,
    size_t m, const size_t *query, size_t queries, size_t k,
    struct kith_pool *pool);

/* The queries that have rows. */
size_t kith_wsvm_ranking_count(const struct kith_wsvm_ranking *r);

/*
 * Add the changes of each query's NDCG on a piece, with f = f0 + theta f1 (m
 * rows).  Time O(m), and O(g^2 log g) for each query of g rows whose order
 * changes.
 */
void kith_wsvm_ranking_piece(struct kith_wsvm_ranking *r, double from,
    double to, const double *f0, const double *f1,
    struct kith_wsvm_changes *changes);

#endif
