/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/out - the one writer: standard output, and every file that a command
 * writes.
 *
 *	if (kith_out_open(&out, path, err))
 *		return -1;
 *	kith_out_put(&out, "%s\t%g\n", name, x);
 *	if (kith_out_close(&out, err))
 *		return -1;
 *	... the same for the other files of the run, then once, for all:
 *	if (kith_out_settle(NULL, err))
 *		return -1;
 *
 * What becomes of files, and when: text/out_bytes.h.
 */
#ifndef KITH_TEXT_OUT_H
#define KITH_TEXT_OUT_H

#include "text/out_bytes.h"

struct kith_cell;

/*
 * A table is a header, and rows of as many cells, each written by one call; of
 * JSON Lines the header is written first of all.  Between two cells of a row
 * stands kith_out_next(), at its end kith_out_row().
 */
void kith_out_next(struct kith_out *o);
void kith_out_row(struct kith_out *o);

/*
 * Write text (NULL: missing) as a cell: in quotes when it holds a tab, a quote,
 * a line end or what divides cells, starts or ends with a blank, or would read
 * as missing.
 */
void kith_out_cell(struct kith_out *o, const char *s);

/* Write a cell that was read: missing ones as they stood there. */
void kith_out_verbatim(struct kith_out *o, const struct kith_cell *c);

/* Write a missing cell: NA. */
void kith_out_missing(struct kith_out *o);

/*
 * Write n column names as the header record, quoting also what would make it
 * read as something else: "# " at its start, or a comma or semicolon where
 * there is one column.  JSON Lines has them in each row, and fails (65) where
 * two are the same.
 */
void kith_out_header(struct kith_out *o, const char *const *name, size_t n);

/*
 * Write a line "# key<TAB>x" before the header, with all digits; text/rec.h
 * reads it.  JSON Lines has none: then `unsaid` is the key.
 */
void kith_out_note(struct kith_out *o, const char *key, double x);

/* The same of a text without a line end. */
void kith_out_note_text(struct kith_out *o, const char *key, const char *value);

/*
 * Write a number as base/num.h says; a NaN is our own mistake, and fails (70).
 */
void kith_out_real(struct kith_out *o, double x);
void kith_out_size(struct kith_out *o, size_t n);

/*
 * Write cells and what stands between them, as in "%s\t%zu\t%g\n": %s is a cell
 * (NULL: missing), %zu a whole number, %g a number as above, and %G one that is
 * missing where it is a NaN; a tab is kith_out_next(), \n kith_out_row(), and
 * nothing else may stand there.
 */
void kith_out_put(struct kith_out *o, const char *form, ...) KITH_PRINTF(2, 3);

#endif
