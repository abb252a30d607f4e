/* SPDX-License-Identifier: BSD-2-Clause */
/* near/within_tiles - all rows within a limit, by products (near/screen.h). */
#ifndef KITH_NEAR_WITHIN_TILES_H
#define KITH_NEAR_WITHIN_TILES_H

struct kith_found;
struct kith_knn_screen;

/* Find what kith_found_end() joins.  Time O(m n p). */
void kith_within_tiles(
    const struct kith_knn_screen *screen, struct kith_found *found);

#endif
