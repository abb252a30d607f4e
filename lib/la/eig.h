/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * la/eig - eigenvalues and vectors of symmetric matrices, by LAPACK's dsyevd.
 */
#ifndef KITH_LA_EIG_H
#define KITH_LA_EIG_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A (n x n, symmetric, its upper triangle is read) = sum_i lambda_i v_i v_i'.
 * lambda (n) in increasing order, v_i (unit length, its entry of largest
 * modulus, the first of equals, positive) in row i of V (n x n).  A is lost.
 * False when LAPACK does not converge or A is not finite; lambda and V are then
 * of no use.  Time O(n^3); memory 2 n^2 doubles more; n <= 30,000.
 */
bool kith_eig(size_t n, double *A, double *lambda, double *V);

#endif
