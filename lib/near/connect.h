/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/connect - the shortest pairs of rows that join what is apart.
 *
 * Rows fall into parts.  Of all pairs of rows from < to in the order of
 * (d, from, to), d as kith_dist() (near/dist.h) computes it, those are taken
 * that join two parts which none before has joined: a minimum spanning forest,
 * which this order makes the only one.
 */
#ifndef KITH_NEAR_CONNECT_H
#define KITH_NEAR_CONNECT_H

#include "near/bridge.h"

#include <stddef.h>

struct kith_knn_pack;
struct kith_knn_prune;

/*
 * Join `parts` parts, numbered from 0, none without a row: the pairs into out
 * (parts - 1), in order.  prune is of the pack, or NULL; part (n) changes.
 * Rounds of searches, log2(parts) at most, of all rows but those of the
 * largest part: time O(n^2 p) each at most; by leaves as neighbours are found.
 */
void kith_connect(const struct kith_knn_pack *pack,
    const struct kith_knn_prune *prune, size_t *part, size_t parts,
    size_t threads, struct kith_bridge *out);

#endif
