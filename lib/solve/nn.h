/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/nn - least squares with weights that are not negative:
 *
 *	min 1/2 t' A t - b' t   subject to t >= 0
 *
 * A (n x n) is symmetric and positive semidefinite; where its diagonal is 0, t
 * is 0.  With the dual variables g = A t - b, t is optimal when g_j = 0 where
 * t_j > 0, and g_j >= 0 elsewhere.
 *
 * How: a few rounds of coordinate descent guess the support; an active set
 * (Lawson and Hanson) on an updated Cholesky factor makes it exact, from zero
 * if that fails.  A weight whose row depends on those of the support trades
 * places with one of them, so that near duplicates are solved as exactly as
 * all else.  Of weights that are copies of each other (equal rows of A, equal
 * b) only the first can be > 0.
 */
#ifndef KITH_SOLVE_NN_H
#define KITH_SOLVE_NN_H

#include <stddef.h>

struct kith_pool;
struct kith_qp_nn;

/* Scratch space, in the pool, for problems of at most `most` weights. */
struct kith_qp_nn *kith_qp_nn_new(size_t most, struct kith_pool *pool);

/* Where rows of A should start: a multiple of 8, >= n. */
static inline size_t
kith_qp_nn_stride(size_t n)
{
	return (n + 7) / 8 * 8;
}

/*
 * Solve for t (n), with the dual variables into g (n); row i of A starts at
 * A + i * kith_qp_nn_stride(n), and what follows its n entries is any finite
 * number.  Returns the largest violation of the conditions above divided by
 * the largest b_j; 0 when no b_j is positive (then t = 0).  It is at most
 * 1e-12, or what rounding leaves where entries of A t nearly cancel, unless A
 * is indefinite by more than rounding.
 * Time O(n^2 + n s^2), s weights being > 0.
 */
double kith_qp_nn(
    struct kith_qp_nn *qp, size_t n, const double *A, const double *b, double *t, double *g);

#endif
