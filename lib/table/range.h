/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/range - how large the features may be that distances and kernels are calculated from.
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
#ifndef KITH_TABLE_RANGE_H
#define KITH_TABLE_RANGE_H

#include "base/names.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_mat;
struct kith_metric;
struct kith_pool;

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

/* Lets err name the file and line of a row that was added. */
void kith_places_blame(const struct kith_places *places, size_t row, struct kith_err *err);

/* Where a matrix of features (n x p) comes from, and how they count. */
struct kith_origin {
	const struct kith_metric *metric; /* distances are measured by; NULL: without weights */
	const char *file;                 /* the table, or NULL */
	const struct kith_names *feature; /* the features of the table */
	const size_t *column;             /* p: which of them each column is; NULL: the same */
	const struct kith_places *place;  /* of the rows of the table; NULL: not known */
	const size_t *row; /* n: which row of the table each row is; NULL: the same */
	bool scaled;       /* the features are those of the table, scaled (table/unit.h) */
};

/* The name of column j. */
static inline const char *
kith_origin_feature(const struct kith_origin *from, size_t j)
{
	return from->feature->name[from->column ? from->column[j] : j];
}

/* Lets err name the file and line of row i of the matrix, as far as they are known. */
void kith_origin_blame(const struct kith_origin *from, size_t i, struct kith_err *err);

/*
 * Checks the range of X.  NaN stands for a missing cell and passes.  Fails with EX_DATAERR, naming
 * file, line and column of a number that is too large.  Time O(n p).
 */
int kith_range_check(
    const struct kith_mat *X, const struct kith_origin *from, struct kith_err *err);

#endif
