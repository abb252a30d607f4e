/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/eqp.h"

#include "near/heap.h"

#include <string.h>

/* Entries of dw that count as 0: absolutely, and relative to v - w. */
#define ZERO 1e-12
#define ZERO_RELATIVE 1e-14
/* Where |dw| falls below so much of what it was, dw is computed anew. */
#define TRUST 1e-4

/* Entries of C_Z from which on partial pricing is worth its while. */
#define WORTH 1e5

enum {
	USES = 32,  /* of the same features, until all are priced again */
	BLOCK = 256 /* positions at a time, of all ties: they stay in cache */
};

void
kith_sqpfw_eqp_residual(struct kith_sqpfw *s)
{
	/* v - w = prior - theta g - w */
	for (size_t f = 0; f < s->points.p; f++)
		s->residual[f] = s->prior[f] - s->theta * s->gradient[f] - s->w[f];
}

/* dw = the residual over P, projected; whether it is more than rounding. */
static bool
project(struct kith_sqpfw *s, double zero)
{
	struct kith_sqpfw_direction *step = &s->step;

	/* residual = Q z + dw, Q'dw = 0 */
	kith_sqpfw_qr_split(&s->active.qr, s->residual);
	step->zero_tol = zero + ZERO_RELATIVE * kith_sqpfw_largest(s->residual, s->positive);
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
	const double now = step->stale ? 0 : kith_sqpfw_largest(step->dw, s->positive);

	if (now > step->zero_tol && now > TRUST * step->max_since) {
		step->max_since = kith_larger(step->max_since, now);
		return true;
	}
	if (!step->stale && (now <= step->zero_tol || s->active.qr.m == s->positive)) {
		step->max_since = 0;
		return false;
	}
	kith_sqpfw_eqp_residual(s);
	step->stale = false;
	return project(s, ZERO);
}

/* residual -= C y in n positions, but for the ones. */
static void
subtract_ties(struct kith_sqpfw *s, const double *y, size_t from, size_t n)
{
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		struct kith_sqpfw_row row = kith_sqpfw_row(s, &s->pairs.pair[s->active.tie[t]]);

		row.i += from;
		row.j += from;
		row.r += from;
		kith_sqpfw_rows_axpy(n, &row, -y[t + 1], s->residual + from);
	}
}

void
kith_sqpfw_eqp_price_all(struct kith_sqpfw *s, const double *y)
{
	const size_t end = s->points.ld;

	for (size_t f = s->positive; f < s->points.p; f++)
		s->residual[f] -= y[0];
	for (size_t f = s->positive / 8 * 8; f < end; f += BLOCK)
		subtract_ties(s, y, f, end - f < BLOCK ? end - f : BLOCK);
}

/* alpha of the features of partial pricing. */
static void
price_partial(const struct kith_sqpfw *s, double *alpha)
{
	const struct kith_sqpfw_points *points = &s->points;

	for (size_t k = 0; k < s->pricing.n; k++)
		alpha[k] = s->residual[s->position[s->pricing.feature[k]]] - s->active.y[0];
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[s->active.tie[t]];
		const size_t i = pair->group / 2;
		const size_t r = s->group[pair->group].target_point;

		for (size_t k = 0; k < s->pricing.n; k++) {
			const size_t f = s->pricing.feature[k];
			const double xi = kith_sqpfw_value(points, i, f);
			const double xj = kith_sqpfw_value(points, pair->j, f);
			const double xr = kith_sqpfw_value(points, r, f);

			/* alpha_f = (v - w)_f - phi - sum_t y_t a_tf */
			alpha[k] -= s->active.y[t + 1] * ((xj - xr) * ((xj - xi) + (xr - xi)));
		}
	}
}

/* The largest of them whose weight is 0, if it is above `least`. */
static size_t
best_partial(struct kith_sqpfw *s, double least, double *alpha)
{
	double all[KITH_SQPFW_PARTIAL];
	size_t best = s->points.p;

	price_partial(s, all);
	for (size_t k = 0; k < s->pricing.n; k++) {
		const size_t at = s->position[s->pricing.feature[k]];

		if (at < s->positive)
			continue;
		if (all[k] > least && (best == s->points.p || all[k] > *alpha)) {
			best = at;
			*alpha = all[k];
		}
	}
	return best;
}

size_t
kith_sqpfw_eqp_price_best(struct kith_sqpfw *s, double least, double *alpha)
{
	const double work = (double)kith_sqpfw_ties_n(s) * (double)(s->points.p - s->positive);
	struct kith_neighbour nn[KITH_SQPFW_PARTIAL];
	struct kith_heap heap = {nn, KITH_SQPFW_PARTIAL, 0};
	size_t best = s->points.p;

	if (work > WORTH && s->pricing.n > 0 && s->pricing.uses++ < USES) {
		best = best_partial(s, least, alpha);
		if (best < s->points.p)
			return best;
	}
	kith_sqpfw_eqp_price_all(s, s->active.y);
	for (size_t at = s->positive; at < s->points.p; at++) {
		if (!(s->residual[at] > least))
			continue;
		if (best == s->points.p || s->residual[at] > *alpha) {
			best = at;
			*alpha = s->residual[at];
		}
		if (work > WORTH && kith_heap_accepts(&heap, -s->residual[at]))
			kith_heap_push(&heap, s->feature[at], -s->residual[at]);
	}
	s->pricing.uses = 0;
	for (s->pricing.n = 0; s->pricing.n < heap.held; s->pricing.n++)
		s->pricing.feature[s->pricing.n] = nn[s->pricing.n].row;
	return best;
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
	kith_sqpfw_eqp_price_all(s, active->y);
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
