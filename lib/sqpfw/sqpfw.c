/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/sqpfw.h"

#include "sqpfw/active.h"
#include "sqpfw/eqp.h"
#include "sqpfw/initial.h"
#include "sqpfw/renewal.h"
#include "sqpfw/scale.h"
#include "sqpfw/solve.h"
#include "sqpfw/state.h"

#include <assert.h>

/* The largest theta, in units of the points: more changes nothing. */
#define THETA_MAX 1e100

static double
prior_of(const struct kith_sqpfw *s, size_t f)
{
	return s->problem.how->prior ? s->problem.how->prior[f] : 1 / (double)s->points.p;
}

/* Begin at w (NULL: the prior), features of weight 0 behind the others. */
static void
set_weights(struct kith_sqpfw *s, const double *w)
{
	const size_t p = s->points.p;

	KITH_NEW_REALS(s->pool, s->points.ld, 1, &s->w, &s->prior, &s->gradient, &s->row,
	    &s->residual, &s->alpha, &s->pairs.scale, &s->candidates.scale, &s->pairs.movement,
	    &s->w_by_feature, &s->step.dw_by_feature);
	KITH_NEW_SIZES(s->pool, p, 1, &s->feature, &s->position);
	for (size_t f = 0; f < p; f++) {
		s->w[f] = s->w_by_feature[f] = w ? w[f] : prior_of(s, f);
		s->prior[f] = prior_of(s, f);
		s->pairs.scale[f] = 1;
		s->feature[f] = s->position[f] = f;
	}
	s->positive = 0;
	for (size_t f = 0; f < p; f++)
		if (s->w_by_feature[f] > 0)
			kith_sqpfw_active_swap(s, f, s->positive++);
}

/* Assert that each row of a class has hits and misses enough. */
static void
check_class(const struct kith_sqpfw *s, size_t k)
{
	size_t rows = 0;

	for (size_t i = s->points.start[k]; i < s->points.start[k + 1]; i++)
		rows += s->points.copies[i];
	assert(rows == 0 ||
	    (rows > s->problem.how->hits && s->points.rows - rows >= s->problem.how->misses));
}

static void
set_groups(struct kith_sqpfw *s)
{
	const size_t n = s->points.n;

	for (size_t k = 0; k < s->points.c; k++)
		check_class(s, k);
	s->group = kith_new(s->pool, 2 * n, sizeof(*s->group));
	s->candidates.queue.place = &s->group->queue_place;
	s->candidates.made_at = kith_new(
	    s->pool, 2 * n, s->points.ld * sizeof(*s->candidates.made_at));
	s->candidates.due = kith_new(s->pool, 2 * n, sizeof(*s->candidates.due));
	for (size_t g = 0; g < 2 * n; g++) {
		const size_t own = s->points.copies[g / 2] - 1;
		struct kith_sqpfw_group *group = &s->group[g];

		group->first_pair = KITH_SQPFW_NONE;
		group->rank = (uint32_t)s->problem.how->misses;
		if (g % 2 == 0)
			group->rank = own >= s->problem.how->hits
			    ? 0
			    : (uint32_t)(s->problem.how->hits - own);
		if (s->points.share[g / 2] == 0)
			group->rank = 0; /* it does not count */
		if (group->rank == 0)
			group->radius = INFINITY;
	}
}

/* Make all that follows from the rows and w (NULL: the prior). */
static void
begin(struct kith_sqpfw *s, const double *w)
{
	size_t n = 0;

	s->points = kith_sqpfw_points_new(
	    s->problem.X, s->problem.y, s->problem.classes, s->problem.how->weight, s->pool);
	s->pairs.unused = KITH_SQPFW_NONE;
	s->pairs.queue.pool = s->candidates.queue.pool = s->pool;
	s->pairs.queue.stride = sizeof(*s->pairs.pair);
	s->candidates.queue.stride = sizeof(*s->group);
	set_weights(s, w);
	set_groups(s);
	s->active.qr = kith_sqpfw_qr_new(s->points.ld, s->pool);
	s->step.dw = s->active.qr.d;
	kith_sqpfw_initial_targets(s);
	kith_sqpfw_active_gradient(s);
	kith_sqpfw_active_factor(s);
	kith_sqpfw_renewal_begin(s);
	for (uint32_t g = 0; g < 2 * s->points.n; g++)
		if (s->group[g].rank > 0)
			s->candidates.due[n++] = g;
	kith_sqpfw_renewal_make(s, s->candidates.due, n, KITH_SQPFW_NONE);
	kith_sqpfw_scale_begin(s);
}

struct kith_sqpfw *
kith_sqpfw_new(const struct kith_mat *X, const size_t *y, size_t c,
    const struct kith_sqpfw_how *how, struct kith_pool *pool)
{
	struct kith_sqpfw *s = kith_new(pool, 1, sizeof(*s));

	assert(how->hits >= 1 && how->misses >= 1 && how->threads >= 1);
	s->problem = (struct kith_sqpfw_problem){X, y, c, how};
	s->pool = pool;
	begin(s, NULL);
	s->done = true;
	return s;
}

/* Let state[] be that of the pairs of a group, or, to clear it, FARTHER. */
static void
mark(const struct kith_sqpfw *s, size_t g, int8_t *state, bool clear)
{
	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next)
		state[s->pairs.pair[at].j] = (int8_t)(clear ? KITH_SQPFW_FARTHER
							    : s->pairs.pair[at].state);
}

/* Report the pairs that s follows whose state differs from the other solver's;
 * before: s is the old one. */
static void
report_group(const struct kith_sqpfw *s, size_t g, const int8_t *other, bool before)
{
	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
		const int was = before ? pair->state : other[pair->j];
		const int becomes = before ? other[pair->j] : pair->state;

		/* Pairs that both follow are reported once. */
		if (was != becomes && (becomes == KITH_SQPFW_FARTHER) == before)
			kith_sqpfw_active_report(s, at, was, becomes);
	}
}

static bool
is_positive(const struct kith_sqpfw *s, size_t f)
{
	return s->position[f] < s->positive;
}

/* A weight of P may be 0, so that what counts is P. */
static void
report_weights(const struct kith_sqpfw *old, const struct kith_sqpfw *now)
{
	for (size_t f = 0; f < now->points.p; f++)
		if (is_positive(old, f) != is_positive(now, f))
			kith_sqpfw_active_report_weight(now, f, is_positive(now, f));
}

/*
 * Report the events that lead from one state of the solver to another, which
 * began where the first was left: each pair and weight whose state differs.
 * Time O(n p).
 */
static void
report_difference(const struct kith_sqpfw *old, const struct kith_sqpfw *now)
{
	struct kith_pool tmp = {0};
	const size_t n = now->points.n;
	int8_t *was = kith_new(&tmp, n, sizeof(*was));
	int8_t *is = kith_new(&tmp, n, sizeof(*is));

	for (size_t j = 0; j < n; j++)
		was[j] = is[j] = KITH_SQPFW_FARTHER;
	for (size_t g = 0; g < 2 * n; g++) {
		mark(old, g, was, false);
		mark(now, g, is, false);
		report_group(old, g, is, true);
		report_group(now, g, was, false);
		mark(old, g, was, true);
		mark(now, g, is, true);
	}
	report_weights(old, now);
	kith_pool_free(&tmp);
}

void
kith_sqpfw_restart(struct kith_sqpfw *s, const double *w)
{
	struct kith_sqpfw old = *s;

	*s = (struct kith_sqpfw){.problem = old.problem,
	    .theta = old.theta,
	    .theta_given = old.theta_given,
	    .iterations = old.iterations,
	    /* A path that stands still is no less so for that. */
	    .path = old.path,
	    .pool = &s->own};
	begin(s, w);
	if (s->problem.how->report)
		report_difference(&old, s);
	kith_pool_free(&old.own);
}

void
kith_sqpfw_free(struct kith_sqpfw *s)
{
	kith_pool_free(&s->own);
}

bool
kith_sqpfw_solve(struct kith_sqpfw *s, double theta)
{
	assert(theta >= 0 && theta < INFINITY);
	s->theta = fmin(scalbn(theta, -2 * s->points.exponent), THETA_MAX);
	s->theta_given = theta;
	return kith_sqpfw_solve_warm(s);
}

void
kith_sqpfw_at(const struct kith_sqpfw *s, struct kith_sqpfw_now *out)
{
	*out = (struct kith_sqpfw_now){.theta = kith_sqpfw_theta(s),
	    .w = s->w_by_feature,
	    .objective = kith_sqpfw_eqp_objective(s),
	    .iterations = s->iterations,
	    .ties = kith_sqpfw_ties_n(s),
	    .done = s->done,
	    .limited = s->limited};
	/* A weight of P may be 0 where rows depend on each other. */
	for (size_t j = 0; j < s->problem.X->p; j++)
		out->positive += s->w_by_feature[j] > 0;
}
