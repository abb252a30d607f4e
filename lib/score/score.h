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

#include "text/rows.h"

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
		KITH_SCORE_OF_PROBABILITIES, /* of classes */
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
 * query[i] is a number from 0 that rows of one query share (NULL: all rows do), y is in
 * 0..KITH_RELEVANCE_MOST; n >= 1, k >= 1.  Time O(n log n), and memory for the largest query[i].
 */
double kith_score_ndcg(
    const double *y, const double *p, const size_t *query, size_t n, size_t k, size_t *queries);

/*
 * ---- The columns of a table of predictions, which vote/report.h writes:
 *
 *	predicted[_K] ... actual [probability[_K]:CLASS ... | score[_K]:CLASS ...]
 *
 * in any order, other columns aside.
 */

/* The name of a column of predictions is "predicted", or starts with "predicted_". */
bool kith_is_prediction(const char *column);

/* The scores of a column of predictions: its probabilities, where the table has some. */
struct kith_scores {
	const char *of;     /* name of the column of predictions */
	const char *prefix; /* "probability_K:", or where no column starts so "score_K:" */
	bool probabilities;
	size_t c;           /* columns that start with prefix; may be 0 */
	size_t *from;       /* c: the columns */
	const char **class; /* c: their classes */
};

struct kith_scores kith_scores_find(
    const char *prediction, const struct kith_rows *rows, struct kith_pool *pool);

/* Returns which of two columns is of the second class in byte order; c where they are not two. */
size_t kith_scores_second(const struct kith_scores *scores);

/*
 * The losses of the row that was read last, whose probabilities are p_h of class h, if y is true:
 *
 *	log_loss  -log p_y; infinite where p_y is 0, and where y has no column
 *	brier     sum_h (p_h - [h = y])^2 (Brier 1950)
 *
 * Fails where a score is not a number from 0 to 1, or their sum is not 1 to .01: they may be
 * rounded.
 */
int kith_scores_losses(const struct kith_scores *scores, const struct kith_rows *rows,
    const char *actual, long double *log_loss, long double *brier, struct kith_err *err);

/* ---- Whether methods differ: two on the same rows, or several over data sets. */

/*
 * A paired comparison: d are the losses of one predictor less the losses of
 * another on the same n >= 1 rows, row i counting w_i times, W = sum w > 0; w NULL: once.
 *
 *	difference  (sum w d) / W
 *	df          W - 1
 *	t           difference / (s / sqrt W), s^2 = sum w (d - difference)^2 / df
 *	p           the chance of a |t| as large, Student's t, two-sided
 *
 * Where all d are equal t is 0 and p 1 if they are 0, else t is infinite and
 * p 0.  A weight W of 1 or less has no variance: t and p are NaN.
 */
struct kith_score_paired {
	double difference, df, t, p;
};

void kith_score_paired(
    const long double *d, const double *w, size_t n, struct kith_score_paired *score);

/*
 * The probability that |T| >= |t|, T having Student's distribution with df > 0
 * degrees of freedom, a whole number or not:
 *
 *	p = I_x(df/2, 1/2)	x = df / (df + t^2)
 *
 * with the regularised incomplete beta function I (Abramowitz and Stegun,
 * Handbook of Mathematical Functions, 1964, 26.7.1 and 26.5.27).  To 14 digits
 * for df up to 1e6, also where p is tiny; 0 where it is below the least double.
 * Time O(sqrt(df)).
 */
double kith_student_tails(double t, double df);

/*
 * k methods compared over n data sets by their ranks (Demsar, Statistical
 * comparisons of classifiers over multiple data sets, 2006, sections 3.2.2 and 3.2.3).
 *
 *	r_ij      the rank of method j on set i: 1 for the largest x_ij, and equal ones share
 *	          the mean of their ranks
 *	R_j       (sum_i r_ij) / n
 *	chi2      12 n / (k (k + 1) c) sum_j (R_j - (k + 1) / 2)^2 (Friedman 1937), where
 *	          c = 1 - sum over all ties of t methods of (t^3 - t) / (n (k^3 - k)) corrects
 *	          for ties (Conover 1999); 0 where all methods are tied on every set
 *	p         the chance of a chi2 as large for equal methods: chi-square, k - 1 degrees
 *	critical  Nemenyi's difference of two R at the level .05:
 *	          q sqrt(k (k + 1) / (12 n)), q the .95 quantile of the range of k normal
 *	          numbers (the studentized range with infinitely many degrees)
 */
struct kith_friedman {
	double *rank; /* R, k of them, in the caller's memory */
	double chi2, p, critical;
};

/*
 * Compares k >= 2 methods on n >= 1 sets; x is n x k, finite, larger being better.  Numbers
 * that differ by 1e-13 of their size, as means do by rounding, are equal.
 * Time O(n k log k + 1e5 log k).
 */
void kith_friedman(const double *x, size_t n, size_t k, struct kith_friedman *test);

/* The probability that chi-square with df >= 1 degrees of freedom is x >= 0 or more. */
double kith_chi2_tail(double x, size_t df);

/* The .95 quantile of the range of k >= 2 normal numbers, to 12 digits. */
double kith_range_quantile(size_t k);

#endif
