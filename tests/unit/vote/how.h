/* SPDX-License-Identifier: BSD-2-Clause */
/* vote/how - how rows of one feature are predicted. */
#ifndef KITH_TEST_VOTE_HOW_H
#define KITH_TEST_VOTE_HOW_H

#include "near/metric.h"
#include "vote/predict.h"

static const struct kith_metric one_feature = {KITH_SQUARED, 1, NULL};

/* By the votes of the k nearest, in one thread. */
static inline struct kith_predict_how
how_of(const struct kith_vote *vote, const size_t *k)
{
	return (struct kith_predict_how){.metric = &one_feature,
	    .k = k,
	    .nk = 1,
	    .vote = vote,
	    .ratio = 1,
	    .share = true,
	    .threads = 1};
}

#endif
