/* SPDX-License-Identifier: BSD-2-Clause */
/* vote/how - how rows of one feature are predicted. */
#ifndef KITH_TEST_VOTE_HOW_H
#define KITH_TEST_VOTE_HOW_H

#include "base/pool.h"
#include "near/metric.h"
#include "vote/predict.h"

static const struct kith_metric one_feature = {KITH_SQUARED, 1, NULL};

/* By the votes of the k nearest, in one thread. */
static inline struct kith_predict_how
how_of(const struct kith_vote *vote, const size_t *k)
{
	return (struct kith_predict_how){
	    .metric = &one_feature, .k = k, .nk = 1, .vote = vote, .ratio = 1, .threads = 1};
}

/* Allocates the predictions of m rows in the pool. */
static inline void
predicted_new(const struct kith_sample *known, size_t nk, size_t m, struct kith_predicted *out,
    struct kith_pool *pool)
{
	*out = (struct kith_predicted){.nk = nk, .sigma = kith_new(pool, nk, sizeof(double))};
	if (known->y) {
		out->y = kith_new(pool, m * nk, sizeof(*out->y));
		out->share = kith_new(pool, m * nk, known->c * sizeof(*out->share));
	} else
		out->t = kith_new(pool, m * nk, sizeof(*out->t));
}

/* kith_predict() into predictions in the pool, in the order of Z. */
static inline int
predict(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err)
{
	predicted_new(known, how->nk, Z ? Z->n : known->X.n, out, pool);
	return kith_predict(known, how, Z, NULL, out, err);
}

/* kith_predict_cv() into predictions in the pool. */
static inline int
predict_cv(const struct kith_sample *known, const struct kith_predict_how *how, const size_t *part,
    size_t parts, struct kith_predicted *out, struct kith_pool *pool, struct kith_err *err)
{
	predicted_new(known, how->nk, known->X.n, out, pool);
	return kith_predict_cv(known, how, part, parts, out, err);
}

#endif
