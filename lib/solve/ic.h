/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/ic - an incomplete Cholesky factor of an M-matrix (solve/mmat.h), with
 * entries where the matrix has some: it exists (Meijerink and van der Vorst
 * 1977), and makes conjugate gradients take fewer iterations.
 */
#ifndef KITH_SOLVE_IC_H
#define KITH_SOLVE_IC_H

#include <stddef.h>

struct kith_ic;
struct kith_mmat;
struct kith_pool;

/*
 * The factor, in the pool: 12 bytes an edge.  A pivot that rounding makes 0 or
 * less is replaced by a_i.  Time O(entries times the entries of a row).
 */
struct kith_ic *kith_ic_new(const struct kith_mmat *A, struct kith_pool *pool);

/* Z = (L L')^-1 R for c columns; 0 at nodes that are out. */
void kith_ic_solve(
    const struct kith_ic *ic, size_t c, const double *R, double *Z);

#endif
