/* SPDX-License-Identifier: BSD-2-Clause */
/* solve/kernels - private to this room: inner loops, compiled for each instruction set. */
#ifndef KITH_SOLVE_KERNELS_H
#define KITH_SOLVE_KERNELS_H

#include "la/level.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_sparse;

/*
 * The functions that are compiled for each instruction set (solve/kernels.kernel.c).  Rows of A and
 * vectors have ld numbers, a multiple of 8.
 */
struct kith_solve_kernels {
	/* g = A t - b, where t is 0 but for the n entries P. */
	void (*gradient)(size_t n, const size_t *P, size_t ld, const double *A, const double *b,
	    const double *t, double *g);

	/* Minimises t'A t / 2 - b't along one t_j >= 0 after the other, but for copies; keeps
	   g = A t - b. */
	void (*descend)(
	    size_t n, size_t ld, const double *A, const bool *copy, double *t, double *g);

	/* Rows first .. end - 1 of Y = A X, for n x c matrices X and Y stored by rows. */
	void (*multiply)(const struct kith_sparse *A, size_t first, size_t end, size_t c,
	    const double *X, double *Y);

	/* Z = (L L')^-1 R for L of kith_ic_new(); n x c matrices Z and R stored by rows. */
	void (*ic_solve)(const struct kith_sparse *L, size_t c, const double *R, double *Z);
};

KITH_KERNELS(kith_solve_kernels)

#endif
