/*
 * text/rec - records of text cells, one at a time, from CSV or TSV, plain or
 * gzip.
 *
 *	struct kith_rec r;
 *	int got;
 *
 *	if (kith_rec_open(&r, file, 0, err))
 *		return -1;
 *	while ((got = kith_rec_next(&r, err)) > 0)
 *		use(r.cell, r.n, r.line);
 *	kith_rec_close(&r);
 *	return got;
 *
 * Cells may be quoted as in RFC 4180; a quote counts at the start of a cell
 * only and is an ordinary byte elsewhere.  Dropped are a UTF-8 byte order mark,
 * the carriage return of a CRLF line end, blanks around an unquoted cell and
 * behind a quoted one (space, and tab where it does not divide cells), and
 * lines that start "# " before the first record; of these, the ones that have a
 * tab are kept as notes.  Blank lines at the very end are passed over.
 */
#ifndef KITH_TEXT_REC_H
#define KITH_TEXT_REC_H

#include "text/cell.h"

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
	struct kith_cell *cell; /* n cells, until the next call */
	size_t n;
	size_t line;      /* line on which the record starts, from 1 */
	const char *file; /* name for messages */
	char sep;         /* what divides cells; 0 until it is known */

	/* Comments that say something, until it is closed. */
	const struct kith_rec_note *note;
	size_t notes;

	/* For tests: what needs no libcsv goes through it all the same. */
	bool through_csv;

	struct kith_rec_state *state; /* text/rec.c's */
};

/*
 * Open a file ("-": standard input) whose cells sep divides; 0 or -1.  With
 * sep 0 the first record tells, outside quotes: tab, else comma, else
 * semicolon, else there is one column.
 *
 * Fails with EX_NOINPUT when the file cannot be opened or read (a directory
 * too), with EX_DATAERR when it starts like zstd, xz, bzip2, zip or UTF-16, and
 * with KITH_EX_USAGE when sep is a quotation mark or a carriage return.
 */
int kith_rec_open(
    struct kith_rec *r, const char *file, char sep, struct kith_err *err);

/*
 * The same for a text in memory, which is copied; its lines count all, also
 * those that start "# ".
 */
void kith_rec_open_text(
    struct kith_rec *r, const char *name, const char *text, char sep);

/*
 * Read the next record.  Returns 1 when there is one, 0 at the end, and -1
 * when the file cannot be read, holds a null byte, is quoted wrongly, goes on
 * after a blank line, or is gzip that is truncated or followed by other bytes.
 * Memory: the longest record, twice where it has quotes, its cells, and a fixed
 * buffer.
 */
int kith_rec_next(struct kith_rec *r, struct kith_err *err);

/* Close what was opened; the cells are gone. */
void kith_rec_close(struct kith_rec *r);

#endif
