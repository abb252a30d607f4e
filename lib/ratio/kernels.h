/* SPDX-License-Identifier: BSD-2-Clause */
/* ratio/kernels - private to this room: inner loops, compiled for each instruction set. */
#ifndef KITH_RATIO_KERNELS_H
#define KITH_RATIO_KERNELS_H

#include "la/level.h"

#include <stddef.h>

/*
 * A pair of rows of tables of n and m: u = phi(x), v = phi(z), U = G^-1 u, V = G^-1 v, g = G^-1 h.
 */
struct kith_ratio_pair {
	double n, m;
	const double *u, *v, *U, *V, *g;
};

/*
 * The functions that are compiled for each instruction set (ratio/kernels.kernel.c).  Rows have ld
 * numbers, a multiple of 8, of which those from b on are 0.
 */
struct kith_ratio_kernels {
	/* Adds phi'phi of four rows phi to the b rows of H, from the diagonal on. */
	void (*add_products)(size_t b, size_t ld, const double *phi, double *H);

	/* out = phi S, for rows phi, a multiple of 4; S has b rows. */
	void (*multiply)(
	    size_t rows, size_t b, size_t ld, const double *phi, const double *S, double *out);

	/* The score of a pair (ratio/ratio.h); NaN where rounding has left none. */
	double (*score)(size_t ld, const struct kith_ratio_pair *p);
};

KITH_KERNELS(kith_ratio_kernels)

#endif
