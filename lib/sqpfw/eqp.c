#include "sqpfw/eqp.h"

#include "sqpfw/active.h"
#include "sqpfw/price.h"

#include <math.h>
#include <string.h>

/* Entries of a direction that count as 0, also relative to what is projected.
 */
#define NEXT_TO_0 1e-12
#define NONE_OF 1e-14
/* Below so much of what it has been, dw is computed anew. */
#define TRUST 1e-4
/* Multipliers that count as 0: of weights, of pairs in units of theta / n. */
#define NO_ALPHA 1e-12
#define NO_BETA 1e-10

/* r over all positions. */
static void
residual(struct kith_sqpfw *s)
{
	for (size_t f = 0; f < s->points.p; f++)
		s->r[f] = s->prior[f] - s->theta * s->g[f] - s->w[f];
}

static double
largest(const double *x, size_t n)
{
	double most = 0;

	for (size_t f = 0; f < n; f++)
		most = kith_sqpfw_larger(most, fabs(x[f]));
	return most;
}

/* dw = r over P, projected; whether it is more than rounding. */
static bool
project(struct kith_sqpfw *s, double none)
{
	kith_sqpfw_qr_set(&s->qr, s->r);
	s->none = none + NONE_OF * largest(s->r, s->positive);
	s->most = largest(s->dw, s->positive);
	s->broken |= !isfinite(s->most);
	/* As many rows as weights leave no direction but rounding. */
	return s->qr.m < s->positive && s->most > s->none;
}

bool
kith_sqpfw_eqp_direction(struct kith_sqpfw *s)
{
	const double now = s->stale ? 0 : largest(s->dw, s->positive);

	if (now > s->none && now > TRUST * s->most) {
		s->most = kith_sqpfw_larger(s->most, now);
		return true;
	}
	if (!s->stale && (now <= s->none || s->qr.m == s->positive)) {
		s->most = 0;
		return false;
	}
	residual(s);
	s->stale = false;
	return project(s, NEXT_TO_0);
}

/* y of R y = z. */
static void
multipliers(struct kith_sqpfw *s)
{
	memcpy(s->y, s->qr.z, s->qr.m * sizeof(*s->y));
	kith_sqpfw_qr_solve(&s->qr, s->y);
}

/* Where Lemma 6 lets a pair of this multiplier go: nearer, farther, or no. */
static int
goes(const struct kith_sqpfw *s, uint32_t at, double beta, double none)
{
	const struct kith_sqpfw_item *item = &s->item[at];
	const struct kith_sqpfw_group *group = &s->group[item->group];

	if (beta < -none && group->nearer + item->copies < group->need)
		return -1;
	if (beta > none &&
	    group->nearer + group->tied - item->copies >= group->need)
		return 1;
	return 0;
}

/* The multiplier of the target of the group of tie t; y those of the ties. */
static double
of_target(const struct kith_sqpfw *s, size_t t, double theta, const double *y)
{
	const uint32_t g = s->item[s->tie[t]].group;
	double beta = theta * kith_sqpfw_share(s, g);

	for (size_t l = 0; l < kith_sqpfw_ties_n(s); l++)
		if (s->item[s->tie[l]].group == g)
			beta -= y[l + 1];
	return beta;
}

/* Whether tie t is the first of its group. */
static bool
is_first(const struct kith_sqpfw *s, size_t t)
{
	const uint32_t g = s->item[s->tie[t]].group;

	for (size_t l = 0; l < t; l++)
		if (s->item[s->tie[l]].group == g)
			return false;
	return true;
}

static void
try_pair(const struct kith_sqpfw *s, uint32_t at, double beta, double none,
    struct kith_sqpfw_leave *leave)
{
	const int state = goes(s, at, beta, none);

	if (state != 0 && fabs(beta) > leave->size)
		*leave = (struct kith_sqpfw_leave){
		    KITH_SQPFW_A_PAIR, at, state, fabs(beta)};
}

void
kith_sqpfw_eqp_release(struct kith_sqpfw *s, struct kith_sqpfw_leave *leave)
{
	const double none = NO_BETA * kith_sqpfw_larger(s->theta, 1e-6) /
	    (double)s->points.rows;
	double least, alpha = 0;
	size_t at;

	residual(s);
	least = NO_ALPHA * kith_sqpfw_larger(1, largest(s->r, s->points.p));
	*leave = (struct kith_sqpfw_leave){.what = KITH_SQPFW_NOTHING};
	multipliers(s);
	at = kith_sqpfw_price_best(s, least, &alpha);
	if (at < s->points.p)
		*leave = (struct kith_sqpfw_leave){
		    KITH_SQPFW_A_WEIGHT, (uint32_t)at, 0, alpha};
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		const uint32_t g = s->item[s->tie[t]].group;

		try_pair(s, s->tie[t], s->y[t + 1], none, leave);
		if (is_first(s, t))
			try_pair(s, s->group[g].target,
			    of_target(s, t, s->theta, s->y), none, leave);
	}
}

bool
kith_sqpfw_eqp_slope(struct kith_sqpfw *s)
{
	/* Multipliers at theta first, those that theta adds then. */
	s->stale = true;
	residual(s);
	project(s, NEXT_TO_0);
	multipliers(s);
	kith_sqpfw_price_all(s, s->y);
	memcpy(s->z, s->y, s->qr.m * sizeof(*s->z));
	memcpy(s->alpha, s->r, s->points.p * sizeof(*s->alpha));
	for (size_t f = 0; f < s->points.p; f++)
		s->r[f] = -s->g[f];
	return project(s, NONE_OF);
}

/* A pair whose multiplier is beta now and grows by slope. */
static void
first_pair(const struct kith_sqpfw *s, uint32_t at, double beta, double slope,
    struct kith_sqpfw_leave *leave)
{
	const int state = goes(s, at, slope, NONE_OF / (double)s->points.rows);
	const double far = kith_sqpfw_larger(-beta / slope, 0);

	if (state != 0 && far < leave->size)
		*leave = (struct kith_sqpfw_leave){
		    KITH_SQPFW_A_PAIR, at, state, far};
}

void
kith_sqpfw_eqp_first(struct kith_sqpfw *s, struct kith_sqpfw_leave *leave)
{
	double least;

	*leave = (struct kith_sqpfw_leave){
	    .what = KITH_SQPFW_NOTHING, .size = INFINITY};
	multipliers(s);
	least = NONE_OF * largest(s->r, s->points.p);
	kith_sqpfw_price_all(s, s->y);
	for (size_t f = s->positive; f < s->points.p; f++) {
		const double far = kith_sqpfw_larger(-s->alpha[f] / s->r[f], 0);

		if (s->r[f] > least && far < leave->size)
			*leave = (struct kith_sqpfw_leave){
			    KITH_SQPFW_A_WEIGHT, (uint32_t)f, 0, far};
	}
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		const uint32_t g = s->item[s->tie[t]].group;

		first_pair(s, s->tie[t], s->z[t + 1], s->y[t + 1], leave);
		if (is_first(s, t))
			first_pair(s, s->group[g].target,
			    of_target(s, t, s->theta, s->z),
			    of_target(s, t, 1, s->y), leave);
	}
}

void
kith_sqpfw_eqp_leave(struct kith_sqpfw *s, const struct kith_sqpfw_leave *leave)
{
	if (leave->what == KITH_SQPFW_A_WEIGHT)
		kith_sqpfw_active_positive(s, leave->which);
	else if (leave->what == KITH_SQPFW_A_PAIR)
		kith_sqpfw_active_free(s, leave->which, leave->state);
}

double
kith_sqpfw_eqp_objective(const struct kith_sqpfw *s)
{
	double margin = 0, square = 0;

	for (size_t f = 0; f < s->points.p; f++) {
		const double d = s->w[f] - s->prior[f];

		margin += s->g[f] * s->w[f];
		square += d * d;
	}
	return s->theta * margin + square / 2;
}
