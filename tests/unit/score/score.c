/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/score/score.h at its ends; tabscore.t has its formulas, and weights of rows. */
#include "score/score.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>

enum { MANY = 100003 };

static void
test_classes_at_ends(void)
{
	static const struct {
		size_t y[3], p[3], c;
		double accuracy, f1, mcc;
	} due[] = {
	    {{0, 0, 0}, {0, 0, 0}, 1, 1, 1, 0}, /* 0/0 is 0 */
	    {{0, 0, 0}, {1, 1, 1}, 2, 0, 0, 0},
	    {{0, 1, 1}, {0, 1, 1}, 2, 1, 1, 1},
	    {{0, 1, 1}, {1, 0, 0}, 2, 0, 0, -1},
	    {{0, 1, 1}, {0, 0, 0}, 2, 1. / 3, .25, 0},
	};
	double s[KITH_SCORE_MEASURES];

	for (size_t i = 0; i < sizeof(due) / sizeof(*due); i++) {
		kith_score_classes(due[i].y, due[i].p, NULL, 3, due[i].c, s);
		is_near(s[KITH_SCORE_ACCURACY], due[i].accuracy, 0, "accuracy");
		is_near(s[KITH_SCORE_MACRO_F1], due[i].f1, 1e-15, "F1");
		is_near(s[KITH_SCORE_MCC], due[i].mcc, 1e-15, "mcc");
	}
}

static void
test_auc(void)
{
	static const size_t positive[] = {1, 0, 1, 0};
	static const double score[] = {-1, 0, 0, 0};

	is_near(kith_score_auc(positive, 1, score, NULL, 2), 0, 0, "auc, turned round");
	is_near(kith_score_auc(positive, 1, score + 2, NULL, 2), .5, 0, "auc of a tie");
	ok(isnan(kith_score_auc(positive, 1, score, NULL, 1)), "auc without others");
	ok(isnan(kith_score_auc(positive + 1, 1, score, NULL, 1)), "auc without any");
}

static void
test_numbers(void)
{
	static const double tenth[] = {0.1, 0.1, 0.1}, near[] = {0.1, 0.2, 0.1};
	static const double huge[] = {1e300, -1e300, 1.7e308};
	static const double off[] = {1e300, 1e300, -1.7e308};
	static const double tiny[] = {1e-300, 3e-300}, low[] = {2e-300, 3e-300};
	double s[KITH_SCORE_MEASURES];

	kith_score_numbers(tenth, near, NULL, 3, s);
	ok(isnan(s[KITH_SCORE_R2]), "r2 of equal numbers");
	kith_score_numbers(tenth, tenth, NULL, 3, s);
	ok(isnan(s[KITH_SCORE_R2]) && s[KITH_SCORE_RMSE] == 0 && s[KITH_SCORE_MAE] == 0,
	    "the same, all right");
	kith_score_numbers(huge, off, NULL, 2, s);
	is_near(s[KITH_SCORE_RMSE] / 1e300, sqrt(2), 1e-15, "no square overflows");
	is_near(s[KITH_SCORE_MAE], 1e300, 1e-15, "nor a sum");
	is_near(s[KITH_SCORE_R2], -1, 1e-15, "r2 of huge numbers");
	kith_score_numbers(huge, off, NULL, 3, s);
	ok(isinf(s[KITH_SCORE_RMSE]), "what fits no double is infinite");
	kith_score_numbers(tiny, low, NULL, 2, s);
	is_near(s[KITH_SCORE_RMSE] / 1e-300, sqrt(0.5), 1e-15, "no square vanishes");
	is_near(s[KITH_SCORE_R2], 0.5, 1e-15, "r2 of tiny numbers");
}

/* So many that their sum is rounded, and with it the mean. */
static void
test_equal_numbers(void)
{
	static double y[MANY], p[MANY];
	double s[KITH_SCORE_MEASURES];

	for (size_t i = 0; i < MANY; i++)
		y[i] = 1 / 3.0;
	kith_score_numbers(y, p, NULL, MANY, s);
	ok(isnan(s[KITH_SCORE_R2]), "r2 of many equal numbers");
	is_near(s[KITH_SCORE_MAE], 1 / 3.0, 1e-15, "their mae");
}

/* The mean over all orders of six rows that sort their scores. */
static double
plain_mean(const double *y, const double *p, size_t k)
{
	size_t row[6] = {0, 1, 2, 3, 4, 5}, orders = 0, at[6] = {0};
	double sum = 0;

	for (size_t i = 0; i <= 6;) { /* Heap's algorithm */
		bool sorted = true;
		double dcg = 0;

		for (size_t r = 1; r < 6; r++)
			sorted = sorted && p[row[r - 1]] >= p[row[r]];
		for (size_t r = 0; r < 6 && r < k; r++)
			dcg += (exp2(y[row[r]]) - 1) / fmax(1, log2((double)r + 1));
		sum += sorted ? dcg : 0;
		orders += sorted;
		for (i = 1; i < 6 && at[i] == i; i++)
			at[i] = 0;
		if (i == 6)
			break;
		{
			const size_t other = i % 2 ? at[i] : 0, t = row[i];

			row[i] = row[other];
			row[other] = t;
			at[i]++;
		}
	}
	return sum / (double)orders;
}

static void
test_ndcg_ties(void)
{
	double worst = 0;

	for (uint64_t seed = 0; seed < 50; seed++) {
		double y[6], p[6];
		struct kith_rng r;
		size_t counted, k;

		kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 3);
		k = 1 + kith_rng_below(&r, 6);
		for (size_t i = 0; i < 6; i++) {
			y[i] = (double)kith_rng_below(&r, 4);
			p[i] = (double)kith_rng_below(&r, 3);
		}
		y[0] = 1;
		worst = fmax(worst,
		    fabs(kith_score_ndcg(y, p, NULL, 6, k, &counted) -
			plain_mean(y, p, k) / plain_mean(y, y, k)));
	}
	is_near(worst, 0, 1e-14, "the mean over all orders of ties");
}

static void
test_ndcg_at_ends(void)
{
	static const double zero[] = {0, 0}, tie[] = {1, 1};
	static const double small[] = {1e-12, 2e-12}, large[] = {1000, 999};
	static const size_t one[] = {0, 0};
	size_t counted;

	is_near(kith_score_ndcg(zero, tie, one, 2, 1, &counted), 0, 0, "all empty");
	is_near(kith_score_ndcg(small, tie, one, 2, 1, &counted), 0.75, 1e-11,
	    "the mean over orders of ties; small gains keep their digits");
	is_near(
	    kith_score_ndcg(large, small, one, 2, 1, &counted), 0.5, 1e-15, "the largest gains");
}

int
main(void)
{
	test_classes_at_ends();
	test_auc();
	test_numbers();
	test_equal_numbers();
	test_ndcg_ties();
	test_ndcg_at_ends();
	return done();
}
