/* SPDX-License-Identifier: BSD-2-Clause */
/* near/plain - the distances of every row, one after another. */
#ifndef KITH_NEAR_PLAIN_H
#define KITH_NEAR_PLAIN_H

#include <stddef.h>

struct kith_knn_pack;
struct kith_knn_query;
struct kith_neighbour;

/* Answer a query.  Time O(m n p), or p^2 for a matrix; memory O(p). */
void kith_knn_plain(
    const struct kith_knn_pack *pack, const struct kith_knn_query *query);

/*
 * The k rows nearest to one packed row z, nearest first, into nn (k); the row
 * left_out (SIZE_MAX: none) is left out.
 */
void kith_knn_plain_row(const struct kith_knn_pack *pack, const double *z,
    size_t left_out, size_t k, struct kith_neighbour *nn);

#endif
