/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/rows - the rows of a table as text: column names, then row after row,
 * from one file or from several with the same header.
 *
 *	if (kith_rows_open(&t, files, &format, pool, err))
 *		return -1;
 *	while ((got = kith_rows_next(&t, err)) > 0)
 *		use(kith_rec_cell(&t.rec, 0), t.name.n, t.rec.line);
 *	kith_rows_close(&t);
 */
#ifndef KITH_TEXT_ROWS_H
#define KITH_TEXT_ROWS_H

#include "base/err.h"
#include "base/names.h"
#include "text/rec.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

struct kith_format {
	char sep;       /* between cells; 0: as the first record says */
	bool no_header; /* the columns are V1, V2, ... */
	bool header;    /* the first record is the names, even numbers */
	bool rowless;   /* a header without any row will do */
	int form;       /* of the files: an enum kith_form (text/readers.h) */
	size_t threads; /* that read text (text/rec.h) */
	const char
	    *missing; /* LIST of further cells that are missing, or NULL */
};

struct kith_rows {
	struct kith_names name; /* the columns, named in the pool */
	struct kith_rec rec;    /* the row: name.n cells, its file and line */
	size_t n;               /* rows read so far, this one among them */
	const char *first;      /* the first file, and the line of its header */
	size_t head;            /* 0: it has none */
	bool nameless; /* the columns are V1, V2, ... by their places */

	/* The rest is text/rows.c's. */
	const char *const *files; /* those still to be read, NULL ends them */
	struct kith_format format;
	bool open; /* a file is open */
	bool held; /* without a header: the first record is still to be given */
	struct kith_texts missing; /* the elements of format.missing */
	double *number;            /* name.n: a row with these taken out */
	struct kith_pool *pool;
};

/*
 * Open the files ("-": standard input; at least one, then NULL), which must
 * stay where they are, and read the first header.
 *
 * A cell without quotes that is an element of format.missing, or a number that
 * is equal to one, reads as NA in every row.
 *
 * Fails as kith_rec_open() and kith_rec_next() do, with KITH_EX_USAGE where
 * format.missing is no list (text/columns.h), and with EX_DATAERR on empty
 * input, names that are empty or equal, and, unless the format says what
 * the first record is, on names all of which, but for one at most, are numbers.
 * After a failure there is nothing to close.
 */
int kith_rows_open(struct kith_rows *t, const char *const *files,
    const struct kith_format *format, struct kith_pool *pool,
    struct kith_err *err);

/*
 * The next row: 1, 0 at the end, or -1.  Fails as kith_rec_next() does, and on
 * a row with another number of cells than there are columns, on a further file
 * whose header differs from the first, and at the end when there was no row.
 */
int kith_rows_next(struct kith_rows *t, struct kith_err *err);

/*
 * Pass over at most n rows; *passed becomes how many: fewer only at the end, or
 * on failure, -1.  Fails as kith_rows_next() does on rows that have to be read;
 * those of .npy files that can be mapped have not.
 */
int kith_rows_skip(
    struct kith_rows *t, size_t n, size_t *passed, struct kith_err *err);

/*
 * Before the first row: where the format lets columns that the file does not
 * name be 0 (svmlight), have those of these names that are V and a number.
 */
void kith_rows_cover(struct kith_rows *t, const struct kith_names *due);

/*
 * What may help where a column is wrong or lacks: " (-d?)" where the first
 * record, as text, is one column, which another character may divide; else the
 * other hint.
 */
const char *kith_rows_hint(const struct kith_rows *t, const char *other);

/* Whether these are the names of columns that have no other: V1, V2, ... */
bool kith_rows_numbered(const struct kith_names *name);

/* Close what is open. */
void kith_rows_close(struct kith_rows *t);

/* Fail at the row t stands at, because of its column: file, line and name. */
int kith_rows_fail(const struct kith_rows *t, size_t column,
    struct kith_err *err, const char *fmt, ...) KITH_PRINTF(4, 5);

#endif
