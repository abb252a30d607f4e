/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/prune - neighbours by leaves of rows that lie together (near/leaves.h):
 * leaves, and rows in them, that bounds prove to be too far are passed over,
 * and the others' distances are computed in double.
 */
#ifndef KITH_NEAR_PRUNE_H
#define KITH_NEAR_PRUNE_H

#include <stdbool.h>
#include <stddef.h>

struct kith_knn_axes;
struct kith_knn_pack;
struct kith_knn_prune;
struct kith_knn_query;
struct kith_mat;
struct kith_pool;

/*
 * Get a reference ready, for which kith_knn_float_serves(); the pack must stay
 * where it is.  NULL where there are no axes (near/axes.h), or where what bounds
 * leave of a sample of rows costs more than full products (near/screen.h);
 * `always`: whatever it costs.  *cost becomes what they cost on the sample,
 * divided by what products do, INFINITY without axes; or it stays, where that
 * is not tried.  Time O(n p^2) at most and O(n log n), memory O(n) floats of at
 * most 64 coordinates.
 */
struct kith_knn_prune *kith_knn_prune_new(const struct kith_knn_pack *pack,
    bool always, double *cost, struct kith_pool *pool);

/*
 * Answer a query; `own`: it is of all rows of the reference, each leaving
 * itself out.  Time O(m n / 64^2) at least and O(m n p) at most; memory
 * O(n / 64) for each thread.
 */
void kith_knn_prune_search(const struct kith_knn_prune *prune,
    const struct kith_knn_query *query, bool own);

/* For all searches by leaves: the rows of a query, packed, one by one; */
const double **kith_prune_packed(const struct kith_knn_pack *pack,
    const struct kith_mat *Z, struct kith_pool *pool);

/* n rows of the reference, equally spaced; */
const double **kith_prune_own(
    const struct kith_knn_pack *pack, size_t n, struct kith_pool *pool);

/* and 1 + 2 slack, by which limits of bounds grow. */
float kith_prune_grow(const struct kith_knn_axes *axes);

#endif
