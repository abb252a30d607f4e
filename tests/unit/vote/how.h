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

/* kith_predict() into predictions in the pool, in the order of Z. */
static inline int
predict(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err)
{
	kith_predicted_new(known, how, Z ? Z->n : known->X.n, out, pool);
	return kith_predict(known, how, Z, NULL, out, err);
}

/* kith_predict_cv() into predictions in the pool. */
static inline int
predict_cv(const struct kith_sample *known, const struct kith_predict_how *how, const size_t *part,
    size_t parts, struct kith_predicted *out, struct kith_pool *pool, struct kith_err *err)
{
	kith_predicted_new(known, how, known->X.n, out, pool);
	return kith_predict_cv(known, how, part, parts, out, err);
}

#endif
