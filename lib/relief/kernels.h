/* SPDX-License-Identifier: BSD-2-Clause */
/* relief/kernels - private to this room: the inner loops, compiled for each instruction set. */
#ifndef KITH_RELIEF_KERNELS_H
#define KITH_RELIEF_KERNELS_H

#include "la/level.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Rows of a tile: n rows of p columns are stored as ceil(n / RELIEF_TILE) tiles; cell (i, a) is
 * number (i / RELIEF_TILE * p + a) * RELIEF_TILE + i % RELIEF_TILE.  A multiple of 32; larger tiles
 * waste more on tables of few rows.
 */
enum { RELIEF_TILE = 32 };

/* The functions that are compiled for each instruction set (relief/kernels.kernel.c). */
struct kith_relief_kernels {
	/*
	 * d_j = sum_a w_a |z_ja - x_a|, or with `squares` sum_a (w_a |z_ja - x_a|)^2, for the
	 * RELIEF_TILE rows z_j of a tile.  In columns of texts (text[a]) a difference other than 0
	 * counts as 1.  Columns with skip[a] are left out.
	 */
	void (*distances)(size_t p, const double *w, const bool *text, const bool *skip,
	    bool squares, const double *x, const double *tile, double *d);

	/* sum_a += f_j |x_a - z_ja| for n <= RELIEF_TILE rows z_j (n x p), one after the other. */
	void (*add_rows)(
	    size_t p, const double *x, const double *z, size_t n, const double *f, double *sum);

	/* e_j = b_j - e_j for n numbers; returns the largest new e_j. */
	double (*exponents)(size_t n, const double *b, double *e);

	/*
	 * With D_l = z_i - z_at[l]: M_i += sum_l G_l D_l and M_at[l] -= G_l D_l, for k rows at[l],
	 * none of which is i.  Z and M have rows of ld numbers, a multiple of 8.
	 */
	void (*add_gradient)(size_t ld, size_t i, size_t k, const size_t *at, const double *G,
	    const double *Z, double *M);
};

KITH_KERNELS(kith_relief_kernels)

#endif
