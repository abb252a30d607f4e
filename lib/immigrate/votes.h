/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/votes - which rows are predicted wrongly, each from all others by
 * expected distance (near/expect.h).
 */
#ifndef KITH_IMMIGRATE_VOTES_H
#define KITH_IMMIGRATE_VOTES_H

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_rows;
struct kith_metric;

/*
 * wrong (n) of the rows, whose p features are those of the metric.  V (n x c) is
 * what a fit found (how->votes of immigrate/problem.h), in units where no
 * difference of features exceeds 1: it decides but where its two smallest
 * numbers are equal up to rounding; such rows are predicted by near/expect.h,
 * so that the result is the same for all rows.  Time O(n c), and O(n p^2) for
 * each of these.
 */
void kith_immigrate_wrong(const struct kith_immigrate_rows *rows, const struct kith_metric *metric,
    double sigma, const double *V, size_t threads, bool *wrong);

#endif
