/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/ceiling - the lambda2 from which on no feature is left. */
#ifndef KITH_KNIFE_CEILING_H
#define KITH_KNIFE_CEILING_H

#include "knife/problem.h"

struct kith_err;

/*
 * The lambda2 from which on w is 0: exact for the linear kernel, max_j
 * (x_j' L'(0))^2 / (4 lambda1) (with an intercept: L' at its optimum for w =
 * 0); otherwise the value at which w reaches 0 when lambda2 grows from .1
 * F/p fourfold with warm starts from w (p), narrowed to a factor of 1.25: at most
 * so much above the least such value.
 */
int kith_knife_ceiling(const struct kith_knife_problem *problem, const struct kith_knife_how *how,
    const double *w, double *lambda2, struct kith_err *err);

#endif
