/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/lists_set - whether files hold blocks of a reference, each once, for one
 * shard of the rows or for all shards.
 */
#ifndef KITH_TABLE_LISTS_SET_H
#define KITH_TABLE_LISTS_SET_H

#include "table/lists_about.h"

#include <stddef.h>

struct kith_err;

/* What a file says of itself, where. */
struct kith_lists_item {
	size_t number; /* the caller's */
	const char *file;
	struct kith_lists_about about;
	struct kith_lists_lines line;
};

/*
 * Put n >= 1 items, which agree (table/lists_about.h), in order of shards, then
 * blocks.  Fails with EX_DATAERR, naming file and line, where a block is there
 * twice or lacks, and where blocks of the same rows differ in their number.
 */
int kith_lists_set_sort(struct kith_lists_item *item, size_t n, struct kith_err *err);

#endif
