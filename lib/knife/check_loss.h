/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/check_loss - the losses of knife/knife.h once more, for the checks: in
 * long doubles, for sums of them may cancel.
 */
#ifndef KITH_KNIFE_CHECK_LOSS_H
#define KITH_KNIFE_CHECK_LOSS_H

#include <stddef.h>

struct kith_knife_problem;

/*
 * The loss at the output f of a target y; its derivative by f, and the second
 * one, at t = 1 that of the flat side, at t = 1 - delta that of the curved one.
 */
long double kith_check_knife_loss(
    const struct kith_knife_problem *of, double y, long double f, long double *d1, double *d2);

/* The same of row i, multiplied by its weight; and this weight. */
long double kith_check_knife_row(const struct kith_knife_problem *of, size_t i, double y,
    long double f, long double *d1, double *d2);
double kith_check_knife_weight(const struct kith_knife_problem *of, size_t i);

/* The second derivative of a parabola that touches the loss at f from above. */
double kith_check_knife_curvature(const struct kith_knife_problem *of, double y, double f);

/*
 * The conjugate of the loss at *u, which is put where that is finite, too far
 * by rounding as it may be.
 */
long double kith_check_knife_conjugate(
    const struct kith_knife_problem *of, double y, long double *u);

#endif
