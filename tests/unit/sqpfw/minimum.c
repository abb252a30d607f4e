/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_sqpfw_minimum() of lib/sqpfw/sqpfw.h: what it returns, and when it leaves the weights
 * alone; and of kith_sqpfw_smooth(): solves from there are certified minima.
 */

#include "sqpfw/data.h"
#include "tap.h"

enum { SETS = 60 };

static struct kith_pool pool;

struct tally {
	size_t certified, same, higher, limited;
};

static void
try_set(size_t k, struct tally *tally)
{
	struct kith_sqpfw_verdict before, out, again;
	struct kith_sqpfw_judge *judge;
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	struct set set;
	double w[FEATURES];

	draw(&set, (enum kind)(k % KINDS), &pool);
	judge = judge_of(&set, &pool);
	set.how.max_iter = 1;
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	kith_sqpfw_solve(s, set.theta);
	kith_sqpfw_at(s, &now);
	memcpy(w, now.w, set.X.p * sizeof(*w));
	kith_sqpfw_minimum(s, judge, &out);
	kith_sqpfw_at(s, &now);
	tally->limited += now.limited && distance(now.w, w, set.X.p) == 0 && now.iterations == 1;
	set.how.max_iter = 0;
	kith_sqpfw_solve(s, set.theta);
	kith_sqpfw_at(s, &now);
	kith_sqpfw_judge(judge, now.w, set.theta, NULL, &before, NULL);
	kith_sqpfw_minimum(s, judge, &out);
	kith_sqpfw_at(s, &now);
	kith_sqpfw_judge(judge, now.w, set.theta, NULL, &again, NULL);
	tally->same += again.certified == out.certified && again.objective == out.objective &&
	    again.simplex == out.simplex;
	tally->certified += out.certified;
	tally->higher += out.objective > before.objective + 1e-12;
	kith_sqpfw_judge_free(judge);
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

/* A minimum with a weight next to nothing is one without it. */
static void
test_tiny(void)
{
	double x[] = {0, 0, 1, 0, 0, 10, 1, 12};
	const size_t y[] = {0, 0, 1, 1};
	const struct kith_mat X = {4, 2, x};
	const struct kith_sqpfw_how how = {1, 1, .threads = 1};
	struct kith_sqpfw_judge *judge = kith_sqpfw_judge_new(&X, y, 2, &how, &pool);

	/* the first weight is .5 - theta / 4 (3 + 436) / 2 */
	for (int k = 0; k < 2; k++) {
		const double left = k ? 5e-14 : 5e-13;
		struct kith_sqpfw *s = kith_sqpfw_new(&X, y, 2, &how, &pool);
		struct kith_sqpfw_verdict out;
		struct kith_sqpfw_now now;

		kith_sqpfw_solve(s, (.5 - left) * 8 / 439);
		kith_sqpfw_at(s, &now);
		ok(fabs(now.w[0] - left) < 1e-15, "a weight of %.1e", left);
		kith_sqpfw_minimum(s, judge, &out);
		kith_sqpfw_at(s, &now);
		ok(out.certified && (now.w[0] > 0) == (k == 0), k ? "is dropped" : "stays");
		kith_sqpfw_free(s);
	}
	kith_sqpfw_judge_free(judge);
	kith_pool_free(&pool);
}

/* Solves from a smooth start; F, or NAN where it is not certified. */
static double
solve_smoothly(struct set *set, size_t threads, double *w)
{
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;

	set->how.threads = threads;
	s = kith_sqpfw_new(&set->X, set->y, set->c, &set->how, &pool);
	if (kith_sqpfw_smooth(s, 0) ||
	    !kith_sqpfw_smooth(s, set->theta)) /* theta 0 needs no start */
		return NAN;
	kith_sqpfw_solve(s, set->theta);
	kith_sqpfw_at(s, &now);
	memcpy(w, now.w, set->X.p * sizeof(*w));
	kith_sqpfw_free(s);
	return is_minimum(set, w, set->theta) ? now.objective : NAN;
}

/* A smooth start. */
static void
find_start(const struct set *set, double *w)
{
	struct kith_sqpfw *s = kith_sqpfw_new(&set->X, set->y, set->c, &set->how, &pool);
	struct kith_sqpfw_now now;

	kith_sqpfw_smooth(s, set->theta);
	kith_sqpfw_at(s, &now);
	memcpy(w, now.w, set->X.p * sizeof(*w));
	kith_sqpfw_free(s);
}

/* Smooth starts are close to minima, and lead there, the same for any threads; the order of rows does not matter. */
static void
test_smooth(void)
{
	size_t certified = 0, same = 0, lower = 0, alike = 0, close = 0;

	for (size_t k = 0; k < 16; k++) {
		struct kith_sqpfw_now now;
		struct plain plain;
		struct set set;
		double w[FEATURES] = {0}, v[FEATURES] = {0}, F, fall;

		draw(&set, k % 2 ? DOUBLED : CONTINUOUS, &pool);
		F = solve_smoothly(&set, 1, w);
		certified += isnan(F) ? 0 : 1;
		solve_smoothly(&set, 3, v);
		same += memcmp(w, v, set.X.p * sizeof(*w)) == 0;
		kith_sqpfw_free(solve(&set, set.theta, &now, &pool));
		lower += F <= now.objective + 1e-12;
		find_start(&set, w);
		plain = plain_of(&set, set.theta);
		fall = plain_objective(&plain, set.prior) - F;
		close += plain_objective(&plain, w) - F < .01 * fall;
		for (size_t f = 0; f < set.X.p; f++) { /* the first two rows of class 0 */
			F = set.X.v[f];
			set.X.v[f] = set.X.v[set.c * set.X.p + f];
			set.X.v[set.c * set.X.p + f] = F;
		}
		find_start(&set, v);
		alike += distance(w, v, set.X.p) < 1e-6;
		kith_pool_free(&pool);
	}
	ok(certified >= 14, "%zu of 16 certified", certified);
	is_size(same, 16, "the same bits for three threads");
	is_size(alike, 16, "the same start from rows in another order");
	ok(close >= 8, "%zu starts within 1 %% of the way from the prior to the minimum", close);
	ok(lower >= 8, "%zu not above what the prior leads to", lower);
}

/* Two rows so far off that rounding of their distances exceeds what a smoothed rank may be off. */
static void
test_far(void)
{
	struct set set;
	double w[FEATURES];

	draw(&set, CONTINUOUS, &pool);
	set.how.hits = 1;
	set.how.misses = 3;
	for (size_t i = 0; i < set.X.n; i++)
		kith_row(&set.X, i)[0] = i % set.c == 0 && i <= set.c ? 1e4 : 0;
	set.prior[1] += set.prior[0] - 1e-8;
	set.prior[0] = 1e-8;
	find_start(&set, w);
	ok(w[0] > .99, "a start that keeps them apart from others: %g", w[0]);
	kith_pool_free(&pool);
}

int
main(void)
{
	struct tally tally = {0};

	kith_rng_seed(&rng, 47, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < SETS; k++)
		try_set(k, &tally);
	is_size(tally.limited, SETS, "after max_iter iterations w is left alone");
	is_size(tally.same, SETS, "the verdict is of the weights at the end,");
	is_size(tally.higher, 0, "which are nowhere higher than those before");
	ok(tally.certified >= SETS - SETS / 10, "%zu of %d are minima", tally.certified, (int)SETS);
	test_tiny();
	test_smooth();
	test_far();
	return done();
}
