/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/holes - say in one line which columns have missing cells, and how many, or have text.
 */
#ifndef KITH_TABLE_HOLES_H
#define KITH_TABLE_HOLES_H

#include <stddef.h>

struct kith_err;
struct kith_rows;

/* A column that had no cell in the n >= 1 rows before this one, of which the first is at line. */
struct kith_holes_before {
	size_t column, n;
	const char *file;
	size_t line;
};

/*
 * Fails at the row that the rows stand at, where a cell of these p columns is missing: with file,
 * line and column if no other one is, or else with the number of them in each column, counted to
 * the end of the rows or to the row before one that cannot be read, and where the first is.  hint,
 * which may be "", says what may help.  The rows are read to that point.
 *
 * With `before` (else NULL) cells of one of the columns were missing above this row, which has one;
 * *err then says what is wrong if there was one row above.
 */
int kith_holes_fail(struct kith_rows *rows, const size_t *column, size_t p,
    const struct kith_holes_before *before, const char *hint, struct kith_err *err);

/*
 * Called at a row that was refused, with *err set.  Counts the texts that are no numbers in each of
 * the p columns, from the row on.  Where several columns have texts, *err becomes a line with the
 * number and the first place of each column, as by kith_holes_fail().  Returns -1.
 */
int kith_texts_fail(
    struct kith_rows *rows, const size_t *column, size_t p, const char *hint, struct kith_err *err);

#endif
