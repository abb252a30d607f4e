/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/step.h: every 64 steps what was added to w goes, and the paths
 * by which pairs and lists are due become longer by as much; where it is too much to
 * be rounding, the sum of w alone is mended.
 */
#include "sqpfw/data.h"
#include "sqpfw/state.h"
#include "sqpfw/step.h"
#include "tap.h"

enum { SETS = 40 };

static struct kith_pool pool;

struct off {
	double sum, pairs, lists, even;
	size_t tried;
};

/* How far a is from b, as a part of b. */
static double
apart(double a, double b)
{
	return fabs(a - b) / b;
}

/* Add so much to each weight, in proportion to its place. */
static void
try(struct kith_sqpfw *s, double much, struct off *off)
{
	const struct kith_sqpfw_block none = {.by = KITH_SQPFW_BLOCK_NONE};
	const double pairs_were = s->pairs.queue.length, lists_were = s->candidates.queue.length;
	double was[FEATURES] = {0}, over = -1, sum = 0, pairs = 0, lists = 0;

	for (size_t f = 0; f < s->positive; f++) {
		s->w[f] += much * (double)(f + 1);
		s->w_by_feature[s->feature[f]] = s->w[f];
		was[f] = s->w[f];
		over += was[f];
		/* as after it was chosen anew; here no bound depends on it */
		s->pairs.scale[f] = .25 / (double)(f + 1);
	}
	s->steps = 63;
	kith_sqpfw_step_activate(s, &none);
	for (size_t f = 0; f < s->positive; f++) {
		const double square = pow(s->w[f] - was[f], 2);

		sum += s->w[f];
		off->even = fmax(off->even, fabs(was[f] - s->w[f] - over / (double)s->positive));
		pairs += square / s->pairs.scale[f];
		lists += square / s->candidates.scale[s->feature[f]];
	}
	/* Where the end of the path went round the circle, nothing is seen. */
	if (s->pairs.queue.length < pairs_were || s->candidates.queue.length < lists_were)
		return;
	off->tried++;
	off->sum = fmax(off->sum, fabs(sum - 1));
	off->pairs = fmax(off->pairs, apart(s->pairs.queue.length - pairs_were, sqrt(pairs)));
	off->lists = fmax(off->lists, apart(s->candidates.queue.length - lists_were, sqrt(lists)));
}

static struct off
try_sets(double much)
{
	struct off off = {0};

	for (int k = 0; k < SETS; k++) {
		struct set set;
		struct kith_sqpfw *s;

		kith_rng_seed(&rng, (uint64_t)k, KITH_RNG_SAMPLE, 0);
		draw(&set, (enum kind)(k % KINDS), &pool);
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		kith_sqpfw_solve(s, set.theta);
		if (s->positive > 1)
			try(s, much, &off);
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	return off;
}

int
main(void)
{
	struct off off = try_sets(1e-10);

	ok(off.tried > SETS / 2, "%zu of %d sets", off.tried, (int)SETS);
	ok(off.sum <= 1e-14, "the sum of w is 1, to %g", off.sum);
	ok(off.even > 1e-11, "and ties are mended, too");
	ok(off.pairs <= 1e-4, "the path of pairs is longer by that, to %g", off.pairs);
	ok(off.lists <= 1e-4, "that of lists too, to %g", off.lists);
	off = try_sets(1e-6);
	ok(off.sum <= 1e-14 && off.even <= 1e-14 && off.tried > SETS / 2,
	    "of more each weight has the same part of the sum, to %g", off.even);
	return done();
}
