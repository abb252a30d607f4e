/* SPDX-License-Identifier: BSD-2-Clause */
/* la/kernels - inner loops of rooms above la and of la/chol, compiled for each instruction set. */
#ifndef KITH_LA_KERNELS_H
#define KITH_LA_KERNELS_H

#include "la/level.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_chol;

/* The functions that are compiled for each instruction set (la/kernels.kernel.c). */
struct kith_la_kernels {
	/* s_i = sum_j (w_j z_j) x_ij for n rows x_i of X (n x p); w NULL: all ones.  Number j is
	   summed in lane j % 8; lanes are added as ((0+4)+(2+6)) + ((1+5)+(3+7)). */
	void (*products)(
	    size_t p, const double *w, const double *z, const double *X, size_t n, double *s);

	/* y_i = exp(a (x_i - shift)) for n numbers, as kith_vexp(). */
	void (*vexp)(size_t n, const double *x, double shift, double a, double *y);

	/* x_i = (a x_i + b)^degree for n numbers, by squares of squares. */
	void (*powers)(size_t n, double a, double b, size_t degree, double *x);

	/* sum_j += sum_i m_i |x_j - z_ij| where absolute, else sum_i m_i (x_j - z_ij)^2, for n rows z_i
	   of Z (n x p) in their order; rows with m_i = 0 are skipped. */
	void (*add_differences)(size_t n, size_t p, bool absolute, const double *m, const double *x,
	    const double *Z, double *sum);

	/* out = X S, each number a sum in the order of the b rows of S.  X has n rows, a multiple of
	   4; rows of X, S and out are ld apart, a multiple of 8, and out gets ld columns. */
	void (*multiply)(
	    size_t n, size_t b, size_t ld, const double *X, const double *S, double *out);
};

KITH_KERNELS(kith_la_kernels)

/*
 * y_i = exp(x_i) for n numbers, within 1 ulp, the same bits on every
 * instruction set; exp(0) is 1, results below the smallest double are 0, above
 * the largest inf, and NaN stays NaN.  y may be x.
 */
static inline void
kith_vexp(size_t n, const double *x, double *y)
{
	kith_la_kernels_at_level()->vexp(n, x, 0, 1, y);
}

/* Returns x'z of n numbers, as products() sums them. */
static inline double
kith_dot(size_t n, const double *x, const double *z)
{
	double sum;

	kith_la_kernels_at_level()->products(n, NULL, x, z, 1, &sum);
	return sum;
}

enum { KITH_CHOL_BLOCK = 64 }; /* rows of a factor that are made at once */

/*
 * The first of the eight numbers of a row that hold number j: rows of a factor are used by eights.
 */
static inline size_t
kith_chol_whole(size_t j)
{
	return j / 8 * 8;
}

/* Those of la/chol.c (la/chol.kernel.c): R is a factor, a side has the distance ld of its rows. */
struct kith_chol_kernels {
	/* Solves R' y = b in place for one side. */
	void (*forward)(const struct kith_chol *chol, double *x);

	/* Solves R'y = b, then R x = y, for 1 to KITH_CHOL_SIDES sides that are 0 before `first`. */
	void (*solve)(const struct kith_chol *chol, size_t sides, size_t first, double *x);

	/* Rows i..end-1 of A, n x n, become rows of its factor, where rows k..i-1 have become so,
	   and rows before k are taken off; returns the first row whose pivot is too small, or end.
	   R holds the upper triangle of A, and pivot its diagonal. */
	size_t (*panel)(
	    const struct kith_chol *chol, size_t n, size_t k, size_t i, size_t end, double least);

	/* Takes rows k..end-1 of the factor off the rows of A from end on. */
	void (*reduce)(const struct kith_chol *chol, size_t n, size_t k, size_t end);
};

KITH_KERNELS(kith_chol_kernels)

#endif
