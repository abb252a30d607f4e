/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw/smooth_least - the smoothed k-th smallest number of sqpfw/smooth.h. */
#ifndef KITH_SQPFW_SMOOTH_LEAST_H
#define KITH_SQPFW_SMOOTH_LEAST_H

#include <stddef.h>

/*
 * The smoothed k-th smallest of m numbers d at the temperature T > 0, and its
 * gradient q (m), which sums to 1; entries of q below 1e-12 are 0.  Requires
 * 1 <= k <= m; room (m).  Time O(m); for k > 1, of some tens of passes.
 */
double kith_sqpfw_smooth_least(
    size_t k, double T, size_t m, const double *d, double *q, double *room);

#endif
