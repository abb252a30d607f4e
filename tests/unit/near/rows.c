/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/alike.h and of kith_dist_limit() of lib/near/metric.h: by hand, and against
 * plain loops.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/metric.h"
#include "sqpfw/alike.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Integers up to 2^51 have exact differences, those of 2^53 have not. */
static void
test_rounding(void)
{
	double v[] = {
	    0, 0, 0, 0, 0, 1, .1, 1, 1, 0x1p-900, 3, .3, 0x1p51, 0x1p52, 0x1p-901, -7, .7, 2, 2, 0};
	const struct kith_mat X = {4, 5, v};
	const bool exact[] = {true, false, true, false, true};
	struct kith_pool pool = {0};
	const double *rounding = kith_alike_rounding(&X, &pool);

	for (size_t j = 0; j < 5; j++)
		ok(rounding[j] == (exact[j] ? 0 : 4 * DBL_EPSILON),
		    "feature %zu: differences are %sexact", j, exact[j] ? "" : "not ");
	kith_pool_free(&pool);
}

static void
test_alike(void)
{
	const double x[] = {0, 5, 1}, a[] = {1, 7, 3}, b[] = {-1, 3, 3};
	const double rounding[3] = {0, 0, 0};

	ok(kith_alike(3, x, a, b, rounding), "a mirror image");
	ok(!kith_alike(3, a, x, b, rounding), "not from elsewhere");
	ok(!kith_alike(3, x, a, (double[]){-1, 3, 4}, rounding), "not the last feature");
	ok(kith_alike_feature(1, 2, 0, 0), "1 and 1");
	ok(kith_alike_feature(0, 1, -(1 + 0x1p-41), 0), "1 and a bit");
	ok(!kith_alike_feature(0, 1, -(1 + 0x1p-39), 0), "1 and more");
	ok(!kith_alike_feature(0, 1 + 0x1p-39, 1, 0), "the other way round");
	ok(kith_alike_feature(.3, .1, .5, 4 * DBL_EPSILON), "rounded");
	ok(!kith_alike_feature(1e6, 1e6 + 1, 1e6 - (1 + 0x1p-24), 0x1p-45), "more than rounding");
	ok(kith_alike_feature(1e6, 1e6 + 1, 1e6 - (1 + 0x1p-25), 0x1p-45),
	    "and just that, of numbers that are large");
	ok(kith_alike_feature(0, 1e6 + 1, 1e6 + 1 + 0x1p-25, 0x1p-45), "one of which is 0");
}

/* The largest number whose root is not above this one. */
static void
test_square(void)
{
	struct kith_rng r;
	size_t bad = 0;

	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, 0);
	for (int i = 0; i < 2000; i++) {
		const double root = ldexp(kith_rng_unit(&r), (int)kith_rng_below(&r, 1000) - 500);
		const double d = kith_dist_limit(root);

		bad += sqrt(d) > root || sqrt(nextafter(d, INFINITY)) <= root;
	}
	is_size(bad, 0, "squares that are not the largest");
	ok(kith_dist_limit(0) == 0 && kith_dist_limit(3) == 9, "0 and 3");
	ok(kith_dist_limit(INFINITY) == INFINITY, "no limit");
	ok(kith_dist_limit(1e200) == DBL_MAX, "the largest number");
	ok(sqrt(kith_dist_limit(1e-170)) <= 1e-170, "one that vanishes");
}

int
main(void)
{
	test_rounding();
	test_alike();
	test_square();
	return done();
}
