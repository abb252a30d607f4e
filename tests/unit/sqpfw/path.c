/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/path.h: when theta leaps and how far, what is said at the
 * end, and that a path leads to the same weights, piece by piece or not.
 */
#include "sqpfw/path.h"

#include "sqpfw/data.h"
#include "sqpfw/state.h"
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

/* The breakpoints at one theta after which it leaps. */
static size_t
most(const struct kith_sqpfw *s)
{
	return 50 + 2 * (s->active.qr.m + s->positive);
}

/* One more breakpoint than that leaps, by 1e-9, then by four times as much. */
static void
test_leap(void)
{
	double before[FEATURES], was[FEATURES], far = 1e-9;
	struct set set;
	struct kith_sqpfw *s = begin(&set);

	for (size_t k = 0; k < 3; k++) {
		const double theta = s->theta;
		const size_t limit = most(s), from = s->iterations;

		memcpy(was, s->w_by_feature, sizeof(*was) * set.X.p);
		s->path.stalls = limit + 1;
		ok(kith_sqpfw_next(s, INFINITY, before) == KITH_SQPFW_BREAKPOINT, "a leap");
		is_near((s->theta / theta - 1) / far, 1, 1e-5, "of four times the last");
		ok(distance(before, was, set.X.p) == 0 && s->iterations > from + 1,
		    "w before it is that of the last breakpoint");
		is_size(s->path.stalls, limit - 5, "soon there may be another");
		far *= 4;
	}
	s->path.stalls = most(s);
	far = s->path.leap;
	kith_sqpfw_next(s, INFINITY, before);
	ok(s->path.leap == 0 && s->path.stalls == 0 && far > 1e-8, "theta grows: all is forgotten");
	/* next to 0, relative to a millionth; never behind the end */
	s->theta = 1e-12;
	s->path.stalls = most(s) + 1;
	kith_sqpfw_next(s, INFINITY, before);
	is_near((s->theta - 1e-12) / 1e-15, 1, 1e-5, "a leap next to 0");
	s->theta = .01;
	s->path.stalls = most(s) + 1;
	s->path.leap = 1;
	kith_sqpfw_next(s, scalbn(.02, 2 * s->points.exponent), before);
	is_near(s->theta, .02, 1e-15, "none behind the end");
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

/* Breakpoints where theta all but stands still count; others do not. */
static void
test_stalls(void)
{
	size_t good = 0, tried = 0;

	for (size_t k = 0; k < 40; k++) {
		double before[FEATURES];
		struct set set;
		struct kith_sqpfw *s = begin(&set);

		for (size_t b = 0; b < 6; b++) {
			const double theta = s->theta;
			const size_t was = s->path.stalls = 7;
			size_t due = was;

			s->path.leap = 1;
			if (kith_sqpfw_next(s, INFINITY, before) != KITH_SQPFW_BREAKPOINT)
				break;
			tried++;
			if (s->theta - theta > 1e-4 * theta)
				due = 0;
			else if (s->theta - theta <= 1e-12 * theta)
				due++;
			good += s->path.stalls == due && (s->path.leap == 0) == (due == 0);
		}
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	ok(good == tried && tried > 100, "%zu of %zu stalls counted", good, tried);
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
	test_leap();
	test_stalls();
	test_pieces();
	return done();
}
