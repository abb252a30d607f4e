/* SPDX-License-Identifier: BSD-2-Clause */
/* la/vexp - the exponential function of many numbers. */
#ifndef KITH_LA_VEXP_H
#define KITH_LA_VEXP_H

#include <stddef.h>

/*
 * y_i = exp(x_i) for n numbers, within 1 ulp, the same bits on every
 * instruction set; exp(0) is 1, results below the smallest double are 0, above
 * the largest inf, and NaN stays NaN.  y may be x.
 */
void kith_vexp(size_t n, const double *x, double *y);

#endif
