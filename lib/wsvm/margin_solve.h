/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/margin_solve - the bordered systems of a margin (wsvm/margin_kkt.h).
 */
#ifndef KITH_WSVM_MARGIN_SOLVE_H
#define KITH_WSVM_MARGIN_SOLVE_H

#include <stddef.h>

struct kith_wsvm_margin;

/*
 * Solve Q_MM x + e_M b = c, e_M' x = r with iterative refinement until only
 * rounding is left; without a bias r is not used and b is 0.  |M| >= 1.  Time
 * O(|M|^2); the factor is computed anew, O(|M|^3), where the residual is large,
 * or after as many changes as M has variables, and at least 100.  Where M has no
 * factor (wsvm/margin_cg.h), no row is off by more than `enough` > 0; a factor is
 * made where that takes too long.
 */
void kith_wsvm_margin_solve(struct kith_wsvm_margin *margin, const double *c,
    double r, double enough, double *x, double *b);

/*
 * The same for two right-hand sides (c_k from c + k |M| on, x likewise), to
 * rounding, where x and b solve them but for the
 * variable that has entered or left since (wsvm/margin_step.h), whose x is on
 * the bound that it came from.  The residual is looked at; where it is more
 * than rounding, or where more has changed, these are solved anew.
 */
void kith_wsvm_margin_solve_next(struct kith_wsvm_margin *margin,
    const double *c, const double *r, double *x, double *b);

/*
 * z (|M|), the change of M with which v, which enter() refused, grows by 1 and
 * no score changes: Q_MM z + e_M b = -Q_Mv, e_M' z = -e_v.
 */
void kith_wsvm_margin_null(
    struct kith_wsvm_margin *margin, size_t v, double *z);

#endif
