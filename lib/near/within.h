/*
 * near/within - all rows within a limit, by each of the searches of near/knn.
 *
 * Each fills in what kith_found_end() (near/found.h) joins.  Distances are
 * those of kith_dist(), computed for all rows but those that a bound proves to
 * be beyond the limit.
 */
#ifndef KITH_NEAR_WITHIN_H
#define KITH_NEAR_WITHIN_H

#include <stdbool.h>

struct kith_found;
struct kith_knn_pack;
struct kith_knn_prune;
struct kith_knn_screen;

/* By leaves (near/prune.h); `own`: the query is of all rows of the reference. */
void kith_within_leaves(
    const struct kith_knn_prune *prune, struct kith_found *found, bool own);

/* By products (near/screen.h). */
void kith_within_tiles(
    const struct kith_knn_screen *screen, struct kith_found *found);

/* One after another: time O(m n p), or p^2 for a matrix. */
void kith_within_plain(
    const struct kith_knn_pack *pack, struct kith_found *found);

#endif
