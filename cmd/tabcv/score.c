/* SPDX-License-Identifier: BSD-2-Clause */
/* score/score.h and score/columns.h define the measures. */
#include "tabcv.h"

#include "table/roles.h"
#include "table/trial.h"

#include <math.h>

const enum mean means[KITH_SCORE_MEASURES] = {
    [KITH_SCORE_ERROR] = OVER_ROWS,
    [KITH_SCORE_BALANCED_ACCURACY] = OVER_PARTS,
    [KITH_SCORE_MACRO_F1] = OVER_PARTS,
    [KITH_SCORE_MCC] = OVER_PARTS,
    [KITH_SCORE_AUC] = OVER_PARTS,
    [KITH_SCORE_LOG_LOSS] = OVER_ROWS,
    [KITH_SCORE_RMSE] = ROOT,
    [KITH_SCORE_MAE] = OVER_ROWS,
    [KITH_SCORE_R2] = OVER_PARTS,
    [KITH_SCORE_SQUARED] = OVER_ROWS,
    [KITH_SCORE_NDCG] = OVER_QUERIES,
};

/* The loss of row i, before its weight. */
static long double
loss_of_row(const struct outcome *o, size_t i)
{
	long double difference;

	if (how.measure == KITH_SCORE_ERROR)
		return o->class[i] != o->actual_class[i];
	if (how.measure == KITH_SCORE_LOG_LOSS)
		return o->log_loss[i];
	difference = (long double)o->number[i] - o->actual[i];
	return how.measure == KITH_SCORE_MAE ? fabsl(difference) : difference * difference;
}

/* The value of a part, or NaN: its rows do not define it. */
static double
value_of_part(const struct outcome *o, size_t *queries)
{
	const struct kith_score_ranking ranking = {o->actual, o->number, o->query, o->n};
	double score[KITH_SCORE_MEASURES];

	if (how.measure == KITH_SCORE_NDCG)
		return kith_score_ndcg(&ranking, how.ndcg, queries);
	if (how.measure == KITH_SCORE_AUC)
		return kith_score_auc(o->actual_class, o->positive, o->score, NULL, o->n);
	if (how.measure == KITH_SCORE_R2)
		kith_score_numbers(o->actual, o->number, NULL, o->n, score);
	else
		kith_score_classes(o->actual_class, o->class, NULL, o->n, o->classes, score);
	return score[how.measure];
}

void
score_outcome(const struct outcome *o, struct score *s)
{
	struct kith_pool tmp = {0};
	long double *loss = kith_new(&tmp, o->n, sizeof(*loss));
	struct kith_trial t = {.se = NAN};
	size_t queries = 1;
	double value = NAN;

	*s = (struct score){.k = s->k, .n = o->n};
	for (size_t i = 0; o->class && i < o->n; i++)
		s->errors += o->class[i] != o->actual_class[i];
	if (means[how.measure] >= OVER_PARTS) {
		value = value_of_part(o, &queries);
		s->loss = isnan(value) ? 0 : (long double)value * (long double)queries;
		s->weight = isnan(value) ? 0 : (double)queries;
	} else {
		for (size_t i = 0; i < o->n; i++) {
			loss[i] = o->weight[i] * loss_of_row(o, i);
			s->loss += loss[i];
			s->weight += o->weight[i];
		}
		kith_trial_sums(loss, o->weight, o->n, how.measure == KITH_SCORE_RMSE, &t);
	}
	s->row_se = t.se;
	kith_pool_free(&tmp);
}
