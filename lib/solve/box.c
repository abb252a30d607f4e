/* SPDX-License-Identifier: BSD-2-Clause */
#include "solve/box.h"

#include "base/pool.h"
#include "solve/box_model.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define ARMIJO 1e-4
#define SHORTEST 0.1 /* of a step that was too long, and the longest: */
#define LONGEST 0.8
#define FIRST 0.5      /* the most that a variable moves in the first step */
#define ROUNDING 1e-13 /* of f */
#define STEEP 10.0     /* of a slope that is learnt from, over the first one */
#define FLATTER 0.9
#define INVISIBLE 0x1p-50 /* a relative decrease of f below its rounding */

enum {
	TRIES = 30,         /* values of f in one line search */
	MOST_INVISIBLE = 4, /* of these with a decrease below rounding */
	MOST_FLAT = 20      /* steps in a row with such a decrease */
};

struct state {
	const struct kith_lbfgs_box_how *how;
	struct kith_lbfgs_box *out;
	struct kith_lbfgs_box_model model;
	size_t n;
	double *x, *g;     /* the best point so far */
	double *at, *g_at; /* the point tried last */
	double *z;         /* the minimum of the model */
	double *s, *y;
	int flat; /* steps in a row whose decrease of f is below its rounding */
};

static double
clip(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

double
kith_lbfgs_box_gradient(size_t n, const double *x, const double *g)
{
	double sum = 0, most = 0;

	for (size_t j = 0; j < n; j++)
		most = fmax(most, fabs(x[j] - clip(x[j] - g[j])));
	if (!(most > 0) || !isfinite(most))
		return most;
	for (size_t j = 0; j < n; j++) {
		const double d = (x[j] - clip(x[j] - g[j])) / most;

		sum += d * d;
	}
	return most * sqrt(sum);
}

/* f at x + t (z - x): exactly z for t = 1. */
static double
try_step(struct state *st, double t)
{
	for (size_t j = 0; j < st->n; j++)
		st->at[j] = t == 1 ? st->z[j] : clip(st->x[j] + t * (st->z[j] - st->x[j]));
	st->out->evaluations++;
	return st->how->value(st->how->to, st->at, st->g_at);
}

static double
slope_of(const struct state *st, const double *g)
{
	double slope = 0;

	for (size_t j = 0; j < st->n; j++)
		slope += g[j] * (st->z[j] - st->x[j]);
	return slope;
}

/*
 * A lower f; or one as low but for rounding, where the slope, that is less
 * troubled by it, has fallen: a few such steps in turn, for they could go round
 * in a ring.
 */
static bool
is_lower(struct state *st, double f, double t, double slope)
{
	const double before = st->out->f;

	if (f <= before + ARMIJO * t * slope && f < before - INVISIBLE * fabs(before)) {
		st->flat = 0;
		return true;
	}
	return st->flat < MOST_FLAT && f <= before + ROUNDING * fabs(before) &&
	    fabs(slope_of(st, st->g_at)) <= -FLATTER * slope && ++st->flat > 0;
}

/* Learn from the point tried last. */
static void
learn(struct state *st)
{
	for (size_t j = 0; j < st->n; j++) {
		st->s[j] = st->at[j] - st->x[j];
		st->y[j] = st->g_at[j] - st->g[j];
	}
	kith_lbfgs_box_learn(&st->model, st->s, st->y);
}

static void
move(struct state *st, double f)
{
	struct kith_lbfgs_box *out = st->out;

	memcpy(st->x, st->at, st->n * sizeof(*st->x));
	memcpy(st->g, st->g_at, st->n * sizeof(*st->g));
	out->f = f;
	out->gradient = kith_lbfgs_box_gradient(st->n, st->x, st->g);
	out->iterations++;
	if (st->how->tell)
		st->how->tell(st->how->to, out->iterations, f, out->gradient);
}

/*
 * A shorter step than t, where f and its slope are known: the minimum of the
 * cubic through both ends, kept away from them.
 */
static double
shorten(double t, double rise, double slope, double slope_at)
{
	const double d1 = slope + slope_at - 3 * rise / t;
	const double square = d1 * d1 - slope * slope_at;
	double next = LONGEST * t;

	if (square > 0) {
		const double d2 = sqrt(square);

		next = t - t * (slope_at + d2 - d1) / (slope_at - slope + 2 * d2);
	}
	if (!(next >= SHORTEST * t))
		next = SHORTEST * t;
	return fmin(next, LONGEST * t);
}

/*
 * Whether a step was found; *lost where f was no number.  The model learns from
 * the whole step even if it was too long, for it has seen too little curvature;
 * but not from a wall, which tells nothing of the ground before it.
 */
static bool
search(struct state *st, bool *lost)
{
	const double slope = slope_of(st, st->g);
	double t = 1;

	if (!(slope < 0))
		return false;
	for (int i = 0; i < TRIES; i++) {
		const double f = try_step(st, t);
		double slope_at, rise;

		if (isnan(f)) {
			*lost = true;
			return false;
		}
		if (is_lower(st, f, t, slope)) {
			learn(st);
			move(st, f);
			return true;
		}
		slope_at = slope_of(st, st->g_at);
		rise = f - st->out->f;
		if (-t * slope <= INVISIBLE * fabs(st->out->f)) {
			if (i >= MOST_INVISIBLE)
				return false;
			rise = t * (slope + slope_at) / 2;
		}
		if (i == 0 && slope_at <= -STEEP * slope)
			learn(st);
		t = shorten(t, rise, slope, slope_at);
	}
	return false;
}

/* The curvature before anything is known of f. */
static double
first_theta(const struct state *st)
{
	double most = 0;

	for (size_t j = 0; j < st->n; j++)
		if (st->x[j] != clip(st->x[j] - st->g[j]))
			most = fmax(most, fabs(st->g[j]));
	return most > 0 ? most / FIRST : 1;
}

static double
largest_slope(const struct state *st)
{
	double most = 0;

	for (size_t j = 0; j < st->n; j++)
		if (!(st->x[j] <= 0 && st->g[j] >= 0) && !(st->x[j] >= 1 && st->g[j] <= 0))
			most = fmax(most, fabs(st->g[j]));
	return most;
}

static enum kith_lbfgs_box_end
descend(struct state *st)
{
	struct kith_lbfgs_box *out = st->out;
	const double enough = st->how->tol * fmax(1, out->start);
	bool fresh = true;

	for (;;) {
		bool lost = false;

		if (out->gradient <= enough)
			return KITH_LBFGS_BOX_DONE;
		if (out->iterations == st->how->max_iter)
			return KITH_LBFGS_BOX_LIMIT;
		kith_lbfgs_box_minimise(&st->model, st->x, st->g, st->z);
		if (search(st, &lost)) {
			fresh = false;
			continue;
		}
		if (lost)
			return KITH_LBFGS_BOX_LOST;
		if (fresh)
			return KITH_LBFGS_BOX_FLAT;
		fresh = true;
		kith_lbfgs_box_forget(&st->model, first_theta(st));
	}
}

struct kith_lbfgs_box
kith_lbfgs_box(const struct kith_lbfgs_box_how *how, size_t n, double *x)
{
	struct kith_pool tmp = {0};
	struct kith_lbfgs_box out = {.evaluations = 1};
	struct state st = {.how = how, .out = &out, .n = n, .x = x};

	assert(n >= 1 && how->memory >= 1);
	for (size_t j = 0; j < n; j++)
		assert(0 <= x[j] && x[j] <= 1);
	st.model = kith_lbfgs_box_model(n, how->memory, &tmp);
	st.g = kith_new(&tmp, n, sizeof(*st.g));
	st.at = kith_new(&tmp, n, sizeof(*st.at));
	st.g_at = kith_new(&tmp, n, sizeof(*st.g_at));
	st.z = kith_new(&tmp, n, sizeof(*st.z));
	st.s = kith_new(&tmp, n, sizeof(*st.s));
	st.y = kith_new(&tmp, n, sizeof(*st.y));
	out.f = how->value(how->to, x, st.g);
	out.gradient = out.start = kith_lbfgs_box_gradient(n, x, st.g);
	out.end = KITH_LBFGS_BOX_LOST;
	if (!isnan(out.f)) {
		if (how->tell)
			how->tell(how->to, 0, out.f, out.gradient);
		kith_lbfgs_box_forget(&st.model, first_theta(&st));
		out.end = descend(&st);
		out.slope = largest_slope(&st);
	}
	kith_pool_free(&tmp);
	return out;
}
