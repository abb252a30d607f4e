/* SPDX-License-Identifier: BSD-2-Clause */
/* table/ends - what the rows at the ends of edges are called. */
#ifndef KITH_TABLE_ENDS_H
#define KITH_TABLE_ENDS_H

#include "base/names.h"
#include "base/num.h"

#include <stddef.h>

struct kith_err;
struct kith_pool;
struct kith_rows;
struct kith_table;

/* What the rows at one end of edges are called. */
struct kith_ends {
	size_t n;             /* rows, from 0 */
	size_t read;          /* rows of their file, from 1: at least n */
	const size_t *number; /* n numbers of them, increasing; NULL: 1..n */
	const char *column;   /* the column that has their ids, or NULL: */
	struct kith_names id; /* n ids, all different */
};

/*
 * What the rows of a table are called; memory from the pool, and that of the
 * table.  Fails (EX_DATAERR) when two of them have one id.  Time O(n).
 */
int kith_ends_of(const struct kith_table *table, struct kith_ends *ends, struct kith_pool *pool,
    struct kith_err *err);

/* The row of this number, or n. */
size_t kith_ends_row(const struct kith_ends *ends, size_t number);

/*
 * Finds the row that a cell of the current row of a table names; fails with EX_DATAERR where the
 * cell is missing or names no row.
 */
int kith_ends_find(const struct kith_ends *ends, const struct kith_rows *rows, size_t column,
    size_t *row, struct kith_err *err);

/* What row i is called: its id, or its number, which goes into text. */
const char *kith_ends_name(const struct kith_ends *ends, size_t i, char text[KITH_NUM_ROOM]);

#endif
