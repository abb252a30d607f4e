/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/kinks.h and lib/near/alike.h: which amounts are the same;
 * the function that a kink stands for is the rank-th smallest, whatever the
 * numbers, as the minimum over its sets says.
 */
#include "sqpfw/kinks.h"

#include "base/pool.h"
#include "base/rng.h"
#include "base/sort.h"
#include "la/mat.h"
#include "near/alike.h"
#include "sqpfw/targets.h"
#include "tap.h"

#include <math.h>

enum { PAIRS = 6 };

static struct kith_pool pool;
static struct kith_rng rng;

static void
test_alike(void)
{
	double x[] = {0, .1, 1e17, 3, 2, .3, 1e17 + 16, -5, 4, .5, 7, 2.5};
	const struct kith_mat X = {3, 4, x};
	const double *rounding = kith_alike_rounding(&X, &pool);

	ok(rounding[0] == 0 && rounding[3] == 0, "integers and halves: exact");
	ok(rounding[1] > 0 && rounding[2] > 0, "tenths, and large numbers");
	ok(kith_alike_feature(.3, .1, .5, rounding[1]), ".2 either way");
	ok(!kith_alike_feature(.3, .1, .5 + 1e-12, rounding[1]), "not quite");
	ok(kith_alike_feature(2, 0, 4, 0), "2 either way");
	ok(!kith_alike_feature(2, 0, 4 + 0x1p-30, 0), "not quite");
	ok(kith_alike_feature(1e15, 1, 2, 0),
	    "amounts that differ by less than 1e-12 of themselves");
	ok(!kith_alike_feature(1e9, 1, 2, 0), "and by more");
	ok(kith_alike(1, x, x, x, rounding), "the row itself");
}

/* The rank-th smallest of s, pair m counting copies[m] times. */
static double
ranked(const struct kith_kink *kink, const double *s)
{
	double all[4 * PAIRS] = {0};
	size_t n = 0;

	for (size_t m = 0; m < kink->n; m++)
		for (size_t c = 0; c < kink->copies[m]; c++)
			all[n++] = s[m];
	kith_sort_reals(all, n);
	return all[kink->rank - 1];
}

/* The least over the sets of the largest of s. */
static double
least(const uint64_t *set, size_t sets, const double *s, size_t n)
{
	double best = INFINITY;

	for (size_t k = 0; k < sets; k++) {
		double most = -INFINITY;

		for (size_t m = 0; m < n; m++)
			if (set[k] >> m & 1)
				most = fmax(most, s[m]);
		best = fmin(best, most);
	}
	return best;
}

static void
test_sets(void)
{
	size_t differ = 0, none = 0;

	for (size_t seed = 0; seed < 2000; seed++) {
		size_t pair[PAIRS], copies[PAIRS], all = 0, sets;
		struct kith_kink kink = {.n = 1 + kith_rng_below(&rng, PAIRS),
		    .pair = pair,
		    .copies = copies};
		uint64_t *set;

		for (size_t m = 0; m < kink.n; m++)
			all += copies[m] = 1 + kith_rng_below(&rng, 3);
		kink.rank = 1 + kith_rng_below(&rng, all);
		sets = kith_kinks_sets(&kink, 1000, &set, &pool);
		none += sets == 0;
		for (int k = 0; k < 20; k++) {
			double s[PAIRS];

			for (size_t m = 0; m < kink.n; m++)
				s[m] = (double)kith_rng_below(&rng, 9);
			differ += ranked(&kink, s) !=
			    least(set, sets, s, kink.n);
		}
		if (sets > 1)
			none += kith_kinks_sets(&kink, sets - 1, &set, &pool) !=
			    0;
		kith_pool_free(&pool);
	}
	is_size(differ, 0, "the rank-th smallest");
	is_size(none, 0, "all sets, or none");
}

/* Rows -1, 1, 1, 2 on a line around row 0 at 0, and those of another class. */
static void
test_merged(void)
{
	double x[] = {0, -1, 1, 1, 2};
	const struct kith_mat X = {5, 1, x};
	size_t target[10] = {0}, other[] = {1, 2, 3};
	const double rounding = 0;
	struct kith_tie tie = {0, false, 0, 0, 3};
	const struct kith_ties ties = {target, 1, &tie, other};
	const struct kith_kinks kinks = kith_kinks_find(
	    &X, &ties, 2, 1, &rounding, &pool);

	is_size(kinks.n, 1, "a kink");
	is_size(
	    kinks.kink[0].n, 1, "duplicates and mirror images are one pair");
	is_size(kinks.kink[0].copies[0], 3, "of three copies");
	ok(kinks.kink[0].convex && kinks.ties == 0, "so there is no kink");
	kith_pool_free(&pool);
}

/* The sets of so many pairs, of copies that `code` tells, against all subsets. */
static bool
are_minimal(size_t n, size_t code, size_t rank)
{
	struct kith_pool own = {0};
	size_t pair[6] = {0}, copies[6] = {0}, due = 0, seen = 0, got;
	const struct kith_kink kink = {
	    .rank = rank, .n = n, .pair = pair, .copies = copies};
	uint64_t *set;
	bool good;

	for (size_t m = 0; m < n; m++, code /= 3)
		copies[m] = 1 + code % 3;
	got = kith_kinks_sets(&kink, 64, &set, &own);
	for (uint64_t S = 1; S < (uint64_t)1 << n; S++) {
		size_t sum = 0, least = SIZE_MAX;

		for (size_t m = 0; m < n; m++)
			if (S >> m & 1) {
				sum += copies[m];
				least = copies[m] < least ? copies[m] : least;
			}
		if (sum < rank || sum - least >= rank)
			continue;
		due++;
		for (size_t k = 0; k < got; k++)
			seen += set[k] == S;
	}
	good = got == due && seen == due;
	kith_pool_free(&own);
	return good;
}

static void
test_subsets(void)
{
	size_t tried = 0, good = 0;

	for (size_t n = 1; n <= 5; n++)
		for (size_t code = 0; code < 243; code++)
			for (size_t rank = 1; rank <= 7; rank++) {
				tried++;
				good += are_minimal(n, code, rank);
			}
	is_size(good, tried, "sets are all subsets that are minimal");
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_alike();
	test_sets();
	test_merged();
	test_subsets();
	return done();
}
