/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/pursuit - non-negative matching pursuit in kernel space, Algorithm 2 of
 * Shekkizhar and Ortega.
 *
 * From n atoms with products b with the target and columns A_j with each
 * other, the one with the largest (b - A t)_j / sqrt(A_jj) is taken, ties by
 * order, until none is positive or `most` are taken.  Plain pursuit gives an
 * atom the weight (b - A t)_j / A_jj, once; the orthogonal one finds the best
 * weights >= 0 of all taken anew each time.
 */
#ifndef KITH_NNK_PURSUIT_H
#define KITH_NNK_PURSUIT_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

struct kith_pursuit {
	size_t n, most;
	bool orthogonal;
	const double *b;        /* n */
	const double *diagonal; /* A_jj is diagonal[j * step]; 0 is no atom */
	size_t step;
	const double *order; /* ties: the smaller first, then the first; or
				NULL */

	/* Column j of A (n), as atom number s; stays where it is. */
	const double *(*column)(void *of, size_t s, size_t j);
	void *of;

	/* The answer: `taken` atoms. */
	size_t taken;
	size_t *atom;    /* most */
	double *t;       /* most: their weights, some may be 0 */
	double *r;       /* n: b - A t */
	double residual; /* orthogonal: of the last weights (solve/nn.h) */

	/* Scratch. */
	const double **C;
	double *A, *bs, *g;
	struct kith_qp_nn *qp;
};

/* Room, in the pool, for at most n atoms to choose from, and `most` to take. */
struct kith_pursuit kith_pursuit_new(
    size_t n, size_t most, bool orthogonal, struct kith_pool *pool);

/* Pursue the problem set in n, most, b, diagonal, step, order, column, of. */
void kith_pursuit(struct kith_pursuit *it);

#endif
