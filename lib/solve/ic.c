/* SPDX-License-Identifier: BSD-2-Clause */
#include "solve/ic.h"

#include "base/pool.h"
#include "la/simd.h"
#include "solve/mmat.h"

#include <math.h>
#include <string.h>

struct kith_ic {
	size_t n;
	size_t *start;    /* n + 1: entries of each row left of the diagonal */
	uint32_t *column; /* increasing */
	double *x;        /* of L */
	double *inverse;  /* n: 1 / l_ii, or 0 where a node is out */

	/* That of kith_ic_append(). */
	struct kith_pool *pool;
	size_t room[5]; /* of start, column, x, inverse and row */
	double *row;    /* n: 0 */
};

/* Put the places and numbers of A's lower triangle into the factor. */
static void
copy(const struct kith_mmat *A, struct kith_ic *f)
{
	size_t n = 0;

	for (size_t i = 0; i < A->n; i++) {
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
			const uint32_t j = A->column[e];

			if (j >= i || A->out[i] || A->out[j])
				continue;
			f->column[n] = j;
			f->x[n++] = -A->w[e];
		}
		f->start[i + 1] = n;
	}
}

/*
 * l_ij = (a_ij - sum_{k < j} l_ik l_jk) / l_jj for the j of row i, the others
 * of the row being in `row`, and l_ii^2 = a_ii - sum_k l_ik^2, or a_ii where that
 * does not exceed least a_ii: false.
 */
static bool
factor_row(struct kith_ic *f, size_t i, double diagonal, double least, double *row)
{
	double pivot = diagonal;

	for (size_t e = f->start[i]; e < f->start[i + 1]; e++) {
		const size_t j = f->column[e];
		double x = f->x[e];

		for (size_t l = f->start[j]; l < f->start[j + 1]; l++)
			x -= f->x[l] * row[f->column[l]];
		x *= f->inverse[j];
		f->x[e] = row[j] = x;
		pivot -= x * x;
	}
	for (size_t e = f->start[i]; e < f->start[i + 1]; e++)
		row[f->column[e]] = 0;
	f->inverse[i] = 1 / sqrt(pivot > least * diagonal ? pivot : diagonal);
	return pivot > least * diagonal;
}

struct kith_ic *
kith_ic_new(const struct kith_mmat *A, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct kith_ic *f = kith_new(pool, 1, sizeof(*f));
	double *row = kith_new(&tmp, A->n, sizeof(*row));
	const size_t most = A->start[A->n] / 2;

	f->n = A->n;
	f->start = kith_new(pool, A->n + 1, sizeof(*f->start));
	f->column = kith_new(pool, most, sizeof(*f->column));
	f->x = kith_new(pool, most, sizeof(*f->x));
	f->inverse = kith_new(pool, A->n, sizeof(*f->inverse));
	copy(A, f);
	for (size_t i = 0; i < A->n; i++)
		if (!A->out[i])
			factor_row(f, i, A->diagonal[i], 0, row);
	kith_pool_free(&tmp);
	return f;
}

struct kith_ic *
kith_ic_begin(struct kith_pool *pool)
{
	struct kith_ic *f = kith_new(pool, 1, sizeof(*f));

	f->pool = pool;
	f->start = kith_more(pool, NULL, 0, &f->room[0], sizeof(*f->start));
	f->start[0] = 0;
	return f;
}

bool
kith_ic_append(struct kith_ic *f, double diagonal, const uint32_t *column, const double *x,
    size_t count, double least)
{
	const size_t i = f->n++, from = f->start[i], to = from + count;

	f->start = kith_more(f->pool, f->start, i + 1, &f->room[0], sizeof(*f->start));
	f->column = kith_more(f->pool, f->column, to, &f->room[1], sizeof(*f->column));
	f->x = kith_more(f->pool, f->x, to, &f->room[2], sizeof(*f->x));
	f->inverse = kith_more(f->pool, f->inverse, i, &f->room[3], sizeof(*f->inverse));
	f->row = kith_more(f->pool, f->row, i, &f->room[4], sizeof(*f->row));
	f->start[i + 1] = to;
	f->row[i] = 0;
	for (size_t e = 0; e < count; e++) {
		f->column[from + e] = column[e];
		f->x[from + e] = x[e];
	}
	return factor_row(f, i, diagonal, least, f->row);
}

KITH_CLONES static void
ic_solve(const struct kith_ic *ic, size_t c, const double *R, double *Z)
{
	memcpy(Z, R, ic->n * c * sizeof(*Z));
	for (size_t i = 0; i < ic->n; i++) {
		double *z = Z + i * c;

		for (size_t e = ic->start[i]; e < ic->start[i + 1]; e++) {
			const double *y = Z + ic->column[e] * c, l = ic->x[e];

			for (size_t k = 0; k < c; k++)
				z[k] -= l * y[k];
		}
		for (size_t k = 0; k < c; k++)
			z[k] *= ic->inverse[i];
	}
	for (size_t i = ic->n; i-- > 0;) {
		double *z = Z + i * c;

		for (size_t k = 0; k < c; k++)
			z[k] *= ic->inverse[i];
		for (size_t e = ic->start[i]; e < ic->start[i + 1]; e++) {
			double *y = Z + ic->column[e] * c;
			const double l = ic->x[e];

			for (size_t k = 0; k < c; k++)
				y[k] -= l * z[k];
		}
	}
}

void
kith_ic_solve(const struct kith_ic *ic, size_t c, const double *R, double *Z)
{
	ic_solve(ic, c, R, Z);
}
