/* SPDX-License-Identifier: BSD-2-Clause */
#include "la/chol.h"

#include "base/pool.h"
#include "la/kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct kith_chol
kith_chol_new(size_t most, struct kith_pool *pool)
{
	struct kith_chol chol = {.most = most, .ld = most / 8 * 8 + 8};

	chol.R = kith_new(pool, chol.ld, chol.ld * sizeof(*chol.R));
	KITH_NEW_REALS(pool, chol.ld, 1, &chol.pivot, &chol.inverse, &chol.room);
	return chol;
}

struct kith_chol
kith_chol_wider(const struct kith_chol *chol, size_t most, struct kith_pool *pool)
{
	struct kith_chol wider = kith_chol_new(most, pool);
	const size_t n = wider.n = chol->n, len = n * sizeof(*chol->R);

	assert(n <= most);
	for (size_t i = 0; i < n; i++)
		memcpy(wider.R + i * wider.ld, chol->R + i * chol->ld, len);
	if (n > 0) {
		memcpy(wider.pivot, chol->pivot, len);
		memcpy(wider.inverse, chol->inverse, len);
	}
	return wider;
}

void
kith_chol_clear(struct kith_chol *chol)
{
	for (size_t i = 0; i < chol->n; i++)
		memset(chol->R + i * chol->ld, 0, chol->n * sizeof(*chol->R));
	chol->n = 0;
}

/* Puts 0 behind the n numbers of x, up to a whole eight. */
static void
fill_eight(const struct kith_chol *chol, double *x)
{
	for (size_t j = chol->n; j < kith_chol_whole(chol->n) + 8; j++)
		x[j] = 0;
}

void
kith_chol_solve_sides(const struct kith_chol *chol, size_t sides, double *x)
{
	assert(1 <= sides && sides <= KITH_CHOL_SIDES);
	for (size_t k = 0; k < sides; k++)
		fill_eight(chol, x + k * chol->ld);
	kith_chol_kernels_at_level()->solve(chol, sides, 0, x);
}

void
kith_chol_solve(struct kith_chol *chol, double *x)
{
	memcpy(chol->room, x, chol->n * sizeof(*x));
	kith_chol_solve_sides(chol, 1, chol->room);
	memcpy(x, chol->room, chol->n * sizeof(*x));
}

void
kith_chol_unit(const struct kith_chol *chol, size_t i, double *x)
{
	assert(i < chol->n);
	memset(x, 0, chol->ld * sizeof(*x));
	x[i] = 1;
	kith_chol_kernels_at_level()->solve(chol, 1, i, x);
}

static void
set_pivot(struct kith_chol *chol, size_t i, double pivot)
{
	chol->pivot[i] = pivot;
	chol->inverse[i] = 1 / pivot;
}

bool
kith_chol_append(struct kith_chol *chol, const double *a, double diagonal, double least)
{
	const size_t n = chol->n;
	double *y = chol->room, rest = diagonal;

	assert(n < chol->most);
	if (n > 0) { /* else there is no a */
		memcpy(y, a, n * sizeof(*a));
		fill_eight(chol, y);
		kith_chol_kernels_at_level()->forward(chol, y);
		rest -= kith_dot(n, y, y);
	}
	if (!(rest > least * diagonal))
		return false;
	for (size_t i = 0; i < n; i++)
		chol->R[i * chol->ld + n] = chol->room[i];
	set_pivot(chol, n, sqrt(rest));
	chol->n = n + 1;
	return true;
}

/* Take column i out of the rows before it. */
static void
drop_column(struct kith_chol *chol, size_t rows, size_t i, size_t n)
{
	for (size_t r = 0; r < rows; r++) {
		double *row = chol->R + r * chol->ld;

		memmove(row + i, row + i + 1, (n - i - 1) * sizeof(*row));
		row[n - 1] = 0;
	}
}

/*
 * Without column i the rows from i on are as below, u being row i; each row
 * is turned with u so that its pivot goes into u's first entry.
 *
 *	u  u  u
 *	p  *  *
 *	0  p  *
 */
void
kith_chol_delete(struct kith_chol *chol, size_t i)
{
	const size_t n = chol->n;
	double *u = chol->room;

	assert(i < n);
	drop_column(chol, i + 1, i, n);
	memcpy(u, chol->R + i * chol->ld, n * sizeof(*u));
	for (size_t k = i; k + 1 < n; k++) {
		double *row = chol->R + k * chol->ld;
		const double *next = row + chol->ld;
		const double p = chol->pivot[k + 1], r = hypot(u[k], p);
		const double c = u[k] / r, s = p / r;

		set_pivot(chol, k, r);
		row[k] = 0;
		for (size_t j = k + 1; j + 1 < n; j++) {
			row[j] = c * u[j] + s * next[j + 1];
			u[j] = c * next[j + 1] - s * u[j];
		}
		row[n - 1] = 0;
	}
	memset(chol->R + (n - 1) * chol->ld, 0, n * sizeof(*u));
	chol->n = n - 1;
}

/* Takes row and column i out of A, n x n, whose rows before i are rows of the factor. */
static void
leave_out(struct kith_chol *chol, size_t i, size_t n)
{
	drop_column(chol, i, i, n);
	for (size_t r = i; r + 1 < n; r++) {
		double *row = chol->R + r * chol->ld;

		memcpy(row + r, row + chol->ld + r + 1, (n - r - 1) * sizeof(*row));
		row[n - 1] = 0;
		chol->pivot[r] = chol->pivot[r + 1];
	}
	memset(chol->R + (n - 1) * chol->ld, 0, n * sizeof(*chol->R));
}

size_t
kith_chol_factor(
    struct kith_chol *chol, const double *A, size_t ld, size_t *index, size_t n, double least)
{
	const struct kith_chol_kernels *kernel = kith_chol_kernels_at_level();

	assert(n <= chol->most);
	kith_chol_clear(chol);
	for (size_t i = 0; i < n; i++) {
		const double *from = A + index[i] * ld;
		double *row = chol->R + i * chol->ld;

		for (size_t j = i; j < n; j++)
			row[j] = from[index[j]];
		chol->pivot[i] = row[i];
	}
	for (size_t k = 0, i = 0; k < n; k = i) {
		size_t end = k + KITH_CHOL_BLOCK < n ? k + KITH_CHOL_BLOCK : n;

		while ((i = kernel->panel(chol, n, k, i, end, least)) < end) {
			leave_out(chol, i, n);
			n--;
			memmove(index + i, index + i + 1, (n - i) * sizeof(*index));
			end = end < n ? end : n;
		}
		kernel->reduce(chol, n, k, end);
	}
	chol->n = n;
	return n;
}
