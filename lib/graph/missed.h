/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/missed - whether some of the least eigenvalues of a matrix were missed,
 * by the signs of the pivots of a factor.
 */
#ifndef KITH_GRAPH_MISSED_H
#define KITH_GRAPH_MISSED_H

#include <stddef.h>

struct kith_singular;
struct kith_sparse_factor;

/*
 * How many eigenvalues of A below value[d-1] are neither that of null nor among
 * the d values (increasing), each of which is an eigenvalue up to slack: 0, or
 * where it cannot be so another number; NaN where rounding forbids to say.  The
 * order is of A.
 *
 * Where the d-th value is nearly that of others, beside which it is arbitrary
 * which one is among the d, the count is of those below all of these.  Time of
 * one factor or two; up to ten where pivots are small.
 */
double kith_missed(const struct kith_singular *m, size_t d, const double *value, double slack,
    struct kith_sparse_factor *order);

#endif
