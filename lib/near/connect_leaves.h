/* SPDX-License-Identifier: BSD-2-Clause */
/* near/connect_leaves - a round of near/connect by leaves (near/prune.h). */
#ifndef KITH_NEAR_CONNECT_LEAVES_H
#define KITH_NEAR_CONNECT_LEAVES_H

struct kith_connect;

/*
 * Find what leaves each part but the largest, into to->best of each thread:
 * the best of all threads' is the first there is.  Requires to->prune, and no
 * row far away among its leaves.  Time O(n^2 p) at most.
 */
void kith_connect_leaves(const struct kith_connect *to);

#endif
