/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/pooled - the measures of several paths along one theta as one: those
 * of N machines, each on rows of its own, are the measure of all these rows.
 *
 *	error    sum of costs of wrong rows / sum of costs; as the errors of each
 *	         part are constant between its breakpoints, so is their sum
 *	         between those of all
 *	squared  the root of sum of squared errors / sum of costs: the sum of
 *	         parabolas is one
 *	ndcg     the mean over all queries
 *
 * with the standard error of table/trial.h over the parts.
 */
#ifndef KITH_WSVMPATH_POOLED_H
#define KITH_WSVMPATH_POOLED_H

#include "wsvmpath/validate.h"

#include <stddef.h>

/* A path from theta 0 to 1, validated on rows of its own. */
struct kith_wsvm_part {
	const struct kith_wsvm_interval *v; /* n sums that join (how->sums) */
	size_t n;
	double weight; /* of its rows that count; may be 0 */
};

/*
 * Call on_interval for each interval of the measure of all N parts, in order.
 * error, ndcg: they are maximal, unless the measure stays and its standard
 * error does not.  squared: one from each breakpoint of a part to the next.
 * Sums are in the order of the parts.  Time O(N) for each breakpoint.
 */
void kith_wsvm_pooled(int measure, const struct kith_wsvm_part *part, size_t N,
    kith_wsvm_on_interval *on_interval, void *to);

#endif
