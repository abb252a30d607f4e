/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/ic - an incomplete Cholesky factor of an M-matrix (solve/mmat.h), with
 * entries where the matrix has some: it exists (Meijerink and van der Vorst
 * 1977), and makes conjugate gradients take fewer iterations.  That of another
 * symmetric matrix, whose rows are appended, need not exist.
 */
#ifndef KITH_SOLVE_IC_H
#define KITH_SOLVE_IC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_ic;
struct kith_mmat;
struct kith_pool;

/*
 * The factor, in the pool: 12 bytes an edge.  A pivot that rounding makes 0 or
 * less is replaced by a_i.  Time O(entries times the entries of a row).
 */
struct kith_ic *kith_ic_new(const struct kith_mmat *A, struct kith_pool *pool);

/* A factor without rows, in the pool, which stays. */
struct kith_ic *kith_ic_begin(struct kith_pool *pool);

/*
 * Append a row: its diagonal, and its `count` entries x left of it, of
 * increasing columns.  False where the square of the pivot does not exceed least
 * * diagonal, which takes its place then.  Time O(count times the entries of a
 * row), and O(n) where memory grows.
 */
bool kith_ic_append(struct kith_ic *ic, double diagonal, const uint32_t *column, const double *x,
    size_t count, double least);

/* Z = (L L')^-1 R for c columns; 0 at nodes that are out. */
void kith_ic_solve(const struct kith_ic *ic, size_t c, const double *R, double *Z);

#endif
