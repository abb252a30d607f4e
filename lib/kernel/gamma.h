/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel/gamma - the gamma of a kernel where none is given, and whether one is too large.
 */
#ifndef KITH_KERNEL_GAMMA_H
#define KITH_KERNEL_GAMMA_H

struct kith_kern;
struct kith_mat;
struct kith_metric;

/*
 * 1/v.  Of a metric of squared differences, v is the sum of the variances of the features as the
 * metric sees them,
 *
 *	v = 1/(n - 1) sum_i d(x_i, mean)
 *
 * over the n rows of X; of absolute differences (vectors), v = sum_j w_j sd_j.  Where features are
 * scaled to a variance of 1, gamma is 1/p.  Without differences, or where they are below 1e-150,
 * gamma is 1.  Time O(n) distances.
 */
double kith_gamma_auto(const struct kith_mat *X, const struct kith_metric *metric);

/*
 * The median, over at most 200 equally spaced rows of Z, of the largest kernel of that row and
 * a row of X at another place; INFINITY where X has one place.  Where it is next to 0, a gaussian
 * machine learnt from X says the same of most rows of Z: gamma is too large, or their units
 * differ.  Time O(200 n) kernels.
 */
double kith_gamma_coupling(
    const struct kith_kern *kern, const struct kith_mat *X, const struct kith_mat *Z);

/* A coupling below this is warned of. */
#define KITH_GAMMA_COUPLED 1e-8

#endif
