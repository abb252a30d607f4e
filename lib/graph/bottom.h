/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/bottom - the least eigenvalues of a semidefinite sparse matrix that has
 * a null vector, which is known: a Laplacian's, or that of locally linear
 * embedding.
 */
#ifndef KITH_GRAPH_BOTTOM_H
#define KITH_GRAPH_BOTTOM_H

#include "solve/sparse.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

/* A (n x n): A null = 0, and 0 <= x'Ax <= bound x'x for all x. */
struct kith_singular {
	struct kith_sparse A;
	double *null; /* n, of unit length */
	double bound;
};

struct kith_bottom {
	size_t k;      /* eigenvectors: all that were asked for, or 0 */
	double *V;     /* k x n by rows, orthonormal, and orthogonal to null */
	double *value; /* k, increasing: v'Av */

	size_t products; /* with A, or solutions by its factor */
	bool dense;      /* solved as a dense matrix */
	bool factored;   /* A + shift I was factored */
	double shift;
	struct kith_sparse_factor *order; /* of A, if there is one; to free */
};

/*
 * The k least eigenvalues but for that of null, 1 <= k < n, and their vectors,
 * into the pool.  An eigenvalue that is there several times is found as often:
 * what is found is projected out, and a search for one that is less begins
 * anew.  The same bytes for any number of threads.
 *
 * None (k = 0) where nothing converges, which a matrix too large for a factor
 * may do that has many eigenvalues near 0.  Ends by kith_no_memory() where there
 * is no room.  Time: graph/bottom.c.  Memory (2 k + 20) n doubles and a factor.
 */
void kith_bottom(const struct kith_singular *m, size_t k, size_t threads, struct kith_bottom *out,
    struct kith_pool *pool);

/* Whether a factor of these sizes fits a machine, and is worth its time. */
bool kith_bottom_affords(const struct kith_sparse_factor *order);

#endif
