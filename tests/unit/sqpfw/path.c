/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_sqpfw_next() of lib/sqpfw/sqpfw.h: what it returns at the end of a path, and that
 * a path leads to the same weights in one piece and in several.
 */

#include "sqpfw/data.h"
#include "tap.h"

static struct kith_pool pool;

static struct kith_sqpfw *
begin(struct set *set)
{
	struct kith_sqpfw *s;

	draw(set, CONTINUOUS, &pool);
	s = kith_sqpfw_new(&set->X, set->y, set->c, &set->how, &pool);
	kith_sqpfw_solve(s, set->theta);
	return s;
}

/* A path to theta, in one piece or in some, and what it says at its ends. */
static void
test_pieces(void)
{
	size_t same = 0, ends = 0, kept = 0;

	for (size_t k = 0; k < 20; k++) {
		double before[FEATURES], w[FEATURES], theta;
		enum kith_sqpfw_step step;
		struct kith_sqpfw_now now;
		struct set set;
		struct kith_sqpfw *s = begin(&set);

		theta = 3 * set.theta;
		while (kith_sqpfw_next(s, theta, before) == KITH_SQPFW_BREAKPOINT)
			;
		kith_sqpfw_at(s, &now);
		ends += now.theta == theta;
		memcpy(w, now.w, sizeof(*w) * set.X.p);
		kith_sqpfw_free(s);
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		kith_sqpfw_solve(s, set.theta);
		for (size_t piece = 1; piece <= 4; piece++)
			while (kith_sqpfw_next(s, set.theta * (1 + .5 * (double)piece), before) ==
			    KITH_SQPFW_BREAKPOINT)
				;
		kith_sqpfw_at(s, &now);
		same += distance(w, now.w, set.X.p) < 1e-9;
		do
			step = kith_sqpfw_next(s, INFINITY, before);
		while (step == KITH_SQPFW_BREAKPOINT);
		kith_sqpfw_at(s, &now);
		memcpy(w, now.w, sizeof(*w) * set.X.p);
		step = kith_sqpfw_next(s, INFINITY, before);
		kept += step == KITH_SQPFW_END && distance(before, w, set.X.p) == 0 &&
		    distance(now.w, w, set.X.p) == 0;
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	is_size(ends, 20, "paths end at the theta that was given");
	is_size(same, 20, "at the same weights, in one piece or in some");
	is_size(kept, 20, "and stay where they have no end");
}

int
main(void)
{
	kith_rng_seed(&rng, 61, KITH_RNG_SAMPLE, 0);
	test_pieces();
	return done();
}
