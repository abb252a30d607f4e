/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/margin_step - the solutions of a margin after one variable entered or
 * left it, from those before: all of them change by a multiple of one vector.
 */
#ifndef KITH_WSVM_MARGIN_STEP_H
#define KITH_WSVM_MARGIN_STEP_H

#include <stdbool.h>
#include <stddef.h>

struct kith_wsvm_margin;

/*
 * v is about to enter, or to leave: then both parts of x_v change by shift.
 * Time O(|M|^2), half of that of a solution or less.
 */
void kith_wsvm_margin_step_begin(
    struct kith_wsvm_margin *margin, size_t v, const double shift[2]);

/*
 * x and b solve two systems as kith_wsvm_margin_solve() has them, but for v:
 * let them solve all.  False, and nothing was done, where more has changed than
 * v, or the step is not known.
 */
bool kith_wsvm_margin_step(
    struct kith_wsvm_margin *margin, const double *c, double *x, double *b);

#endif
