/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * la/spd - linear systems of a symmetric positive definite matrix, by LAPACK's
 * dpotrf and dpotrs: A = R' R, R upper triangular.
 */
#ifndef KITH_LA_SPD_H
#define KITH_LA_SPD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Factor A (n x n, its upper triangle is read), R taking the place of that
 * triangle.  False, and A is lost, where A is not finite, or not positive
 * definite to working precision: the square of a pivot does not exceed n 2^-52
 * times its entry of the diagonal.  So rows and columns may be of any scale: to
 * multiply them by powers of two leaves every digit of R as it is.
 * Time n^3 / 3.
 */
bool kith_spd_factor(size_t n, double *A);

/* Solve A X = B for c columns of n, which receive X.  Time 2 n^2 c. */
void kith_spd_solve(size_t n, size_t c, const double *R, double *B);

#endif
