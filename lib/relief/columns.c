/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/columns.h"

#include "base/pool.h"
#include "relief/cell.h"
#include "relief/problem.h"

#include <math.h>
#include <stdint.h>

#define MOST 0x1p53 /* whole numbers up to this are doubles */

/* A column of numbers, or of texts. */
struct column {
	double least, most; /* NaN left out */
	int e;              /* 2^-e scales its range to 1..2; 0 for texts */
	bool whole;         /* whole numbers, none of them missing */
};

static struct column
look_at(const struct kith_relief_rows *rows, size_t a)
{
	struct column c = {.whole = !rows->text[a]};

	kith_mat_range(&rows->X, a, &c.least, &c.most);
	for (size_t i = 0; i < rows->X.n; i++) {
		const double x = kith_row(&rows->X, i)[a];

		c.whole = c.whole && fabs(x) <= MOST && x == rint(x);
	}
	if (!rows->text[a])
		c.e = kith_range_exponent(c.least, c.most);
	return c;
}

static uint64_t
common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * Weights L / range, L the least common multiple of all ranges: for whole
 * numbers the sums are whole numbers then, and equal distances are equal.  NULL
 * where columns are no whole numbers, or sums would be too large.
 */
static const double *
exact_weights(
    const struct column *column, size_t p, bool squares, struct kith_pool *pool)
{
	double *w = kith_new(pool, p, sizeof(*w)), most;
	uint64_t L = 1;

	for (size_t a = 0; a < p; a++) {
		const uint64_t range = column[a].whole
		    ? (uint64_t)(column[a].most - column[a].least)
		    : 0;

		if (range == 0 || (double)L * (double)range > MOST)
			return NULL;
		L = L / common_divisor(L, range) * range;
	}
	most = (double)L * (squares ? (double)L : 1) * (double)p;
	if (most > MOST)
		return NULL;
	for (size_t a = 0; a < p; a++) {
		const double range = column[a].most - column[a].least;

		w[a] = ldexp((double)L / range, column[a].e);
		w[a] *= squares ? w[a] : 1;
	}
	return w;
}

/* A copy of X, each column of numbers scaled to a range of 1 to 2. */
static struct kith_mat
scale_columns(const struct kith_mat *X, const struct column *column,
    struct kith_pool *pool)
{
	const struct kith_mat Y = kith_mat_new(pool, X->n, X->p);

	for (size_t i = 0; i < X->n; i++)
		for (size_t a = 0; a < X->p; a++)
			kith_row(&Y, i)[a] = ldexp(
			    kith_row(X, i)[a], -column[a].e);
	return Y;
}

void
kith_relief_cells_new(const struct kith_relief_rows *rows, bool squares,
    const size_t *sample, size_t m, struct kith_relief_cells *cells,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t p = rows->X.p;
	struct column *column = kith_new(&tmp, p, sizeof(*column));
	struct kith_mat X;

	*cells = (struct kith_relief_cells){.text = rows->text};
	for (size_t a = 0; a < p; a++)
		column[a] = look_at(rows, a);
	X = scale_columns(&rows->X, column, &tmp);
	kith_by_class_sort(
	    &X, rows->y, rows->y ? rows->c : 1, sample, m, &cells->s, pool);
	cells->exact = exact_weights(column, p, squares, pool);
	kith_relief_cells_fit(cells, pool);
	kith_pool_free(&tmp);
}
