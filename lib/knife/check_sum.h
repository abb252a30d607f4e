/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/check_sum - sums of the check, over rows and pairs of them. */
#ifndef KITH_KNIFE_CHECK_SUM_H
#define KITH_KNIFE_CHECK_SUM_H

#include "knife/check_linear.h"
#include "knife/problem.h"

/*
 * The objective of column k at f and alpha, without lambda2; s->d1 and s->d2 become
 * the derivatives of the loss.
 */
double kith_check_knife_value(
    struct kith_check_knife_point *s, size_t k, const double *f, const double *alpha, double b);

/*
 * s->r = s->d1 + 2 lambda1 alpha, and how large it is relative to its terms; with an
 * intercept also by how much the sum of L' misses 0.
 */
double kith_check_knife_residual(struct kith_check_knife_point *s, const double *alpha);

/* sum_j (p) += m (x_j - z_j)^2, laplacian m |x_j - z_j|, else m x_j z_j. */
void kith_check_knife_pair(enum kith_knife_kernel kernel, size_t p, double m, const double *x,
    const double *z, double *sum);

#endif
