/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/kink.h: by hand, and beside the sum of the slopes from the
 * left on random kinks, many of them at one place.
 */
#include "wsvm/kink.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>

enum { MOST = 60, SEEDS = 20000 };

static struct kith_rng rng;

static size_t
pick(size_t n)
{
	return (size_t)(kith_rng_unit(&rng) * (double)n);
}

/* The same by its definition: the least place at which the slope is 0 or more. */
static double
plainly(
    const struct kith_wsvm_kink *v, size_t n, double slope, double otherwise)
{
	double least = INFINITY;

	for (size_t i = 0; i < n; i++) {
		double sum = slope;

		for (size_t j = 0; j < n; j++)
			sum += v[j].at <= v[i].at ? v[j].by : 0;
		if (sum >= 0)
			least = fmin(least, v[i].at);
	}
	return isinf(least) ? otherwise : least;
}

/* Whole numbers, so that every sum is exact; of few places, many are one. */
static size_t
draw(struct kith_wsvm_kink *v)
{
	const size_t n = pick(MOST + 1), places = 1 + pick((size_t)2 * MOST);

	for (size_t i = 0; i < n; i++)
		v[i] = (struct kith_wsvm_kink){
		    (double)pick(places) - (double)places / 2, (double)pick(4)};
	return n;
}

static void
random_kinks(void)
{
	struct kith_wsvm_kink v[MOST];
	size_t wrong = 0, none = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		size_t n;
		double slope, due;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		n = draw(v);
		slope = 5 - (double)pick(10 + 3 * n);
		due = plainly(v, n, slope, 1e9);
		none += due > 1e8;
		wrong += kith_wsvm_kink_least(v, n, slope, 1e9) != due;
	}
	is_size(wrong, 0, "random kinks: as by definition");
	ok(none > SEEDS / 20 && none < SEEDS / 2,
	    "some slopes stay below 0: %zu", none);
}

static void
by_hand(void)
{
	struct kith_wsvm_kink one[] = {{2, 3}};
	struct kith_wsvm_kink v[] = {{4, 1}, {-1, 2}, {4, 1}, {7, 5}};

	is_near(kith_wsvm_kink_least(v, 0, -1, 9), 9, 0, "no kink");
	is_near(
	    kith_wsvm_kink_least(one, 1, -3, 9), 2, 0, "a slope of 0 is it");
	is_near(
	    kith_wsvm_kink_least(one, 1, -4, 9), 9, 0, "below 0 to the end");
	is_near(kith_wsvm_kink_least(one, 1, 1, 9), 2, 0,
	    "above 0 before all: the first kink");
	/* Slopes -4, from -1 on -2, from 4 on 0, from 7 on 5. */
	is_near(kith_wsvm_kink_least(v, 4, -4, 9), 4, 0, "two at one place");
	is_near(kith_wsvm_kink_least(v, 4, -5, 9), 7, 0, "the last one");
}

int
main(void)
{
	by_hand();
	random_kinks();
	return done();
}
