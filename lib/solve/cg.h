/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/cg - conjugate gradients for several right sides at once, and an incomplete Cholesky
 * factor as their preconditioner.
 *
 * The columns share each pass over the matrix; each has a solution, a step and a direction of its
 * own (Hestenes and Stiefel 1952; this is no block method).
 */
#ifndef KITH_SOLVE_CG_H
#define KITH_SOLVE_CG_H

#include <stddef.h>

struct kith_pool;
struct kith_sparse;

/*
 * An incomplete Cholesky factor L L' of A, in the pool: the entries l_ij, j < i, where A has
 * entries, and the diagonal 1 / l_ii.  It exists for M-matrices (Meijerink and van der Vorst 1977)
 * and for diagonally dominant matrices (Manteuffel 1980); a squared pivot l_ii^2 that rounding
 * leaves at 0 or less is replaced by a_ii.  Time O(n r^2) for r entries in each row.
 */
struct kith_sparse *kith_ic_new(const struct kith_sparse *A, struct kith_pool *pool);

struct kith_cg {
	const struct kith_sparse *A;  /* n x n, positive definite, with both triangles */
	const struct kith_sparse *ic; /* the preconditioner: kith_ic_new() of A */
	size_t c;                     /* number of right sides */
	double tol; /* stop where |r_ik| <= tol a_ii for all rows i and columns k of the residual */
	size_t most; /* the largest number of iterations */
	size_t threads;
};

/*
 * Solves A X = R from X = 0; X and R are n x c by rows.  R becomes the residual that the
 * recurrence R -= alpha A P gives.  Returns the number of iterations; *size is the largest
 * |r_ik| / a_ii at the end, or NaN if an entry of R is NaN.  The result does not depend on the
 * number of threads.  Time O(c (entries + n)) an iteration; memory 2 n c doubles.
 */
size_t kith_cg(const struct kith_cg *job, double *R, double *X, double *size);

#endif
