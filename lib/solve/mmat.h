/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/mmat - symmetric M-matrices by their weights, and products with them.
 *
 * A graph of n nodes has weights w_ij = w_ji >= 0 and loads e_i >= 0.  Some of
 * its nodes are out: values x there are given.  For the nodes that are in,
 *
 *	(A x)_i = a_i x_i - sum_{j in} w_ij x_j,   a_i = e_i + sum_j w_ij
 *
 * the sum of a_i being over all nodes, so that row i of A sums to e_i and the
 * weights to nodes that are out.  Where each connected set of nodes has one that
 * is out or has a load, A is positive definite and A^-1 >= 0.
 *
 * Vectors are n x c by rows: c values of a node follow each other.
 */
#ifndef KITH_SOLVE_MMAT_H
#define KITH_SOLVE_MMAT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_mmat {
	size_t n;
	const size_t *start;    /* n + 1: entries of each row, */
	const uint32_t *column; /* of increasing columns, those out too */
	const double *w;
	const double *load;     /* n loads e, or NULL: all 0 */
	const double *diagonal; /* n: a_i > 0 where the node is in */
	const bool *out;        /* n */
};

enum { KITH_MMAT_ROWS = 4096 }; /* of a block that a thread works on */

/* Blocks of n rows. */
static inline size_t
kith_mmat_blocks(const struct kith_mmat *A)
{
	return (A->n + KITH_MMAT_ROWS - 1) / KITH_MMAT_ROWS;
}

/* The rows of a block: *first, and the one behind the last. */
static inline size_t
kith_mmat_block(const struct kith_mmat *A, size_t block, size_t *first)
{
	const size_t left = A->n - block * KITH_MMAT_ROWS;

	*first = block * KITH_MMAT_ROWS;
	return *first + (left < KITH_MMAT_ROWS ? left : KITH_MMAT_ROWS);
}

/*
 * Q = A P, and the sum of p q over all rows into pq (c), for P that is 0 at
 * nodes that are out; Q is 0 there, too.  One pass over the weights; the same
 * bytes for any number of threads.  c is 1 or a multiple of 4.
 */
void kith_mmat_times(
    const struct kith_mmat *A, size_t c, const double *P, double *Q, double *pq, size_t threads);

/*
 * R = sum_j w_ij (x_j - x_i) - e_i x_i over all j, for nodes that are in, and 0
 * elsewhere: what is left of A x = b, where b are the weights to nodes that are
 * out times their values.  Differences first: rounding is in proportion to
 * them.
 */
void kith_mmat_rest(
    const struct kith_mmat *A, size_t c, const double *X, double *R, size_t threads);

/* The larger of two; what is no number is the largest. */
static inline double
kith_mmat_larger(double most, double x)
{
	return x > most || isnan(x) ? x : most;
}

/* For each column, the largest |r_i| / a_i, into most (c). */
void kith_mmat_size(const struct kith_mmat *A, size_t c, const double *R, double *most);

#endif
