/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/group_near - the nearest hits and the nearest misses of all rows, by a
 * neighbour search (near/by_class.h) to each class.
 */
#ifndef KITH_SQPFW_GROUP_NEAR_H
#define KITH_SQPFW_GROUP_NEAR_H

#include <stddef.h>

struct kith_mat;
struct kith_metric;
struct kith_heap;
struct kith_pool;

/*
 * For each row i of X (n x p) of classes y (0..c-1), its k[0] nearest rows of
 * its class, itself left out, at 2 i, and its k[1] nearest of all others at
 * 2 i + 1, nearest first, at distances of kith_dist(); fewer where
 * there are fewer.  Time: c neighbour searches, and O(n (c + log k) k).
 */
struct kith_heap *kith_group_near(const struct kith_mat *X, const struct kith_metric *metric,
    const size_t *y, size_t c, const size_t k[2], size_t threads, struct kith_pool *pool);

#endif
