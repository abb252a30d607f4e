/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of kith_sqpfw_smooth() of lib/sqpfw/sqpfw.h: solves from there are certified minima. */

#include "sqpfw/data.h"
#include "tap.h"

#include <math.h>

/* Solve from a smooth start; F, or NAN where it is not certified. */
static double
solve(struct set *set, size_t threads, double *w, struct kith_pool *pool)
{
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;

	set->how.threads = threads;
	s = kith_sqpfw_new(&set->X, set->y, set->c, &set->how, pool);
	if (!kith_sqpfw_smooth(s, set->theta))
		return NAN;
	kith_sqpfw_solve(s, set->theta);
	kith_sqpfw_at(s, &now);
	memcpy(w, now.w, set->X.p * sizeof(*w));
	kith_sqpfw_free(s);
	return is_minimum(set, w, set->theta) ? now.objective : NAN;
}

/* Sets of all kinds, for targets of rank 1 to 3: minima, for any threads. */
static void
test_sets(void)
{
	size_t certified = 0, same = 0, lower = 0;

	for (size_t k = 0; k < 16; k++) {
		struct kith_pool pool = {0};
		struct kith_sqpfw_now now;
		struct kith_sqpfw *s;
		struct set set;
		double w[FEATURES], v[FEATURES], F;

		draw(&set, k % 2 ? DOUBLED : CONTINUOUS, &pool);
		F = solve(&set, 1, w, &pool);
		certified += isnan(F) ? 0 : 1;
		solve(&set, 3, v, &pool);
		same += memcmp(w, v, set.X.p * sizeof(*w)) == 0;
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		kith_sqpfw_solve(s, set.theta);
		kith_sqpfw_at(s, &now);
		lower += F <= now.objective + 1e-12;
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	ok(certified >= 14, "%zu of 16 certified", certified);
	is_size(same, 16, "the same bits for three threads");
	ok(lower >= 8, "%zu not above what the prior leads to", lower);
}

static void
test_none(void)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw *s;
	struct set set;

	draw(&set, CONTINUOUS, &pool);
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	ok(!kith_sqpfw_smooth(s, 0), "theta 0 needs no start");
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 7, KITH_RNG_SAMPLE, 0);
	test_sets();
	test_none();
	return done();
}
