/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/turn_exps.h"

#include "base/par.h"
#include "la/blas.h"
#include "near/by_class.h"
#include "relief/turned.h"

enum {
	BLOCK = KITH_RELIEF_BLOCK,
	TILE = 8 /* rows and columns that are turned in one go */
};

/* The exponents of the rows from..from+m-1 with the rows first..n-1. */
static void
multiply(const struct kith_relief_turn *turn,
    const struct kith_relief_turn_room *in, size_t from, size_t m, size_t first,
    double *E)
{
	const size_t n = turn->s->X.n, r = turn->r, room = turn->room;
	const double *Z = turn->Z + from * room;

	for (size_t q = 0; q < m; q++) {
		for (size_t a = 0; a < r; a++)
			in->B[q * room + a] = 2 * Z[q * room + a];
		in->B[q * room + r] = -1;
	}
	kith_blas_rows(m, n - first, r + 1, in->B, room, turn->Z + first * room,
	    room, E + first, n);
}

/*
 * Half of all exponents, those of each block with the rows from its first on;
 * the others are e_ij = e_ji + |z_i|^2 - |z_j|^2.
 */
static void
multiply_half(void *to, size_t block, size_t thread)
{
	const struct kith_relief_turn *turn = to;
	const size_t n = turn->s->X.n, from = block * BLOCK, left = n - from;

	multiply(turn, &turn->each[thread], from, left < BLOCK ? left : BLOCK,
	    from, turn->E + from * n);
}

/* m rows from i on, of TILE columns from j on. */
static void
turn_tile(const struct kith_relief_turn *turn, size_t i, size_t m, size_t j)
{
	const size_t n = turn->s->X.n, r = turn->r, room = turn->room;
	const double *zi = turn->Z + i * room + r, *zj = turn->Z + j * room + r;

	for (size_t q = 0; q < m; q++)
		for (size_t l = 0; l < TILE; l++)
			turn->E[(i + q) * n + j +
			    l] = turn->E[(j + l) * n + i + q] + zi[q * room] -
			    zj[l * room];
}

static void
turn_half(void *to, size_t block, size_t thread)
{
	const struct kith_relief_turn *turn = to;
	const size_t n = turn->s->X.n, from = block * BLOCK;
	const size_t end = n - from < BLOCK ? n : from + BLOCK;

	(void)thread;
	for (size_t i = from; i < end; i += TILE)
		for (size_t j = 0; j < from; j += TILE)
			turn_tile(turn, i, end - i < TILE ? end - i : TILE, j);
}

void
kith_relief_turn_exps(const struct kith_relief_turn *turn,
    const struct kith_relief_turn_room *in, size_t from, size_t m, double *E)
{
	multiply(turn, in, from, m, 0, E);
}

void
kith_relief_turn_exps_all(struct kith_relief_turn *turn)
{
	const size_t n = turn->s->X.n, blocks = (n + BLOCK - 1) / BLOCK;

	kith_par(turn->threads, blocks, multiply_half, turn);
	kith_par(turn->threads, blocks, turn_half, turn);
}
