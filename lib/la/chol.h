/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * la/chol - a Cholesky factor A = R' R (R upper triangular) that grows and shrinks by rows and
 * columns.
 */
#ifndef KITH_LA_CHOL_H
#define KITH_LA_CHOL_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

struct kith_chol {
	size_t n, most; /* rows held, and room for */

	/* Row i of R from R + i * ld on, of ld rows; 0 outside of n x n, and for i >= j. */
	size_t ld;
	double *R;
	double *pivot, *inverse; /* R_ii and 1 / R_ii */
	double *room;            /* ld */
};

/* An empty factor, in the pool, with room for most x most. */
struct kith_chol kith_chol_new(size_t most, struct kith_pool *pool);

/* A copy with room for most x most, at least what it holds.  Time O(most^2). */
struct kith_chol kith_chol_wider(const struct kith_chol *chol, size_t most, struct kith_pool *pool);

/* Make it empty again.  Time O(n^2). */
void kith_chol_clear(struct kith_chol *chol);

/*
 * Append a row: its products with the n rows held, and with itself.  False,
 * and the factor is as it was, where the square of the new pivot does not
 * exceed least * diagonal: then the row depends on the others.  Time O(n^2).
 */
bool kith_chol_append(struct kith_chol *chol, const double *a, double diagonal, double least);

/* Delete row and column i (by Givens rotations).  Time O(n^2). */
void kith_chol_delete(struct kith_chol *chol, size_t i);

/* Solve A x = b; x holds b (n) and receives x.  Time O(n^2). */
void kith_chol_solve(struct kith_chol *chol, double *x);

enum { KITH_CHOL_SIDES = 3 };

/*
 * As kith_chol_solve(), for 1 to KITH_CHOL_SIDES sides at once, side k from x +
 * k ld on: a large factor is read from memory as often as for one.  What x has
 * behind n becomes 0.
 */
void kith_chol_solve_sides(const struct kith_chol *chol, size_t sides, double *x);

/*
 * Solve A x = e_i, where e_i is 1 at i and 0 elsewhere; x has ld numbers.
 * The factor is read once where i is the last row.
 */
void kith_chol_unit(const struct kith_chol *chol, size_t i, double *x);

/*
 * Factor anew the rows and columns index[0..n-1] of A (row i from A + i * ld
 * on), in this order, leaving out those that append would refuse.  Returns how
 * many are held; index then begins with them.  Time O(n^3).
 */
size_t kith_chol_factor(
    struct kith_chol *chol, const double *A, size_t ld, size_t *index, size_t n, double least);

#endif
