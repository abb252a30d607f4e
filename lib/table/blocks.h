/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/blocks - tables of which a block of the reference is wanted, and a shard
 * of the rows that are compared with it.
 */
#ifndef KITH_TABLE_BLOCKS_H
#define KITH_TABLE_BLOCKS_H

#include "table/only.h"

#include <stddef.h>

struct kith_err;
struct kith_how;
struct kith_mat;
struct kith_table;

/*
 * Let reference and query say which rows to keep, of `only`: those of the block of
 * the reference, and of the shard of the rows, which are its own where train is
 * NULL.  Nothing is said where the block is all, or a table is needed as a whole.
 * Fails as kith_only_count().
 */
int kith_only_choose(struct kith_block block, struct kith_block shard, const char *train,
    const char *const *files, struct kith_how *reference, struct kith_how *query,
    struct kith_only only[2], struct kith_err *err);

/* The rows of a table that are those of a block of its file: the first, and X. */
size_t kith_block_rows(const struct kith_table *table, struct kith_block block, struct kith_mat *X);

#endif
