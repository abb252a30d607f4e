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
    const struct kith_knife_problem *problem, const double *w,
    struct kith_pool *pool);

/*
 * The objective of column k at f and alpha, without lambda2; s->d1 and s->d2 become
 * the derivatives of the loss.
 */
double kith_check_knife_value(struct kith_check_knife_point *s, size_t k,
    const double *f, const double *alpha, double b);

/*
 * s->r = s->d1 + 2 lambda1 alpha, and how large it is relative to its terms; with an
 * intercept also by how much the sum of L' misses 0.
 */
double kith_check_knife_residual(
    struct kith_check_knife_point *s, const double *alpha);

#endif
