/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/rng.h. */
#include "base/rng.h"

#include "tap.h"

#include <math.h>
#include <stdio.h>

/* The algorithms' own first numbers, computed elsewhere from their text. */
static void
test_known(void)
{
	static const uint64_t due[] = {11520, 0, 1509978240, 1215971899390074240};
	struct kith_rng r = {{1, 2, 3, 4}};

	for (size_t i = 0; i < sizeof(due) / sizeof(*due); i++)
		ok(kith_rng_next(&r) == due[i], "xoshiro256** from 1 2 3 4");
}

static void
test_streams(void)
{
	struct kith_rng a, b, others[4];
	size_t equal = 0;

	kith_rng_seed(&a, 1, KITH_RNG_FOLD, 0);
	kith_rng_seed(&b, 1, KITH_RNG_FOLD, 0);
	kith_rng_seed(&others[0], 2, KITH_RNG_FOLD, 0);
	kith_rng_seed(&others[1], 1, KITH_RNG_START, 0);
	kith_rng_seed(&others[2], 1, KITH_RNG_FOLD, 1);
	kith_rng_seed(&others[3], 0, KITH_RNG_FOLD, 1);
	for (size_t i = 0; i < 100; i++) {
		const uint64_t x = kith_rng_next(&a);

		if (x != kith_rng_next(&b))
			ok(false, "number %zu of equal streams", i);
		for (size_t k = 0; k < 4; k++)
			equal += x == kith_rng_next(&others[k]);
	}
	is_size(equal, 0, "other seeds, purposes and indices differ");
}

static void
test_below(void)
{
	enum { N = 60000 };
	const size_t half = SIZE_MAX / 2 + 1;
	size_t count[6] = {0}, over = 0, wrong = 0;
	struct kith_rng r;

	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < N; i++)
		count[kith_rng_below(&r, 6)]++;
	for (size_t i = 0; i < 6; i++) /* five standard deviations */
		wrong += fabs((double)count[i] - 1e4) > 5 * sqrt(N * 5 / 36.0);
	is_size(wrong, 0, "a die is fair");
	for (size_t i = 0; i < 100; i++)
		over += kith_rng_below(&r, half + 1) >= half;
	ok(over < 5, "a bound next to half of all numbers is kept");
	is_size(kith_rng_below(&r, 1), 0, "below 1 is 0");
}

static void
test_shuffle(void)
{
	size_t count[6] = {0}, v[100], wrong = 0, sum = 0, moved = 0;
	struct kith_rng r;

	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < 6000; i++) {
		size_t u[] = {0, 1, 2};

		kith_rng_shuffle(&r, u, 3);
		count[u[0] * 2 + (u[1] > u[2])]++;
	}
	for (size_t i = 0; i < 6; i++)
		wrong += fabs((double)count[i] - 1000) > 150;
	is_size(wrong, 0, "each order is as likely");
	for (size_t i = 0; i < 100; i++)
		v[i] = i;
	kith_rng_shuffle(&r, v, 100);
	for (size_t i = 0; i < 100; i++) {
		sum += v[i] * v[i];
		moved += v[i] != i;
	}
	is_size(sum, 99 * 100 * 199 / 6, "none is lost");
	ok(moved > 80, "and they are in another order");
	kith_rng_shuffle(&r, v, 0);
}

int
main(void)
{
	test_known();
	test_streams();
	test_below();
	test_shuffle();
	return done();
}
