/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/plain - kernels as weights (knn and radius of nnk/nnk.h); scratch space
 * of one thread, linear in the number of candidates.
 */
#ifndef KITH_NNK_PLAIN_H
#define KITH_NNK_PLAIN_H

#include "kernel/kern.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_local_pack;
struct kith_mat;
struct kith_neighbour;
struct kith_nnk_plain;
struct kith_pool;

/* Room, in the pool, for at most `most` candidates. */
struct kith_nnk_plain *kith_nnk_plain_new(enum kith_kern_kind kernel, const struct kith_mat *X,
    const struct kith_local_pack *pack, size_t most, struct kith_pool *pool);

/*
 * The kernels of q and n candidates, 0 where they are negative, into w (n);
 * returns the local error at these weights, eq. (5), if it is asked for.
 * Time O(n p), the error O(n^2 p).
 */
double kith_nnk_plain(struct kith_nnk_plain *plain, const double *q,
    const struct kith_neighbour *nn, size_t n, double sigma, bool error, double *w);

#endif
