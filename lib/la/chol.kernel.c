/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * la/chol - the inner loops of la/chol.h, compiled for each instruction set (la/level.h).
 *
 * Rows of R, room and x are used by whole eights, from the one that holds the first entry meant:
 * what R has beside its triangle is 0.  Each entry has its terms taken off in the order of the
 * rows, and sums along a row run in eight lanes: all levels give the same bits.
 */
#include "la/chol.h"

#include "la/kernels.h"
#include "la/vector.h"

#include <math.h>
#include <string.h>

enum {
	FOUR = 4, /* rows that are worked on at once, which share what is read of x */
	TWO = 2,
	SIDES = KITH_CHOL_SIDES,
	BLOCK = KITH_CHOL_BLOCK,
	VECTORS = KITH_PARTS > 1 ? 2 : 1, /* FOUR x VECTORS sums stay in registers */
	WIDE = VECTORS * KITH_W
};

/* The y of rows i .. i+rows-1 of a side, where the rows before are taken off. */
KITH_ALWAYS void
forward_few(const struct kith_chol *chol, size_t i, size_t rows, const double *x, double a[FOUR])
{
	const double *R = chol->R + i * chol->ld + i;

	for (size_t q = 0; q < rows; q++) {
		a[q] = x[i + q];
		for (size_t r = 0; r < q; r++)
			a[q] -= a[r] * R[r * chol->ld + q];
		a[q] *= chol->inverse[i + q];
	}
}

/* Takes y of four rows off what follows; puts it in its place. */
KITH_ALWAYS void
forward_fours(const struct kith_chol *chol, size_t sides, size_t i, double *x)
{
	const size_t ld = chol->ld;
	const double *R = chol->R + i * ld;
	double a[SIDES][FOUR];

	for (size_t k = 0; k < sides; k++)
		forward_few(chol, i, FOUR, x + k * ld, a[k]);
	for (size_t j = kith_chol_whole(i + FOUR); j < chol->n; j += 8) {
#pragma GCC unroll 3
		for (size_t k = 0; k < sides; k++)
			KITH_EACH_PART(h)
			{
				const size_t at = j + h * KITH_W;
				kith_vd v = kith_vd_load(x + k * ld + at);

#pragma GCC unroll 4
				for (size_t q = 0; q < FOUR; q++)
					v -= a[k][q] * kith_vd_load(R + q * ld + at);
				kith_vd_store(x + k * ld + at, v);
			}
	}
	for (size_t k = 0; k < sides; k++)
		memcpy(x + k * ld + i, a[k], sizeof(a[k]));
}

/* Solves R' y = b for the sides in x, ld apart, which are 0 before row `first`. */
KITH_ALWAYS void
forward_sides(const struct kith_chol *chol, size_t sides, size_t first, double *x)
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

static void
forward(const struct kith_chol *chol, double *x)
{
	forward_sides(chol, 1, 0, x);
}

static void
backward(const struct kith_chol *chol, double *x)
{
	for (size_t i = chol->n; i-- > 0;) {
		const size_t j = kith_chol_whole(i + 1), n = j < chol->n ? chol->n - j : 0;
		const double sum = kith_vd_dot(n, chol->R + i * chol->ld + j, x + j);

		x[i] = (x[i] - sum) * chol->inverse[i];
	}
}

/* Rows i and i+1 of several sides: what stands in their eight comes last. */
KITH_ALWAYS void
backward_twos(const struct kith_chol *chol, size_t sides, size_t i, double *x)
{
	const size_t n = chol->n, ld = chol->ld, next = kith_chol_whole(i) + 8;
	const double *R = chol->R + i * ld;
	kith_vd s[SIDES][TWO][KITH_PARTS] = {{{{0}}}};

	for (size_t j = next; j < n; j += 8) {
		KITH_EACH_PART(h)
		{
			const size_t at = j + h * KITH_W;

#pragma GCC unroll 3
			for (size_t k = 0; k < sides; k++) {
#pragma GCC unroll 2
				for (size_t q = 0; q < TWO; q++)
					s[k][q][h] += kith_vd_load(R + q * ld + at) *
					    kith_vd_load(x + k * ld + at);
			}
		}
	}
#pragma GCC unroll 3
	for (size_t k = 0; k < sides; k++) {
#pragma GCC unroll 2
		for (size_t q = TWO; q-- > 0;) {
			double *y = x + k * ld, sum = kith_vd_sum_parts(s[k][q]);

			for (size_t j = i + q + 1; j < next; j++)
				sum += R[q * ld + j] * y[j];
			y[i + q] = (y[i + q] - sum) * chol->inverse[i + q];
		}
	}
}

/* solve() for a number of sides that is a constant; the last of an odd number of rows is alone. */
KITH_ALWAYS void
solve_sides(const struct kith_chol *chol, size_t sides, size_t first, double *x)
{
	const size_t n = chol->n;

	forward_sides(chol, sides, first, x);
	for (size_t k = 0; k < sides && n % TWO > 0; k++)
		x[k * chol->ld + n - 1] *= chol->inverse[n - 1];
	for (size_t i = n / TWO * TWO; i >= TWO; i -= TWO)
		backward_twos(chol, sides, i - TWO, x);
}

static void
solve(const struct kith_chol *chol, size_t sides, size_t first, double *x)
{
	if (sides == 1)
		solve_sides(chol, 1, first, x);
	else if (sides == 2)
		solve_sides(chol, 2, first, x);
	else
		solve_sides(chol, 3, first, x);
}

/* x_j -= sum_r R_ri R_rj over `rows` rows of R, for the columns j of the eights from `first` on. */
KITH_ALWAYS void
take_off(const double *R, size_t ld, size_t rows, size_t i, size_t first, size_t n, double *x)
{
	for (size_t j = first; j < n; j += 8) {
		kith_vd v[KITH_PARTS];

		KITH_EACH_PART(h)
		v[h] = kith_vd_load(x + j + h * KITH_W);
		for (size_t r = 0; r < rows; r++)
			KITH_EACH_PART(h)
		v[h] -= R[r * ld + i] * kith_vd_load(R + r * ld + j + h * KITH_W);
		KITH_EACH_PART(h)
		kith_vd_store(x + j + h * KITH_W, v[h]);
	}
}

/*
 * Rows of A become rows of R by blocks of BLOCK rows, k .. end-1 of n:
 *
 *  1. panel(): rows i of the block, R_ij = (A_ij - sum_r R_ri R_rj) / R_ii.
 *  2. reduce(): A_ij -= sum_r R_ri R_rj for the rows i below, r in the block.
 */
static size_t
panel(const struct kith_chol *chol, size_t n, size_t k, size_t i, size_t end, double least)
{
	const size_t ld = chol->ld;

	for (; i < end; i++) {
		const size_t first = kith_chol_whole(i);
		double *row = chol->R + i * ld;

		take_off(chol->R + k * ld, ld, i - k, i, first, n, row);
		if (!(row[i] > least * chol->pivot[i]))
			return i;
		chol->pivot[i] = sqrt(row[i]);
		chol->inverse[i] = 1 / chol->pivot[i];
		for (size_t j = first; j <= i; j++)
			row[j] = 0;
		for (size_t j = first; j < n; j += KITH_W)
			kith_vd_store(row + j, kith_vd_load(row + j) * chol->inverse[i]);
	}
	return end;
}

/* A[q] -= sum_r P_rq V_r for FOUR rows A[q] of WIDE numbers; rows of P are ld apart. */
KITH_ALWAYS void
reduce_tile(const double *P, size_t ld, kith_vd (*V)[VECTORS], size_t rows, double *const A[FOUR])
{
	kith_vd s[FOUR][VECTORS];

#pragma GCC unroll 4
	for (size_t q = 0; q < FOUR; q++) {
#pragma GCC unroll 2
		for (size_t h = 0; h < VECTORS; h++)
			s[q][h] = kith_vd_load(A[q] + h * KITH_W);
	}
	for (size_t r = 0; r < rows; r++) {
#pragma GCC unroll 4
		for (size_t q = 0; q < FOUR; q++) {
#pragma GCC unroll 2
			for (size_t h = 0; h < VECTORS; h++)
				s[q][h] -= P[r * ld + q] * V[r][h];
		}
	}
#pragma GCC unroll 4
	for (size_t q = 0; q < FOUR; q++) {
#pragma GCC unroll 2
		for (size_t h = 0; h < VECTORS; h++)
			kith_vd_store(A[q] + h * KITH_W, s[q][h]);
	}
}

/* Rows from n on do not count, and go to room. */
static void
reduce(const struct kith_chol *chol, size_t n, size_t k, size_t end)
{
	const size_t ld = chol->ld;
	kith_vd V[BLOCK][VECTORS];

	for (size_t j = kith_chol_whole(end); j < n; j += WIDE) {
		for (size_t r = k; r < end; r++)
			for (size_t h = 0; h < VECTORS; h++)
				V[r - k][h] = kith_vd_load(chol->R + r * ld + j + h * KITH_W);
		for (size_t i = end; i < n && i < j + WIDE; i += FOUR) {
			double *A[FOUR];

			for (size_t q = 0; q < FOUR; q++)
				A[q] = i + q < n ? chol->R + (i + q) * ld + j : chol->room;
			reduce_tile(chol->R + k * ld + i, ld, V, end - k, A);
		}
	}
}

KITH_TABLE(kith_chol_kernels) = {
    .forward = forward,
    .backward = backward,
    .solve = solve,
    .panel = panel,
    .reduce = reduce,
};
