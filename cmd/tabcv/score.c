/* SPDX-License-Identifier: BSD-2-Clause */
/* score/score.h and score/chance.h define the measures. */
#include "tabcv.h"

#include "score/score.h"
#include "table/roles.h"
#include "table/trial.h"

#include <math.h>

const struct measure measures[MEASURES] = {
    [ERROR] = {"error", KITH_CLASSIFY, OVER_ROWS, 1},
    [BALANCED_ACCURACY] = {"balanced_accuracy", KITH_CLASSIFY, OVER_PARTS, -1},
    [MACRO_F1] = {"macro_f1", KITH_CLASSIFY, OVER_PARTS, -1},
    [MCC] = {"mcc", KITH_CLASSIFY, OVER_PARTS, -1},
    [AUC] = {"auc", KITH_CLASSIFY, OVER_PARTS, -1},
    [LOG_LOSS] = {"log_loss", KITH_CLASSIFY, OVER_ROWS, 1},
    [RMSE] = {"rmse", KITH_REGRESS, ROOT, 1},
    [MAE] = {"mae", KITH_REGRESS, OVER_ROWS, 1},
    [R2] = {"r2", KITH_REGRESS, OVER_PARTS, -1},
    [SQUARED] = {"squared", KITH_REGRESS, OVER_ROWS, 1},
    [NDCG] = {"ndcg", KITH_REGRESS, OVER_QUERIES, -1},
};

/* The loss of row i, before its weight. */
static long double
loss_of_row(const struct outcome *o, size_t i)
{
	long double difference;

	if (how.measure == ERROR)
		return o->class[i] != o->actual_class[i];
	if (how.measure == LOG_LOSS)
		return o->log_loss[i];
	difference = (long double)o->number[i] - o->actual[i];
	return how.measure == MAE ? fabsl(difference) : difference * difference;
}

static double
area_under_curve(const struct outcome *o)
{
	struct kith_pool tmp = {0};
	bool *positive = kith_new(&tmp, o->n, sizeof(*positive));
	double auc;

	for (size_t i = 0; i < o->n; i++)
		positive[i] = o->actual_class[i] == o->positive;
	auc = kith_score_auc(positive, o->score, NULL, o->n);
	kith_pool_free(&tmp);
	return auc;
}

/* The value of a part, or NaN: its rows do not define it. */
static double
value_of_part(const struct outcome *o, size_t *queries)
{
	const struct kith_score_ranking ranking = {o->actual, o->number, o->query, o->n};
	struct kith_score_classes classes;
	struct kith_score_numbers numbers;

	if (how.measure == NDCG)
		return kith_score_ndcg(&ranking, how.ndcg, queries);
	if (how.measure == AUC)
		return area_under_curve(o);
	if (how.measure == R2) {
		kith_score_numbers(o->actual, o->number, NULL, o->n, &numbers);
		return numbers.r2;
	}
	kith_score_classes(o->actual_class, o->class, NULL, o->n, o->classes, &classes);
	return how.measure == MCC     ? classes.mcc
	    : how.measure == MACRO_F1 ? classes.macro_f1
				      : classes.balanced_accuracy;
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
	if (measures[how.measure].mean == OVER_PARTS ||
	    measures[how.measure].mean == OVER_QUERIES) {
		value = value_of_part(o, &queries);
		s->loss = isnan(value) ? 0 : (long double)value * (long double)queries;
		s->weight = isnan(value) ? 0 : (double)queries;
	} else {
		for (size_t i = 0; i < o->n; i++) {
			loss[i] = o->weight[i] * loss_of_row(o, i);
			s->loss += loss[i];
			s->weight += o->weight[i];
		}
		kith_trial_sums(loss, o->weight, o->n, how.measure == RMSE, &t);
	}
	s->row_se = t.se;
	kith_pool_free(&tmp);
}
