/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/awake.h: in any direction, all pairs that block before tau
 * are found, and few others; gaps follow w.
 */
#include "sqpfw/awake.h"

#include "sqpfw/data.h"
#include "sqpfw/pair.h"
#include "sqpfw/rest.h"
#include "sqpfw/state.h"
#include "sqpfw/step.h"
#include "tap.h"

enum { SETS = 200, STOPS = 6, TRIES = 8, PAIRS = 1 << 14 };

static struct kith_pool pool;

struct tally {
	size_t awake, resting, blocking, lost, found, unknown, still, apart;
	double off;
};

/* a'v of a pair, v by position, from the differences themselves. */
static double
product(
    const struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair, const double *v, double *length)
{
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, pair);
	double sum = 0;

	*length = 0;
	for (size_t f = 0; f < s->positive; f++) {
		const double j = row.j[f] - row.i[f], r = row.r[f] - row.i[f];

		sum += (j * j - r * r) * v[f];
		*length += (j * j - r * r) * (j * j - r * r);
	}
	*length = sqrt(*length);
	return sum;
}

/* A direction that some weight leaves; its sum is 0. */
static double
aim(struct kith_sqpfw *s)
{
	double sum = 0;

	for (size_t f = 0; f < s->positive; f++)
		sum += s->step.dw[f] = number(-1, 1) * exp(number(-6, 0));
	for (size_t f = 0; f < s->positive; f++)
		s->step.dw[f] -= sum / (double)s->positive;
	kith_sqpfw_step_measure(s);
	return exp(number(-12, 0));
}

/* Those that awake_due() finds; whether the first one is among them. */
static bool
find(struct kith_sqpfw *s, double tau, bool *found)
{
	const uint32_t first = kith_sqpfw_awake_first(s, tau);
	uint32_t due[KITH_SQPFW_PANEL];

	memset(found, 0, s->pairs.n * sizeof(*found));
	for (size_t k = 0; k < kith_sqpfw_awake_panels(s); k++)
		for (size_t n = kith_sqpfw_awake_due(s, k, tau, due); n-- > 0;)
			found[due[n]] = true;
	return first == KITH_SQPFW_NONE || found[first];
}

static void
look(const struct kith_sqpfw *s, double tau, const bool *found, struct tally *tally)
{
	for (uint32_t at = 0; at < s->pairs.n; at++) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
		double length, gap, change;

		if (pair->state != 1 && pair->state != -1)
			continue;
		if (pair->rests || pair->queue_place == KITH_SQPFW_NONE) {
			tally->resting++;
			tally->unknown += found[at];
			continue;
		}
		gap = pair->state * product(s, pair, s->w, &length);
		change = pair->state * product(s, pair, s->step.dw, &length);
		tally->awake++;
		tally->found += found[at];
		if (length > 0)
			tally->off = fmax(
			    tally->off, fabs(gap / length - s->awake.gap[pair->queue_place]));
		if (gap + tau * change < -1e-9 * length) {
			tally->blocking++;
			tally->lost += !found[at];
		}
		tally->still += found[at] && gap + tau * change > 1e-9 * length;
	}
}

static void
try(struct kith_sqpfw *s, struct tally *tally)
{
	static bool found[PAIRS];

	for (int k = 0; k < TRIES && s->positive > 1; k++) {
		const double tau = aim(s);

		tally->apart += !find(s, tau, found);
		look(s, tau, found, tally);
	}
	s->step.stale = true;
}

int
main(void)
{
	struct tally tally = {0};

	for (int k = 0; k < SETS; k++) {
		struct set set;
		struct kith_sqpfw *s;

		kith_rng_seed(&rng, (uint64_t)k, KITH_RNG_SAMPLE, 0);
		draw(&set, (enum kind)(k % KINDS), &pool);
		if (k % 3)
			stretch(&set);
		set.how.many = 1;
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		kith_sqpfw_rest_begin(s, INFINITY);
		for (int stop = 0; stop < STOPS; stop++) {
			set.how.max_iter = whole(1, 9);
			kith_sqpfw_solve(s, .02 * pow(2, (double)stop));
			if (s->pairs.n <= PAIRS)
				try(s, &tally);
		}
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	is_size(tally.lost, 0, "no pair that blocks is lost");
	is_size(tally.unknown, 0, "and none is found that rests");
	is_size(tally.apart, 0, "the pair that is evaluated first is one of them");
	is_size(tally.still, 0, "nor one that does not block");
	ok(tally.off <= 1e-9, "gaps follow w, to %g", tally.off);
	ok(tally.blocking > 10000 && tally.awake > 10 * tally.blocking / 9 && tally.resting > 10000,
	    "%zu awake, of which %zu block; %zu rest", tally.awake, tally.blocking, tally.resting);
	return done();
}
