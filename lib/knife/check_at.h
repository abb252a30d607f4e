/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/check_at - what knife/check.h finds at some weights: K, alpha, F and
 * its gradient; the formulas are there.
 */
#ifndef KITH_KNIFE_CHECK_AT_H
#define KITH_KNIFE_CHECK_AT_H

#include "knife/check_linear.h"

/* All of it at w (p), in the pool. */
struct kith_check_knife_point kith_check_knife_at(
    const struct kith_knife_problem *problem, const double *w, struct kith_pool *pool);

#endif
