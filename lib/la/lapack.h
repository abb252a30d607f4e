/* SPDX-License-Identifier: BSD-2-Clause */
/* la/lapack - what kith calls LAPACK for: dense symmetric matrices. */
#ifndef KITH_LA_LAPACK_H
#define KITH_LA_LAPACK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Factors a positive definite A = R' R (n x n, its upper triangle is read) by dpotrf; R (upper
 * triangular) takes the place of that triangle.  False, and A is lost, where A is not finite, or
 * not positive definite to working precision: the square of a pivot does not exceed n 2^-52
 * times its entry of the diagonal.  So rows and columns may be of any scale: to
 * multiply them by powers of two leaves every digit of R as it is.
 * Time n^3 / 3.
 */
bool kith_spd_factor(size_t n, double *A);

/* Solves A X = B, by dpotrs, for c columns of n, which receive X.  Time 2 n^2 c. */
void kith_spd_solve(size_t n, size_t c, const double *R, double *B);

/*
 * Eigenvalues and vectors, by dsyevd: A (n x n, symmetric, its upper triangle is read) = sum_i
 * lambda_i v_i v_i'. lambda (n) in increasing order, v_i (unit length, its entry of largest
 * modulus, the first of equals, positive) in row i of V (n x n).  A is lost.
 * False when LAPACK does not converge or A is not finite; lambda and V are then
 * of no use.  Time O(n^3); memory 2 n^2 doubles more; n <= 30,000.
 */
bool kith_eig(size_t n, double *A, double *lambda, double *V);

#endif
