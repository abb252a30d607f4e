/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/score/score.h. */
#include "score/score.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>

enum { MOST = 60, CASES = 200, MANY = 100003 };

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

/* The correlation of 0/1 variables of two classes, by the product moment. */
static double
phi(const size_t *y, const size_t *p, size_t n)
{
	double my = 0, mp = 0, yy = 0, pp = 0, yp = 0;

	for (size_t i = 0; i < n; i++) {
		my += (double)y[i] / (double)n;
		mp += (double)p[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		const double u = (double)y[i] - my, v = (double)p[i] - mp;

		yy += u * u;
		pp += v * v;
		yp += u * v;
	}
	return yy * pp > 1e-12 ? yp / sqrt(yy * pp) : 0;
}

static void
test_two_classes(void)
{
	double worst = 0;

	for (uint64_t seed = 0; seed < CASES; seed++) {
		size_t y[MOST], p[MOST], n;
		double s[KITH_SCORE_MEASURES];
		struct kith_rng r;

		kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 1);
		n = 1 + kith_rng_below(&r, MOST);
		for (size_t i = 0; i < n; i++) {
			y[i] = kith_rng_below(&r, 2);
			p[i] = kith_rng_below(&r, 3) ? y[i] : 1 - y[i];
		}
		kith_score_classes(y, p, NULL, n, 2, s);
		worst = fmax(worst, fabs(s[KITH_SCORE_MCC] - phi(y, p, n)));
		worst = fmax(worst, fabs(s[KITH_SCORE_ACCURACY] + s[KITH_SCORE_ERROR] - 1));
	}
	is_near(worst, 0, 1e-12, "mcc of two classes is their correlation");
}

/* All pairs. */
static double
plain_auc(const size_t *positive, const double *score, size_t n)
{
	double won = 0, pairs = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (positive[i] && !positive[j]) {
				won += score[i] > score[j] ? 1 : score[i] == score[j] ? 0.5 : 0;
				pairs++;
			}
	return won / pairs;
}

static void
test_auc(void)
{
	size_t wrong = 0;
	size_t positive[MOST] = {1, 0};
	double score[MOST] = {0.2, 0.9};

	is_near(kith_score_auc(positive, 1, score, NULL, 2), 0, 0, "auc, turned round");
	score[1] = 0.2;
	is_near(kith_score_auc(positive, 1, score, NULL, 2), 0.5, 0, "auc of a tie");
	ok(isnan(kith_score_auc(positive, 1, score, NULL, 1)), "auc without others");
	ok(isnan(kith_score_auc(positive + 1, 1, score, NULL, 1)), "auc without any");
	for (uint64_t seed = 0; seed < CASES; seed++) {
		struct kith_rng r;
		size_t n;
		double got, due;

		kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 2);
		n = 1 + kith_rng_below(&r, MOST);
		for (size_t i = 0; i < n; i++) {
			positive[i] = kith_rng_below(&r, 2);
			score[i] = (double)kith_rng_below(&r, 7) - 3;
		}
		got = kith_score_auc(positive, 1, score, NULL, n);
		due = plain_auc(positive, score, n);
		if (isnan(due) ? !isnan(got) : got != due)
			wrong++;
	}
	is_size(wrong, 0, "auc is the share of pairs won");
}

static void
test_numbers(void)
{
	static const double y[] = {1, 2, 3, 6}, p[] = {1, 4, 3, 5};
	static const double tenth[] = {0.1, 0.1, 0.1}, near[] = {0.1, 0.2, 0.1};
	static const double huge[] = {1e300, -1e300, 1.7e308};
	static const double off[] = {1e300, 1e300, -1.7e308};
	static const double tiny[] = {1e-300, 3e-300}, low[] = {2e-300, 3e-300};
	double s[KITH_SCORE_MEASURES];

	kith_score_numbers(y, p, NULL, 4, s);
	is_near(s[KITH_SCORE_RMSE], sqrt(5 / 4.0), 1e-15, "rmse");
	is_near(s[KITH_SCORE_MAE], 3 / 4.0, 0, "mae");
	is_near(s[KITH_SCORE_R2], 1 - 5 / 14.0, 1e-15, "r2");
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

static void
test_ndcg_by_hand(void)
{
	/* Query 4: ranks of p give y = 0, 2, 1; query 9 has nothing relevant */
	static const double y[] = {2, 0, 0, 1, 0}, p[] = {5, 7, 9, 3, 7};
	static const size_t query[] = {4, 9, 4, 4, 9};
	const struct kith_score_ranking in = {y, p, query, 5};
	const double all = (3 + 1 / log2(3)) / (3 + 1);
	size_t counted;

	is_near(kith_score_ndcg(&in, 3, &counted), all / 2, 1e-15,
	    "NDCG, a query without a relevant row counting 0");
	is_size(counted, 2, "queries");
	is_near(kith_score_ndcg(&in, 1, &counted), 0, 0, "NDCG at 1");
	is_near(kith_score_ndcg(&in, 2, &counted), 3 / 8.0, 1e-15,
	    "NDCG at 2: rank 2 is not discounted");
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
		const struct kith_score_ranking in = {y, p, NULL, 6};
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
		    fabs(kith_score_ndcg(&in, k, &counted) -
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
	struct kith_score_ranking in = {zero, tie, one, 2};
	size_t counted;

	is_near(kith_score_ndcg(&in, 1, &counted), 0, 0, "all empty");
	in.y = small;
	is_near(kith_score_ndcg(&in, 1, &counted), 0.75, 1e-11,
	    "the mean over orders of ties; small gains keep their digits");
	in.y = large;
	in.p = small;
	is_near(kith_score_ndcg(&in, 1, &counted), 0.5, 1e-15, "the largest gains");
}

/* A measure of weighted rows is that of rows that are repeated. */
static void
test_weights(void)
{
	static const size_t of_classes[] = {KITH_SCORE_ACCURACY, KITH_SCORE_ERROR,
	    KITH_SCORE_BALANCED_ACCURACY, KITH_SCORE_MACRO_F1, KITH_SCORE_MCC};
	static const size_t of_numbers[] = {KITH_SCORE_RMSE, KITH_SCORE_MAE, KITH_SCORE_R2};
	struct kith_rng rng;
	size_t wrong = 0;

	kith_rng_seed(&rng, 5, 0, 0);
	for (size_t h = 0; h < CASES; h++) {
		enum { ROWS = 12, REPEATS = 4, CLASSES = 3 };
		size_t y[ROWS], p[ROWS], y_all[ROWS * REPEATS], p_all[ROWS * REPEATS], n = 0;
		double t[ROWS], v[ROWS], w[ROWS], t_all[ROWS * REPEATS], v_all[ROWS * REPEATS];
		double count[CLASSES * CLASSES], count_all[CLASSES * CLASSES];
		size_t positive[ROWS], positive_all[ROWS * REPEATS];
		double a[KITH_SCORE_MEASURES], b[KITH_SCORE_MEASURES];
		double c[KITH_SCORE_MEASURES], e[KITH_SCORE_MEASURES];

		for (size_t i = 0; i < ROWS; i++) {
			y[i] = kith_rng_below(&rng, CLASSES);
			p[i] = kith_rng_below(&rng, CLASSES);
			t[i] = kith_rng_unit(&rng);
			v[i] = (double)kith_rng_below(&rng, 5);
			positive[i] = y[i] == 1;
			w[i] = i == 0 ? 2 : (double)kith_rng_below(&rng, REPEATS);
			for (size_t r = 0; r < (size_t)w[i]; r++, n++) {
				y_all[n] = y[i];
				p_all[n] = p[i];
				t_all[n] = t[i];
				v_all[n] = v[i];
				positive_all[n] = positive[i];
			}
		}
		kith_score_classes(y, p, w, ROWS, CLASSES, a);
		kith_score_classes(y_all, p_all, NULL, n, CLASSES, b);
		kith_score_confusion(y, p, w, ROWS, CLASSES, count);
		kith_score_confusion(y_all, p_all, NULL, n, CLASSES, count_all);
		kith_score_numbers(t, v, w, ROWS, c);
		kith_score_numbers(t_all, v_all, NULL, n, e);
		for (size_t i = 0; i < 5; i++)
			wrong += a[of_classes[i]] != b[of_classes[i]];
		for (size_t i = 0; i < CLASSES * CLASSES; i++)
			wrong += count[i] != count_all[i];
		for (size_t i = 0; i < 3; i++) {
			const double x = c[of_numbers[i]], z = e[of_numbers[i]];

			wrong += !(fabs(x - z) <= 1e-14 * fabs(z) || (isnan(x) && isnan(z)));
		}
		{
			const double one = kith_score_auc(positive, 1, v, w, ROWS);
			const double other = kith_score_auc(positive_all, 1, v_all, NULL, n);

			wrong += one != other && !(isnan(one) && isnan(other));
		}
	}
	is_size(wrong, 0, "weights are repetitions");
	{
		static const size_t y[] = {0, 1, 1}, p[] = {0, 0, 1};
		static const double w[] = {.5, .25, 1.25};
		double s[KITH_SCORE_MEASURES];

		kith_score_classes(y, p, w, 3, 2, s);
		is_near(s[KITH_SCORE_ERROR], .125, 0, "fractions of rows");
		is_near(
		    s[KITH_SCORE_BALANCED_ACCURACY], (1 + 1.25 / 1.5) / 2, 1e-15, "in each class");
	}
}

int
main(void)
{
	test_classes_at_ends();
	test_two_classes();
	test_auc();
	test_numbers();
	test_equal_numbers();
	test_ndcg_by_hand();
	test_ndcg_ties();
	test_ndcg_at_ends();
	test_weights();
	return done();
}
