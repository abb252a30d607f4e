/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/columns - rows of numbers, texts and missing cells, brought to ranges
 * that suit their differences (for relief/relieff.c and relief/surf.c).
 */
#ifndef KITH_RELIEF_COLUMNS_H
#define KITH_RELIEF_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;
struct kith_relief_cells;
struct kith_relief_rows;

/*
 * The cells of rows whose columns have two values each; rows->text must be
 * there.  Neighbours will be sought by the sum of differences, or of their
 * squares.  The rows sampled (m of them, in increasing order) are NULL for all.
 */
void kith_relief_cells_new(const struct kith_relief_rows *rows, bool squares,
    const size_t *sample, size_t m, struct kith_relief_cells *cells,
    struct kith_pool *pool);

#endif
