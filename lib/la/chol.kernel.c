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
	BLOCK = KITH_CHOL_BLOCK
};

/*
 * Solves R' y = b for the sides in x, ld apart, which are 0 before row `first`: y of FOUR rows, with
 * the rows before taken off, is taken off what follows.  Rows from n on are 0.
 */
KITH_ALWAYS void
forward_sides(const struct kith_chol *chol, size_t sides, size_t first, double *x)
{
	const size_t ld = chol->ld;
	double a[SIDES][FOUR];

	for (size_t i = first / FOUR * FOUR; i < chol->n; i += FOUR) {
		const double *R = chol->R + i * ld;

		for (size_t k = 0; k < sides; k++)
			for (size_t q = 0; q < FOUR; q++) {
				a[k][q] = x[k * ld + i + q];
				for (size_t r = 0; r < q; r++)
					a[k][q] -= a[k][r] * R[r * ld + i + q];
				a[k][q] *= chol->inverse[i + q];
			}
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
}

static void
forward(const struct kith_chol *chol, double *x)
{
	forward_sides(chol, 1, 0, x);
}

/* Adds sum_j R_qj x_kj, first <= j < n, of TWO rows q and the sides k, to s. */
KITH_ALWAYS void
multiply_sides(const double *R, size_t ld, size_t first, size_t n, size_t sides, const double *x,
    kith_vd s[SIDES][TWO][KITH_PARTS])
{
	for (size_t j = first; j < n; j += 8) {
		KITH_EACH_PART(h)
		{
			const size_t at = j + h * KITH_W;

#pragma GCC unroll 3
			for (size_t k = 0; k < sides; k++) {
				const kith_vd y = kith_vd_load(x + k * ld + at);

				s[k][0][h] += kith_vd_load(R + at) * y;
				s[k][1][h] += kith_vd_load(R + ld + at) * y;
			}
		}
	}
}

/*
 * Solves R x = y for the sides in x, ld apart, for TWO rows at a time: what stands in their eight
 * comes last.
 */
KITH_ALWAYS void
backward_sides(const struct kith_chol *chol, size_t sides, double *x)
{
	const size_t n = chol->n, ld = chol->ld;

	for (size_t end = (n + 1) / TWO * TWO; end > 0; end -= TWO) {
		const size_t i = end - TWO, next = kith_chol_whole(i) + 8;
		const double *R = chol->R + i * ld;
		kith_vd s[SIDES][TWO][KITH_PARTS] = {{{{0}}}};

		multiply_sides(R, ld, next, n, sides, x, s);
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
}

static void
solve(const struct kith_chol *chol, size_t sides, size_t first, double *x)
{
	if (sides == 1) {
		forward_sides(chol, 1, first, x);
		backward_sides(chol, 1, x);
	} else if (sides == 2) {
		forward_sides(chol, 2, first, x);
		backward_sides(chol, 2, x);
	} else {
		forward_sides(chol, 3, first, x);
		backward_sides(chol, 3, x);
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
	double *R = chol->R;

	for (; i < end; i++) {
		const size_t first = kith_chol_whole(i);
		double *row = R + i * ld;

		for (size_t j = first; j < n; j += 8) {
			kith_vd v[KITH_PARTS];

			KITH_EACH_PART(h)
			v[h] = kith_vd_load(row + j + h * KITH_W);
			for (size_t r = k; r < i; r++)
				KITH_EACH_PART(h)
			v[h] -= R[r * ld + i] * kith_vd_load(R + r * ld + j + h * KITH_W);
			KITH_EACH_PART(h)
			kith_vd_store(row + j + h * KITH_W, v[h]);
		}
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

/* Rows from n on, up to a whole FOUR, stay 0. */
static void
reduce(const struct kith_chol *chol, size_t n, size_t k, size_t end)
{
	const size_t ld = chol->ld;
	kith_vd V[BLOCK][KITH_TILE_VECTORS]; /* -R_rj: a tile is added to A */

	for (size_t j = kith_chol_whole(end); j < n; j += KITH_TILE_COLUMNS) {
		for (size_t r = k; r < end; r++)
			for (size_t h = 0; h < KITH_TILE_VECTORS; h++)
				V[r - k][h] = -kith_vd_load(chol->R + r * ld + j + h * KITH_W);
		for (size_t i = end; i < n && i < j + KITH_TILE_COLUMNS; i += KITH_TILE_ROWS)
			kith_vd_add_tile(end - k, chol->R + k * ld + i, 1, ld, (double *)V,
			    KITH_TILE_COLUMNS, chol->R + i * ld + j, ld);
	}
}

KITH_TABLE(kith_chol_kernels) = {
    .forward = forward,
    .solve = solve,
    .panel = panel,
    .reduce = reduce,
};
