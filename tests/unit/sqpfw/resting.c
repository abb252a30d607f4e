/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/rest.h and lib/sqpfw/awake.h, each call by what its header
 * says: who rests, who is awake with which numbers, and what work is counted.
 */
#include "sqpfw/rest.h"

#include "sqpfw/awake.h"
#include "sqpfw/data.h"
#include "sqpfw/state.h"
#include "sqpfw/step.h"
#include "tap.h"

enum { SETS = 24 };

static struct kith_pool pool;

/* What was wrong, by what was looked at; and how often that was. */
struct tally {
	size_t begun, held, renewed, counted, due, first, near, moved, ended;
	size_t pairs, resting, woken, blocks, firsts;
	double off;
};

static double
entry(const struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair, size_t at)
{
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, pair);
	const double j = row.j[at] - row.i[at], r = row.r[at] - row.i[at];

	return j * j - r * r;
}

static bool
is_free(const struct kith_sqpfw_pair *pair)
{
	return pair->state == 1 || pair->state == -1;
}

/* Whether a'w has its sign in all of the box, by more than rounding: 1, -1, or
 * 0 where that is not certain. */
static int
holds(const struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair)
{
	double middle = 0, reach = 0, size = 0;

	for (size_t at = 0; at < s->points.p; at++) {
		const double a = entry(s, pair, at);

		middle += a * s->box.middle[at];
		reach += fabs(a) * s->box.half[at];
		size += fabs(a);
	}
	if (fabs(middle * pair->state - reach) <= 1e-13 * size)
		return 0;
	return middle * pair->state > reach ? 1 : -1;
}

/* How far the numbers of those awake are from their definition. */
static double
awake_off(const struct kith_sqpfw *s)
{
	double worst = 0;

	for (size_t k = 0; k < s->awake.n; k++) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[s->awake.pair[k]];
		double gap = 0, length = 0;

		for (size_t at = 0; at < s->positive; at++) {
			const double a = entry(s, pair, at);

			gap += a * s->w[at];
			length += a * a;
		}
		if (pair->queue_place != k)
			return INFINITY;
		worst = fmax(worst, fabs(gap * pair->state / sqrt(length) - s->awake.gap[k]));
	}
	return worst;
}

/* All that were queued are awake, and nobody rests. */
static void
look_at_begin(struct kith_sqpfw *s, struct tally *tally)
{
	size_t n = 0;

	kith_sqpfw_rest_begin(s, 5);
	for (uint32_t at = 0; at < s->pairs.n; at++) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];

		n += is_free(pair) && pair->row_norm > 0;
		tally->begun += pair->rests;
	}
	tally->begun += s->awake.n != n || !s->box.on || !s->box.bare || s->box.before != 5 ||
	    s->box.work != 0 || s->box.start != s->steps ||
	    kith_sqpfw_awake_panels(s) != (n + 15) / 16;
	tally->begun += kith_sqpfw_queue_all(&s->pairs.queue, INFINITY, s->pairs.due) > 0;
	tally->off = fmax(tally->off, awake_off(s));
}

/* After a box was made: those rest for whom it holds; others are awake, or due
 * if they rested. */
static void
look_at_renew(struct kith_sqpfw *s, double tau, int round, struct tally *tally)
{
	const double work = s->box.work, lists = s->candidates.work,
		     boxed = s->candidates.box.evaluated;
	bool *rested = kith_new(&pool, s->pairs.n, sizeof(*rested));
	size_t looked = 0, due = 0, n;

	for (size_t at = 0; at < s->pairs.n; at++)
		rested[at] = s->pairs.pair[at].rests;
	n = kith_sqpfw_rest_renew(s, tau, round);
	for (uint32_t at = 0; at < s->pairs.n; at++) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
		const int hold = is_free(pair) ? holds(s, pair) : -1;
		const bool was_in = rested[at] || pair->row_norm > 0;

		if (!is_free(pair))
			continue;
		looked++;
		tally->pairs++;
		tally->resting += pair->rests;
		if (hold != 0 && was_in)
			tally->held += pair->rests != (hold > 0) ||
			    kith_sqpfw_rest_holds(s, at) != (hold > 0);
		tally->held += pair->rests && pair->queue_place != KITH_SQPFW_NONE;
		due += rested[at] && !pair->rests;
	}
	for (size_t k = 0; k < n; k++)
		tally->renewed += !rested[s->pairs.due[k]] || s->pairs.pair[s->pairs.due[k]].rests;
	tally->woken += n;
	tally->renewed += n != due || s->box.looked != (double)looked ||
	    fabs(s->box.work - work - 3 * (double)looked) > 1e-9 ||
	    fabs(s->candidates.work - lists - 3 * (double)looked) > 1e-9 ||
	    fabs(s->candidates.box.evaluated - boxed - 3 * (double)looked) > 1e-9;
	/* as a step would: they are evaluated, and queued again */
	for (size_t k = 0; k < n; k++)
		kith_sqpfw_awake_put(s, s->pairs.due[k], 0);
	kith_sqpfw_awake_refresh(s);
	tally->off = fmax(tally->off, awake_off(s));
}

static void
look_at_count(struct kith_sqpfw *s, struct tally *tally)
{
	const double work = s->box.work, lists = s->candidates.work;
	const double evaluated = s->box.evaluated, n = (double)s->awake.n;

	s->pairs.n_seen = 7;
	kith_sqpfw_rest_count(s);
	s->pairs.n_seen = 0;
	tally->counted += fabs(s->box.work - work - .6 * n - 42) > 1e-9 ||
	    fabs(s->candidates.work - lists - .6 * n) > 1e-9 ||
	    fabs(s->box.evaluated - evaluated - .2 * n) > 1e-9;
	for (size_t at = 0; at < s->points.p; at++)
		tally->counted += s->box.reach[s->feature[at]] <
		    fabs(s->w[at] - s->box.from[s->feature[at]]);
	/* twice the pairs that were looked at, or a step out of the box */
	s->box.evaluated = 2 * s->box.looked;
	tally->counted += kith_sqpfw_rest_ends(s, 0);
	s->box.evaluated *= 1.001;
	tally->counted += !kith_sqpfw_rest_ends(s, 0);
	s->box.evaluated = 0;
	tally->counted += !kith_sqpfw_rest_ends(s, 1e6);
}

/* How far numbers of a path of w may be off. */
static double
rounding(const struct kith_sqpfw *s, double length)
{
	return 1e-11 + ((double)s->points.p + 8) * 0x1p-52 * (s->awake.path + length);
}

/* Which of those awake may block before tau, and which of them first. */
static void
look_at_blocks(struct kith_sqpfw *s, double tau, struct tally *tally)
{
	const uint32_t first = kith_sqpfw_awake_first(s, tau);
	const double t = tau * s->step.norm, off = rounding(s, t);
	uint32_t due[KITH_SQPFW_PANEL];
	uint32_t best = KITH_SQPFW_NONE;
	double least = t;
	size_t n = 0, all = 0;

	for (size_t k = 0; k < s->awake.n; k++) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[s->awake.pair[k]];
		double change = 0, length = 0;

		for (size_t at = 0; at < s->positive; at++) {
			const double a = entry(s, pair, at);

			change += a * s->step.dw[at] / s->step.norm;
			length += a * a;
		}
		tally->off = fmax(
		    tally->off, fabs(change * pair->state / sqrt(length) - s->awake.change[k]));
		change = s->awake.change[k];
		all += s->awake.gap[k] + t * change < off && change < -1e-12;
		if (s->awake.gap[k] > off && change < 0 && s->awake.gap[k] / -change < least) {
			least = s->awake.gap[k] / -change;
			best = s->awake.pair[k];
		}
	}
	for (size_t k = 0; k < kith_sqpfw_awake_panels(s); k++)
		n += kith_sqpfw_awake_due(s, k, tau, due);
	tally->due += n != all;
	tally->first += first != best;
	tally->blocks += n;
	tally->firsts += best != KITH_SQPFW_NONE;
}

/* Numbers after a step, and those within a range of their ties. */
static void
look_at_move(struct kith_sqpfw *s, double tau, struct tally *tally)
{
	const double t = tau * s->step.norm, path = s->awake.path;
	double *gap = kith_new(&pool, s->awake.n, sizeof(*gap));
	uint32_t *due = kith_new(&pool, s->awake.n, sizeof(*due));
	double range = 0;
	size_t n = 0, k = 0;

	for (size_t l = 0; l < s->awake.n; l++) {
		gap[l] = s->awake.gap[l] + t * s->awake.change[l];
		range += fabs(gap[l]) / (double)s->awake.n;
	}
	kith_sqpfw_awake_move(s, tau);
	for (size_t l = 0; l < s->awake.n; l++)
		tally->moved += fabs(s->awake.gap[l] - gap[l]) > 1e-15;
	tally->moved += fabs(s->awake.path - path - t) > 1e-15;
	n = kith_sqpfw_awake_near(s, range, due);
	for (size_t l = 0; l < s->awake.n; l++)
		if (s->awake.gap[l] < rounding(s, range) + range)
			tally->near += k >= n || due[k++] != s->awake.pair[l];
	tally->near += k != n || (n == 0 && s->awake.n > 0);
	kith_sqpfw_awake_refresh(s);
	tally->moved += s->awake.path != 0;
	/* a step, though of length 0, is work */
	range = s->box.evaluated;
	kith_sqpfw_step_take(s, 0);
	tally->moved += fabs(s->box.evaluated - range - .2 * (double)s->awake.n) > 1e-9;
}

/* Whether it has become dear is asked after 256 steps; then nobody rests. */
static void
look_at_end(struct kith_sqpfw *s, struct tally *tally)
{
	const size_t steps = s->steps;

	s->box.work = 1e6;
	s->box.start = s->steps;
	s->steps += 255;
	tally->ended += kith_sqpfw_rest_dear(s);
	s->steps++;
	s->box.before = 1e6 / 256 / 1.5 * 1.001;
	tally->ended += kith_sqpfw_rest_dear(s) || s->box.work != 0 || s->box.start != s->steps ||
	    fabs(s->box.dear - 1e6 / 256) > 1e-9;
	s->box.work = 1e6;
	s->box.start -= 256;
	s->box.before = 1e6 / 256 / 1.5 * .999;
	s->candidates.box.on = true;
	tally->ended += kith_sqpfw_rest_dear(s);
	s->candidates.box.on = false;
	tally->ended += !kith_sqpfw_rest_dear(s);
	kith_sqpfw_rest_end(s);
	s->box.work = 1e6;
	s->box.start -= 256;
	tally->ended += s->awake.n != 0 || s->box.on || kith_sqpfw_rest_dear(s) ||
	    kith_sqpfw_rest_ends(s, 1e6);
	s->steps = steps;
	for (uint32_t at = 0; at < s->pairs.n; at++)
		tally->ended += s->pairs.pair[at].rests ||
		    s->pairs.pair[at].queue_place != KITH_SQPFW_NONE ||
		    kith_sqpfw_rest_holds(s, at);
}

static void
try_set(size_t k, struct tally *tally)
{
	struct kith_sqpfw *s;
	struct set set;
	double sum = 0;

	draw(&set, CONTINUOUS, &pool);
	if (k % 2)
		stretch(&set);
	set.how.max_iter = k;
	set.how.many = SIZE_MAX;
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	if (k > 0)
		kith_sqpfw_solve(s, set.theta);
	look_at_begin(s, tally);
	for (size_t f = 0; f < s->points.p; f++)
		s->step.dw[f] = f < s->positive ? number(-1, 1) : 0;
	for (size_t f = 0; f < s->positive; f++)
		sum += s->step.dw[f];
	for (size_t f = 0; f < s->positive; f++)
		s->step.dw[f] -= sum / (double)s->positive;
	kith_sqpfw_step_measure(s);
	/* so wide that many are awake */
	for (size_t f = 0; f < s->points.p; f++)
		s->box.side[f] *= 20;
	if (s->positive > 1) {
		look_at_renew(s, 1e-3, 0, tally);
		look_at_renew(s, .1, 1, tally);
		look_at_count(s, tally);
		look_at_blocks(s, number(0, .5), tally);
		look_at_move(s, number(0, .1), tally);
	}
	look_at_end(s, tally);
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	struct tally tally = {0};

	kith_rng_seed(&rng, 53, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < SETS; k++)
		try_set(k, &tally);
	is_size(tally.begun, 0, "at first all are awake");
	is_size(tally.held, 0, "those rest that cannot tie in the box");
	is_size(tally.renewed, 0, "others are woken, and what is seen counts");
	is_size(tally.counted, 0, "steps count");
	is_size(tally.due, 0, "those are due that come to tie, by the numbers");
	is_size(tally.first, 0, "of which the first is the first");
	is_size(tally.moved, 0, "numbers follow a step");
	is_size(tally.near, 0, "those in a range are told");
	is_size(tally.ended, 0, "what is too dear ends");
	ok(tally.off <= 1e-11, "numbers are as defined, to %.1e", tally.off);
	ok(tally.resting > 1000 && tally.pairs > tally.resting + 1000 && tally.woken > 100 &&
		tally.blocks > 100 && tally.firsts > 10,
	    "%zu pairs, %zu rest, %zu woken, %zu block, %zu first", tally.pairs, tally.resting,
	    tally.woken, tally.blocks, tally.firsts);
	return done();
}
