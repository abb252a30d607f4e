/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/rec - records of cells, one at a time, from CSV or TSV, or from one of
 * the other formats (text/readers.h), whose cells are numbers; plain or gzip.
 *
 *	struct kith_rec r;
 *	int got;
 *
 *	if (kith_rec_open(&r, file, 0, KITH_FORM_auto, err))
 *		return -1;
 *	while ((got = kith_rec_next(&r, err)) > 0)
 *		use(kith_rec_cell(&r, 0), r.n, r.line);
 *	kith_rec_close(&r);
 *	return got;
 *
 * What text is like, text/csv_text.c says.
 */
#ifndef KITH_TEXT_REC_H
#define KITH_TEXT_REC_H

#include "text/cell.h"
#include "text/readers.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct kith_err;

/* The divider of a record that is one cell. */
#define KITH_SEP_NONE '\n'

/* A line "# key<TAB>value" before the first record. */
struct kith_rec_note {
	const char *key, *value;
	size_t line;
};

struct kith_rec {
	size_t n;         /* cells */
	size_t line;      /* line on which the record starts, from 1; without
	                     lines its number */
	const char *file; /* name for messages */
	char sep;         /* what divides cells; 0 until it is known */

	/*
	 * n numbers, until the next call; NULL: all cells are text.  Where a
	 * cell is text all the same (kith_rec_is_text()), it is the number that
	 * the text is, or NaN, where there is none; elsewhere NaN is missing.
	 */
	const double *number;

	/*
	 * The file has no record of names, and n is known before the first
	 * row; name has n of them then, each NULL where the format knows none,
	 * or is NULL.
	 */
	bool headless;
	const char *const *name;

	size_t rows; /* that the file has, where that is known; else 0 */
	bool sparse; /* columns that the file does not name are 0 */

	/* Comments that say something, until it is closed. */
	const struct kith_rec_note *note;
	size_t notes;

	/*
	 * Text may be read on so many threads, ahead of what is asked for, where
	 * it is long; 0 or 1: one.  Its cells have numbers then, too.
	 */
	size_t threads;

	/*
	 * For tests: what needs no libcsv goes through it all the same; how many
	 * bytes a thread takes at once, from the second record on, or 0.
	 */
	bool through_csv;
	size_t block;

	/* The rest is for text/ alone: kith_rec_cell() gives the cells. */
	struct kith_cell *text;
	struct kith_rec_state *state;
};

/*
 * Open a file ("-": standard input) of this form, whose cells, if they are
 * text, sep divides; 0 or -1.  With sep 0 the first record tells, outside
 * quotes: tab, else comma, else semicolon, else there is one column.  With
 * KITH_FORM_auto the first bytes tell the form; text that looks like
 * another form fails then, with a hint.
 *
 * Fails with EX_NOINPUT when the file cannot be opened or read (a directory
 * too), with EX_DATAERR when it starts like zstd, xz, bzip2, zip, UTF-16 or a
 * file of another program, or is not of its form, and with KITH_EX_USAGE when
 * sep is a quotation mark or a carriage return.
 */
int kith_rec_open(struct kith_rec *r, const char *file, char sep,
    enum kith_form form, struct kith_err *err);

/*
 * The same for a text in memory, which is copied; its lines count all, also
 * those that start "# ".
 */
void kith_rec_open_text(
    struct kith_rec *r, const char *name, const char *text, char sep);

/*
 * Read the next record.  Returns 1 when there is one, 0 at the end, and -1
 * when the file cannot be read, is not of its form, or is gzip that is
 * truncated or followed by other bytes.
 */
int kith_rec_next(struct kith_rec *r, struct kith_err *err);

/*
 * Pass over at most n records without a look at them, where the format can: how
 * many, 0 where it cannot, or at the end.
 */
size_t kith_rec_skip(struct kith_rec *r, size_t n);

/* Close what was opened; the cells are gone. */
void kith_rec_close(struct kith_rec *r);

/* The text of number c < n of the record; kith_rec_cell() is for all. */
const struct kith_cell *kith_rec_show(const struct kith_rec *r, size_t c);

/* Whether cell c < n of the record is text. */
static inline bool
kith_rec_is_text(const struct kith_rec *r, size_t c)
{
	return !r->number || (r->text && r->text[c].s);
}

/*
 * Cell c < n of the record as text, until the next record.  A number is the
 * shortest text that reads back as it, a missing one NA.
 */
static inline const struct kith_cell *
kith_rec_cell(const struct kith_rec *r, size_t c)
{
	return kith_rec_is_text(r, c) ? &r->text[c] : kith_rec_show(r, c);
}

/* Whether cell c < n of the record is missing. */
static inline bool
kith_rec_missing(const struct kith_rec *r, size_t c)
{
	return kith_rec_is_text(r, c) ? kith_cell_missing(&r->text[c])
				      : isnan(r->number[c]);
}

/* All n cells where they are text, NULL where they are numbers. */
static inline const struct kith_cell *
kith_rec_texts(const struct kith_rec *r)
{
	return r->number ? NULL : r->text;
}

/*
 * Have p columns at least, before the first row, where r->sparse; whether there
 * are p now.
 */
bool kith_rec_widen(struct kith_rec *r, size_t p);

#endif
