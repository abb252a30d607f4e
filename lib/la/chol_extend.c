/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows of A become rows of R by blocks of BLOCK rows; those from k on, with
 * the columns from `from` on that are new:
 *
 *  1. chol_extend_panel(): rows i of the block, R_ij = (A_ij - sum_r R_ri R_rj) / R_ii.
 *  2. chol_extend_trail(): A_ij -= sum_r R_ri R_rj for the rows i below, r in the block.
 *
 * Each entry has its terms taken off in the order of r, as in the other
 * functions.  Until a row is in its panel, its diagonal stands in R.
 */
#include "la/chol_extend.h"

#include "base/pool.h"
#include "la/chol.h"
#include "la/simd.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 64, FOUR = 4 };

struct extension {
	struct kith_chol *chol;
	size_t from, n; /* the new columns, from .. n-1 */
	double least;
	double *packed; /* BLOCK x FOUR for each four rows below */
};

/* The first column of row i that is worked on. */
KITH_INLINE size_t
first_column(const struct extension *ext, size_t i)
{
	return kith_simd_whole(i) > ext->from ? kith_simd_whole(i) : ext->from;
}

/* Row i -= R_ri row r for the rows of the block before it. */
KITH_INLINE void
reduce_row(const struct extension *ext, size_t k, size_t i)
{
	const size_t ld = ext->chol->ld;
	const double *R = ext->chol->R + k * ld;
	double *row = ext->chol->R + i * ld;

	for (size_t j = first_column(ext, i); j < ext->n; j += 8) {
		kith_v8d v = *kith_simd_at(row, j);

		for (size_t r = 0; r < i - k; r++)
			v -= R[r * ld + i] * *kith_simd_at(R + r * ld, j);
		*(kith_v8d *)(row + j) = v;
	}
}

/* Step 1; the row whose pivot is too small, or the end of the block. */
KITH_CLONES static size_t
chol_extend_panel(const struct extension *ext, size_t k, size_t end)
{
	struct kith_chol *chol = ext->chol;

	for (size_t i = k; i < end; i++) {
		double *row = chol->R + i * chol->ld;

		reduce_row(ext, k, i);
		if (i >= ext->from) {
			if (!(row[i] > ext->least * chol->pivot[i]))
				return i;
			chol->pivot[i] = sqrt(row[i]);
			chol->inverse[i] = 1 / chol->pivot[i];
			for (size_t j = kith_simd_whole(i); j <= i; j++)
				row[j] = 0;
		}
		for (size_t j = first_column(ext, i); j < ext->n; j += 8)
			*(kith_v8d *)(row + j) *= chol->inverse[i];
	}
	return end;
}

/* R_ri for each four i below the block, side by side. */
static void
pack(const struct extension *ext, size_t k, size_t end)
{
	const size_t ld = ext->chol->ld;

	for (size_t i = end; i < ext->n; i += FOUR)
		for (size_t r = k; r < end; r++) {
			const double *from = ext->chol->R + r * ld + i;
			double *to = ext->packed + ((i - end) * BLOCK + (r - k) * FOUR);

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
chol_extend_trail(const struct extension *ext, size_t k, size_t end)
{
	struct kith_chol *chol = ext->chol;
	const size_t ld = chol->ld, first = first_column(ext, end);
	kith_v8d V[BLOCK];

	for (size_t j = first; j < ext->n; j += 8) {
		for (size_t r = k; r < end; r++)
			V[r - k] = *kith_simd_at(chol->R + r * ld, j);
		for (size_t i = end; i < ext->n && i < j + 8; i += FOUR) {
			double *A[FOUR];

			for (size_t q = 0; q < FOUR; q++)
				A[q] = i + q < ext->n ? chol->R + (i + q) * ld + j : chol->room;
			tile(ext->packed + (i - end) * BLOCK, V, end - k, A);
		}
	}
}

/*
 * Steps 1 and 2 for all blocks, up to the first row whose pivot is too small:
 * that row; those before it have all columns, those from it on are 0.
 */
static size_t
reduce_blocks(struct kith_chol *chol, size_t count, double least)
{
	struct kith_pool tmp = {0};
	struct extension ext = {chol, chol->n, chol->n + count, least, NULL};
	size_t end = 0, stop = 0;

	ext.packed = kith_new(&tmp, ext.n + FOUR, BLOCK * sizeof(*ext.packed));
	for (size_t i = ext.from; i < ext.n; i++)
		chol->R[i * chol->ld + i] = chol->pivot[i];
	for (size_t k = 0; k < ext.n && stop == end; k += BLOCK) {
		end = k + BLOCK < ext.n ? k + BLOCK : ext.n;
		stop = chol_extend_panel(&ext, k, end);
		if (stop < end)
			break;
		pack(&ext, k, end);
		chol_extend_trail(&ext, k, end);
	}
	for (size_t i = stop; i < ext.n; i++)
		memset(chol->R + i * chol->ld, 0, chol->ld * sizeof(*chol->R));
	kith_pool_free(&tmp);
	return stop;
}

size_t
kith_chol_extend(struct kith_chol *chol, size_t count, double least)
{
	const size_t from = chol->n, to = from + count;

	assert(from % 8 == 0 && to <= chol->most);
	chol->n = reduce_blocks(chol, count, least);
	for (size_t i = 0; i < chol->n && chol->n < to; i++)
		memset(chol->R + i * chol->ld + chol->n, 0, (to - chol->n) * sizeof(*chol->R));
	return chol->n - from;
}

/* Put rows and columns of A into R, and factor them by blocks. */
static size_t
factor_blocks(
    struct kith_chol *chol, const double *A, size_t ld, const size_t *index, size_t n, double least)
{
	for (size_t i = 0; i < n; i++) {
		const double *from = A + index[i] * ld;
		double *row = chol->R + i * chol->ld;

		for (size_t j = i + 1; j < n; j++)
			row[j] = from[index[j]];
		chol->pivot[i] = from[index[i]];
	}
	return reduce_blocks(chol, n, least);
}

/*
 * room is row n of A; take off what the rows before explain: room[n] is then
 * the square of the pivot.
 */
KITH_CLONES static void
chol_extend_reduce_room(struct kith_chol *chol, size_t n, size_t to)
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

/* Take column i out of the rows before it. */
static void
drop_before(struct kith_chol *chol, size_t i, size_t n)
{
	for (size_t r = 0; r < i; r++) {
		double *row = chol->R + r * chol->ld;

		memmove(row + i, row + i + 1, (n - i - 1) * sizeof(*row));
		row[n - 1] = 0;
	}
}

/* Row `held` of A, into R; false where its pivot is too small. */
static bool
factor_row(struct kith_chol *chol, const double *from, const size_t *index, size_t held, size_t n,
    double least)
{
	double *row = chol->R + held * chol->ld, rest;

	memset(chol->room + kith_simd_whole(held), 0,
	    (chol->ld - kith_simd_whole(held)) * sizeof(*row));
	for (size_t j = held; j < n; j++)
		chol->room[j] = from[index[j]];
	chol_extend_reduce_room(chol, held, n);
	rest = chol->room[held];
	if (!(rest > least * from[index[held]]))
		return false;
	chol->pivot[held] = sqrt(rest);
	chol->inverse[held] = 1 / chol->pivot[held];
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
		drop_before(chol, held, n);
		n--;
		memmove(index + held, index + held + 1, (n - held) * sizeof(*index));
	}
	chol->n = n;
	return n;
}
