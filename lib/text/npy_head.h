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
	size_t size;   /* bytes of it: 1, 2, 4 or 8 */
	char type;     /* f: IEEE 754, i: signed, u: unsigned, b: 0 or 1 */
	bool low_last; /* the byte of least value is the last */
	bool swap;     /* which is not so here */
};

struct kith_npy_head {
	size_t start;   /* bytes before the cells: set by the caller */
	size_t rows, p; /* shape */
	size_t step;    /* bytes from a row to the next */
	size_t bytes;   /* of all cells */
	bool by_column; /* the order of Fortran */
	struct kith_npy_column *column; /* p; of records already parsed */
	const char **name;              /* of p fields, or NULL */
	struct kith_npy_column all; /* what each column is, without fields */
};

/*
 * Parse the dict.  Fails with EX_DATAERR where it is none, and on arrays that
 * are no table of numbers.  The columns are still to be laid out.
 */
int kith_npy_head_parse(const char *text, const char *file,
    struct kith_npy_head *head, struct kith_pool *pool, struct kith_err *err);

/* Lay out the columns, in the pool. */
void kith_npy_head_columns(struct kith_npy_head *head, struct kith_pool *pool);

#endif
