/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scale/scale - columns on a common scale, and levels as columns of 0 and 1.
 *
 * A number x becomes (x - center) / scale, as table/unit.h says (none: x), minmax to the range
 * lo..hi lo + (x - center) / scale with scale = (max - min) / (hi - lo), where the smallest and the
 * largest number become exactly lo and hi; and 0 where scale is 0, which stands for a constant
 * column.  A level column becomes a column per level, 1 where the row has it and 0 elsewhere.
 */
#ifndef KITH_SCALE_SCALE_H
#define KITH_SCALE_SCALE_H

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_frame;
struct kith_out;
struct kith_pool;

enum { KITH_SCALE_ZSCORE, KITH_SCALE_MINMAX, KITH_SCALE_NONE, KITH_SCALE_ONEHOT };

/* One output column. */
struct kith_scaling {
	const char *column; /* the column it comes from */
	int method;         /* of the first enum above */
	double center, scale;
	double fill; /* what a missing cell counts as, before scaling; NaN: it stays missing */
	const char *level; /* KITH_SCALE_ONEHOT: the level, else NULL */
	double lo, hi;     /* KITH_SCALE_MINMAX: range of the result, lo < hi */
};

struct kith_scale {
	struct kith_scaling *v;
	size_t n;
};

struct kith_scale_how {
	int method;    /* of the enum above */
	double lo, hi; /* KITH_SCALE_MINMAX: range of the result, lo < hi */
};

/*
 * Scalings of the number and level columns of f, in its order; fill is the
 * mean of a column, or the share of a level.  `constant` (one flag a column, in
 * the pool) tells the number columns with a single value.  Sums run in long
 * double: no finite data overflow.
 * Fails when a range does not fit a double, and on a column of rows without a number.
 */
int kith_scale_fit(const struct kith_frame *f, const struct kith_scale_how *how,
    struct kith_scale *scale, bool **constant, struct kith_pool *pool, struct kith_err *err);

/*
 * Say in f->kind which columns the scalings need as numbers and as levels; all
 * others are text.  Fails when f lacks a column that a scaling names.
 */
int kith_scale_expect(const struct kith_scale *scale, struct kith_frame *f, struct kith_err *err);

/* How the columns of a frame become those of the output. */
struct kith_scale_plan {
	const struct kith_frame *f;
	const struct kith_scale *scale;
	size_t *first, *next; /* scalings of a column, and of the next; or NONE */
	size_t *unseen;       /* cells of a level column that no scaling names */
	char **name;          /* n names of output columns */
	size_t n;
};

/*
 * Plan the output and scale the numbers of f in place, missing ones as `fill`.
 * Number columns without a scaling are left out, text columns pass through.
 * Fails when two output columns have one name, or a result is no finite double.
 */
int kith_scale_apply(const struct kith_scale *scale, struct kith_frame *f,
    struct kith_scale_plan *plan, struct kith_pool *pool, struct kith_err *err);

/* The ends of LO:HI; -1 if text is not of that form, with LO < HI and HI - LO finite. */
int kith_scale_parse_range(const char *text, double *lo, double *hi);

/* Write the table as planned. */
void kith_scale_print(const struct kith_scale_plan *plan, struct kith_out *out);

/* Write scalings as a table: column method center scale fill level. */
void kith_scale_write(const struct kith_scale *scale, struct kith_out *out);

/*
 * Reads a table of kith_scale_write().  Fails, with file and line, on what kith_scale_write()
 * does not write: unknown methods, a column or level twice, a scale below 0.
 */
int kith_scale_read(
    const char *file, struct kith_scale *scale, struct kith_pool *pool, struct kith_err *err);

#endif
