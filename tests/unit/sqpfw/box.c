/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/box.h: where a box lies, when a step leaves it, how wide
 * the next one is, and which weights have no sides.
 */
#include "sqpfw/box.h"

#include "base/pool.h"
#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { P = 5, TRIES = 300 };

static struct kith_rng rng;

/* A solver of which only the weights and a step are there. */
struct world {
	struct kith_pool pool;
	size_t feature[P];
	double w[P], by_feature[P], dw[P];
	struct kith_sqpfw s;
	struct kith_sqpfw_box box;
};

static double
number(double from, double to)
{
	return from + (to - from) * kith_rng_unit(&rng);
}

static void
begin(struct world *it, double first)
{
	*it = (struct world){
	    .s = {.points = {.p = P, .ld = 8}, .candidates = {.floor = .01}, .positive = 3}};
	it->s.pool = &it->pool;
	it->s.feature = it->feature;
	it->s.w = it->w;
	it->s.w_by_feature = it->by_feature;
	it->s.step.dw = it->dw;
	for (size_t at = 0; at < P; at++) {
		it->feature[at] = (at + 2) % P;
		it->w[at] = at < 3 ? number(.1, 1) : 0;
		it->dw[at] = at < 3 ? number(-1, 1) : 0;
		it->by_feature[it->feature[at]] = it->w[at];
	}
	kith_sqpfw_box_begin(&it->s, &it->box, first);
}

/* Where a step has brought a weight, which is never below 0. */
static double
then(const struct world *it, size_t at, double tau)
{
	return fmax(it->w[at] + tau * it->dw[at], 0);
}

/* How far from the side of the box, outside of it, w + tau dw is. */
static double
outside(const struct world *it, double tau)
{
	double most = -INFINITY;

	for (size_t at = 0; at < P; at++)
		most = fmax(most, fabs(then(it, at, tau) - it->box.middle[at]) - it->box.half[at]);
	return most;
}

static void
test_begin(void)
{
	struct world it;
	size_t good = 0;

	begin(&it, .02);
	for (size_t f = 0; f < P; f++)
		good += fabs(it.box.side[f] - .02 * (it.by_feature[f] + .01)) < 1e-16;
	is_size(good, P, "first sides are parts of weights and a little");
	ok(it.box.on && !it.box.made, "on, and none is made");
	ok(kith_sqpfw_box_left(&it.s, &it.box, 0), "no w is in there");
	is_near(kith_sqpfw_box_leaving(&it.s, &it.box, 0), 0, 0, "not even where a step begins");
	kith_pool_free(&it.pool);
}

/* Whether a box has w and the part of the step that is due, and sides of what
 * was asked for, but not below 0. */
static bool
is_placed(const struct world *it, double part)
{
	for (size_t at = 0; at < P; at++) {
		const double side = it->box.side[it->feature[at]];
		const double a = it->w[at], b = then(it, at, part);
		const double low = fmax(fmin(a, b) - side, 0);
		const double high = fmax(a, b) + side;

		if (fabs(it->box.middle[at] - it->box.half[at] - low) > 1e-10 ||
		    fabs(it->box.middle[at] + it->box.half[at] - high) > 1e-10 ||
		    it->box.middle[at] - it->box.half[at] > low ||
		    it->box.middle[at] + it->box.half[at] < high ||
		    it->box.from[it->feature[at]] != a || it->box.reach[it->feature[at]] != 0)
			return false;
	}
	return it->box.made && it->box.evaluated == 0;
}

static void
test_place(void)
{
	size_t placed = 0, left = 0, leaving = 0, whole = 0, part = 0;

	for (size_t k = 0; k < TRIES; k++) {
		const double tau = number(0, 2);
		const int round = (int)(k % 3);
		double sides = 0, d = 0, due, end;
		struct world it;

		begin(&it, k % 4 ? .02 : .5);
		for (size_t at = 0; at < P; at++) {
			sides += it.box.side[at];
			d += fabs(it.dw[at]);
		}
		due = fmin(tau, fmin(sides / d, tau) * (1 << 2 * round));
		it.box.evaluated = 7;
		kith_sqpfw_box_place(&it.s, &it.box, tau, round);
		placed += is_placed(&it, due);
		/* the step ends where it leaves the box, or as it is */
		end = kith_sqpfw_box_leaving(&it.s, &it.box, tau);
		left += kith_sqpfw_box_left(&it.s, &it.box, tau) == (outside(&it, tau) > -1e-11) &&
		    !kith_sqpfw_box_left(&it.s, &it.box, due) &&
		    !kith_sqpfw_box_left(&it.s, &it.box, 0);
		whole += end == tau;
		part += end < tau;
		leaving += end == tau ? !kith_sqpfw_box_left(&it.s, &it.box, tau)
				      : end >= due && fabs(outside(&it, end) + 1e-11) < 1e-14;
		kith_pool_free(&it.pool);
	}
	is_size(placed, TRIES, "a box has w, a part of the step, and sides");
	is_size(left, TRIES, "what is left is told");
	is_size(leaving, TRIES, "and where");
	ok(whole > TRIES / 5 && part > TRIES / 5, "%zu steps end in a box, %zu leave it", whole,
	    part);
}

/* A w outside of the box has left it, and goes nowhere. */
static void
test_outside(void)
{
	struct world it;

	begin(&it, .02);
	it.dw[0] = it.dw[1] = it.dw[2] = 1e-4;
	kith_sqpfw_box_place(&it.s, &it.box, 1, 0);
	ok(!kith_sqpfw_box_left(&it.s, &it.box, 0), "inside");
	it.w[1] += it.box.half[1] * 2.1;
	ok(kith_sqpfw_box_left(&it.s, &it.box, 0), "outside");
	is_near(kith_sqpfw_box_leaving(&it.s, &it.box, 1), 0, 0, "no step leads on from there");
	kith_pool_free(&it.pool);
}

static void
test_reshape(void)
{
	size_t good = 0, reached = 0;

	for (size_t k = 0; k < TRIES; k++) {
		const bool wider = k % 2;
		struct world it;
		double was[P], is = 0, sum = 0, tau, share[P];

		begin(&it, .1);
		kith_sqpfw_box_place(&it.s, &it.box, 1e-3, 0);
		tau = kith_sqpfw_box_leaving(&it.s, &it.box, 9);
		memcpy(was, it.box.side, sizeof(was));
		for (size_t at = 0; at < P; at++) {
			const size_t f = it.feature[at];

			/* a weight came as far as that once */
			if (at == k % P)
				it.box.reach[f] = number(0, .1);
			share[f] = fmax(.3 * was[f], fmax(it.box.reach[f], fabs(tau * it.dw[at])));
			sum += was[f];
			is += share[f];
		}
		kith_sqpfw_box_reshape(&it.s, &it.box, 9, wider);
		for (size_t f = 0; f < P; f++)
			good += fabs(it.box.side[f] -
				    (wider ? 1.5 : .7) * sum / is * (share[f] + 1e-4 * is / P)) <
			    1e-13;
		for (size_t at = 0; at < P; at++)
			reached += it.box.reach[it.feature[at]] >=
			    fabs(tau * it.dw[at]) * (1 - 1e-12);
		kith_pool_free(&it.pool);
	}
	is_size(
	    good, (size_t)TRIES * P, "the next sides are in proportion to how far weights went");
	is_size(reached, (size_t)TRIES * P, "which is seen");
}

/* How far weights went is the most of all steps. */
static void
test_go(void)
{
	struct world it;

	begin(&it, .1);
	kith_sqpfw_box_place(&it.s, &it.box, 0, 0);
	it.dw[0] = -.2;
	it.dw[1] = .3;
	kith_sqpfw_box_go(&it.s, &it.box, .5);
	is_near(it.box.reach[it.feature[0]], .1, 1e-15, "down by a tenth");
	is_near(it.box.reach[it.feature[1]], .15, 1e-15, "up by more");
	kith_sqpfw_box_go(&it.s, &it.box, .1);
	is_near(it.box.reach[it.feature[0]], .1, 1e-15, "back again");
	is_near(it.box.reach[it.feature[3]], 0, 0, "one stays");
	kith_pool_free(&it.pool);
}

/* Zeros have no side where all are bare; where one of them leaves a box early,
 * all have sides in 1, then 3, 7 boxes, and in fewer again later on. */
static void
test_bare(void)
{
	struct world it;
	unsigned due[] = {1, 3, 7};

	begin(&it, .1);
	it.box.bare = true;
	kith_sqpfw_box_place(&it.s, &it.box, 0, 0);
	kith_sqpfw_box_reshape(&it.s, &it.box, 1e-9, true);
	ok(it.box.side[it.feature[3]] == 0 && it.box.side[it.feature[4]] == 0,
	    "weights at 0 have no side");
	ok(it.box.side[it.feature[2]] > 0, "others have");
	for (size_t k = 0; k < 3; k++) {
		double sum = 0, is = 0;

		kith_sqpfw_box_place(&it.s, &it.box, 0, 0);
		it.box.side[it.feature[3]] = 0;
		it.dw[3] = 1e-3;
		for (size_t f = 0; f < P; f++)
			sum += it.box.side[f];
		kith_sqpfw_box_reshape(&it.s, &it.box, 1, true);
		ok(it.box.side[it.feature[3]] > 0 && it.box.side[it.feature[4]] > 0,
		    "after one has left, all have");
		for (size_t f = 0; f < P; f++)
			is += it.box.side[f];
		is_near(is / sum, 1 + 1e-4, 1e-12, "none the wider");
		is_size(it.box.wait, due[k], "boxes that are to wait");
		is_size(it.box.waits, due[k], "as many");
		it.dw[3] = 0;
	}
	for (size_t k = 7; k-- > 0;) {
		kith_sqpfw_box_place(&it.s, &it.box, 0, 0);
		kith_sqpfw_box_reshape(&it.s, &it.box, 1e-9, true);
		ok(it.box.wait == k && (it.box.side[it.feature[4]] > 0) == (k > 0), "%zu are left",
		    k);
	}
	kith_sqpfw_box_place(&it.s, &it.box, 0, 0);
	kith_sqpfw_box_reshape(&it.s, &it.box, 1e-9, false);
	is_size(it.box.waits, 3, "fewer the next time");
	it.box.waits = 255;
	it.box.side[it.feature[3]] = 0;
	kith_sqpfw_box_place(&it.s, &it.box, 0, 0);
	it.dw[3] = 1;
	kith_sqpfw_box_reshape(&it.s, &it.box, 1, true);
	is_size(it.box.wait, 255, "never more than 255");
	kith_pool_free(&it.pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 43, KITH_RNG_SAMPLE, 0);
	test_begin();
	test_place();
	test_outside();
	test_reshape();
	test_go();
	test_bare();
	return done();
}
