/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the events of lib/sqpfw/sqpfw.h: whoever knows the active set and
 * hears of all changes knows it at any time, through solves, paths, restarts
 * and searches for a minimum.
 */
#include "sqpfw/data.h"
#include "sqpfw/solver.h"
#include "tap.h"

enum { SETS = 60 };

static struct kith_pool pool;

/* The state of each pair of rows, of which those of points count, and of each
 * weight; what was heard, and whether it was in keeping with what was known. */
struct known {
	const struct kith_sqpfw *s;
	int8_t pair[ROWS][ROWS];
	bool positive[FEATURES];
	size_t events, pairs, weights, wrong;
};

static void
report(void *to, const struct kith_sqpfw_event *e)
{
	struct known *known = to;
	struct kith_sqpfw_now now;

	kith_sqpfw_at(known->s, &now);
	known->events++;
	known->wrong += e->was == e->becomes || e->theta != now.theta;
	if (e->kind == KITH_SQPFW_WEIGHT) {
		bool *positive = &known->positive[e->row];

		known->weights++;
		known->wrong += e->other != 0 ||
		    e->was != (*positive ? KITH_SQPFW_POSITIVE : KITH_SQPFW_ZERO);
		*positive = e->becomes == KITH_SQPFW_POSITIVE;
	} else {
		int8_t *pair = &known->pair[e->row][e->other];

		known->pairs++;
		known->wrong += (int)e->was != *pair ||
		    (known->s->y[e->row] != known->s->y[e->other]) != (e->kind == KITH_SQPFW_MISS);
		*pair = (int8_t)e->becomes;
	}
}

/* The active set itself. */
static void
look(const struct kith_sqpfw *s, struct known *known)
{
	memset(known->pair, KITH_SQPFW_FARTHER, sizeof(known->pair));
	for (size_t at = 2 * s->points.n; at < s->pairs; at++) {
		const struct kith_sqpfw_pair *pair = &s->pair[at];

		if (pair->group != KITH_SQPFW_NONE)
			known->pair[s->points.first[pair->group / 2]]
				   [s->points.first[pair->j]] = pair->state;
	}
	for (size_t f = 0; f < s->points.p; f++)
		known->positive[f] = s->position[f] < s->positive;
	known->s = s;
}

/* Whether what is known is so. */
static bool
is_so(const struct known *known)
{
	struct known now = {0};
	bool same;

	look(known->s, &now);
	same = memcmp(now.pair, known->pair, sizeof(now.pair)) == 0;
	for (size_t f = 0; f < known->s->points.p; f++)
		same = same && now.positive[f] == known->positive[f];
	return same;
}

/* Whether the counts of groups are those of their pairs, and each target is
 * tied and of its rank. */
static bool
counts(const struct kith_sqpfw *s)
{
	for (uint32_t g = 0; g < 2 * s->points.n; g++) {
		const struct kith_sqpfw_group *group = &s->group[g];
		const struct kith_sqpfw_pair *target;
		size_t nearer = 0, tied = 0;

		if (group->rank == 0)
			continue;
		for (uint32_t at = group->pairs; at != KITH_SQPFW_NONE; at = s->pair[at].next) {
			const struct kith_sqpfw_pair *pair = &s->pair[at];

			nearer += pair->state < 0 ? pair->copies : 0;
			tied += pair->state == 0 ? pair->copies : 0;
		}
		target = &s->pair[group->target];
		if (group->nearer != nearer || group->tied != tied || target->state != 0 ||
		    target->group != g || target->j != group->r || nearer >= group->rank ||
		    nearer + tied < group->rank)
			return false;
	}
	return true;
}

/* Weights of sum 1, some of them 0. */
static void
some_weights(size_t p, double *w)
{
	double sum = 0;

	for (size_t f = 0; f < p; f++)
		sum += w[f] = f == 0 || whole(0, 2) ? number(.1, 1) : 0;
	for (size_t f = 0; f < p; f++)
		w[f] /= sum;
}

/* Something that changes the active set. */
static void
change(struct kith_sqpfw *s, struct set *set, struct kith_sqpfw_judge *judge, size_t what)
{
	struct kith_sqpfw_verdict verdict;
	struct kith_sqpfw_now now;
	double w[FEATURES];
	size_t before;

	kith_sqpfw_at(s, &now);
	before = now.iterations;
	switch (what) {
	case 0:
		kith_sqpfw_solve(s, set->theta * number(0, 3));
		break;
	case 1:
		kith_sqpfw_next(s, INFINITY, w);
		break;
	case 2:
		some_weights(set->X.p, w);
		kith_sqpfw_restart(s, w);
		kith_sqpfw_at(s, &now);
		if (distance(now.w, w, set->X.p) > 0 || now.iterations != before)
			s->iterations = SIZE_MAX;
		break;
	case 3:
		kith_sqpfw_restart(s, NULL);
		kith_sqpfw_at(s, &now);
		if (distance(now.w, set->prior, set->X.p) > 0)
			s->iterations = SIZE_MAX;
		break;
	default:
		kith_sqpfw_minimum(s, judge, &verdict);
	}
}

struct tally {
	size_t stops, lost, uneven, wrong, events, pairs, weights, elsewhere;
};

static void
try_set(size_t k, struct tally *tally)
{
	static struct known known;
	struct kith_sqpfw_judge *judge;
	struct kith_sqpfw *s;
	struct set set;

	draw(&set, (enum kind)(k % KINDS), &pool);
	set.how.report = report;
	set.how.report_to = &known;
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	judge = judge_of(&set, &pool);
	known = (struct known){.s = s};
	look(s, &known);
	for (size_t stop = 0; stop < 12; stop++) {
		change(s, &set, judge, stop == 0 ? 0 : whole(0, 4));
		tally->stops++;
		tally->lost += !is_so(&known);
		tally->uneven += !counts(s);
		tally->elsewhere += s->iterations == SIZE_MAX;
	}
	tally->wrong += known.wrong;
	tally->events += known.events;
	tally->pairs += known.pairs;
	tally->weights += known.weights;
	kith_sqpfw_judge_free(judge);
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	struct tally tally = {0};

	kith_rng_seed(&rng, 23, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < SETS; k++)
		try_set(k, &tally);
	is_size(tally.wrong, 0, "each event begins at what was so");
	is_size(tally.lost, 0, "and all of them lead to what is so");
	is_size(tally.uneven, 0, "groups count their pairs");
	is_size(tally.elsewhere, 0, "restarts begin where they are told to");
	ok(tally.weights > 200 && tally.pairs > 2000,
	    "%zu events of weights, %zu of pairs, at %zu stops", tally.weights, tally.pairs,
	    tally.stops);
	return done();
}
