/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/sparse - symmetric sparse matrices, and the equations A x = b by a
 * Cholesky factor.  The one user of CHOLMOD (SuiteSparse).
 */
#ifndef KITH_SOLVE_SPARSE_H
#define KITH_SOLVE_SPARSE_H

#include <stddef.h>
#include <stdint.h>

struct kith_pool;
struct kith_sparse_factor;

/*
 * A (n x n), symmetric: its diagonal, and the other entries of each row, those
 * below the diagonal too.  Row i has the entries start[i]..start[i+1]-1, of
 * increasing columns.  12 bytes an entry.
 */
struct kith_sparse {
	size_t n;         /* at most UINT32_MAX */
	size_t *start;    /* n + 1 */
	uint32_t *column; /* start[n], from 0, never the row itself */
	double *x;        /* start[n] */
	double *diagonal; /* n */
};

/*
 * Y = A X for c vectors at once: X and Y are n x c by rows.  One pass over A;
 * the same bytes for any number of threads.  Time O(c (entries + n)).
 */
void kith_sparse_times(
    const struct kith_sparse *A, size_t c, const double *X, double *Y, size_t threads);

/*
 * Order the rows of A so that its factor stays sparse (approximate minimum
 * degree; nested dissection halves the operations on meshes of a million nodes,
 * but takes longer than they do), and count the entries of the factor.  Only the places of A's entries are read; A is not kept.
 * kith_sparse_free() is due in the end.  Ends by kith_no_memory() where there
 * is no room, as do the functions below.
 */
struct kith_sparse_factor *kith_sparse_order(const struct kith_sparse *A);

/*
 * Entries that the factor of that order keeps, some of them 0 for the sake of
 * blocks, and the operations that it takes.
 */
double kith_sparse_fill(const struct kith_sparse_factor *f);
double kith_sparse_flops(const struct kith_sparse_factor *f);

/* The rows in that order, into order (n). */
void kith_sparse_ordered(const struct kith_sparse_factor *f, size_t *order);

/* Take the numbers of A, whose places are those that were ordered. */
void kith_sparse_take(struct kith_sparse_factor *f, const struct kith_sparse *A);

/*
 * Factor the A that was taken = P' L L' P.  Returns -1 where a pivot is not
 * positive: then A is not positive definite, at least not in doubles, and there
 * is no factor to solve with.  Other numbers are taken anew.
 */
int kith_sparse_cholesky(struct kith_sparse_factor *f);

/*
 * Count the eigenvalues of A below 0 by the negative pivots of P' L D L' P
 * (Sylvester's law of inertia), which are not chosen for size.  The count holds
 * for A + E exactly, |E|_2 <= *error: at least the eigenvalues of A below
 * -*error are counted, and at most those below *error.  Returns -1 where a
 * pivot is 0.  The factor of kith_sparse_cholesky() is lost.
 */
int kith_sparse_inertia(
    struct kith_sparse_factor *f, const struct kith_sparse *A, size_t *negative, double *error);

/*
 * Solve A X = B for c sides: B and X are c vectors of n, one after the other,
 * and may be the same.  After kith_sparse_cholesky() alone.
 */
void kith_sparse_solve(struct kith_sparse_factor *f, size_t c, const double *B, double *X);

void kith_sparse_free(struct kith_sparse_factor *f);

#endif
