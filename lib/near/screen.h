/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/screen - neighbours by single-precision matrix products that screen out
 * what is too far, and double distances of what is left.
 */
#ifndef KITH_NEAR_SCREEN_H
#define KITH_NEAR_SCREEN_H

#include "near/float.h"

#include <stddef.h>

struct kith_knn_pack;
struct kith_knn_query;
struct kith_pool;

struct kith_knn_screen {
	const struct kith_knn_pack *pack;
	struct kith_knn_scale scale;
	struct kith_knn_float X;
};

/*
 * Get a reference ready, for which kith_knn_float_serves(); the pack must stay
 * where it is.  Time and memory O(n p).
 */
struct kith_knn_screen *kith_knn_screen_new(
    const struct kith_knn_pack *pack, struct kith_pool *pool);

/* Answer a query.  Time O(m n p); memory O(p + k) for each thread. */
void kith_knn_screen_search(
    const struct kith_knn_screen *screen, const struct kith_knn_query *query);

/*
 * Answer the query of all rows of the reference, each leaving itself out
 * (Z and self as they say that), at half the cost; memory O(n k).
 */
void kith_knn_screen_join(
    const struct kith_knn_screen *screen, const struct kith_knn_query *query);

#endif
