/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/release.h"

#include "sqpfw/active.h"
#include "sqpfw/eqp.h"

/* Multipliers that count as 0: alpha; beta, in units of theta / n; and their
 * slopes over theta. */
#define ZERO_ALPHA 1e-12
#define ZERO_BETA 1e-10
#define ZERO_SLOPE 1e-14

/* Where Lemma 6 lets a pair of multiplier beta go: -1, 1, or 0: nowhere. */
static int
goes(const struct kith_sqpfw *s, uint32_t at, double beta, double zero)
{
	const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	const struct kith_sqpfw_group *group = &s->group[pair->group];

	/* |H<| + mu <= kappa - 1 */
	if (beta < -zero && group->nearer + pair->copies < group->rank)
		return -1;
	/* |H<| + |H=| - mu >= kappa */
	if (beta > zero && group->nearer + group->tied - pair->copies >= group->rank)
		return 1;
	return 0;
}

static uint32_t
group_of(const struct kith_sqpfw *s, size_t tie)
{
	return s->pairs.pair[s->active.tie[tie]].group;
}

/*
 * The multiplier of the target of group g, which is no column of C: the share
 * of the group less the multipliers y of its other ties.
 */
static double
of_target(const struct kith_sqpfw *s, uint32_t g, double theta, const double *y)
{
	double beta = theta * kith_sqpfw_target_share(s, g);

	/* theta/n - sum beta^ (13b), -theta/n - sum gamma^ (13c) */
	for (size_t l = 0; l < kith_sqpfw_ties_n(s); l++)
		if (group_of(s, l) == g)
			beta -= y[l + 1];
	return beta;
}

/* Whether tie t is the first of its group: then the target is tried with it. */
static bool
is_first(const struct kith_sqpfw *s, size_t t)
{
	for (size_t l = 0; l < t; l++)
		if (group_of(s, l) == group_of(s, t))
			return false;
	return true;
}

static void
try_pair(const struct kith_sqpfw *s, uint32_t at, double beta, double zero,
    struct kith_sqpfw_release *release)
{
	const int state = goes(s, at, beta, zero);

	if (state != 0 && fabs(beta) > release->size)
		*release = (struct kith_sqpfw_release){
		    KITH_SQPFW_RELEASE_PAIR, at, state, fabs(beta)};
}

void
kith_sqpfw_release_choose(struct kith_sqpfw *s, struct kith_sqpfw_release *release)
{
	const double zero = ZERO_BETA * kith_larger(s->theta, 1e-6) / (double)s->points.rows;
	const double *y = s->active.y;
	double least, alpha = 0;
	size_t at;

	kith_sqpfw_eqp_residual(s);
	least = ZERO_ALPHA * kith_larger(1, kith_sqpfw_largest(s->residual, s->points.p));
	*release = (struct kith_sqpfw_release){.what = KITH_SQPFW_RELEASE_NONE};
	kith_sqpfw_eqp_multipliers(s);
	at = kith_sqpfw_eqp_price_best(s, least, &alpha);
	if (at < s->points.p)
		*release = (struct kith_sqpfw_release){
		    KITH_SQPFW_RELEASE_WEIGHT, (uint32_t)at, 0, alpha};
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		const uint32_t g = group_of(s, t);

		try_pair(s, s->active.tie[t], y[t + 1], zero, release);
		if (is_first(s, t))
			try_pair(
			    s, s->group[g].target, of_target(s, g, s->theta, y), zero, release);
	}
}

/* A pair whose multiplier is beta now and grows by slope. */
static void
try_pair_ahead(const struct kith_sqpfw *s, uint32_t at, double beta, double slope,
    struct kith_sqpfw_release *release)
{
	const int state = goes(s, at, slope, ZERO_SLOPE / (double)s->points.rows);
	/* beta + far slope = 0 */
	const double far = kith_larger(-beta / slope, 0);

	if (state != 0 && far < release->size)
		*release = (struct kith_sqpfw_release){KITH_SQPFW_RELEASE_PAIR, at, state, far};
}

void
kith_sqpfw_release_next(struct kith_sqpfw *s, struct kith_sqpfw_release *release)
{
	const double *now = s->active.z, *slope = s->active.y;
	double least;

	*release = (struct kith_sqpfw_release){.what = KITH_SQPFW_RELEASE_NONE, .size = INFINITY};
	kith_sqpfw_eqp_multipliers(s);
	least = ZERO_SLOPE * kith_sqpfw_largest(s->residual, s->points.p);
	/* Then the residual at Z is dalpha / dtheta. */
	kith_sqpfw_eqp_price_all(s, s->active.y);
	for (size_t f = s->positive; f < s->points.p; f++) {
		/* alpha + far dalpha/dtheta = 0 */
		const double far = kith_larger(-s->alpha[f] / s->residual[f], 0);

		if (s->residual[f] > least && far < release->size)
			*release = (struct kith_sqpfw_release){
			    KITH_SQPFW_RELEASE_WEIGHT, (uint32_t)f, 0, far};
	}
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		const uint32_t g = group_of(s, t);

		try_pair_ahead(s, s->active.tie[t], now[t + 1], slope[t + 1], release);
		if (is_first(s, t))
			try_pair_ahead(s, s->group[g].target, of_target(s, g, s->theta, now),
			    of_target(s, g, 1, slope), release);
	}
}

void
kith_sqpfw_release_apply(struct kith_sqpfw *s, const struct kith_sqpfw_release *release)
{
	if (release->what == KITH_SQPFW_RELEASE_WEIGHT)
		kith_sqpfw_active_free_weight(s, release->which);
	else if (release->what == KITH_SQPFW_RELEASE_PAIR)
		kith_sqpfw_active_free_pair(s, release->which, release->state);
}
