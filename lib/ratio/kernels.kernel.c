/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ratio/kernels - the inner loop of ratio, compiled for each instruction set (la/level.h).  Sums run
 * in one order: all levels give the same bits.
 */
#include "ratio/kernels.h"

#include "la/vector.h"

enum {
	FOUR = 4,
	VECTORS = KITH_PARTS > 1 ? 2 : 1, /* FOUR x VECTORS sums stay in registers */
	WIDE = VECTORS * KITH_W
};

/* FOUR rows of WIDE numbers of phi S. */
KITH_ALWAYS void
multiply_tile(size_t b, size_t ld, const double *phi, const double *S, double *out)
{
	kith_vd sum[FOUR][VECTORS] = {{{0}}};

	for (size_t l = 0; l < b; l++) {
#pragma GCC unroll 4
		for (size_t r = 0; r < FOUR; r++) {
#pragma GCC unroll 2
			for (size_t h = 0; h < VECTORS; h++)
				sum[r][h] += phi[r * ld + l] *
				    kith_vd_load(S + l * ld + h * KITH_W);
		}
	}
#pragma GCC unroll 4
	for (size_t r = 0; r < FOUR; r++) {
#pragma GCC unroll 2
		for (size_t h = 0; h < VECTORS; h++)
			kith_vd_store(out + r * ld + h * KITH_W, sum[r][h]);
	}
}

static void
multiply(size_t rows, size_t b, size_t ld, const double *phi, const double *S, double *out)
{
	for (size_t r = 0; r < rows; r += FOUR)
		for (size_t c = 0; c < ld; c += WIDE)
			multiply_tile(b, ld, phi + r * ld, S + c, out + r * ld + c);
}

KITH_TABLE(kith_ratio_kernels) = {.multiply = multiply};
