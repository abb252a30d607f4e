/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scale/scale - columns on a common scale, and levels as columns of 0 and 1.
 *
 * A number x becomes (x - center) / scale, as table/unit.h says (none: x), minmax to the range
 * lo..hi lo + (x - center) / scale with scale = (max - min) / (hi - lo), where the smallest and the
 * largest number become exactly lo and hi; and 0 where scale is 0, which stands for a constant
 * column.  A level column becomes a column per level, 1 where the row has it and 0 elsewhere.
 *
 *	if (kith_rows_open(&f.rows, files, &format, pool, err))
 *		return -1;
 *	f.kind = kith_new(pool, f.rows.name.n, sizeof(*f.kind));
 *	f.kind[target] = KITH_AS_COPY;
 *	if (kith_frame_read(&f, err) || kith_scale_fit(&f, ...))
 *		return -1;
 */
#ifndef KITH_SCALE_SCALE_H
#define KITH_SCALE_SCALE_H

#include "la/mat.h"
#include "table/roles.h"
#include "text/rows.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_out;

/* ---- A whole table as it is, each column numbers or text */

struct kith_frame {
	/* To be set by the caller. */
	struct kith_rows rows; /* open; c = rows.name.n columns */
	struct kith_pool *pool;
	int na;               /* --na (table/roles.h) */
	enum kith_kind *kind; /* c kinds */

	/* kith_frame_read() sets the following members. */
	struct kith_mat X;      /* n x c: numbers (NaN: missing), or places in `text` */
	size_t room;            /* rows that X has memory for */
	struct kith_texts text; /* the cells that are text */
	const char *first_file; /* where the first row is */
	size_t first_line;
};

/*
 * Reads all rows and closes.  A column that is KITH_AS_AUTO becomes KITH_AS_NUMBER or KITH_AS_TEXT
 * as its first cell that is not missing; one with none stays, and counts as text.  `na` says what a
 * missing cell of a number or level column does: it fails, its row is left out, or it stays as NaN
 * or as a missing text.  Fails also as kith_kind_take() does.
 */
int kith_frame_read(struct kith_frame *f, struct kith_err *err);

/* ---- Scalings */

enum {
	KITH_SCALE_ZSCORE,
	KITH_SCALE_MINMAX,
	KITH_SCALE_NONE,
	KITH_SCALE_ONEHOT,
	KITH_SCALE_COPY /* text as it is; not in files of scalings */
};

/* One output column. */
struct kith_scaling {
	char *column; /* the column it comes from */
	size_t at;    /* its place in the frame; not of kith_scale_read() */
	int method;   /* of the enum above */
	double center, scale;
	double fill; /* what a missing cell counts as, before scaling; NaN: it stays missing */
	const char *level; /* KITH_SCALE_ONEHOT: the level, else NULL */
	double lo, hi;     /* KITH_SCALE_MINMAX: range of the result, lo < hi */
};

struct kith_scale {
	struct kith_scaling *v; /* n, by their places in the frame; not of kith_scale_read() */
	size_t n, room;
	struct kith_names column; /* kith_scale_read(): their columns */

	/* kith_scale_apply() sets the following members. */
	char **name;    /* n: of the output columns */
	size_t *unseen; /* for each column of the frame: cells of levels that no scaling names */
};

/*
 * Scalings of all columns of f; `how` has the method of numbers and the range.  fill is the mean of
 * a column, or the share of a level; scale is 0 of a column with a single number.  Memory is from
 * the pool of f.  Sums run in long double: no finite data overflow.  Fails when a range does not
 * fit a double, and on a column of rows without a number.
 */
int kith_scale_fit(const struct kith_frame *f, struct kith_scaling how, struct kith_scale *scale,
    struct kith_err *err);

/*
 * Says in f->kind, before the rows are read, which columns the scalings need as numbers and as
 * levels; all others are text, and get a scaling that copies them.  A sparse file gets the columns
 * that it lacks (kith_rows_widen()).  Fails where the file has no column that a scaling names.
 */
int kith_scale_expect(struct kith_scale *scale, struct kith_frame *f, struct kith_err *err);

/*
 * Scales the numbers of f in place, missing ones as `fill`; a level becomes the number of its
 * scaling, a missing one NaN.  Fails when two output columns have one name, or a result is no
 * finite double.
 */
int kith_scale_apply(struct kith_scale *scale, struct kith_frame *f, struct kith_err *err);

/* The ends of LO:HI; -1 if text is not of that form, with LO < HI and HI - LO finite. */
int kith_scale_parse_range(const char *text, double *lo, double *hi);

/* Writes the table after kith_scale_apply(). */
void kith_scale_print(
    const struct kith_scale *scale, const struct kith_frame *f, struct kith_out *out);

/* Write scalings as a table: column method center scale fill level. */
void kith_scale_write(const struct kith_scale *scale, struct kith_out *out);

/*
 * Reads a table of kith_scale_write().  Fails, with file and line, on what kith_scale_write()
 * does not write: unknown methods, a column or level twice, a scale below 0.
 */
int kith_scale_read(
    const char *file, struct kith_scale *scale, struct kith_pool *pool, struct kith_err *err);

#endif
