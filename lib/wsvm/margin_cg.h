/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/margin_cg - a margin (wsvm/margin_kkt.h) whose systems are solved by
 * conjugate gradients, without a factor and without columns of its own: a
 * solution of which no path follows needs none.
 *
 * The kernel of a narrow Gaussian is nearly sparse.  An incomplete factor of its
 * large entries alone (solve/ic.h) then leaves a few iterations, each of which is
 * a pass over the kernel rows of M.
 */
#ifndef KITH_WSVM_MARGIN_CG_H
#define KITH_WSVM_MARGIN_CG_H

#include <stdbool.h>
#include <stddef.h>

struct kith_wsvm_margin;
struct kith_wsvm_margin_cg;

/*
 * Make the variables v[0..count-1] the margin, which is empty, with cg in place
 * of its factor.  False, and nothing has changed, where a factor is as good: few
 * variables, differences of items, no room for all of their kernel rows, many
 * large entries of the kernel, or variables that nearly depend on others.  Time
 * O(count^2), and a kernel row for each.
 */
bool kith_wsvm_margin_cg_begin(
    struct kith_wsvm_margin *margin, const size_t *v, size_t count);

/*
 * v enters M, or leaves it.  enter() is false where v nearly depends on others;
 * it is outside then.  Time O(|M|).
 */
bool kith_wsvm_margin_cg_enter(struct kith_wsvm_margin *margin, size_t v);
void kith_wsvm_margin_cg_leave(struct kith_wsvm_margin *margin, size_t v);

/*
 * Solve Q_MM x + e_M b = c, e_M' x = r, x into c, until what is left of no row
 * exceeds `left`, nor the preconditioned residual, which is about the error of
 * x, `error`.  False, and c is lost, where that takes more passes than a factor
 * is worth, of all solutions together.
 */
bool kith_wsvm_margin_cg_solve(struct kith_wsvm_margin *margin, double *c,
    double r, double left, double error, double *b);

/* Coefficients a, and b unless it is NULL, of M for the scores. */
void kith_wsvm_margin_cg_load(
    struct kith_wsvm_margin *margin, const double *a, const double *b);

/*
 * The scores of all n items: sum_v a_v e_v K_i,plus[v], and those of b.  A pass
 * where they are not those of the coefficients before.
 */
void kith_wsvm_margin_cg_scores(
    struct kith_wsvm_margin *margin, const double **u, const double **w);

#endif
