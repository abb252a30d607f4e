/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/newton - machines of losses that are not squared. */
#ifndef KITH_KNIFE_NEWTON_H
#define KITH_KNIFE_NEWTON_H

#include "knife/state.h"

/*
 * alpha, Ka and bias at K for losses that are not squared, by Newton's method;
 * fails as knife/solve.h does.
 */
int kith_knife_newton(struct kith_knife_state *state, struct kith_err *err);

#endif
