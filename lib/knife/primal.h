/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/primal - machines of the linear kernel without its n x n matrix. */
#ifndef KITH_KNIFE_PRIMAL_H
#define KITH_KNIFE_PRIMAL_H

#include "knife/state.h"

/*
 * Where state->primal is true: the factor for curvatures h (n) of the loss,
 * false where it is singular; then the machine that solves 2 lambda1 alpha + g
 * + D (K alpha + b - f) = 0, and 1'alpha = 0 where there is a b.
 */
bool kith_knife_primal_factor(struct kith_knife_state *state, const double *h, bool intercept);

void kith_knife_primal_solve(const struct kith_knife_state *state, const double *h, const double *g,
    const double *f, double *alpha, double *Ka, double *bias);

#endif
