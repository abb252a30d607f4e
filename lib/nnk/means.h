/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/means - NNK-Means (Shekkizhar and Ortega): a dictionary of K atoms, the
 * rows of A (K x p), such that each of n rows is nearly a sum of at most N
 * atoms with weights w_ij >= 0:
 *
 *	J = sum_i J_i,  J_i = |phi(x_i) - sum_j w_ij phi(a_j)|^2
 *
 *	linear  phi(x) = x
 *	cosine  phi(x) = (1, x) / sqrt(2), rows and atoms of length 1: the kernel
 *	        1/2 + cos/2
 *
 * J_i is twice the local error of nnk/nnk.h.  A run is made of two steps in
 * turn, neither of which makes J rise but by rounding: weights for the atoms
 * (nnk/means_code.h), atoms for the weights (nnk/means_update.h).  The minimum
 * is a local one, which depends on the start.
 */
#ifndef KITH_NNK_MEANS_H
#define KITH_NNK_MEANS_H

#include "nnk/means_code.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_means_how {
	enum kith_kern_kind kernel;
	size_t atoms;    /* K, 1 to n */
	size_t k;        /* N >= 1; above K it counts as K */
	size_t seed;     /* of the start (nnk/means_start.h) */
	size_t max_iter; /* pairs of steps */
	double tol;      /* stop when one lowers J by no more than this times J, or J
		       is at most tol^2 times the sum of K_ii */
	size_t threads;
};

struct kith_means {
	/* The rows and atoms that the codes are of: times 2^-exponent those of
	   the data.  It is 0 unless squares of the data would leave the range
	   of a double, or their roots. */
	struct kith_means_rows rows;
	int exponent;

	struct kith_codes code; /* of the atoms; rows.X and code.J belong */
	double *J;              /* iterations + 1: at the start, and after each */
	size_t iterations;
	bool converged;
	size_t unused; /* atoms that no row uses in the end */
};

/*
 * Fit the atoms to the rows of X (n x p, n and p >= 1; for the cosine kernel of
 * length 1, kith_kern_unit_rows()), which must stay; results in the pool.
 * Fails with EX_DATAERR where K > n, and where numbers are so far apart that a
 * double has no room for both (nnk/means.c).
 * An iteration takes O(n K p), twice the O(N (p + N^2)) of a small problem for
 * each row, and O(K^2 (K + p)); memory O(n (p + N) + K (K + p)).
 */
int kith_means(const struct kith_mat *X, const struct kith_means_how *how, struct kith_means *out,
    struct kith_pool *pool, struct kith_err *err);

#endif
