/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/rest.h: with pairs that rest, targets are those of the
 * weighted distances, and minima are minima, as the judge sees them.
 */
#include "sqpfw/rest.h"

#include "sqpfw/data.h"
#include "sqpfw/path.h"
#include "sqpfw/state.h"
#include "tap.h"

enum { SETS = 240, THETAS = 12 };

static struct kith_pool pool;

struct count {
	size_t on, minima, others, iterations;
	double off;
};

/* A sweep over thetas, in jumps or by its path. */
static void
sweep(const struct set *set, bool path, struct count *count)
{
	struct kith_sqpfw *s = kith_sqpfw_new(&set->X, set->y, set->c, &set->how, &pool);
	struct kith_sqpfw_now now;
	double before[FEATURES];

	for (size_t k = 0; k < THETAS; k++) {
		const double theta = .01 * pow(2, (double)k);

		if (!path || k == 0)
			kith_sqpfw_solve(s, theta);
		else
			while (kith_sqpfw_next(s, theta, before) == KITH_SQPFW_BREAKPOINT)
				;
		count->off = fmax(count->off, off(set, s));
		kith_sqpfw_at(s, &now);
		if (is_minimum(set, now.w, now.theta))
			count->minima++;
		else
			count->others++;
	}
	count->on += s->box.made;
	count->iterations = now.iterations;
	kith_sqpfw_free(s);
}

/* A weight of 0 that rounding would have go down does not leave a box. */
static void
test_zero(void)
{
	size_t feature[] = {0, 1};
	double w[] = {0, 1}, dw[] = {-1e-6, 1e-6}, before[] = {0, 1};
	struct kith_sqpfw s = {.pool = &pool,
	    .points = {.p = 2, .ld = 2},
	    .feature = feature,
	    .w = w,
	    .w_by_feature = before,
	    .candidates = {.floor = 1e-9},
	    .step = {.dw = dw}};
	int round = 0;

	kith_sqpfw_rest_begin(&s, INFINITY);
	for (; kith_sqpfw_rest_ends(&s, 1) && round < 99; round++)
		kith_sqpfw_rest_renew(&s, 1, round);
	ok(round > 0 && round < 99, "a box holds all of a step after %d rounds", round);
	ok(s.box.half[0] > 0 && fabs(s.box.middle[0]) <= s.box.half[0] &&
		fabs(1 + 1e-6 - s.box.middle[1]) <= s.box.half[1],
	    "and both of its ends");
	kith_pool_free(&pool);
}

int
main(void)
{
	struct count rests = {0}, none = {0};
	size_t same = 0;

	for (int k = 0; k < SETS; k++) {
		struct set set;

		kith_rng_seed(&rng, (uint64_t)k, KITH_RNG_SAMPLE, 0);
		draw(&set, (enum kind)(k % KINDS), &pool);
		if (k % 3)
			stretch(&set);
		set.how.many = 1;
		sweep(&set, k % 2, &rests);
		set.how.many = SIZE_MAX;
		sweep(&set, k % 2, &none);
		same += k % KINDS == CONTINUOUS && rests.iterations == none.iterations;
		kith_pool_free(&pool);
	}
	test_zero();
	is_size(none.on, 0, "no pair rests where that is not asked for");
	ok(rests.on > SETS / 4, "pairs rest in %zu of %d sweeps", rests.on, (int)SETS);
	ok(same + 2 >= SETS / KINDS, "%zu sweeps of as many iterations with and without it", same);
	ok(rests.off <= 1e-9, "targets are those of the distances, to %g", rests.off);
	ok(rests.minima + SETS / 20 >= none.minima,
	    "%zu of %zu solutions are minima, without it %zu", rests.minima,
	    rests.minima + rests.others, none.minima);
	return done();
}
