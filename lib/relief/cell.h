/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/cell - how much two cells of a column differ, numbers, texts, and what
 * is missing, and the nearest rows by the sum of that (for relief/relieff.c).
 */
#ifndef KITH_RELIEF_CELL_H
#define KITH_RELIEF_CELL_H

#include "near/by_class.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

struct kith_relief_cells {
	struct kith_by_class s; /* each column scaled by a power of two */
	const bool *text;       /* p: these columns are texts */
	double *least, *factor; /* p: least number, 1 / range */
	/*
	 * p, or NULL: weights of |D|, or of D^2 for squares, in place of factor
	 * or its square, that make the sums exact.
	 */
	const double *exact;
	bool raw;    /* differences are |D|, not divided by the range */
	bool mixed;  /* some are texts, or missing */
	bool *holes; /* p: some cell of the column is missing */
	/*
	 * p x c, NULL for a class with no missing cell in the column: for each
	 * row, by its place, what its cell differs from a missing one of the
	 * class.
	 */
	double **expected;
	double *column; /* p x n: the columns, where mixed */
};

/* The difference, 0 to 1 unless raw, of the rows at places i and j in column a. */
static inline double
kith_relief_diff(
    const struct kith_relief_cells *in, size_t i, size_t j, size_t a)
{
	const struct kith_by_class *s = &in->s;
	const double x = kith_row(&s->X, i)[a], z = kith_row(&s->X, j)[a];

	if (isnan(x))
		return in->expected[a * s->c + s->y[i]][j];
	if (isnan(z))
		return in->expected[a * s->c + s->y[j]][i];
	return in->text[a] ? x != z : fabs(x - z) * in->factor[a];
}

/*
 * Fill in what follows from the rows, which are sorted, from text and exact;
 * all in the pool.  Each column has two values at least.
 */
void kith_relief_cells_fit(
    struct kith_relief_cells *in, struct kith_pool *pool);

/*
 * Where they are mixed: d = distances of the row at place i to those from..to-1.
 */
void kith_relief_cells_from(const struct kith_relief_cells *in, bool squares,
    size_t i, size_t from, size_t to, double *d);

/* Like kith_by_class_near(), by the sum of differences or of their squares. */
void kith_relief_cells_near(const struct kith_relief_cells *in, bool squares,
    size_t b, size_t k, size_t threads, struct kith_neighbour *nn);

#endif
