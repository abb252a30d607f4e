/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/rank - K = G G' + E with G of few columns, by a pivoted Cholesky factor in
 * blocks: rows are drawn by what the rows before leave of K_ii, as Chen, Epperly,
 * Tropp and Webber (2023) do, in a sequence of no chance.  E is positive
 * semidefinite, so that its trace bounds each of its eigenvalues.
 *
 * With S = diag(s), 2 lambda1 I + S G G' S stands for 2 lambda1 I + S K S as a
 * preconditioner.
 */
#ifndef KITH_KNIFE_RANK_H
#define KITH_KNIFE_RANK_H

#include "knife/state.h"

enum { KITH_KNIFE_RANK = 1024 }; /* columns at most */

/*
 * G at Z, in the pool: so many columns that the trace of E is at most `enough`, or
 * `most`.  Time n r (r + k) for k features of weight > 0.
 */
struct kith_knife_rank kith_knife_rank_find(
    const struct kith_knife_state *state, double enough, size_t most, struct kith_pool *pool);

/* The factor of 2 lambda1 I + G' S^2 G, r x r, in the pool.  Time n r^2. */
double *kith_knife_rank_factor(const struct kith_knife_state *state,
    const struct kith_knife_rank *rank, const double *s, struct kith_pool *pool);

/*
 * x (n) becomes the solution of (2 lambda1 I + S G G' S) x = x, R being that
 * factor.  Time n r.
 */
void kith_knife_rank_solve(const struct kith_knife_state *state, const struct kith_knife_rank *rank,
    const double *s, const double *R, double *x);

#endif
