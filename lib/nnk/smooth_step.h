/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/smooth_step - the equations H x = b of a step of nnk/smooth.c, H being the
 * Hessian of its dual: a diagonal, and 1/2 for each edge of positive weight.
 */
#ifndef KITH_NNK_SMOOTH_STEP_H
#define KITH_NNK_SMOOTH_STEP_H

#include "solve/sparse.h"

#include <stddef.h>

struct kith_pool;

struct kith_smooth_step {
	struct kith_sparse H; /* with room for all edges, each x being 1/2 */
	double *b, *x;        /* n */
	double *r, *p, *q;    /* n: of conjugate gradients */
};

/* Room, in the pool, for n rows and so many edges. */
struct kith_smooth_step kith_smooth_step_new(size_t n, size_t edges, struct kith_pool *pool);

/*
 * Solve by conjugate gradients, preconditioned by the diagonal, until the
 * preconditioned residual has fallen by tol; where that takes more than 100
 * iterations by a sparse factor, if it has at most 200 entries a row; else x is
 * what the iterations came to, which is a step downwards all the same.
 */
void kith_smooth_step(struct kith_smooth_step *it, double tol, size_t threads);

#endif
