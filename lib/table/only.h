/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/only - blocks of the rows of a table, of which no other rows are to be
 * kept.
 */
#ifndef KITH_TABLE_ONLY_H
#define KITH_TABLE_ONLY_H

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_format;
struct kith_rows;

/* The i-th of n blocks of rows, from 1. */
struct kith_block {
	size_t i, n;
};

/* The first row of the block, of so many rows, from 0; that behind it. */
static inline size_t
kith_block_from(struct kith_block block, size_t rows)
{
	return (block.i - 1) * rows / block.n;
}
static inline size_t
kith_block_to(struct kith_block block, size_t rows)
{
	return block.i * rows / block.n;
}

enum { KITH_ONLY_MOST = 2 };

/* The rows that one of these blocks has, of so many rows of the files. */
struct kith_only {
	struct kith_block block[KITH_ONLY_MOST];
	size_t blocks, rows;
	bool
	    ambiguous; /* names of the rows, all of the files, are missing or repeat (text/rows.h) */
};

/*
 * Whether a file ("-": standard input) can be read a second time, or cannot be
 * read at all.
 */
bool kith_only_is_lasting(const char *file);

/*
 * Find the number of rows of the files, which are read for it, but for what
 * .npy files say.  Fails as kith_rows_next() does, and on a file that cannot be
 * read twice.
 */
int kith_only_count(const char *const *files, const struct kith_format *format,
    struct kith_only *only, struct kith_err *err);

/* So many rows are kept at most. */
size_t kith_only_most(const struct kith_only *only);

/*
 * The next row that is to be kept, all where only is NULL: kith_rows_next(),
 * with those before it passed over, which *read, the rows read so far, counts;
 * of the file or, behind the last one kept, of all.
 */
int kith_only_row(
    const struct kith_only *only, struct kith_rows *rows, size_t *read, struct kith_err *err);

#endif
