/* SPDX-License-Identifier: BSD-2-Clause */
/* la/kernels - inner loops that several rooms share, compiled for each instruction set. */
#ifndef KITH_LA_KERNELS_H
#define KITH_LA_KERNELS_H

#include "la/level.h"

#include <stddef.h>

/* The functions that are compiled for each instruction set (la/kernels.kernel.c). */
struct kith_la_kernels {
	/* s_i = sum_j (w_j z_j) x_ij for n rows x_i of X (n x p); w NULL: all ones.  Number j is
	   summed in lane j % 8; lanes are added as ((0+4)+(2+6)) + ((1+5)+(3+7)). */
	void (*products)(
	    size_t p, const double *w, const double *z, const double *X, size_t n, double *s);

	/* x_i = (a x_i + b)^degree for n numbers, by squares of squares. */
	void (*powers)(size_t n, double a, double b, size_t degree, double *x);
};

KITH_KERNELS(kith_la_kernels)

#endif
