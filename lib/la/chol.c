/* SPDX-License-Identifier: BSD-2-Clause */
#include "la/chol.h"

#include "base/pool.h"
#include "la/simd.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct kith_chol
kith_chol_new(size_t most, struct kith_pool *pool)
{
	struct kith_chol chol = {.most = most, .ld = most / 8 * 8 + 8};

	chol.R = kith_new(pool, most, chol.ld * sizeof(*chol.R));
	KITH_NEW_REALS(pool, most, 1, &chol.pivot, &chol.inverse);
	chol.room = kith_new(pool, chol.ld, sizeof(*chol.room));
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

/*
 * Whole vectors of rows, of room and of x are used, from the one that holds the
 * first entry meant: what R has beside its triangle is 0.
 */

/* Rows that are solved at once: each number of x is read once for all of them. */
enum { FOUR = 4, TWO = 2 };

/*
 * Forward substitution for rows i .. i+rows-1 of a side, from which the rows before are subtracted
 * already; a receives their y.
 */
KITH_INLINE void
forward_few(const struct kith_chol *chol, size_t i, size_t rows, double *x, double a[FOUR])
{
	const double *R = chol->R + i * chol->ld + i;

	for (size_t q = 0; q < rows; q++) {
		a[q] = x[i + q];
		for (size_t r = 0; r < q; r++)
			a[q] -= a[r] * R[r * chol->ld + q];
		a[q] *= chol->inverse[i + q];
	}
}

/* Forward substitution for rows i .. i+3 of the sides; subtracts their y from the rows below. */
KITH_INLINE void
forward_fours(const struct kith_chol *chol, size_t sides, size_t i, double *x)
{
	const size_t ld = chol->ld;
	const double *R = chol->R + i * ld;
	double a[KITH_CHOL_SIDES][FOUR];

	for (size_t k = 0; k < sides; k++)
		forward_few(chol, i, FOUR, x + k * ld, a[k]);
	for (size_t j = kith_simd_whole(i + FOUR); j < chol->n; j += 8) {
#pragma GCC unroll 4
		for (size_t q = 0; q < FOUR; q++)
			__builtin_prefetch(R + (q + FOUR) * ld + j);
#pragma GCC unroll 3
		for (size_t k = 0; k < sides; k++) {
			kith_v8d v = *kith_simd_at(x, k * ld + j);

#pragma GCC unroll 4
			for (size_t q = 0; q < FOUR; q++)
				v -= a[k][q] * *kith_simd_at(R, q * ld + j);
			*(kith_v8d *)(x + k * ld + j) = v;
		}
	}
	for (size_t k = 0; k < sides; k++)
		memcpy(x + k * ld + i, a[k], sizeof(a[k]));
}

/*
 * Solves R' y = b for the sides in x, ld apart, which are 0 before row `first`.  The number of
 * sides is a constant, so that the compiler unrolls their loops.
 */
KITH_INLINE void
forward(const struct kith_chol *chol, size_t sides, size_t first, double *x)
{
	const size_t n = chol->n, last = n / FOUR * FOUR;
	double a[FOUR];

	for (size_t i = first / FOUR * FOUR; i < last; i += FOUR)
		forward_fours(chol, sides, i, x);
	for (size_t k = 0; k < sides && last < n; k++) {
		forward_few(chol, last, n - last, x + k * chol->ld, a);
		memcpy(x + k * chol->ld + last, a, (n - last) * sizeof(*a));
	}
}

/* Solves R x = y for one side. */
KITH_INLINE void
backward(const struct kith_chol *chol, double *x)
{
	const size_t n = chol->n, ld = chol->ld;

	for (size_t i = n; i-- > 0;) {
		const double *row = chol->R + i * ld;
		kith_v8d s = {0};

		for (size_t j = kith_simd_whole(i + 1); j < n; j += 8)
			s += *kith_simd_at(row, j) * *kith_simd_at(x, j);
		x[i] = (x[i] - kith_lanes_sum(&s)) * chol->inverse[i];
	}
}

/*
 * Backward substitution for rows i and i+1 of several sides: columns of later vectors first, then
 * those of the vector that holds the two rows.
 */
KITH_INLINE void
backward_twos(const struct kith_chol *chol, size_t sides, size_t i, double *x)
{
	const size_t n = chol->n, ld = chol->ld, next = kith_simd_whole(i) + 8;
	const double *R = chol->R + i * ld;
	kith_v8d s[KITH_CHOL_SIDES][TWO] = {{{0}}};

	for (size_t j = next; j < n; j += 8) {
#pragma GCC unroll 2
		for (size_t q = 1; q <= TWO && i >= TWO; q++)
			__builtin_prefetch(R - q * ld + j);
#pragma GCC unroll 3
		for (size_t k = 0; k < sides; k++) {
#pragma GCC unroll 2
			for (size_t q = 0; q < TWO; q++)
				s[k][q] += *kith_simd_at(R, q * ld + j) *
				    *kith_simd_at(x, k * ld + j);
		}
	}
#pragma GCC unroll 3
	for (size_t k = 0; k < sides; k++) {
#pragma GCC unroll 2
		for (size_t q = TWO; q-- > 0;) {
			double *y = x + k * ld, sum = kith_lanes_sum(&s[k][q]);

			for (size_t j = i + q + 1; j < next; j++)
				sum += R[q * ld + j] * y[j];
			y[i + q] = (y[i + q] - sum) * chol->inverse[i + q];
		}
	}
}

/* Solves R x = y by two rows at a time, after the last row where n is odd. */
KITH_INLINE void
backward_sides(const struct kith_chol *chol, size_t sides, double *x)
{
	const size_t n = chol->n;

	for (size_t k = 0; k < sides && n % TWO > 0; k++)
		x[k * chol->ld + n - 1] *= chol->inverse[n - 1];
	for (size_t i = n / TWO * TWO; i >= TWO; i -= TWO)
		backward_twos(chol, sides, i - TWO, x);
}

KITH_INLINE void
solve(const struct kith_chol *chol, size_t sides, double *x)
{
	forward(chol, sides, 0, x);
	backward_sides(chol, sides, x);
}

KITH_CLONES static void
chol_solve_sides(const struct kith_chol *chol, size_t sides, double *x)
{
	assert(1 <= sides && sides <= KITH_CHOL_SIDES);
	for (size_t k = 0; k < sides; k++)
		for (size_t j = chol->n; j < chol->ld; j++)
			x[k * chol->ld + j] = 0;
	if (sides == 1)
		solve(chol, 1, x);
	else if (sides == 2)
		solve(chol, 2, x);
	else
		solve(chol, 3, x);
}

void
kith_chol_solve_sides(const struct kith_chol *chol, size_t sides, double *x)
{
	chol_solve_sides(chol, sides, x);
}

KITH_CLONES static void
chol_unit(const struct kith_chol *chol, size_t i, double *x)
{
	assert(i < chol->n);
	memset(x, 0, chol->ld * sizeof(*x));
	x[i] = 1;
	forward(chol, 1, i, x);
	backward_sides(chol, 1, x);
}

void
kith_chol_unit(const struct kith_chol *chol, size_t i, double *x)
{
	chol_unit(chol, i, x);
}

/* Copies n numbers to room, and zeros up to a whole vector. */
static void
fill_room(struct kith_chol *chol, const double *x)
{
	for (size_t j = kith_simd_whole(chol->n); j < chol->n + 8 && j < chol->ld; j++)
		chol->room[j] = 0;
	memcpy(chol->room, x, chol->n * sizeof(*x));
}

KITH_CLONES static void
chol_solve(struct kith_chol *chol, double *x)
{
	fill_room(chol, x);
	forward(chol, 1, 0, chol->room);
	backward(chol, chol->room);
	memcpy(x, chol->room, chol->n * sizeof(*x));
}

void
kith_chol_solve(struct kith_chol *chol, double *x)
{
	chol_solve(chol, x);
}

KITH_CLONES static double
chol_forward_room(struct kith_chol *chol)
{
	kith_v8d s = {0};

	forward(chol, 1, 0, chol->room);
	for (size_t j = 0; j < chol->n; j += 8)
		s += *kith_simd_at(chol->room, j) * *kith_simd_at(chol->room, j);
	return kith_lanes_sum(&s);
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
	double rest = diagonal;

	assert(n < chol->most);
	if (n > 0) { /* else there is no a */
		fill_room(chol, a);
		rest -= chol_forward_room(chol);
	}
	if (!(rest > least * diagonal))
		return false;
	for (size_t i = 0; i < n; i++)
		chol->R[i * chol->ld + n] = chol->room[i];
	set_pivot(chol, n, sqrt(rest));
	chol->n = n + 1;
	return true;
}

/* Deletes column i of the first rows. */
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
 * Without column i the rows from i on are as below, u being row i.  A Givens rotation of each
 * row p and u moves the pivot p to the first entry of u.
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

/* ---- kith_chol_factor() ---- */

/*
 * Rows of A become rows of R by blocks of BLOCK rows, rows k .. end-1:
 *
 *  1. chol_factor_panel(): rows i of the block, R_ij = (A_ij - sum_r R_ri R_rj) / R_ii.
 *  2. chol_factor_trail(): A_ij -= sum_r R_ri R_rj for the rows i below, r in the block.
 *
 * The terms of each entry are subtracted in the order of r, as by kith_chol_append().  Until a row
 * is in its panel, its diagonal stands in R.
 */
enum { BLOCK = 64 };

struct factoring {
	struct kith_chol *chol;
	size_t n; /* rows and columns */
	double least;
	double *packed; /* BLOCK x FOUR for each four rows below */
};

/* row_i -= sum_r R_ri row_r for the rows r of the block before row i. */
KITH_INLINE void
reduce_row(const struct factoring *f, size_t k, size_t i)
{
	const size_t ld = f->chol->ld;
	const double *R = f->chol->R + k * ld;
	double *row = f->chol->R + i * ld;

	for (size_t j = kith_simd_whole(i); j < f->n; j += 8) {
		kith_v8d v = *kith_simd_at(row, j);

		for (size_t r = 0; r < i - k; r++)
			v -= R[r * ld + i] * *kith_simd_at(R + r * ld, j);
		*(kith_v8d *)(row + j) = v;
	}
}

/* Step 1; returns the row whose pivot is too small, or the end of the block. */
KITH_CLONES static size_t
chol_factor_panel(const struct factoring *f, size_t k, size_t end)
{
	struct kith_chol *chol = f->chol;

	for (size_t i = k; i < end; i++) {
		double *row = chol->R + i * chol->ld;

		reduce_row(f, k, i);
		if (!(row[i] > f->least * chol->pivot[i]))
			return i;
		set_pivot(chol, i, sqrt(row[i]));
		for (size_t j = kith_simd_whole(i); j <= i; j++)
			row[j] = 0;
		for (size_t j = kith_simd_whole(i); j < f->n; j += 8)
			*(kith_v8d *)(row + j) *= chol->inverse[i];
	}
	return end;
}

/* Copies R_ri of each four rows i below the block side by side. */
static void
pack(const struct factoring *f, size_t k, size_t end)
{
	const size_t ld = f->chol->ld;

	for (size_t i = end; i < f->n; i += FOUR)
		for (size_t r = k; r < end; r++) {
			const double *from = f->chol->R + r * ld + i;
			double *to = f->packed + ((i - end) * BLOCK + (r - k) * FOUR);

			memcpy(to, from, FOUR * sizeof(*to));
		}
}

/* Rows i .. i+3 of the columns j .. j+7; V has those of the block. */
KITH_INLINE void
tile(const double *P, const kith_v8d *V, size_t rows, double *const A[FOUR])
{
	kith_v8d s[FOUR];

#pragma GCC unroll 4
	for (size_t q = 0; q < FOUR; q++)
		s[q] = *(kith_v8d *)A[q];
	for (size_t r = 0; r < rows; r++) {
#pragma GCC unroll 4
		for (size_t q = 0; q < FOUR; q++)
			s[q] -= P[r * FOUR + q] * V[r];
	}
#pragma GCC unroll 4
	for (size_t q = 0; q < FOUR; q++)
		*(kith_v8d *)A[q] = s[q];
}

/* Step 2; rows from n on do not count, and go to room. */
KITH_CLONES static void
chol_factor_trail(const struct factoring *f, size_t k, size_t end)
{
	struct kith_chol *chol = f->chol;
	const size_t ld = chol->ld, first = kith_simd_whole(end);
	kith_v8d V[BLOCK];

	for (size_t j = first; j < f->n; j += 8) {
		for (size_t r = k; r < end; r++)
			V[r - k] = *kith_simd_at(chol->R + r * ld, j);
		for (size_t i = end; i < f->n && i < j + 8; i += FOUR) {
			double *A[FOUR];

			for (size_t q = 0; q < FOUR; q++)
				A[q] = i + q < f->n ? chol->R + (i + q) * ld + j : chol->room;
			tile(f->packed + (i - end) * BLOCK, V, end - k, A);
		}
	}
}

/*
 * Copies rows and columns of A into R, and factors them by blocks, up to the first row whose pivot
 * is too small.  Returns that row: the rows before it have all columns, the others are 0.
 */
static size_t
factor_blocks(
    struct kith_chol *chol, const double *A, size_t ld, const size_t *index, size_t n, double least)
{
	struct kith_pool tmp = {0};
	struct factoring f = {chol, n, least, NULL};
	size_t end = 0, stop = 0;

	f.packed = kith_new(&tmp, n + FOUR, BLOCK * sizeof(*f.packed));
	for (size_t i = 0; i < n; i++) {
		const double *from = A + index[i] * ld;
		double *row = chol->R + i * chol->ld;

		for (size_t j = i; j < n; j++)
			row[j] = from[index[j]];
		chol->pivot[i] = row[i];
	}
	for (size_t k = 0; k < n && stop == end; k += BLOCK) {
		end = k + BLOCK < n ? k + BLOCK : n;
		stop = chol_factor_panel(&f, k, end);
		if (stop < end)
			break;
		pack(&f, k, end);
		chol_factor_trail(&f, k, end);
	}
	for (size_t i = stop; i < n; i++)
		memset(chol->R + i * chol->ld, 0, chol->ld * sizeof(*chol->R));
	kith_pool_free(&tmp);
	return stop;
}

/*
 * room holds row n of A; subtracts the products with the rows before: room[n] becomes the square of
 * the pivot.
 */
KITH_CLONES static void
chol_factor_room(struct kith_chol *chol, size_t n, size_t to)
{
	const double *R = chol->R;
	const size_t ld = chol->ld;

	for (size_t j = kith_simd_whole(n); j < to; j += 8) {
		kith_v8d v = *kith_simd_at(chol->room, j);

		for (size_t i = 0; i < n; i++)
			v -= R[i * ld + n] * *kith_simd_at(R + i * ld, j);
		*(kith_v8d *)(chol->room + j) = v;
	}
}

/* Makes row `held` of R; false where its pivot is too small. */
static bool
factor_row(struct kith_chol *chol, const double *from, const size_t *index, size_t held, size_t n,
    double least)
{
	double *row = chol->R + held * chol->ld, rest;

	memset(chol->room + kith_simd_whole(held), 0,
	    (chol->ld - kith_simd_whole(held)) * sizeof(*row));
	for (size_t j = held; j < n; j++)
		chol->room[j] = from[index[j]];
	chol_factor_room(chol, held, n);
	rest = chol->room[held];
	if (!(rest > least * from[index[held]]))
		return false;
	set_pivot(chol, held, sqrt(rest));
	for (size_t j = held + 1; j < n; j++)
		row[j] = chol->room[j] * chol->inverse[held];
	return true;
}

size_t
kith_chol_factor(
    struct kith_chol *chol, const double *A, size_t ld, size_t *index, size_t n, double least)
{
	size_t held = 0;

	assert(n <= chol->most);
	kith_chol_clear(chol);
	if (n >= BLOCK)
		held = factor_blocks(chol, A, ld, index, n, least);
	while (held < n) {
		if (factor_row(chol, A + index[held] * ld, index, held, n, least)) {
			held++;
			continue;
		}
		drop_column(chol, held, held, n);
		n--;
		memmove(index + held, index + held + 1, (n - held) * sizeof(*index));
	}
	chol->n = n;
	return n;
}
