/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/box.h"

/* The least side, in units of the mean of all. */
#define LEAST 1e-4
/* What is kept of a side in which w went less far. */
#define KEEP .3
/* Factors of the sides. */
#define WIDER 1.5
#define NARROWER .7
/* How far w may be from where it should be, by rounding.  1e-8 leaves ten times
 * as many pairs of heavy tails in a box. */
#define DRIFT 1e-11

/* The most boxes for which all weights have sides again. */
enum { MOST = 255 };

void
kith_sqpfw_box_begin(struct kith_sqpfw *s, struct kith_sqpfw_box *box, double first)
{
	if (!box->middle)
		KITH_NEW_REALS(s->pool, s->points.ld, 1, &box->middle, &box->half, &box->from,
		    &box->side, &box->reach);
	for (size_t f = 0; f < s->points.p; f++) {
		box->side[f] = first * (s->w_by_feature[f] + s->candidates.floor);
		/* no w is in there, so the first step makes a box */
		box->half[f] = -1;
	}
	box->on = true;
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
room_of(const struct kith_sqpfw *s, const struct kith_sqpfw_box *box, size_t at)
{
	const double off = s->w[at] - box->middle[at];

	return box->half[at] - DRIFT - (s->step.dw[at] < 0 ? -off : off);
}

bool
kith_sqpfw_box_left(const struct kith_sqpfw *s, const struct kith_sqpfw_box *box, double tau)
{
	bool left = false;

	for (size_t at = 0; at < s->points.p; at++) {
		const double room = room_of(s, box, at);

		left |= room < 0 || change_of(s, at, tau) > room;
	}
	return left;
}

double
kith_sqpfw_box_leaving(const struct kith_sqpfw *s, const struct kith_sqpfw_box *box, double tau)
{
	for (size_t at = 0; at < s->points.p; at++) {
		const double room = kith_larger(room_of(s, box, at), 0);
		const double d = fabs(s->step.dw[at]);

		if (change_of(s, at, tau) > room)
			tau = room / d;
	}
	return tau;
}

void
kith_sqpfw_box_go(const struct kith_sqpfw *s, struct kith_sqpfw_box *box, double tau)
{
	for (size_t at = 0; at < s->points.p; at++) {
		double *reach = &box->reach[s->feature[at]];

		*reach = kith_larger(
		    *reach, fabs(s->w[at] + tau * s->step.dw[at] - box->from[s->feature[at]]));
	}
}

/* Whether a weight that had no side leaves the box. */
static bool
leaves_zero(const struct kith_sqpfw *s, const struct kith_sqpfw_box *box, double tau)
{
	for (size_t at = 0; at < s->points.p; at++)
		if (!(box->side[s->feature[at]] > 0) && change_of(s, at, tau) > room_of(s, box, at))
			return true;
	return false;
}

/* Where a weight without a side has left a box early, weights have sides in some
 * more of the next boxes each time. */
static void
wait(struct kith_sqpfw_box *box, bool early)
{
	if (early)
		box->wait = box->waits = box->waits < MOST ? 2 * box->waits + 1 : MOST;
	else if (box->wait > 0)
		box->wait--;
	else
		box->waits /= 2;
}

void
kith_sqpfw_box_reshape(
    const struct kith_sqpfw *s, struct kith_sqpfw_box *box, double tau, bool wider)
{
	const bool early = wider && leaves_zero(s, box, tau);
	const double factor = early ? 1 : wider ? WIDER : NARROWER;
	const size_t p = s->points.p;
	double was = 0, is = 0;

	kith_sqpfw_box_go(s, box, kith_sqpfw_box_leaving(s, box, tau));
	for (size_t f = 0; f < p; f++) {
		was += box->side[f];
		box->side[f] = kith_larger(box->reach[f], KEEP * box->side[f]);
		is += box->side[f];
	}
	for (size_t f = 0; f < p; f++)
		box->side[f] = factor * (was / is) * (box->side[f] + LEAST * is / (double)p);
	wait(box, early);
	for (size_t at = s->positive; at < p && box->bare && box->wait == 0; at++)
		if (!(box->reach[s->feature[at]] > 0))
			box->side[s->feature[at]] = 0;
}

/* The tau at which all weights together have gone by their sides. */
static double
first_tau(const struct kith_sqpfw *s, const struct kith_sqpfw_box *box, double tau)
{
	double side = 0, d = 0;

	for (size_t at = 0; at < s->points.p; at++) {
		side += box->side[at];
		d += fabs(s->step.dw[at]);
	}
	return tau * d > side ? side / d : tau;
}

void
kith_sqpfw_box_place(const struct kith_sqpfw *s, struct kith_sqpfw_box *box, double tau, int round)
{
	tau = fmin(ldexp(first_tau(s, box, tau), 2 * round), tau);
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
