/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/semi - which matrices of weights count as positive semidefinite: the one
 * rule for all that read them.
 *
 * Rounding puts eigenvalues that are 0 a little below it.  A matrix counts as
 * semidefinite where its least eigenvalue is at least -KITH_SEMI times its
 * largest, and a distance D'W D below 0 by no more than what such an eigenvalue
 * explains is 0.
 */
#ifndef KITH_NEAR_SEMI_H
#define KITH_NEAR_SEMI_H

#include <stdbool.h>
#include <stddef.h>

#define KITH_SEMI 1e-12

/*
 * Whether W (p x p, symmetric, finite) counts as semidefinite.  Time O(p^3): a
 * Cholesky factor, and another where that does not decide.
 */
bool kith_semi_definite(size_t p, const double *W);

/*
 * How far below 0 D'W D may be for a W that counts as semidefinite: KITH_SEMI
 * times the largest sum of moduli in a row of W, which no eigenvalue exceeds,
 * times |D|^2.  Inf where that does not fit a double.  Time O(p^2).
 */
double kith_semi_below(
    size_t p, const double *W, const double *x, const double *z);

#endif
