/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * score/score - how good predictions are: n of them, p, for what was true, y.
 *
 * Row i counts w_i >= 0 times, a whole number or not; w NULL: once.  The sum of the w is
 * above 0.  With whole numbers w, a measure is that of rows that are repeated w_i times.
 *
 * Counts are exact and sums run in long double, about the mean where there is
 * one: finite data do not overflow on the way.  A measure that the data do not
 * define is NaN where this page says so.
 */
#ifndef KITH_SCORE_SCORE_H
#define KITH_SCORE_SCORE_H

#include <stdbool.h>
#include <stddef.h>

/* The measures; a table of results is judged by the first that it has, the smaller ones first. */
enum kith_score_measure {
	KITH_SCORE_ACCURACY,
	KITH_SCORE_ERROR,
	KITH_SCORE_BALANCED_ACCURACY,
	KITH_SCORE_MACRO_F1,
	KITH_SCORE_MCC,
	KITH_SCORE_RMSE,
	KITH_SCORE_MAE,
	KITH_SCORE_SQUARED,
	KITH_SCORE_LOG_LOSS,
	KITH_SCORE_BRIER,
	KITH_SCORE_AUC,
	KITH_SCORE_R2,
	KITH_SCORE_NDCG,
	KITH_SCORE_MEASURES
};

extern const struct kith_score_properties {
	const char *name;
	enum {
		KITH_SCORE_OF_CLASSES,
		KITH_SCORE_OF_PROBABILITIES, /* of classes (score/columns.h) */
		KITH_SCORE_OF_SCORES,        /* of a class */
		KITH_SCORE_OF_NUMBERS,
		KITH_SCORE_OF_RELEVANCES
	} of;
	bool larger_is_better;
} kith_score_measures[KITH_SCORE_MEASURES];

/*
 * Classes.  Class h is actual in rows of weight y_h, predicted in p_h, and both in b_h.
 *
 *	accuracy           (sum b_h) / n
 *	error              1 - accuracy
 *	balanced_accuracy  the mean of b_h / y_h over the classes with y_h > 0
 *	macro_f1           the mean of 2 b_h / (y_h + p_h) over those with
 *	                   y_h + p_h > 0
 *	mcc                (n sum b_h - sum y_h p_h) / sqrt((n^2 - sum y_h^2)
 *	                   (n^2 - sum p_h^2)), and 0 for 0/0 (Gorodkin 2004)
 *
 * Sets these elements of score, for n >= 1 predictions, y and p in 0..c-1.  Time and memory
 * O(n + c).
 */
void kith_score_classes(const size_t *y, const size_t *p, const double *w, size_t n, size_t c,
    double score[KITH_SCORE_MEASURES]);

/* The weight of the rows of class h that are predicted as class g, into count[h * c + g]. */
void kith_score_confusion(
    const size_t *y, const size_t *p, const double *w, size_t n, size_t c, double *count);

/*
 * Numbers: squared = mean (p - y)^2, rmse = sqrt squared, mae = mean |p - y|, and
 * r2 = 1 - sum (p - y)^2 / sum (y - mean y)^2, NaN where all y are equal.
 *
 * Sets these elements of score, for n >= 1 finite predictions of finite numbers.  Time O(n).
 */
void kith_score_numbers(
    const double *y, const double *p, const double *w, size_t n, double score[KITH_SCORE_MEASURES]);

/*
 * The area under the ROC curve: how often a row of class `positive` has a larger score than a row
 * of another class, over all pairs of them, ties counting one half.  NaN unless there are rows of
 * both kinds.  Time O(n log n).
 */
double kith_score_auc(
    const size_t *y, size_t positive, const double *score, const double *w, size_t n);

enum { KITH_RELEVANCE_MOST = 1000 }; /* its gain fits a double */

/*
 * NDCG at k, eq. (34) of Karasuyama, Harada, Sugiyama and Takeuchi (2012).
 *
 * The rows of a query are sorted by p, largest first; DCG is the sum over the first k
 * of (2^y - 1) / max(1, log2 j), j the rank from 1; where rows have equal p, its mean
 * over their orders, so that the order of the table does not count;
 * NDCG is DCG divided by that of the rows sorted by y.  Returned is the mean
 * over the queries, in which one without a row of y > 0 counts as 0; *queries is
 * their number.
 *
 * query[i] is a number that rows of one query share; y in
 * 0..KITH_RELEVANCE_MOST; n >= 1, k >= 1.  Time O(n log n).
 */
struct kith_score_ranking {
	const double *y, *p;
	const size_t *query;
	size_t n;
};

double kith_score_ndcg(const struct kith_score_ranking *in, size_t k, size_t *queries);

#endif
