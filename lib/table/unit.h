/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/unit - the unit of each feature, found on the rows learnt from; and the range that features
 * must be in, with the places that messages name.
 *
 * A number x becomes (x - center) / scale, with
 *
 *	zscore  center = mean, scale = standard deviation (n - 1, or n)
 *	minmax  scale = (max - min) / width, center = min
 *
 * and 0 where scale is 0, which stands for a constant column.
 *
 * Weights that were learnt in these units belong, in those of the input, to
 * other numbers: with D = x - z of the input and s the scales,
 *
 *	sum_j v_j (D_j / s_j)^2 = sum_j (v_j / s_j^2) D_j^2
 *	sum_j v_j |D_j| / s_j   = sum_j (v_j / s_j) |D_j|
 *
 * and V_ij / (s_i s_j) for both kinds of matrices (near/metric.h).
 */
#ifndef KITH_TABLE_UNIT_H
#define KITH_TABLE_UNIT_H

#include "base/names.h"
#include "near/metric.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_mat;
struct kith_pool;

/* ---- The range of features. ---- */

/*
 * How large the features may be that distances and kernels are calculated from.
 *
 * Of every row and each feature whose weight is not 0 (w_j = 1 where there are no weights)
 *
 *	|x_j| <= 1e150, and  sqrt(w_j) |x_j| <= 1e150   (KITH_SQUARED)
 *	                     w_j |x_j|       <= 1e150   (KITH_ABSOLUTE)
 *	                     |W_ij x_i x_j|  <= 1e300   (matrices)
 *
 * are required: terms of a distance are then at most 4e300, and 4e7 of them have a finite sum.
 * Differences below 1e-150 have squares below 1e-300; they count as 0.
 */

#define KITH_RANGE_MOST 1e150

/*
 * Where the rows of a table stand in its files, as runs of rows: row + k of a run stands in
 * line + k of its file.
 */
struct kith_places {
	struct kith_place {
		size_t row; /* the first row of the run, from 0 */
		const char *file;
		size_t line; /* of that row; the number of the row in a file without lines */
	} * run;
	size_t n, room; /* runs, and how many there is memory for */
};

/* Adds the row behind all that were added before; memory comes from the pool. */
void kith_places_add(
    struct kith_places *places, size_t row, const char *file, size_t line, struct kith_pool *pool);

/* The row, file and line of a row that was added. */
struct kith_place kith_places_find(const struct kith_places *places, size_t row);

/* Where a matrix of features (n x p) comes from, and how they count. */
struct kith_origin {
	const struct kith_metric *metric; /* distances are measured by; NULL: without weights */
	const char *file;                 /* the table, or NULL */
	const struct kith_names *feature; /* p: their names */
	const struct kith_places *place;  /* of the rows of the table; NULL: not known */
	const size_t *row; /* n: which row of the table each row is; NULL: the same */
	bool scaled;       /* the features are those of the table, scaled (table/unit.h) */
};

/*
 * Checks the range of X.  NaN stands for a missing cell and passes.  Fails with EX_DATAERR, naming
 * file, line and column of a number that is too large.  Time O(n p).
 */
int kith_range_check(
    const struct kith_mat *X, const struct kith_origin *from, struct kith_err *err);

/* ---- Units. ---- */

/* --scale, for a row of options: what the words store. */
enum { KITH_UNIT_NONE, KITH_UNIT_ZSCORE, KITH_UNIT_MINMAX };
#define KITH_UNIT_WORDS "none|zscore|minmax"
extern const char *const kith_unit_words[3];

/* Mean, deviation and range of a column of rows with weights w, NaN left out. */
struct kith_moments {
	size_t n;           /* rows of w > 0 */
	long double weight; /* sum of w */
	long double mean;   /* but for rounding */
	long double rest;   /* sum of w (x - mean), which rounding of the mean leaves */
	long double sum2;   /* sum of w (x - mean - rest / weight)^2 */
	double min, max;
};

/*
 * The moments of column j of X; w are the n weights of the rows (NULL: all are 1).  In two passes
 * over the rows, in long double: no finite data overflow.
 */
struct kith_moments kith_moments_of(const struct kith_mat *X, size_t j, const double *w);

/*
 * Center and scale of a column with these moments, by KITH_UNIT_ZSCORE, or by KITH_UNIT_MINMAX to a
 * range of this width > 0; its scale is 0 where it is constant, and its center then its number, or
 * without any number 0.  -1 where they do not fit a double.
 */
int kith_unit_column(
    const struct kith_moments *m, int method, double width, double *center, double *scale);

/*
 * x scaled; in long double the difference of two doubles is finite.  The largest number of a column
 * becomes exactly 1 by minmax of width 1, whose scale is that difference rounded to a double.
 */
static inline double
kith_unit_of(double x, double center, double scale)
{
	const long double d = (long double)x - center;

	return scale > 0 ? (double)d == scale ? 1 : (double)(d / scale) : 0;
}

/*
 * Whether the n numbers v[i * stride] hold two different ones with |x| < limit, which are put
 * into pair.  Divided by a scale they differ by less than 2 limit / scale.
 */
bool kith_unit_merges(const double *v, size_t n, size_t stride, double limit, double pair[2]);

struct kith_unit {
	size_t p;
	double *center, *scale; /* p; scale 0: constant; center NULL: features are not scaled */
	int method;             /* of --scale; KITH_UNIT_NONE: not known, or none */
};

/*
 * The units of the columns of X by a method of --scale but KITH_UNIT_NONE
 * (minmax: to 0..1), into the pool.  Requires n >= 1, and finite numbers, which
 * may be beyond this range.  Fails with EX_DATAERR, naming the
 * column, where they do not fit a double, and where a number is so large that
 * scaling makes others equal: different ones, below 1e-150 scales both.
 */
int kith_unit_fit(int method, const struct kith_mat *X, const struct kith_origin *from,
    struct kith_unit *unit, struct kith_pool *pool, struct kith_err *err);

/*
 * For leaving out each of the n >= 2 rows of X: the moments of all rows, from which those of the
 * n - 1 others follow.
 */
struct kith_unit_others {
	const struct kith_mat *X;
	int method;               /* of --scale, but KITH_UNIT_NONE */
	struct kith_moments *all; /* p: of the n rows */
	double *min, *max;        /* p: the second least and second largest number of the column */
};

/* Computes the moments of X, which must stay where it is, into the pool.  Time O(n p). */
struct kith_unit_others kith_unit_others_new(
    int method, const struct kith_mat *X, struct kith_pool *pool);

/*
 * Sets center and scale of unit (p each) to those of the rows of X but row i, as kith_unit_fit()
 * finds them but for rounding, of a relative size of about 2^-60 before it becomes a double.
 * Returns -1 where they do not fit a double.  Time O(p), and O(n) for a column of which row i makes
 * more than half of the squared deviations: there the sums of the others are computed anew.
 */
int kith_unit_of_others(const struct kith_unit_others *others, size_t i, struct kith_unit *unit);

/* Scales the columns of X in place; unit->center must be set.  The range is not checked. */
void kith_unit_rows(const struct kith_unit *unit, struct kith_mat *X);

/*
 * Scales the columns of X in place, if unit->center is set, and checks the range of X.  Fails with
 * EX_DATAERR, naming the place and the column, where a number is beyond this range.
 */
int kith_unit_apply(const struct kith_unit *unit, struct kith_mat *X,
    const struct kith_origin *from, struct kith_err *err);

/*
 * --scale: find the units on X, and scale it and the rows of `other`, which may
 * be NULL; KITH_UNIT_NONE checks their range alone, and leaves unit->p = 0.
 * Fails as kith_unit_fit() and kith_unit_apply() do.
 */
int kith_unit_scale(int method, struct kith_mat *X, const struct kith_origin *from,
    struct kith_mat *other, const struct kith_origin *other_from, struct kith_unit *unit,
    struct kith_pool *pool, struct kith_err *err);

enum kith_unit_way { KITH_UNIT_TO_INPUT, KITH_UNIT_FROM_INPUT };

/*
 * Brings weights of a kind (p, or p x p) that were learnt of scaled features to
 * the units of the input, in place, or back.  The weights of a constant column
 * become 0.  Fails with EX_DATAERR, naming the file and the column, where one does not fit a
 * double: it overflows, it was not 0 and becomes 0, or it was above 2^-52 and loses
 * digits, below DBL_MIN.
 */
int kith_unit_convert(const struct kith_unit *unit, enum kith_metric_kind kind,
    enum kith_unit_way way, const struct kith_names *feature, double *w, const char *file,
    struct kith_err *err);

#endif
