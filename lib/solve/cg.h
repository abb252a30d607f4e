/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/cg - conjugate gradients for several right sides at once, and an incomplete Cholesky factor
 * as their preconditioner.
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
 * An incomplete Cholesky factor L L' of a symmetric matrix, with entries where the matrix has some.
 * It exists for M-matrices (Meijerink and van der Vorst 1977); a pivot that rounding leaves at 0 or
 * less is replaced by the root of the diagonal.
 */
struct kith_ic;

/* The factor of A, in the pool.  Time O(entries times the entries of a row). */
struct kith_ic *kith_ic_new(const struct kith_sparse *A, struct kith_pool *pool);

struct kith_cg {
	const struct kith_sparse *A; /* n x n, positive definite */
	const struct kith_ic *ic;    /* of A: the preconditioner */
	size_t c;                    /* right sides */
	double tol;                  /* stop where |r_i| <= tol a_ii for all i, in all columns */
	size_t most;                 /* iterations at most */
	size_t threads;
};

/*
 * Solves A X = R from X = 0; X and R are n x c by rows, and R becomes the residual of the
 * recurrence.  Returns the iterations; *size is the largest |r_i| / a_ii at the end, NaN if any.
 * The same bytes for any number of threads.  Time O(c (entries + n)) an iteration; memory 2 n c
 * doubles.
 */
size_t kith_cg(const struct kith_cg *job, double *R, double *X, double *size);

#endif
