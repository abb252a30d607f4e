/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/loss - the losses of knife/knife.h as functions of the scores f.
 * Requires y = 1 or -1 but for the squared loss.
 */
#ifndef KITH_KNIFE_LOSS_H
#define KITH_KNIFE_LOSS_H

#include <stddef.h>

struct kith_knife_problem;

/*
 * L over the n rows of the problem, by their weights; its derivatives by f into g
 * (n), and the second ones, at t = 1 those of the flat side and at t = 1 - delta
 * those of the curved one, into h (n); either may be NULL.
 */
double kith_knife_loss(const struct kith_knife_problem *problem, size_t n, const double *y,
    const double *f, double *g, double *h);

/* What the rows weigh together. */
double kith_knife_total(const struct kith_knife_problem *problem);

/* The largest second derivative for a row of weight 1. */
double kith_knife_curvature(const struct kith_knife_problem *problem);

#endif
