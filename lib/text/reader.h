/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/reader - a format of input: how its bytes become rows.  For those who
 * write one; users have text/rec.h.
 */
#ifndef KITH_TEXT_READER_H
#define KITH_TEXT_READER_H

#include "base/num.h"
#include "base/pool.h"
#include "text/gz.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_cell;
struct kith_err;
struct kith_rec;

struct kith_reader {
	/*
	 * Whether a file whose first bytes these are, 16 of them at least
	 * unless it is shorter, has the format; NULL: --format alone says so.
	 */
	bool (*is)(const char *start, size_t len);

	/*
	 * Begin to read r->state->gz, with what it needs in r->state->own: 0 or
	 * -1.  A format of numbers knows its columns then: it sets r->headless,
	 * r->n, and r->name where columns have names.  What is not in the pool
	 * it frees itself when it fails.
	 */
	int (*open)(struct kith_rec *r, struct kith_err *err);

	/*
	 * The next row as kith_rec_next() has it: r->line, and r->n cells of
	 * text in r->text, or r->n numbers, NaN where one is missing, in
	 * r->number.
	 */
	int (*next)(struct kith_rec *r, struct kith_err *err);

	/*
	 * Pass over at most n rows, without a look at them: how many; or NULL,
	 * none.
	 */
	size_t (*skip)(struct kith_rec *r, size_t n);

	/* Free what is not in the pool; or NULL. */
	void (*close)(struct kith_rec *r);

	/*
	 * Have p more columns from the next row on, for r->sparse; or NULL.
	 */
	void (*widen)(struct kith_rec *r, size_t p);

	/*
	 * Write number c of the row as text, other than as the shortest that
	 * reads back as the double; or NULL.
	 */
	void (*show)(
	    const struct kith_rec *r, size_t c, char text[KITH_NUM_ROOM]);
};

/* What kith_rec_open() makes. */
struct kith_rec_state {
	const struct kith_reader *reader;
	struct kith_gz gz;     /* without state: text is read, from memory */
	const char *text;      /* for open() only */
	bool chosen;           /* --format says what this is */
	void *own;             /* the reader's */
	struct kith_pool pool; /* of all this */

	/* text/rec.c's: the texts of numbers, made when asked for. */
	struct kith_cell *shown;
	char (*digits)[KITH_NUM_ROOM];
	size_t shown_n;
};

/* A format of numbers has no more columns: more are hardly meant. */
enum { KITH_READER_WIDEST = 10000000 };

/* Fail where there are more columns, or none. */
int kith_reader_width(const char *file, size_t p, struct kith_err *err);

#endif
