/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/intervals - the table of --validate and --cv, and the best of its
 * rows.  By the measure (wsvmpath/validate.h) its columns are
 *
 *	theta_from theta_to n errors error se [C]
 *	theta_from theta_to n rmse_from rmse_to rmse theta se [C]
 *	theta_from theta_to n ndcg@K se [C]
 *
 * with C where both ends of the path are numbers: the one that belongs to the
 * middle, or to theta.
 */
#ifndef KITH_WSVMPATH_INTERVALS_H
#define KITH_WSVMPATH_INTERVALS_H

#include "wsvmpath/validate.h"

#include <stddef.h>

struct kith_out;
struct kith_pool;
struct kith_wsvm_call;

/* Intervals as they come. */
struct kith_wsvm_intervals {
	const struct kith_wsvm_call *call;
	struct kith_pool *pool;
	size_t rows;          /* what the column n says */
	struct kith_out *out; /* where each is written; NULL: nowhere */
	struct kith_wsvm_interval *v;
	size_t n, room;
};

/* Write the header of the table. */
void kith_wsvm_intervals_header(const struct kith_wsvm_call *call, struct kith_out *out);

/* Keep and write one; `to` is the struct kith_wsvm_intervals. */
void kith_wsvm_intervals_take(void *to, const struct kith_wsvm_interval *interval);

/*
 * The best of n >= 1: the smallest value, or largest NDCG; of equal ones the
 * widest where the value is constant, then the first.  With --best=1se the
 * simplest whose value is within one standard error of it (table/trial.h): that
 * of the smallest C, or where C is no number of the smallest theta.
 */
const struct kith_wsvm_interval *kith_wsvm_intervals_best(const struct kith_wsvm_intervals *all);

/*
 * Say and log the best interval, as options that give its solution alone: --from C --to C, or where
 * C is no number --at THETA.
 */
void kith_wsvm_intervals_say(
    const struct kith_wsvm_intervals *all, const struct kith_wsvm_interval *best);

#endif
