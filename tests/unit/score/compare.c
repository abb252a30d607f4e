/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/score/score.h: Student's t against values of 25 digits, computed in arithmetic of
 * 60; Demsar's example, and values of scipy 1.10.  tabscore.t has comparisons of pairs of rows.
 */
#include "score/score.h"

#include "tap.h"

#include <math.h>

static const struct {
	double t;
	double df;
	double p;
} student[] = {
    {0.5, 1, 7.048327646991334516e-1},
    {2, 1, 2.951672353008665483e-1},
    {4.5, 1, 1.392089745461278974e-1},
    {37, 1, 1.720175221086630814e-2},
    {1e8, 1, 6.366197723675813218e-9},
    {0.5, 2, 6.666666666666666666e-1},
    {2, 2, 1.835034190722739672e-1},
    {4.5, 2, 4.600190799427601907e-2},
    {37, 2, 7.296608049250635942e-4},
    {1e8, 2, 9.9999999999999985e-17},
    {0, 3, 1},
    {0.5, 3, 6.514479648481509944e-1},
    {2, 3, 1.393259685588431768e-1},
    {4.5, 3, 2.049041234445340938e-2},
    {37, 3, 4.342348812497912553e-5},
    {1e8, 3, 2.205315581687167404e-24},
    {1e-8, 5, 9.999999924078662035e-1},
    {0.5, 5, 6.382988716409290067e-1},
    {2, 5, 1.019394788298583562e-1},
    {4.5, 5, 6.399536346324293520e-3},
    {37, 5, 2.715828192546803725e-7},
    {1e8, 5, 1.898033449112470122e-39},
    {0.5, 10, 6.278936057429729427e-1},
    {2, 10, 7.338803477074036561e-2},
    {4.5, 10, 1.143105086804065154e-3},
    {37, 10, 4.949890965397113061e-12},
    {1e8, 10, 2.460937499999988720e-76},
    {0.5, 30, 6.207230048851272859e-1},
    {2, 30, 5.462504496298310392e-2},
    {4.5, 30, 9.519359392112468808e-5},
    {37, 30, 1.360580629141986381e-26},
    {1e8, 30, 2.072906930512323016e-219},
    {0.5, 81, 6.184307341308967613e-1},
    {2, 81, 4.885172874690246255e-2},
    {4.5, 81, 2.249480365474196846e-5},
    {37, 81, 1.647288118209218955e-52},
    {1e8, 81, 0},
    {1e-8, 1000, 9.999999920231488537e-1},
    {0.5, 1000, 6.171850808338748146e-1},
    {2, 1000, 4.577034649325164004e-2},
    {4.5, 1000, 7.593071026498244300e-6},
    {37, 1000, 1.730078880991306131e-189},
    {1e8, 1000, 0},
    {0.5, 1000000, 6.170751874723713877e-1},
    {2, 1000000, 4.550053385131920842e-2},
    {4.5, 1000000, 6.796110504953898570e-6},
    {37, 1000000, 1.829973086180226306e-299},
    {1e8, 1000000, 0},
    /* Fractions of a degree, as weights of rows give them: by scipy 1.10. */
    {1.5, .5, 0.5079017906481084},
    {2, 1.5, 0.22418833035605104},
    {.3, 2.25, 0.7896615377750453},
    {4, 7.7, 0.00427012382737525},
    {2.5, 399.3, 0.012819571387981128},
    {1.96, 100000.5, 0.04999856318043714},
    {30, 3.3, 3.882939354312303e-05},
    {1e-3, .01, 0.9999006883677535},
};

static void
test_student(void)
{
	for (size_t i = 0; i < sizeof(student) / sizeof(*student); i++) {
		const double p = kith_student_tails(student[i].t, student[i].df);

		ok(fabs(p - student[i].p) <= 1e-14 * student[i].p || p < 1e-300,
		    "t %g, df %g: %.17g", student[i].t, student[i].df, p);
		ok(kith_student_tails(-student[i].t, student[i].df) == p, "the same for -t");
	}
	ok(kith_student_tails(INFINITY, 3) == 0, "t infinite");
	for (size_t i = 0; i < 135; i++) {
		const double t = .37 * (double)i;

		ok(kith_student_tails(t, 7) > kith_student_tails(t + .37, 7), "less at a larger t");
	}
}

enum { K = 4, SETS = 14 };

/* AUC of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf: Demsar 2006, Table 6. */
static const double demsar[SETS * K] = {0.763, 0.768, 0.771, 0.798, 0.599, 0.591, 0.590, 0.569,
    0.954, 0.971, 0.968, 0.967, 0.628, 0.661, 0.654, 0.657, 0.882, 0.888, 0.886, 0.898, 0.936,
    0.931, 0.916, 0.931, 0.661, 0.668, 0.609, 0.685, 0.583, 0.583, 0.563, 0.625, 0.775, 0.838,
    0.866, 0.875, 1.000, 1.000, 1.000, 1.000, 0.940, 0.962, 0.965, 0.962, 0.619, 0.666, 0.614,
    0.669, 0.972, 0.981, 0.975, 0.974, 0.957, 0.978, 0.946, 0.970};

static void
test_tails(void)
{
	static const struct {
		double x;
		size_t df;
		double p;
	} due[] = {{0, 1, 1}, {0, 4, 1}, {0.5, 1, 0.47950012218695337},
	    {9.28, 3, 0.025790724198756772}, {41.87, 4, 1.774935844926047e-08},
	    {10, 1, 0.001565402258002549}, {6.4, 1, 0.01141203638600166},
	    {250, 100, 7.76693640353949e-15}, {3, 2, 0.22313016014842982},
	    {700, 3, 2.0991308534204487e-151}, {80, 81, 0.5105428554296749}, {1e5, 2000, 0}};

	for (size_t i = 0; i < sizeof(due) / sizeof(*due); i++)
		ok(fabs(kith_chi2_tail(due[i].x, due[i].df) - due[i].p) <= 1e-12 * due[i].p,
		    "chi-square, %zu degrees, above %g", due[i].df, due[i].x);
}

static void
test_quantiles(void)
{
	static const struct {
		size_t k;
		double q;
	} due[] = {{2, 2.771807648699355}, {3, 3.314493155398122}, {4, 3.6331595749026278},
	    {5, 3.857655510378623}, {10, 4.474124221725907}, {20, 5.0116887941184425},
	    {50, 5.646026026380527}, {100, 6.084637537173171}};

	for (size_t i = 0; i < sizeof(due) / sizeof(*due); i++)
		ok(fabs(kith_range_quantile(due[i].k) - due[i].q) <= 1e-9,
		    "range of %zu normal numbers", due[i].k);
	is_near(kith_range_quantile(2), 1.959963984540054 * sqrt(2), 1e-12, "two: of a difference");
}

static void
test_friedman(void)
{
	static const double equal[] = {1, 1, 1, 2, 2, 2}, close[] = {-.1 - .2, -.3, -1, -2, -4, -3};
	static const double ranks[K] = {3.143, 2, 2.893, 1.964};
	double rank[K];
	struct kith_friedman test = {.rank = rank};

	kith_friedman(demsar, SETS, K, &test);
	for (size_t k = 0; k < K; k++)
		is_near(rank[k], ranks[k], .0005, "the mean ranks of the paper");
	is_near(test.critical, 2.569 * sqrt(4 * 5 / (6.0 * 14)), .0005, "its critical difference");
	is_near(test.chi2, 10.228346456692925, 1e-12,
	    "chi-square, corrected for ties, as friedmanchisquare of scipy");
	is_near(test.p, 0.016721580328441323, 1e-14, "its p");
	kith_friedman(equal, 2, 3, &test);
	ok(test.chi2 == 0 && test.p == 1 && rank[0] == 2 && rank[2] == 2, "all are tied");
	kith_friedman(close, 2, 3, &test);
	ok(rank[0] == 1.25 && rank[1] == 2.25 && rank[2] == 2.5, "equal but for rounding");
}

int
main(void)
{
	test_student();
	test_tails();
	test_quantiles();
	test_friedman();
	return done();
}
