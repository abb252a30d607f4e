/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/eqp.h: which directions count as 0, and when one that was
 * kept is computed anew; the objective.
 */
#include "sqpfw/eqp.h"

#include "sqpfw/data.h"
#include "sqpfw/state.h"
#include "tap.h"

#include <float.h>

enum { SETS = 40 };

static struct kith_pool pool;

/* A solver at the prior, no ties, theta small: v - w = -theta g. */
static struct kith_sqpfw *
begin(struct set *set, size_t k)
{
	struct kith_sqpfw *s;

	draw(set, (enum kind)(k % KINDS), &pool);
	s = kith_sqpfw_new(&set->X, set->y, set->c, &set->how, &pool);
	s->theta = .125;
	s->step.stale = true;
	return s;
}

static double
largest(const double *x, size_t n)
{
	double most = 0;

	for (size_t f = 0; f < n; f++)
		most = fmax(most, fabs(x[f]));
	return most;
}

static void
multiply(struct kith_sqpfw *s, const double *dw, double factor)
{
	for (size_t f = 0; f < s->points.p; f++)
		s->step.dw[f] = factor * dw[f];
}

/* Whether a direction is there, and is so many times dw, with max_since. */
static bool
gives(struct kith_sqpfw *s, const double *dw, double factor, double since)
{
	double worst = 0;

	if (!kith_sqpfw_eqp_direction(s))
		return false;
	for (size_t f = 0; f < s->points.p; f++)
		worst = fmax(worst, fabs(s->step.dw[f] - factor * dw[f]));
	return worst <= 1e-14 * largest(dw, s->points.p) * factor &&
	    fabs(s->step.max_since - since) <= 1e-14 * since && !s->broken;
}

struct tally {
	size_t first, tol, kept, risen, anew, zero, full, stale, broken, slope;
};

/* What a direction that was computed counts as, and what becomes of it. */
static void
try_set(size_t k, struct tally *tally)
{
	struct set set;
	struct kith_sqpfw *s = begin(&set, k);
	double dw[FEATURES] = {0}, mean = 0, most, tol;
	const size_t p = s->points.p;

	for (size_t f = 0; f < p; f++)
		mean += s->gradient[f] / (double)p;
	for (size_t f = 0; f < p; f++)
		dw[f] = s->theta * (mean - s->gradient[f]);
	most = largest(dw, p);
	tol = 1e-12 + 1e-14 * s->theta * largest(s->gradient, p);
	tally->first += gives(s, dw, 1, most) && !s->step.stale;
	tally->tol += fabs(s->step.zero_tol / tol - 1) < 1e-12;
	memcpy(dw, s->step.dw, p * sizeof(*dw));
	multiply(s, dw, 1.1e-4);
	tally->kept += gives(s, dw, 1.1e-4, most);
	multiply(s, dw, 2);
	tally->risen += gives(s, dw, 2, 2 * most);
	multiply(s, dw, 1.9e-4);
	tally->anew += gives(s, dw, 1, most);
	multiply(s, dw, .9 * tol / most);
	tally->zero += !kith_sqpfw_eqp_direction(s) && s->step.max_since == 0 &&
	    s->step.dw[0] == .9 * tol / most * dw[0];
	/* it stays so, but a little more is more than all since then */
	multiply(s, dw, 1.1 * tol / most);
	tally->zero += gives(s, dw, 1.1 * tol / most, 1.1 * tol);
	/* of few rows and columns a part of dw is not computed anew */
	s->step.max_since = most;
	multiply(s, dw, 1e-6);
	s->positive = s->active.qr.m;
	if (fabs(dw[0]) * 1e-6 > tol)
		tally->full += !kith_sqpfw_eqp_direction(s) && s->step.dw[0] == 1e-6 * dw[0] &&
		    s->step.max_since == 0;
	else
		tally->full++;
	s->positive = p;
	multiply(s, dw, 3);
	s->step.stale = true;
	tally->stale += gives(s, dw, 1, most);
	tally->slope += kith_sqpfw_eqp_slope(s) && s->step.stale &&
	    fabs(s->step.dw[0] * s->theta - dw[0]) <= 1e-14 * most;
	s->gradient[0] = INFINITY;
	s->step.stale = true;
	kith_sqpfw_eqp_direction(s);
	tally->broken += s->broken;
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

/* theta g'w + |w - prior|^2 / 2, at weights that are not the prior. */
static void
test_objective(void)
{
	struct set set;
	struct kith_sqpfw *s = begin(&set, 0);
	double due = 0;

	for (size_t f = 0; f < s->points.p; f++) {
		const double d = (double)f / 16 - s->prior[f];

		s->w[f] = (double)f / 16;
		due += s->theta * s->gradient[f] * s->w[f] + d * d / 2;
	}
	is_near(kith_sqpfw_eqp_objective(s), due, 1e-14, "the objective");
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

/* Where nothing draws away from the prior only rounding is left. */
static void
test_rest(void)
{
	struct set set;
	struct kith_sqpfw *s = begin(&set, 1);

	s->theta = 0;
	ok(!kith_sqpfw_eqp_direction(s) && !s->broken && !s->step.stale,
	    "at the minimum there is no direction");
	is_near(s->step.zero_tol, 1e-12, 1e-20, "but for so much");
	s->theta = 1e-11 / largest(s->gradient, s->points.p);
	s->step.stale = true;
	ok(kith_sqpfw_eqp_direction(s), "next to it there is one");
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	struct tally tally = {0};

	kith_rng_seed(&rng, 302, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < SETS; k++)
		try_set(k, &tally);
	is_size(tally.first, SETS, "the direction of v - w, projected");
	is_size(tally.tol, SETS, "what counts as 0");
	is_size(tally.kept, SETS, "one that shrank is kept");
	is_size(tally.risen, SETS, "one that grew is, too");
	is_size(tally.anew, SETS, "next to nothing of that is computed anew");
	is_size(tally.zero, (size_t)2 * SETS, "what is 0 ends it");
	is_size(tally.full, SETS, "as do as many rows as weights");
	is_size(tally.stale, SETS, "what is stale is computed anew");
	is_size(tally.slope, SETS, "the slope of the direction, stale for w");
	is_size(tally.broken, SETS, "one that is not finite breaks the solver");
	test_objective();
	test_rest();
	return done();
}
