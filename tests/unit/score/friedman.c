/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/score/friedman.h: Demsar's example, and values of scipy 1.10. */
#include "score/friedman.h"

#include "tap.h"

#include <math.h>

enum { K = 4, SETS = 14 };

/* -AUC of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf: Demsar 2006, Table 6. */
static const double demsar[SETS * K] = {-0.763, -0.768, -0.771, -0.798, -0.599, -0.591, -0.590,
    -0.569, -0.954, -0.971, -0.968, -0.967, -0.628, -0.661, -0.654, -0.657, -0.882, -0.888, -0.886,
    -0.898, -0.936, -0.931, -0.916, -0.931, -0.661, -0.668, -0.609, -0.685, -0.583, -0.583, -0.563,
    -0.625, -0.775, -0.838, -0.866, -0.875, -1.000, -1.000, -1.000, -1.000, -0.940, -0.962, -0.965,
    -0.962, -0.619, -0.666, -0.614, -0.669, -0.972, -0.981, -0.975, -0.974, -0.957, -0.978, -0.946,
    -0.970};

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
	static const double equal[] = {1, 1, 1, 2, 2, 2}, close[] = {.1 + .2, .3, 1, 2, 4, 3};
	double rank[K];
	struct kith_friedman test = {.rank = rank};

	kith_friedman(demsar, SETS, K, &test);
	is_near(rank[0], 3.143, .0005, "the mean ranks of the paper");
	is_near(rank[1], 2, .0005, "of the second");
	is_near(rank[2], 2.893, .0005, "of the third");
	is_near(rank[3], 1.964, .0005, "of the fourth");
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
	test_tails();
	test_quantiles();
	test_friedman();
	return done();
}
