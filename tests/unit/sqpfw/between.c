/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/path.h: between two breakpoints w is a linear function of
 * theta, and a minimum at each; and of lib/sqpfw/shares.h: to ask for multipliers
 * on the way changes nothing.
 */
#include "sqpfw/path.h"

#include "sqpfw/data.h"
#include "sqpfw/minimum.h"
#include "sqpfw/shares.h"
#include "sqpfw/state.h"
#include "tap.h"

enum { SETS = 24, STEPS = 60 };

static struct kith_pool pool;

struct tally {
	size_t pieces, minima, freed;
};

/* The part of the path to the next breakpoint, if theta grows. */
static bool
look_between(const struct set *set, struct kith_sqpfw *s, struct tally *tally)
{
	double w[FEATURES] = {0}, before[FEATURES];
	struct kith_sqpfw_now now;
	bool both;
	double theta;

	kith_sqpfw_at(s, &now);
	memcpy(w, now.w, set->X.p * sizeof(*w));
	theta = now.theta;
	both = is_minimum(set, w, theta);
	if (kith_sqpfw_next(s, INFINITY, before) != KITH_SQPFW_BREAKPOINT)
		return false;
	kith_sqpfw_at(s, &now);
	if (now.theta < theta * (1 + 1e-3) || !(both && is_minimum(set, before, now.theta)))
		return true;
	for (int part = 1; part < 4; part++) {
		const double t = part / 4.;
		double v[FEATURES] = {0};

		for (size_t f = 0; f < set->X.p; f++)
			v[f] = (1 - t) * w[f] + t * before[f];
		tally->pieces++;
		tally->minima += is_minimum(set, v, (1 - t) * theta + t * now.theta);
	}
	for (size_t f = 0; f < set->X.p; f++)
		tally->freed += w[f] == 0 && before[f] > 0;
	return true;
}

static void
test_between(void)
{
	struct tally tally = {0};

	for (size_t k = 0; k < SETS; k++) {
		struct kith_sqpfw *s;
		struct set set;

		draw(&set, CONTINUOUS, &pool);
		/* some weights begin at 0 */
		for (size_t f = 0; f < set.X.p; f++)
			set.prior[f] = f == k % set.X.p ? 1 : 0;
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		kith_sqpfw_solve(s, set.theta / 20);
		for (size_t b = 0; b < STEPS; b++)
			if (!look_between(&set, s, &tally))
				break;
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	ok(tally.minima == tally.pieces && tally.pieces > 100,
	    "%zu of %zu points between breakpoints are minima", tally.minima, tally.pieces);
	ok(tally.freed > 0, "%zu weights left 0", tally.freed);
}

/* Ask for multipliers; whether the parts of the factor, put out of place, stay. */
static bool
ask(struct kith_sqpfw *s)
{
	const struct kith_sqpfw_qr *qr = &s->active.qr;
	const size_t p = s->points.p, m = qr->m;
	double d[FEATURES], z[FEATURES];

	for (size_t f = 0; f < s->positive; f++)
		qr->d[f] += .5;
	for (size_t k = 0; k < m; k++)
		qr->z[k] += .25;
	memcpy(d, qr->d, p * sizeof(*d));
	memcpy(z, qr->z, m * sizeof(*z));
	kith_sqpfw_shares_find(s);
	return qr->m == m && memcmp(d, qr->d, p * sizeof(*d)) == 0 &&
	    memcmp(z, qr->z, m * sizeof(*z)) == 0;
}

/* A path of some breakpoints, where multipliers are asked for or not; theta and
 * the weights at its end. */
static double
follow(const struct set *set, size_t *asked, double *w)
{
	struct kith_pool own = {0};
	struct kith_sqpfw *s = kith_sqpfw_new(&set->X, set->y, set->c, &set->how, &own);
	struct kith_sqpfw_now now;
	double before[FEATURES];

	kith_sqpfw_solve(s, set->theta);
	for (size_t b = 0; b < STEPS; b++) {
		if (asked)
			*asked += !ask(s);
		if (kith_sqpfw_next(s, INFINITY, before) != KITH_SQPFW_BREAKPOINT)
			break;
	}
	kith_sqpfw_at(s, &now);
	memcpy(w, now.w, set->X.p * sizeof(*w));
	kith_sqpfw_free(s);
	kith_pool_free(&own);
	return now.theta;
}

static void
test_ask(void)
{
	size_t same = 0, changed = 0;

	for (size_t k = 0; k < SETS; k++) {
		double w[FEATURES], v[FEATURES];
		struct set set;

		draw(&set, (enum kind)(k % KINDS), &pool);
		same += follow(&set, NULL, w) == follow(&set, &changed, v) &&
		    memcmp(w, v, set.X.p * sizeof(*w)) == 0;
		kith_pool_free(&pool);
	}
	is_size(changed, 0, "multipliers leave the factor as it is");
	is_size(same, SETS, "the same bits where multipliers are asked for");
}

int
main(void)
{
	kith_rng_seed(&rng, 71, KITH_RNG_SAMPLE, 0);
	test_between();
	test_ask();
	return done();
}
