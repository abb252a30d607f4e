/* SPDX-License-Identifier: BSD-2-Clause */
/* near/within_leaves - all rows within a limit, by leaves (near/prune.h). */
#ifndef KITH_NEAR_WITHIN_LEAVES_H
#define KITH_NEAR_WITHIN_LEAVES_H

#include <stdbool.h>

struct kith_found;
struct kith_knn_prune;

/*
 * Find what kith_found_end() joins; `own`: the query is of all rows of the
 * reference.  Time O(m n / 64^2) at least and O(m n p) at most.
 */
void kith_within_leaves(
    const struct kith_knn_prune *prune, struct kith_found *found, bool own);

#endif
