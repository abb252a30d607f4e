/* SPDX-License-Identifier: BSD-2-Clause */
/* text/npy_head - the header of a .npy file (text/npy.c). */
#ifndef KITH_TEXT_NPY_HEAD_H
#define KITH_TEXT_NPY_HEAD_H

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_pool;

#define KITH_NPY_MAGIC "\x93NUMPY"

enum { KITH_NPY_LONGEST = 1 << 24 }; /* bytes of a header */

struct kith_npy_column {
	size_t at;     /* where its cell is, from the start of the row */
	size_t size;   /* bytes of it; of a number 1, 2, 4 or 8 */
	char type;     /* f: IEEE 754, i: signed, u: unsigned, b: 0 or 1,
	                  S: bytes of text, U: characters of 4 bytes */
	bool low_last; /* the byte of least value is the last */
	bool swap;     /* which is not so here */
	size_t plain;  /* columns from here on that are doubles of ours, one
	                  behind the other */
};

static inline bool
kith_npy_is_text(const struct kith_npy_column *c)
{
	return c->type == 'S' || c->type == 'U';
}

struct kith_npy_head {
	size_t start;   /* bytes before the cells: set by the caller */
	size_t rows, p; /* shape */
	size_t step;    /* bytes from a row to the next */
	size_t bytes;   /* of all cells */
	size_t texts;   /* columns of text, which only records have */
	bool by_column; /* the order of Fortran */
	struct kith_npy_column *column; /* p; of records already parsed */
	const char **name;              /* of p fields, or NULL */
	struct kith_npy_column all; /* what each column is, without fields */
};

/*
 * Parse the dict, which is Latin-1 up to version 2, and UTF-8 from 3 on.  Fails
 * with EX_DATAERR where it is none, and on arrays that are no table.  The
 * columns are still to be laid out.
 */
int kith_npy_head_parse(const char *text, int version, const char *file,
    struct kith_npy_head *head, struct kith_pool *pool, struct kith_err *err);

/* Lay out the columns, in the pool. */
void kith_npy_head_columns(struct kith_npy_head *head, struct kith_pool *pool);

#endif
