/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/boxed.h: wherever w is in the box, no pair outside of a
 * list is as near as the target, by all distances; solutions are as those with
 * lists by radius; any number of threads gives the same bits.
 */
#include "sqpfw/boxed.h"
#include "sqpfw/box.h"
#include "sqpfw/data.h"
#include "sqpfw/groups.h"
#include "sqpfw/pair.h"
#include "sqpfw/state.h"
#include "tap.h"

enum { SETS = 160, THETAS = 8, TRIES = 6, STOPS = 5 };

static struct kith_pool pool;

static struct kith_sqpfw *
begin(struct set *set, int k, bool boxed)
{
	struct kith_sqpfw *s;

	kith_rng_seed(&rng, (uint64_t)k, KITH_RNG_SAMPLE, 0);
	draw(set, (enum kind)(k % KINDS), &pool);
	if (k % 3)
		stretch(set);
	set->how.many = 1;
	s = kith_sqpfw_new(&set->X, set->y, set->c, &set->how, &pool);
	if (boxed)
		kith_sqpfw_boxed_begin(s);
	return s;
}

/* Some w of the box, by feature: a corner now and then. */
static void
choose(const struct kith_sqpfw *s, bool corner, double *w)
{
	const struct kith_sqpfw_box *box = &s->candidates.box;

	for (size_t at = 0; at < s->points.p; at++) {
		const double u = number(-1, 1);

		w[s->feature[at]] = fmax(0,
		    box->middle[at] +
			box->half[at] *
			    (!corner        ? u
				    : u < 0 ? -1
					    : 1));
	}
}

static bool
is_listed(const struct kith_sqpfw *s, uint32_t g, size_t j)
{
	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];

		if (pair->j == j || (pair->merged && kith_sqpfw_pair_same(s, g / 2, pair->j, j)))
			return true;
	}
	return false;
}

/* The rows of a group that are nearer than d, by more than rounding. */
static size_t
nearer(const struct kith_sqpfw *s, uint32_t g, const double *w, double d)
{
	size_t rows = 0;

	for (size_t j = 0; j < s->points.n; j++)
		if (belongs(s, g, j) && distance_at(s, w, g / 2, j) < d - 1e-12 * fabs(d))
			rows += s->points.copies[j];
	return rows;
}

struct tally {
	size_t outside, wrong, listed;
};

/* A point outside of the list that is as near as the target has fewer rows
 * before it than the rank. */
static void
try_list(const struct kith_sqpfw *s, uint32_t g, struct tally *tally)
{
	double w[FEATURES];

	for (int k = 0; k < TRIES; k++) {
		choose(s, k % 2, w);
		for (size_t j = 0; j < s->points.n; j++) {
			if (!belongs(s, g, j))
				continue;
			if (is_listed(s, g, j)) {
				tally->listed++;
				continue;
			}
			tally->outside++;
			tally->wrong += nearer(s, g, w, distance_at(s, w, g / 2, j)) <
			    s->group[g].rank;
		}
	}
}

static void
test_lists(void)
{
	struct tally tally = {0};

	for (int k = 0; k < SETS; k++) {
		struct set set;
		struct kith_sqpfw *s = begin(&set, k, true);

		set.how.max_iter = whole(3, 12);
		for (int stop = 0; stop < STOPS; stop++) {
			kith_sqpfw_solve(s, set.theta);
			for (uint32_t g = 0; g < 2 * s->points.n; g += 7)
				if (s->candidates.box.made && s->group[g].rank > 0)
					try_list(s, g, &tally);
		}
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	is_size(tally.wrong, 0, "no pair outside of a list is near");
	ok(tally.outside > 100000 && tally.listed > 1000, "%zu outside, %zu in lists",
	    tally.outside, tally.listed);
}

/* A sweep over thetas: how many minima, how far off; the last w. */
static size_t
sweep(const struct set *set, struct kith_sqpfw *s, double *worst, double *w)
{
	struct kith_sqpfw_now now;
	size_t minima = 0;

	for (size_t k = 0; k < THETAS; k++) {
		kith_sqpfw_solve(s, .01 * pow(3, (double)k));
		*worst = fmax(*worst, off(set, s));
		kith_sqpfw_at(s, &now);
		minima += is_minimum(set, now.w, now.theta);
		memcpy(w, now.w, set->X.p * sizeof(*w));
	}
	kith_sqpfw_free(s);
	return minima;
}

static void
test_sweeps(void)
{
	size_t minima[2] = {0}, same = 0;
	double radius = 0, worst = 0;

	for (int k = 0; k < SETS; k++) {
		double w[3][FEATURES] = {{0}};
		struct set set;
		struct kith_sqpfw *s;

		s = begin(&set, k, false);
		minima[0] += sweep(&set, s, &radius, w[0]);
		s = begin(&set, k, true);
		minima[1] += sweep(&set, s, &worst, w[1]);
		kith_rng_seed(&rng, (uint64_t)k, KITH_RNG_SAMPLE, 0);
		set.how.threads = 3;
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		kith_sqpfw_boxed_begin(s);
		sweep(&set, s, &worst, w[2]);
		same += distance(w[1], w[2], set.X.p) == 0;
		kith_pool_free(&pool);
	}
	ok(worst <= 1e-9 + 1.5 * radius, "targets are those of the distances, to %g; by radius %g",
	    worst, radius);
	ok(minima[1] + SETS * THETAS / 50 >= minima[0],
	    "%zu solutions are minima, with lists by radius %zu", minima[1], minima[0]);
	is_size(same, SETS, "three threads give the same bits");
}

/* a'w, or its least or most in the box. */
static double
in_box(const struct kith_sqpfw *s, size_t i, size_t j, size_t r, double sign)
{
	const struct kith_sqpfw_box *box = &s->candidates.box;
	double sum = 0;

	for (size_t at = 0; at < s->points.p; at++) {
		const double a = row_entry(s, i, j, r, s->feature[at]);

		sum += a * box->middle[at] + sign * fabs(a) * box->half[at];
	}
	return sum;
}

/* Whether points that are alike are one candidate. */
static bool
is_merged(const struct kith_sqpfw *s, uint32_t g)
{
	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
		size_t copies = 0;

		for (size_t j = 0; j < s->points.n; j++)
			if (belongs(s, g, j) && kith_sqpfw_pair_same(s, g / 2, pair->j, j))
				copies += s->points.copies[j];
		if (pair->state > 0 && pair->copies != copies)
			return false;
	}
	return true;
}

/* Lists, slack and radii of a group, just after a box was made. */
static bool
is_group(const struct kith_sqpfw *s, uint32_t g, size_t *listed)
{
	const struct kith_sqpfw_group *group = &s->group[g];
	const struct kith_sqpfw_box *box = &s->candidates.box;
	const size_t i = g / 2, r = group->target_point;
	const bool all = group->nearer + s->pairs.pair[group->target].copies < group->rank;
	double slack = 0, most = 0;

	for (size_t at = 0; at < s->points.p; at++) {
		const size_t f = s->feature[at];
		const double d = kith_sqpfw_value(&s->points, i, f) -
		    kith_sqpfw_value(&s->points, r, f);

		slack += d * d * (1e-3 * s->w[at] + 1e-9 * (box->middle[at] + box->half[at]));
	}
	for (uint32_t at = group->first_pair; at != KITH_SQPFW_NONE; at = s->pairs.pair[at].next)
		if (s->pairs.pair[at].state < all)
			most = fmax(most, in_box(s, i, s->pairs.pair[at].j, r, 1));
	for (size_t j = 0; j < s->points.n; j++) {
		const double over = in_box(s, i, j, r, -1) - most - slack;

		if (!belongs(s, g, j))
			continue;
		*listed += is_listed(s, g, j);
		/* those nearer or tied are pairs in any case */
		if (is_listed(s, g, j) ? over > 1e-9 : over < -1e-9)
			return false;
	}
	return fabs(group->slack - slack) <= 1e-12 && group->excess == 0 && isinf(group->radius) &&
	    group->queue_place == KITH_SQPFW_NONE;
}

/* A first box, at some w, and one of a step that leaves it. */
static void
test_groups(void)
{
	size_t good = 0, groups = 0, listed = 0, rounds = 0;

	for (int k = 0; k < SETS / 4; k++) {
		struct set set;
		struct kith_sqpfw *s = begin(&set, k, false);

		set.how.max_iter = whole(3, 12);
		kith_sqpfw_solve(s, set.theta);
		kith_sqpfw_boxed_begin(s);
		for (size_t f = 0; f < s->positive; f++)
			s->step.dw[f] = f ? 1e-3 : -1e-3;
		kith_sqpfw_boxed_test(s, k % 2, KITH_SQPFW_NONE);
		for (uint32_t g = 0; g < 2 * s->points.n; g++)
			if (s->group[g].rank > 0) {
				groups++;
				good += is_group(s, g, &listed) && is_merged(s, g);
			}
		s->group[0].slack = -1;
		kith_sqpfw_boxed_test(s, 0, KITH_SQPFW_NONE);
		rounds += s->candidates.n_fresh == 0 && s->group[0].slack == -1;
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	ok(good == groups && listed > groups, "lists of %zu groups by definition, %zu of %zu",
	    listed, good, groups);
	is_size(rounds, SETS / 4, "none is made anew in the box");
}

/* When boxes begin: so many steps after the last look, if pairs rest and what
 * was done is that of more than five passes. */
static void
test_consider(void)
{
	for (int k = 0; k < 6; k++) {
		struct set set;
		struct kith_sqpfw *s = begin(&set, 1, k == 5);
		struct kith_sqpfw_candidates *lists = &s->candidates;
		const double n = (double)s->points.n, due = 5 * n * n;
		const bool looks = k > 0 && k < 5;

		lists->from = 30;
		s->steps = 30 + 1023 + (size_t)(k > 0) + 500 * (size_t)(k > 3);
		s->box.on = k != 2;
		lists->work = k == 3 ? due : due + 1;
		kith_sqpfw_boxed_consider(s);
		ok(lists->box.on == (k == 1 || k > 3) && (lists->boxed != NULL) == lists->box.on,
		    "boxes begin, or not, %d", k);
		ok(lists->work == (looks ? 0 : due + 1) && lists->from == (looks ? s->steps : 30),
		    "what was done is counted from then on, or not, %d", k);
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
}

/* A box with room of its own. */
static struct kith_sqpfw_box
copy(const struct kith_sqpfw_box *of, size_t p)
{
	const size_t size = p * sizeof(double);
	struct kith_sqpfw_box box = *of;

	box.middle = memcpy(kith_new(&pool, 1, size), of->middle, size);
	box.half = memcpy(kith_new(&pool, 1, size), of->half, size);
	box.from = memcpy(kith_new(&pool, 1, size), of->from, size);
	box.side = memcpy(kith_new(&pool, 1, size), of->side, size);
	box.reach = memcpy(kith_new(&pool, 1, size), of->reach, size);
	return box;
}

/* Whether a step that leaves the box brings the one of such a round, wider if
 * so few pairs were evaluated. */
static bool
is_round(struct kith_sqpfw *s, double evaluated, int round)
{
	const size_t p = s->points.p;
	const double n = (double)s->points.n, tau = 1e3;
	struct kith_sqpfw_box *box = &s->candidates.box, due;

	box->evaluated = n * n + evaluated;
	due = copy(box, p);
	kith_sqpfw_box_reshape(s, &due, tau, evaluated < 0);
	kith_sqpfw_box_place(s, &due, tau, round);
	kith_sqpfw_boxed_test(s, tau, KITH_SQPFW_NONE);
	return distance(box->middle, due.middle, p) == 0 && distance(box->half, due.half, p) == 0 &&
	    distance(box->side, due.side, p) == 0;
}

/* Boxes of steps that follow each other grow. */
static void
test_rounds(void)
{
	static const struct {
		size_t steps;
		double evaluated;
		int round;
	} go[] = {{2, -1, 0}, {3, 0, 1}, {3, 1, 2}, {4, -1, 3}, {6, 0, 0}, {7, -1, 1}, {9, 1, 0}};
	size_t good[7] = {0}, sets = 0;

	for (int k = 0; k < 12; k++) {
		struct set set;
		struct kith_sqpfw *s = begin(&set, k, true);

		if (s->points.p > 2)
			sets++;
		for (size_t at = 0; at < s->points.p; at++)
			s->step.dw[at] = at ? 1e-3 : -1e-3;
		for (int at = 0; at < 7 && s->points.p > 2; at++) {
			s->steps = go[at].steps;
			good[at] += is_round(s, go[at].evaluated, go[at].round);
		}
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	for (int at = 0; at < 7; at++)
		is_size(good[at], sets, "a box of this round");
}

int
main(void)
{
	test_consider();
	test_rounds();
	test_lists();
	test_groups();
	test_sweeps();
	return done();
}
