/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/add_rows - multiples of rows of numbers added to others.
 */
#ifndef KITH_WSVM_ADD_ROWS_H
#define KITH_WSVM_ADD_ROWS_H

#include <stddef.h>

enum { KITH_WSVM_FOUR = 4 };

/* u += a x and v += b x for n numbers x; v may be NULL. */
void kith_wsvm_add_row(
    size_t n, const double *x, double a, double b, double *u, double *v);

/* u += a_0 x_0, then a_1 x_1, to a_3 x_3: as one after the other. */
void kith_wsvm_add_four(size_t n, const double *const x[KITH_WSVM_FOUR],
    const double a[KITH_WSVM_FOUR], double *u);

#endif
