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
#define SCALE 0x1p480     /* of numbers up to 1 whose squares, and their sums, fit a double then */
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
 * The search.  Its quadratic model has the BFGS matrix of the last steps s_i and damped changes y_i
 * of the gradient, B = theta I + sum_i (y_i y_i' / y_i's_i - b_i b_i' / s_i'b_i), b_i = B_i s_i
 * with B_i from the steps before i.
 */
struct search {
	const struct kith_lbfgs_box_how *how;
	struct kith_lbfgs_box out;
	size_t n;          /* variables */
	double *x, *g;     /* n: the best point so far */
	double *at, *g_at; /* n: the point tried last */
	double *z, *r;     /* n: the minimum of the model, and the model's gradient there */
	int flat;          /* steps in a row whose decrease of f is below its rounding */

	size_t pairs; /* s, y */
	double theta;
	double *S, *Y; /* (memory + 1) x n: s_i and y_i; the last row is a pair to add */
	double *W;   /* 2 memory x n: y_i and b_i in turn, over the roots of y_i's_i and s_i'b_i */
	double *mix; /* 2 memory: W v */
	double *packed;    /* 2 memory x n: the columns of W of free variables */
	size_t *free, m;   /* m variables that no bound holds */
	double *e;         /* m: a step of the free variables */
	double *a, *b, *c; /* n: scratch */
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
    const struct search *st, size_t pairs, size_t n, const double *W, const double *v, double *to)
{
	memset(to, 0, n * sizeof(*to));
	if (pairs > 0 && n > 0) {
		kith_blas_times(2 * pairs, n, W, n, v, st->mix);
		for (size_t i = 0; i < pairs; i++)
			st->mix[2 * i + 1] *= -1;
		kith_blas_turned(2 * pairs, n, W, n, st->mix, to);
	}
	add(n, st->theta, v, to);
}

/* Adds the step to the point tried last to the model. */
static void
learn(struct search *st)
{
	const size_t n = st->n;
	double *s = st->S + st->pairs * n, *y = st->Y + st->pairs * n, norm, curve, square, phi = 1;

	for (size_t j = 0; j < n; j++) {
		s[j] = st->at[j] - st->x[j];
		y[j] = st->g_at[j] - st->g[j];
	}
	curve = dot(n, s, y);
	multiply(st, st->pairs, n, st->W, s, st->a);
	norm = dot(n, s, st->a);
	if (!(norm > 0))
		return;
	if (curve < DAMPED * norm)
		phi = (1 - DAMPED) * norm / (norm - curve);
	for (size_t j = 0; j < n; j++)
		y[j] = phi * y[j] + (1 - phi) * st->a[j];
	norm = dot(n, s, y);
	square = dot(n, y, y);
	if (!(norm > CURVED * square / st->theta) || !isfinite(square))
		return;
	if (st->pairs == st->how->memory) { /* the oldest pair goes */
		memmove(st->S, st->S + n, st->pairs * n * sizeof(*s));
		memmove(st->Y, st->Y + n, st->pairs * n * sizeof(*y));
	} else {
		st->pairs++;
	}
	/*
	 * The largest curvature that a step has seen: a lower one lets rounding choose the last
	 * steps.
	 */
	st->theta = square / norm;
	for (size_t i = 0; i < st->pairs; i++) {
		double *w = st->W + 2 * i * n, *b = w + n;

		s = st->S + i * n;
		y = st->Y + i * n;
		multiply(st, i, n, st->W, s, b);
		curve = dot(n, y, s);
		norm = dot(n, s, b);
		for (size_t j = 0; j < n; j++) {
			w[j] = y[j] / sqrt(curve);
			b[j] /= sqrt(norm);
		}
	}
}

/*
 * Finds the free variables at z, and their W; e solves B e = -r over the free variables, by
 * conjugate gradients.
 */
static void
solve(struct search *st)
{
	const size_t n = st->n, steps = 2 * st->pairs + 3;
	double *left = st->a, *d = st->b, *Bd = st->c, norm, first;
	size_t m = 0;

	for (size_t j = 0; j < n; j++)
		if (!is_held(st->z[j], st->r[j]))
			st->free[m++] = j;
	st->m = m;
	for (size_t i = 0; i < 2 * st->pairs; i++)
		for (size_t l = 0; l < m; l++)
			st->packed[i * m + l] = st->W[i * n + st->free[l]];
	memset(st->e, 0, m * sizeof(*st->e));
	for (size_t l = 0; l < m; l++)
		d[l] = left[l] = -st->r[st->free[l]];
	first = norm = dot(m, left, left);
	for (size_t step = 0; step < steps && norm > 0; step++) {
		double a, next;

		multiply(st, st->pairs, m, st->packed, d, Bd);
		a = norm / dot(m, d, Bd);
		if (!(a > 0) || !isfinite(a))
			return;
		add(m, a, d, st->e);
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
 * Goes from z along e, bent at the bounds, until the model falls by enough; false where it does
 * not.  r follows.
 */
static bool
go(struct search *st)
{
	const size_t n = st->n;
	double *step = st->a, *Bs = st->b, *next = st->c, t = 1;

	for (int half = 0; half < HALVES; half++) {
		double slope, fall;

		memcpy(next, st->z, n * sizeof(*next));
		for (size_t l = 0; l < st->m; l++)
			next[st->free[l]] = clip(st->z[st->free[l]] + t * st->e[l]);
		for (size_t j = 0; j < n; j++)
			step[j] = next[j] - st->z[j];
		multiply(st, st->pairs, n, st->W, step, Bs);
		slope = dot(n, st->r, step);
		fall = slope + dot(n, step, Bs) / 2;
		if (slope < 0 && fall <= ARMIJO * slope) {
			memcpy(st->z, next, n * sizeof(*next));
			add(n, 1, Bs, st->r);
			return true;
		}
		t /= 2;
	}
	return false;
}

/* Minimises the model from x on, until its projected gradient is `enough`. */
static void
minimise_model(struct search *st, double enough)
{
	memcpy(st->z, st->x, st->n * sizeof(*st->z));
	memcpy(st->r, st->g, st->n * sizeof(*st->r));
	for (int outer = 0; outer < OUTER; outer++) {
		if (kith_lbfgs_box_gradient(st->n, st->z, st->r) <= enough)
			break;
		solve(st);
		if (!go(st))
			break;
	}
}

/* ---- The search ---- */

double
kith_lbfgs_box_gradient(size_t n, const double *x, const double *g)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++) {
		const double d = SCALE * (x[j] - clip(x[j] - g[j])); /* <= SCALE */

		sum += d * d;
	}
	return sqrt(sum) / SCALE;
}

static double
slope_of(const struct search *st, const double *g)
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
is_lower(struct search *st, double f, double t, double slope)
{
	const double before = st->out.f;

	if (f <= before + ARMIJO * t * slope && f < before - INVISIBLE * fabs(before)) {
		st->flat = 0;
		return true;
	}
	return st->flat < MOST_FLAT && f <= before + ROUNDING * fabs(before) &&
	    fabs(slope_of(st, st->g_at)) <= -FLATTER * slope && ++st->flat > 0;
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
search(struct search *st)
{
	const double slope = slope_of(st, st->g);
	double t = 1;

	if (!(slope < 0))
		return KITH_LBFGS_BOX_FLAT;
	for (int i = 0; i < TRIES; i++) {
		double slope_at, rise, f;

		for (size_t j = 0; j < st->n; j++) /* exactly z for t = 1 */
			st->at[j] = t == 1 ? st->z[j] : clip(st->x[j] + t * (st->z[j] - st->x[j]));
		st->out.evaluations++;
		f = st->how->value(st->how->to, st->at, st->g_at);
		if (isnan(f))
			return KITH_LBFGS_BOX_LOST;
		if (is_lower(st, f, t, slope)) {
			learn(st);
			memcpy(st->x, st->at, st->n * sizeof(*st->x));
			memcpy(st->g, st->g_at, st->n * sizeof(*st->g));
			st->out.f = f;
			st->out.gradient = kith_lbfgs_box_gradient(st->n, st->x, st->g);
			st->out.iterations++;
			if (st->how->log)
				st->how->log(st->how->to, st->out.iterations, f, st->out.gradient);
			return KITH_LBFGS_BOX_DONE;
		}
		slope_at = slope_of(st, st->g_at);
		rise = f - st->out.f;
		if (-t * slope <= INVISIBLE * fabs(st->out.f)) {
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
largest_slope(const struct search *st)
{
	double most = 0;

	for (size_t j = 0; j < st->n; j++)
		if (!is_held(st->x[j], st->g[j]))
			most = fmax(most, fabs(st->g[j]));
	return most;
}

static enum kith_lbfgs_box_end
descend(struct search *st)
{
	const double enough = st->how->tol * fmax(1, st->out.start);
	enum kith_lbfgs_box_end end;

	for (bool fresh = true;; fresh = end == KITH_LBFGS_BOX_FLAT) {
		if (st->out.gradient <= enough)
			return KITH_LBFGS_BOX_DONE;
		if (st->out.iterations == st->how->max_iter)
			return KITH_LBFGS_BOX_LIMIT;
		if (fresh) { /* no pairs: the largest slope moves its variable by FIRST at most */
			const double most = largest_slope(st);

			st->pairs = 0;
			st->theta = most > 0 ? most / FIRST : 1;
		}
		minimise_model(st, ENOUGH * st->out.gradient);
		end = search(st);
		if (end == KITH_LBFGS_BOX_LOST || (end == KITH_LBFGS_BOX_FLAT && fresh))
			return end;
	}
}

struct kith_lbfgs_box
kith_lbfgs_box(const struct kith_lbfgs_box_how *how, size_t n, double *x)
{
	const size_t memory = how->memory;
	struct kith_pool tmp = {0};
	struct search st = {.how = how, .out.evaluations = 1, .n = n, .x = x};

	assert(n >= 1 && memory >= 1);
	for (size_t j = 0; j < n; j++)
		assert(0 <= x[j] && x[j] <= 1);
	KITH_NEW_REALS(&tmp, memory + 1, n, &st.S, &st.Y);
	KITH_NEW_REALS(&tmp, 2 * memory, n, &st.W, &st.packed);
	KITH_NEW_REALS(&tmp, 2 * memory, 1, &st.mix);
	KITH_NEW_SIZES(&tmp, n, 1, &st.free);
	KITH_NEW_REALS(&tmp, n, 1, &st.g, &st.at, &st.g_at, &st.z, &st.r, &st.e);
	KITH_NEW_REALS(&tmp, n, 1, &st.a, &st.b, &st.c);
	st.out.f = how->value(how->to, x, st.g);
	st.out.gradient = st.out.start = kith_lbfgs_box_gradient(n, x, st.g);
	st.out.end = KITH_LBFGS_BOX_LOST;
	if (!isnan(st.out.f)) {
		if (how->log)
			how->log(how->to, 0, st.out.f, st.out.gradient);
		st.out.end = descend(&st);
		st.out.slope = largest_slope(&st);
	}
	kith_pool_free(&tmp);
	return st.out;
}
