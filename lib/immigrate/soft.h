/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/soft - the distances of all pairs of rows, and the softmax weights
 * of each row over its hits and over its misses,
 *
 *	alpha_ni = exp(-d_ni/sigma) / sum over the hits (misses: beta)
 *
 * kept as the least distance of the row and the sum of exp((least - d)/sigma),
 * which is 1 at least: no sigma makes it overflow or vanish.
 */
#ifndef KITH_IMMIGRATE_SOFT_H
#define KITH_IMMIGRATE_SOFT_H

#include "immigrate/sides.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_data;
struct kith_pool;

/*
 * Room for all that in the pool; stored: distances are computed once, else
 * three times.
 */
struct kith_immigrate_soft kith_immigrate_soft_new(const struct kith_immigrate_data *data,
    double sigma, bool stored, size_t threads, struct kith_pool *pool);

/*
 * Bring all to soft->metric.  Time that of the distances, and O(n^2)
 * exponentials.
 */
void kith_immigrate_soft(struct kith_immigrate_soft *soft);

/* The same of the distances in the store. */
void kith_immigrate_soft_again(struct kith_immigrate_soft *soft);

/*
 * What each row is from the rows of each class, itself left out, by near/expect.h:
 * V (n x c) of soft->metric, inf of a class without rows.  Time that of the
 * distances, unless they are stored, and O(n^2) exponentials.
 */
void kith_immigrate_soft_votes(struct kith_immigrate_soft *soft, double *V);

/*
 * c (TILE x TILE) for the pairs i < j of tiles I <= J: weight_i alpha_ij +
 * weight_j alpha_ji of hits, minus the same with beta of misses; 0 elsewhere.
 */
void kith_immigrate_soft_c(
    const struct kith_immigrate_soft *soft, size_t I, size_t J, size_t thread, double *c);

#endif
