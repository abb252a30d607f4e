/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/solve - the machine of some weights, and its objective. */
#ifndef KITH_KNIFE_SOLVE_H
#define KITH_KNIFE_SOLVE_H

#include "knife/state.h"

/* alpha, Ka and bias at K; knife/knife.h tells how it fails. */
int kith_knife_solve(struct kith_knife_state *state, struct kith_err *err);

/* F at the machine and w. */
double kith_knife_objective(const struct kith_knife_state *state, const double *w);

#endif
