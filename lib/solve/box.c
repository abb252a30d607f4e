/* SPDX-License-Identifier: BSD-2-Clause */
#include "solve/box.h"

#include "base/pool.h"
#include "la/blas.h"

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
	TRIES = 30,          /* values of f in one line search */
	MOST_INVISIBLE = 20, /* from which on none has a decrease below rounding */
	MOST_FLAT = 20       /* steps in a row with such a decrease */
};

#define DAMPED 0.2     /* least y's over s'Bs */
#define CURVED 0x1p-50 /* least y's / |y|^2, over 1 / theta */
#define ENOUGH 1e-5    /* of the projected gradient of the model is left */
#define INNER 1e-3     /* of a residual that conjugate gradients leave */

enum { OUTER = 60, HALVES = 30 };

/*
 * The quadratic model: the BFGS matrix of the last steps s_i and damped changes y_i of the
 * gradient, B = theta I + sum_i (y_i y_i' / y_i's_i - b_i b_i' / s_i'b_i), b_i = B_i s_i with B_i
 * from the steps before i.
 */
struct model {
	size_t n, memory, pairs; /* variables; the most pairs s, y; the pairs there are */
	double theta;
	double *S, *Y; /* memory x n: s_i and y_i */
	double *W;   /* 2 memory x n: y_i and b_i in turn, over the roots of y_i's_i and s_i'b_i */
	double *mix; /* 2 memory: W v */
	double *packed;  /* 2 memory x n: the columns of W of free variables */
	size_t *free;    /* n: variables that no bound holds */
	double *scratch; /* 8 n */
};

static double
clip(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* Whether a bound holds x, where the slope is g. */
static bool
is_held(double x, double g)
{
	return (x <= 0 && g >= 0) || (x >= 1 && g <= 0);
}

static double
dot(size_t n, const double *a, const double *b)
{
	double sum;

	kith_blas_times(1, n, a, n, b, &sum);
	return sum;
}

static void
add(size_t n, double c, const double *a, double *b)
{
	for (size_t i = 0; i < n; i++)
		b[i] += c * a[i];
}

/* to = B v, W holding `pairs` of n columns: rows of y, then b, in turn. */
static void
multiply(
    const struct model *model, size_t pairs, size_t n, const double *W, const double *v, double *to)
{
	memset(to, 0, n * sizeof(*to));
	if (pairs > 0 && n > 0) {
		kith_blas_times(2 * pairs, n, W, n, v, model->mix);
		for (size_t i = 0; i < pairs; i++)
			model->mix[2 * i + 1] *= -1;
		kith_blas_turned(2 * pairs, n, W, n, model->mix, to);
	}
	add(n, model->theta, v, to);
}

/* Make W of S and Y, for this theta. */
static void
rebuild(struct model *model)
{
	const size_t n = model->n;

	for (size_t i = 0; i < model->pairs; i++) {
		const double *s = model->S + i * n, *y = model->Y + i * n;
		double *w = model->W + 2 * i * n, *b = w + n;
		const double curve = dot(n, y, s);
		double norm;

		multiply(model, i, n, model->W, s, b);
		norm = dot(n, s, b);
		for (size_t j = 0; j < n; j++) {
			w[j] = y[j] / sqrt(curve);
			b[j] /= sqrt(norm);
		}
	}
}

static void
update_model(struct model *model, const double *s, const double *y)
{
	const size_t n = model->n;
	double *Bs = model->scratch, *damped = Bs + n;
	const double curve = dot(n, s, y);
	double norm, phi = 1, square;

	multiply(model, model->pairs, n, model->W, s, Bs);
	norm = dot(n, s, Bs);
	if (!(norm > 0))
		return;
	if (curve < DAMPED * norm)
		phi = (1 - DAMPED) * norm / (norm - curve);
	for (size_t j = 0; j < n; j++)
		damped[j] = phi * y[j] + (1 - phi) * Bs[j];
	norm = dot(n, s, damped);
	square = dot(n, damped, damped);
	if (!(norm > CURVED * square / model->theta) || !isfinite(square))
		return;
	if (model->pairs == model->memory) { /* the oldest pair goes */
		model->pairs--;
		memmove(model->S, model->S + n, model->pairs * n * sizeof(*s));
		memmove(model->Y, model->Y + n, model->pairs * n * sizeof(*y));
	}
	memcpy(model->S + model->pairs * n, s, n * sizeof(*s));
	memcpy(model->Y + model->pairs * n, damped, n * sizeof(*damped));
	model->pairs++;
	/* The largest curvature that a step has seen: a lower one lets rounding choose the last steps. */
	model->theta = square / norm;
	rebuild(model);
}

/* Finds the free variables at z, where the gradient is r, and W of the free variables. */
static size_t
find_free(struct model *model, const double *z, const double *r)
{
	const size_t n = model->n;
	size_t held = 0;

	for (size_t j = 0; j < n; j++)
		if (!is_held(z[j], r[j]))
			model->free[held++] = j;
	for (size_t i = 0; i < 2 * model->pairs; i++)
		for (size_t l = 0; l < held; l++)
			model->packed[i * held + l] = model->W[i * n + model->free[l]];
	return held;
}

/* e (m) solves B e = -r over the free variables, by conjugate gradients. */
static void
solve(struct model *model, size_t m, const double *r, double *e)
{
	const size_t n = model->n, steps = 2 * model->pairs + 3;
	double *left = model->scratch + 3 * n, *d = left + n, *Bd = d + n;
	double norm, first;

	memset(e, 0, m * sizeof(*e));
	for (size_t l = 0; l < m; l++)
		d[l] = left[l] = -r[model->free[l]];
	first = norm = dot(m, left, left);
	for (size_t step = 0; step < steps && norm > 0; step++) {
		double a, next;

		multiply(model, model->pairs, m, model->packed, d, Bd);
		a = norm / dot(m, d, Bd);
		if (!(a > 0) || !isfinite(a))
			return;
		add(m, a, d, e);
		add(m, -a, Bd, left);
		next = dot(m, left, left);
		if (next <= INNER * INNER * first)
			return;
		for (size_t l = 0; l < m; l++)
			d[l] = left[l] + next / norm * d[l];
		norm = next;
	}
}

/*
 * Go from z along e, bent at the bounds, until the model falls by enough; false
 * where it does not.  r follows.
 */
static bool
go(struct model *model, size_t m, const double *e, double *z, double *r)
{
	const size_t n = model->n;
	double *step = model->scratch + n, *Bs = step + n, *next = Bs + n, t = 1;

	for (int half = 0; half < HALVES; half++) {
		double slope, fall;

		memcpy(next, z, n * sizeof(*next));
		for (size_t l = 0; l < m; l++)
			next[model->free[l]] = clip(z[model->free[l]] + t * e[l]);
		for (size_t j = 0; j < n; j++)
			step[j] = next[j] - z[j];
		multiply(model, model->pairs, n, model->W, step, Bs);
		slope = dot(n, r, step);
		fall = slope + dot(n, step, Bs) / 2;
		if (!(slope < 0) || !(fall <= ARMIJO * slope)) {
			t /= 2;
			continue;
		}
		memcpy(z, next, n * sizeof(*z));
		add(n, 1, Bs, r);
		return true;
	}
	return false;
}

/* Minimises the model from x on, until its projected gradient is `enough`. */
static void
minimise_model(struct model *model, const double *x, const double *g, double enough, double *z)
{
	const size_t n = model->n;
	double *r = model->scratch + 6 * n, *e = r + n;

	memcpy(z, x, n * sizeof(*z));
	memcpy(r, g, n * sizeof(*r));
	for (int outer = 0; outer < OUTER; outer++) {
		size_t m;

		if (kith_lbfgs_box_gradient(n, z, r) <= enough)
			break;
		m = find_free(model, z, r);
		solve(model, m, r, e);
		if (!go(model, m, e, z, r))
			break;
	}
}

/* ---- The search ---- */

struct state {
	const struct kith_lbfgs_box_how *how;
	struct kith_lbfgs_box *out;
	struct model model;
	size_t n;
	double *x, *g;     /* the best point so far */
	double *at, *g_at; /* the point tried last */
	double *z;         /* the minimum of the model */
	double *s, *y;
	int flat; /* steps in a row whose decrease of f is below its rounding */
};

double
kith_lbfgs_box_gradient(size_t n, const double *x, const double *g)
{
	double sum = 0, most = 0;

	for (size_t j = 0; j < n; j++) {
		const double d = fabs(x[j] - clip(x[j] - g[j]));

		most = d > most || isnan(d) ? d : most;
	}
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
	update_model(&st->model, st->s, st->y);
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
	if (st->how->log)
		st->how->log(st->how->to, out->iterations, f, out->gradient);
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
	return fmin(fmax(next, SHORTEST * t), LONGEST * t); /* SHORTEST where next is NaN */
}

/*
 * Searches along z - x: DONE for a lower f, FLAT without one, LOST where f is NaN.  The model
 * learns from the whole step even if it was too long, for it has seen too little curvature;
 * but not from a wall, which tells nothing of the ground before it.
 */
static enum kith_lbfgs_box_end
search(struct state *st)
{
	const double slope = slope_of(st, st->g);
	double t = 1;

	if (!(slope < 0))
		return KITH_LBFGS_BOX_FLAT;
	for (int i = 0; i < TRIES; i++) {
		const double f = try_step(st, t);
		double slope_at, rise;

		if (isnan(f))
			return KITH_LBFGS_BOX_LOST;
		if (is_lower(st, f, t, slope)) {
			learn(st);
			move(st, f);
			return KITH_LBFGS_BOX_DONE;
		}
		slope_at = slope_of(st, st->g_at);
		rise = f - st->out->f;
		if (-t * slope <= INVISIBLE * fabs(st->out->f)) {
			if (i >= MOST_INVISIBLE)
				return KITH_LBFGS_BOX_FLAT;
			rise = t * (slope + slope_at) / 2;
		}
		if (i == 0 && slope_at <= -STEEP * slope)
			learn(st);
		t = shorten(t, rise, slope, slope_at);
	}
	return KITH_LBFGS_BOX_FLAT;
}

/* The largest |g_j| of a variable that no bound holds. */
static double
largest_slope(const struct state *st)
{
	double most = 0;

	for (size_t j = 0; j < st->n; j++)
		if (!is_held(st->x[j], st->g[j]))
			most = fmax(most, fabs(st->g[j]));
	return most;
}

/* Forgets all pairs; the largest slope moves its variable by FIRST at most. */
static void
reset_model(struct state *st)
{
	const double most = largest_slope(st);

	st->model.pairs = 0;
	st->model.theta = most > 0 ? most / FIRST : 1;
}

static enum kith_lbfgs_box_end
descend(struct state *st)
{
	struct kith_lbfgs_box *out = st->out;
	const double enough = st->how->tol * fmax(1, out->start);
	bool fresh = true;

	for (;;) {
		enum kith_lbfgs_box_end end;

		if (out->gradient <= enough)
			return KITH_LBFGS_BOX_DONE;
		if (out->iterations == st->how->max_iter)
			return KITH_LBFGS_BOX_LIMIT;
		minimise_model(&st->model, st->x, st->g, ENOUGH * out->gradient, st->z);
		end = search(st);
		if (end == KITH_LBFGS_BOX_LOST || (end == KITH_LBFGS_BOX_FLAT && fresh))
			return end;
		fresh = end == KITH_LBFGS_BOX_FLAT; /* the model knows no step */
		if (fresh)
			reset_model(st);
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
	st.model = (struct model){.n = n, .memory = how->memory, .theta = 1};
	KITH_NEW_REALS(&tmp, how->memory, n, &st.model.S, &st.model.Y);
	KITH_NEW_REALS(&tmp, 2 * how->memory, n, &st.model.W, &st.model.packed);
	st.model.mix = kith_new(&tmp, 2 * how->memory, sizeof(*st.model.mix));
	st.model.free = kith_new(&tmp, n, sizeof(*st.model.free));
	st.model.scratch = kith_new(&tmp, 8 * n, sizeof(*st.model.scratch));
	KITH_NEW_REALS(&tmp, n, 1, &st.g, &st.at, &st.g_at, &st.z, &st.s, &st.y);
	out.f = how->value(how->to, x, st.g);
	out.gradient = out.start = kith_lbfgs_box_gradient(n, x, st.g);
	out.end = KITH_LBFGS_BOX_LOST;
	if (!isnan(out.f)) {
		if (how->log)
			how->log(how->to, 0, out.f, out.gradient);
		reset_model(&st);
		out.end = descend(&st);
		out.slope = largest_slope(&st);
	}
	kith_pool_free(&tmp);
	return out;
}
