/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/cost - the sums over rows of which the cost is made, at the distances
 * that a softmax has (immigrate/soft.h).
 */
#ifndef KITH_IMMIGRATE_COST_H
#define KITH_IMMIGRATE_COST_H

struct kith_immigrate_soft;

/* F = least + sigma logs, off by sigma error at most (immigrate/model.h). */
struct kith_immigrate_cost {
	double least; /* sum weight_n (least hit - least miss) */
	double logs;  /* sum weight_n (log miss sum - log hit sum) */
	double error; /* of logs, by what the sums may lack: pairs left out */
};

/* Time O(n) here and below. */
struct kith_immigrate_cost kith_immigrate_cost(const struct kith_immigrate_soft *soft);

/*
 * Sum of the entropies of misses less those of hits, NaN as in the package: a
 * distance too large for the mean underflows too.
 */
double kith_immigrate_cost_entropy(const struct kith_immigrate_soft *soft);

#endif
