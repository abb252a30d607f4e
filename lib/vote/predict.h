/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/predict - predicts rows by a vote of the nearest rows of a reference, or of all of them, or
 * to judge that, the rows of the reference itself.
 */
#ifndef KITH_VOTE_PREDICT_H
#define KITH_VOTE_PREDICT_H

#include "table/table.h"
#include "vote/votes.h"

#include <stddef.h>

struct kith_err;
struct kith_origin;
struct kith_pool;

/* Checks the range of X under the metrics of all learners (table/unit.h), not from->metric. */
int kith_predict_range(const struct kith_predict_how *how, const struct kith_mat *X,
    const struct kith_origin *from, struct kith_err *err);

/*
 * Predict the targets of the rows of Z (m x p) from the k nearest rows of
 * reference, for every k.  Results in the pool.
 *
 * Fails with EX_DATAERR when a k exceeds the rows of the reference, and when a distance
 * is below 0 and the vote is not by majority or expected distance.  The vote by
 * expected distance uses all rows: nk is 1, and k does not matter.
 */
int kith_predict(const struct kith_sample *reference, const struct kith_predict_how *how,
    const struct kith_mat *Z, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err);

/* Predicts each row of the reference from the other rows. */
int kith_predict_loo(const struct kith_sample *reference, const struct kith_predict_how *how,
    struct kith_predicted *out, struct kith_pool *pool, struct kith_err *err);

/*
 * Predict the rows of each part (part[i] in 0..parts-1, for the n rows) from
 * those of all other parts.  A bandwidth is that of the part's reference, and
 * out->sigma that of the last part.  With how->scale the others are brought to
 * their units (table/unit.h), and the part by these; needs reference->from.
 */
int kith_predict_cv(const struct kith_sample *reference, const struct kith_predict_how *how,
    const size_t *part, size_t parts, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err);

#endif
