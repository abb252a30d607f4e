/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/box.h"

/* The first box: so much of w_f + floor to either side. */
#define FIRST .02
/* The least side, in units of the mean of all. */
#define LEAST .002
/* What is kept of a side in which w went less far. */
#define KEEP .3
/* Factors of the sides, where boxes or where evaluations cost more. */
#define WIDER 1.5
#define NARROWER .7
/* Evaluations for each pair at which a box was too small, and too large. */
#define FEW .5
#define MANY 2.
/* How far w may be from where it should be: drift is removed in such steps. */
#define DRIFT 1e-8

void
kith_sqpfw_box_begin(struct kith_sqpfw *s)
{
	struct kith_sqpfw_box *box = &s->box;

	KITH_NEW_REALS(s->pool, s->points.ld, 1, &box->middle, &box->half,
	    &box->from, &box->side, &box->reach);
	for (size_t f = 0; f < s->points.p; f++) {
		box->side[f] = FIRST *
		    (s->w_by_feature[f] + s->candidates.floor);
		/* no w is in there, so the first step makes a box */
		box->half[f] = -1;
	}
	box->on = true;
}

bool
kith_sqpfw_box_holds(const struct kith_sqpfw *s, uint32_t at)
{
	const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, pair);
	double got[2]; /* a'middle, sum |a_f| half_f */

	if (!s->box.on)
		return false;
	kith_sqpfw_rows_range(
	    s->points.ld, &row, s->box.middle, s->box.half, got);
	return got[0] * pair->state > got[1];
}

/* By how much a step to w + tau dw changes a weight, which is never below 0. */
static double
change_of(const struct kith_sqpfw *s, size_t at, double tau)
{
	const double d = s->step.dw[at];

	return d < 0 ? fmin(-tau * d, s->w[at]) : tau * d;
}

/* By how much w may go on in the direction of dw before it leaves the box. */
static double
room_of(const struct kith_sqpfw *s, size_t at)
{
	const double off = s->w[at] - s->box.middle[at];

	return s->box.half[at] - DRIFT - (s->step.dw[at] < 0 ? -off : off);
}

bool
kith_sqpfw_box_ends(const struct kith_sqpfw *s, double tau)
{
	const struct kith_sqpfw_box *box = &s->box;
	bool ends = box->evaluated > MANY * (double)s->pairs.n;

	if (!box->on)
		return false;
	for (size_t at = 0; at < s->points.p; at++) {
		const double room = room_of(s, at);

		ends |= room < 0 || change_of(s, at, tau) > room;
	}
	return ends;
}

/* How far w went from where the box was made, over f; at w + tau dw. */
static void
go(struct kith_sqpfw *s, double tau)
{
	for (size_t at = 0; at < s->points.p; at++) {
		double *reach = &s->box.reach[s->feature[at]];

		*reach = kith_larger(*reach,
		    fabs(s->w[at] + tau * s->step.dw[at] -
			s->box.from[s->feature[at]]));
	}
}

void
kith_sqpfw_box_count(struct kith_sqpfw *s)
{
	if (!s->box.on)
		return;
	s->box.evaluated += (double)s->pairs.n_seen;
	go(s, 0);
}

/* The tau at which w + tau dw leaves the box, 0 where w is out of it. */
static double
leaving(const struct kith_sqpfw *s, double tau)
{
	for (size_t at = 0; at < s->points.p; at++) {
		const double room = kith_larger(room_of(s, at), 0);
		const double d = fabs(s->step.dw[at]);

		if (change_of(s, at, tau) > room)
			tau = room / d;
	}
	return tau;
}

/*
 * Sides in proportion to how far w went in the last box; their sum is larger
 * than it was where boxes cost more than evaluations, else smaller.
 */
static void
reshape(struct kith_sqpfw *s)
{
	struct kith_sqpfw_box *box = &s->box;
	const double factor = box->evaluated < FEW * (double)s->pairs.n
	    ? WIDER
	    : NARROWER;
	const size_t p = s->points.p;
	double was = 0, is = 0;

	for (size_t f = 0; f < p; f++) {
		was += box->side[f];
		box->side[f] = kith_larger(
		    fmin(box->reach[f], box->side[f]), KEEP * box->side[f]);
		is += box->side[f];
	}
	for (size_t f = 0; f < p; f++)
		box->side[f] = factor * (was / is) *
		    (box->side[f] + LEAST * is / (double)p);
}

/* Place the box around w and w + tau dw. */
static void
place(struct kith_sqpfw *s, double tau)
{
	struct kith_sqpfw_box *box = &s->box;

	for (size_t at = 0; at < s->points.p; at++) {
		const size_t f = s->feature[at];
		const double a = s->w[at];
		const double b = kith_larger(a + tau * s->step.dw[at], 0);
		/* w is never below 0 */
		const double low = kith_larger(fmin(a, b) - box->side[f], 0);
		const double high = kith_larger(a, b) + box->side[f];

		box->middle[at] = (low + high) / 2;
		box->half[at] = (high - low) / 2 + 2 * DRIFT;
		box->from[f] = a;
		box->reach[f] = 0;
	}
	box->evaluated = 0;
	box->made = true;
}

/* The tau at which a weight has gone by its side. */
static double
first_tau(const struct kith_sqpfw *s, double tau)
{
	for (size_t at = 0; at < s->points.p; at++) {
		const double side = s->box.side[s->feature[at]];
		const double d = fabs(s->step.dw[at]);

		if (tau * d > side)
			tau = side / d;
	}
	return tau;
}

size_t
kith_sqpfw_box_renew(struct kith_sqpfw *s, double tau, int round)
{
	size_t n = 0;

	if (round == 0) {
		go(s, leaving(s, tau));
		reshape(s);
	}
	place(s, fmin(ldexp(first_tau(s, tau), 2 * round), tau));
	for (uint32_t at = 0; at < s->pairs.n; at++) {
		struct kith_sqpfw_pair *pair = &s->pairs.pair[at];

		if (pair->state != 1 && pair->state != -1)
			continue;
		if (pair->rests) {
			pair->rests = kith_sqpfw_box_holds(s, at);
			if (pair->rests)
				continue;
			s->pairs.due[n++] = at;
		} else if (pair->queue_place != KITH_SQPFW_NONE &&
		    kith_sqpfw_box_holds(s, at)) {
			kith_sqpfw_queue_take(&s->pairs.queue, at);
			pair->rests = true;
		}
	}
	return n;
}
