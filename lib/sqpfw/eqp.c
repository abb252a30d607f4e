#include "sqpfw/eqp.h"

#include "sqpfw/pricing.h"

#include <math.h>
#include <string.h>

/* Entries of dw that count as 0: absolutely, and relative to v - w. */
#define ZERO 1e-12
#define ZERO_RELATIVE 1e-14
/* Where |dw| falls below so much of what it was, dw is computed anew. */
#define TRUST 1e-4

void
kith_sqpfw_eqp_residual(struct kith_sqpfw *s)
{
	/* v - w = prior - theta g - w */
	for (size_t f = 0; f < s->points.p; f++)
		s->residual[f] = s->prior[f] - s->theta * s->gradient[f] -
		    s->w[f];
}

/* dw = the residual over P, projected; whether it is more than rounding. */
static bool
project(struct kith_sqpfw *s, double zero)
{
	struct kith_sqpfw_direction *step = &s->step;

	/* residual = Q z + dw, Q'dw = 0 */
	kith_sqpfw_qr_split(&s->active.qr, s->residual);
	step->zero_tol = zero +
	    ZERO_RELATIVE * kith_sqpfw_largest(s->residual, s->positive);
	step->max_since = kith_sqpfw_largest(step->dw, s->positive);
	s->broken |= !isfinite(step->max_since);
	/* As many rows as weights leave no direction but rounding. */
	return s->active.qr.m < s->positive && step->max_since > step->zero_tol;
}

/*
 * The factor keeps dw while the active set changes; it is computed from w anew
 * where it is stale, or where so little is left of it that rounding may count.
 */
bool
kith_sqpfw_eqp_direction(struct kith_sqpfw *s)
{
	struct kith_sqpfw_direction *step = &s->step;
	const double now = step->stale
	    ? 0
	    : kith_sqpfw_largest(step->dw, s->positive);

	if (now > step->zero_tol && now > TRUST * step->max_since) {
		step->max_since = kith_sqpfw_larger(step->max_since, now);
		return true;
	}
	if (!step->stale &&
	    (now <= step->zero_tol || s->active.qr.m == s->positive)) {
		step->max_since = 0;
		return false;
	}
	kith_sqpfw_eqp_residual(s);
	step->stale = false;
	return project(s, ZERO);
}

void
kith_sqpfw_eqp_multipliers(struct kith_sqpfw *s)
{
	const struct kith_sqpfw_qr *qr = &s->active.qr;

	/* C y = Q R y = Q z */
	memcpy(s->active.y, qr->z, qr->m * sizeof(*s->active.y));
	kith_sqpfw_qr_solve(qr, s->active.y);
}

bool
kith_sqpfw_eqp_slope(struct kith_sqpfw *s)
{
	struct kith_sqpfw_active *active = &s->active;

	/* The multipliers at theta, */
	s->step.stale = true;
	kith_sqpfw_eqp_residual(s);
	project(s, ZERO);
	kith_sqpfw_eqp_multipliers(s);
	kith_sqpfw_pricing_all(s, active->y);
	memcpy(active->z, active->y, active->qr.m * sizeof(*active->z));
	memcpy(s->alpha, s->residual, s->points.p * sizeof(*s->alpha));
	/* and the direction of dv/dtheta = -g. */
	for (size_t f = 0; f < s->points.p; f++)
		s->residual[f] = -s->gradient[f];
	return project(s, ZERO_RELATIVE);
}

double
kith_sqpfw_eqp_objective(const struct kith_sqpfw *s)
{
	double margin = 0, square = 0;

	for (size_t f = 0; f < s->points.p; f++) {
		const double d = s->w[f] - s->prior[f];

		margin += s->gradient[f] * s->w[f];
		square += d * d;
	}
	return s->theta * margin + square / 2;
}
