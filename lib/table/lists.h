/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/lists - neighbours of rows in blocks of a reference, as tasks print them
 * and another joins them: the first k of all blocks, by distance, then row.
 *
 * A line is a neighbour: the row, the neighbour's number in the whole reference,
 * the distance (near/root.h), and more.  The lines of a row stand together, in
 * the order of distance and number; a row without a neighbour in the block has
 * one line, whose number and distance are missing.  What was searched, comments
 * before the header say (text/rec.h).
 */
#ifndef KITH_TABLE_LISTS_H
#define KITH_TABLE_LISTS_H

#include "base/names.h"
#include "table/lists_about.h"
#include "table/lists_seen.h"
#include "text/rows.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_pool;

/* A neighbour; value and name are the caller's. */
struct kith_lists_entry {
	size_t row; /* its number, from 1 */
	double d;   /* the square of its distance */
	double value;
	size_t class, name;
};

struct kith_list;

struct kith_lists {
	struct kith_lists_about about; /* of the first file; rows: of all blocks */
	struct kith_lists_lines line;
	struct kith_names class;       /* of all blocks, as they come */
	const struct kith_rows *first; /* the header of all files */

	/* The rest is table/lists.c's: a list for each shard and block. */
	struct kith_list *list, **order;
	size_t lists, shards, blocks, opened;
	size_t from, to, distance, same; /* columns */
	struct kith_lists_entry *entry;  /* of the row, n of them */
	size_t n, room;
	struct kith_lists_seen seen; /* their numbers */
	char *id, *own;              /* of the row: cells of the first block */
	size_t id_room, own_room;
};

/* The columns: the row, the neighbour, and one more of the row, or NULL. */
struct kith_lists_columns {
	const char *from, *to, *same;
};

/*
 * Open the files, all at once, and see what they hold: blocks of one reference,
 * each once, for all rows or for one shard of them, or for all shards.  Fails
 * with EX_DATAERR where they are no such set, naming file and line, and as
 * kith_rows_open().  Close it in any case.
 */
int kith_lists_open(const char *const *files, const struct kith_lists_columns *columns,
    struct kith_lists *lists, struct kith_pool *pool, struct kith_err *err);

/* Who takes what is read; each may fail, -1. */
struct kith_lists_use {
	void *to;
	size_t k; /* so many neighbours at most */

	/* A row, at one of its lines; what a neighbour's line says beside row
	   and distance; and the neighbours of the row, in order. */
	int (*begin)(void *to, const struct kith_rows *line, struct kith_err *err);
	int (*read)(void *to, const struct kith_rows *line, struct kith_lists_entry *entry,
	    struct kith_err *err);
	void (*end)(void *to, const struct kith_lists_entry *entry, size_t n);
};

/*
 * Read all rows, shard by shard.  Fails with EX_DATAERR, naming file and line,
 * where the files do not have the same rows in the same order, where lines are
 * out of order, missing, twice there, or of another block, and as kith_rows_next() and the
 * user of it.  Memory that of one row.
 */
int kith_lists_read(struct kith_lists *lists, const struct kith_lists_use *use,
    struct kith_pool *pool, struct kith_err *err);

void kith_lists_close(struct kith_lists *lists);

#endif
