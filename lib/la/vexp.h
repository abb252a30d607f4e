/* SPDX-License-Identifier: BSD-2-Clause */
/* la/vexp - the exponential function of many numbers. */
#ifndef KITH_LA_VEXP_H
#define KITH_LA_VEXP_H

#include "la/level.h"

#include <stddef.h>

/* The function that is compiled for each instruction set (la/vexp.kernel.c). */
struct kith_vexp_kernels {
	void (*vexp)(size_t n, const double *x, double shift, double a, double *y);
};
KITH_KERNELS(kith_vexp_kernels)

/*
 * y_i = exp(x_i) for n numbers, within 1 ulp, the same bits on every
 * instruction set; exp(0) is 1, results below the smallest double are 0, above
 * the largest inf, and NaN stays NaN.  y may be x.
 */
static inline void
kith_vexp(size_t n, const double *x, double *y)
{
	kith_vexp_kernels_at_level()->vexp(n, x, 0, 1, y);
}

/* The same of a (x_i - shift). */
static inline void
kith_vexp_scaled(size_t n, const double *x, double shift, double a, double *y)
{
	kith_vexp_kernels_at_level()->vexp(n, x, shift, a, y);
}

#endif
