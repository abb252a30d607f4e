/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/margin - the margin of each row under weights (Zhao, Ni et al.,
 * IMMIGRATE, eq. (3.3)): with alpha and beta of immigrate/immigrate.h,
 *
 *	hit_n    = sum over the hits of alpha_ni d(n, i)
 *	miss_n   = sum over the misses of beta_ni d(n, i)
 *	margin_n = miss_n - hit_n
 */
#ifndef KITH_IMMIGRATE_MARGIN_H
#define KITH_IMMIGRATE_MARGIN_H

#include <stddef.h>

struct kith_immigrate_fitted;
struct kith_immigrate_rows;
struct kith_metric;
struct kith_out;
struct kith_table;

/*
 * hit and miss (n each) of the rows, whose p features are those of the metric;
 * sigma is in units of d.  A row without hits has a hit of NaN.  Each number
 * depends on its row alone.  Time O(n^2 p), for a matrix O(n^2 p^2), on
 * `threads` threads.
 */
void kith_immigrate_margins(const struct kith_immigrate_rows *rows,
    const struct kith_metric *metric, double sigma, size_t threads, double *hit, double *miss);

/*
 * Write id hit miss margin of the rows of a table under a fit of theirs, NA
 * where there is none.
 */
void kith_immigrate_margins_write(const struct kith_table *t,
    const struct kith_immigrate_rows *rows, const struct kith_immigrate_fitted *fit, double sigma,
    size_t threads, struct kith_out *out);

#endif
