/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/cg - conjugate gradients for an M-matrix (solve/mmat.h) and several
 * right sides, which share each pass over the weights.
 *
 * Each column k has a solution, a step and a direction of its own: this is not
 * a block method, but c runs side by side (Hestenes and Stiefel 1952).
 */
#ifndef KITH_SOLVE_CG_H
#define KITH_SOLVE_CG_H

#include <stddef.h>

struct kith_ic;
struct kith_mmat;

struct kith_cg_how {
	double tol;               /* end where |r_i| <= tol a_i for all i, in all columns */
	size_t most;              /* or after so many iterations */
	const struct kith_ic *ic; /* the preconditioner; NULL: diag(a) */
	size_t threads;
};

/*
 * Solve A X = R: X (n x c), R becomes what is left, by the recurrence.  Both
 * are 0 at nodes that are out.  c is 1 or a multiple of 4.  Returns the
 * iterations; *size becomes the largest |r_i| / a_i, which is above tol where
 * they did not suffice.  The same bytes for any number of threads.
 * Time O(c (entries + n)) an iteration, memory 16 n c.
 */
size_t kith_cg(const struct kith_mmat *A, size_t c, double *R, double *X,
    const struct kith_cg_how *how, double *size);

#endif
