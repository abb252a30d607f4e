/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of proposed multipliers (sqpfw/certificate.h, sqpfw/shares.h): right
 * ones are believed, wrong ones are not, and a search sets them right.
 */
#include "sqpfw/certify.h"

#include "sqpfw/data.h"
#include "tap.h"

#include <math.h>

/* The shares of the pairs of row 0 with rows 1 and 2. */
static double told[3];

static double
tell(const void *of, size_t i, bool miss, size_t j)
{
	(void)of;
	return i == 0 && !miss && j <= 2 ? told[j] : NAN;
}

/*
 * Row 0 has the hits (1,0) and (0,1), of which the farther counts, and theta/n
 * is 1: with shares t and 1 - t, (-.1 + t + phi, .1 + 1 - t + phi) vanishes at
 * t = .6, phi = -.5.
 */
static struct kith_certificate
certify(double first, double second, bool only)
{
	static double x[] = {0, 0, 1, 0, 0, 1};
	static size_t target[] = {1, 0, 0, 0, 0, 0}, other[] = {1, 2};
	static struct kith_tie tie = {.count = 2};
	static double w[] = {.5, .5}, prior[] = {.6, .4}, rounding[2];
	const struct kith_mat X = {3, 2, x};
	const struct kith_ties ties = {target, 1, &tie, other};
	const struct kith_certify_known known = {tell, NULL};
	const struct kith_certify_how how = {.hits = 2,
	    .misses = 1,
	    .prior = prior,
	    .theta = 3,
	    .rounding = rounding,
	    .known = &known,
	    .only_known = only};
	struct kith_certificate out;

	told[1] = first;
	told[2] = second;
	kith_certify(&X, &ties, w, &how, &out, NULL);
	return out;
}

static void
test_hand(void)
{
	struct kith_certificate got = certify(.6, .4, true);

	ok(got.certified, "the right multipliers");
	is_near(got.residual, 0, 1e-15, "leave nothing");
	ok(certify(.6, NAN, true).certified, "the rest is the other's");
	ok(certify(3, 2, true).certified, "only their ratio counts");
	got = certify(.6 + 1e-7, .4 - 1e-7, true);
	ok(!got.certified && isnan(got.residual), "wrong by 1e-7: refused");
	ok(!certify(.4, .6, true).certified, "exchanged: refused");
	ok(!certify(1.2, -.2, true).certified, "one below 0: refused");
	ok(!certify(0, 0, true).certified, "none: refused");
	ok(!certify(INFINITY, 1, true).certified, "no number: refused");
	ok(!certify(NAN, NAN, true).certified, "nothing known: refused");
	got = certify(.4, .6, false);
	ok(got.certified, "a search finds the right ones");
	is_near(got.residual, 0, 1e-12, "as without the wrong ones");
}

/* The shares of a solver, some of them wrong. */
struct wrong {
	struct kith_certify_known is;
	double by;
};

static double
ask_wrong(const void *of, size_t i, bool miss, size_t j)
{
	const struct wrong *wrong = of;
	const double share = wrong->is.ask(wrong->is.of, i, miss, j);

	return share > .01 && share < .99 ? share + wrong->by * (double)(j % 7) : share;
}

/* What the multipliers alone, wrong by so much, say of the solver's weights. */
static bool
holds(struct kith_sqpfw_judge *judge, struct kith_sqpfw *s, double by)
{
	struct kith_sqpfw_known known = kith_sqpfw_minimum_known(s);
	const struct wrong wrong = {known.shares, by};
	struct kith_sqpfw_verdict verdict;
	struct kith_sqpfw_now now;

	known.only = true;
	known.shares = (struct kith_certify_known){ask_wrong, &wrong};
	kith_sqpfw_at(s, &now);
	kith_sqpfw_judge(judge, now.w, now.theta, &known, &verdict, NULL);
	return verdict.certified;
}

/* Solve sets by a seed, some with weighed rows. */
static void
test_sets(size_t seeds)
{
	size_t cold = 0, right = 0, lies = 0, wrong = 0, ties = 0;

	for (size_t k = 0; k < seeds; k++) {
		struct kith_pool pool = {0};
		struct kith_sqpfw_judge *judge;
		struct kith_sqpfw_now now;
		struct kith_sqpfw *s;
		double weight[ROWS];
		struct set set;
		bool yes;

		draw(&set, CONTINUOUS, &pool);
		for (size_t i = 0; i < set.X.n; i++)
			weight[i] = i % 3 == 0 ? 0 : 1.5;
		for (size_t i = set.X.n / 3 * 3; i < set.X.n; i++)
			weight[i] = 1;
		if (k % 2)
			set.how.weight = weight;
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		judge = judge_of(&set, &pool);
		kith_sqpfw_solve(s, set.theta);
		kith_sqpfw_at(s, &now);
		yes = is_minimum(&set, now.w, now.theta);
		cold += yes;
		right += holds(judge, s, 0);
		lies += !yes && holds(judge, s, 0);
		ties += now.ties > 1;
		wrong += now.ties > 1 && holds(judge, s, 1e-3);
		kith_sqpfw_judge_free(judge);
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	ok(right >= cold * 9 / 10 && cold >= seeds * 8 / 10,
	    "%zu of %zu certified, %zu by the solver's multipliers", cold, seeds, right);
	is_size(lies, 0, "none that a search refuses");
	ok(wrong <= ties / 10, "%zu of %zu with wrong ones", wrong, ties);
}

int
main(void)
{
	kith_rng_seed(&rng, 5, KITH_RNG_SAMPLE, 0);
	test_hand();
	test_sets(getenv("KITH_LONG") ? 2000 : 200);
	return done();
}
