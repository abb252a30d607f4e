/* score/rank - measures of an order. */
#ifndef KITH_SCORE_RANK_H
#define KITH_SCORE_RANK_H

#include "score/score.h"

/*
 * The area under the ROC curve: how often a positive row has a larger score
 * than another one, over all pairs of them, ties counting one half.  NaN
 * unless there are rows of both kinds.  Time O(n log n).
 */
double kith_score_auc(const bool *positive, const double *score, size_t n);
double kith_score_ndcg(const struct kith_score_ranking *in, size_t k,
    bool skip_empty, size_t *counted);

#endif
