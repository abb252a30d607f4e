/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/arpack - the largest eigenvalues of a symmetric matrix of which only
 * products are known, by implicitly restarted Lanczos steps.  The one user of
 * ARPACK (Lehoucq, Sorensen, Yang 1998), whose state is global: one thread at a
 * time.
 */
#ifndef KITH_SOLVE_ARPACK_H
#define KITH_SOLVE_ARPACK_H

#include <stdbool.h>
#include <stddef.h>

struct kith_arpack {
	size_t n;    /* rows, at most INT_MAX / 3 */
	size_t k;    /* eigenvalues: 1 <= k < room */
	size_t room; /* Lanczos vectors: at most n and KITH_ARPACK_ROOM */
	double tol;  /* of an eigenvalue, relative to its size */
	size_t most; /* products, about */

	/* y = A x; false: give up. */
	bool (*times)(void *to, const double *x, double *y);
	void *to;
};

enum { KITH_ARPACK_ROOM = 46000 };

/*
 * A v_i = value_i v_i for the k largest: value (k) in decreasing order, v_i of
 * unit length in row i of V (k x n).  start (n) is the first Lanczos vector, and
 * is lost.  One start vector finds one vector of an eigenvalue that is there
 * several times, and others by rounding alone: who needs all of them has to look
 * again, with those found projected out.
 *
 * Returns how many converged.  Where that is less than k, none is in V.
 * Time O(products (n room + that of times)); memory n (room + 3) doubles.
 */
size_t kith_arpack(const struct kith_arpack *job, double *start, double *value, double *V);

#endif
