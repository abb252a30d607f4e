/* SPDX-License-Identifier: BSD-2-Clause */
#include "solve/box_model.h"

#include "base/pool.h"
#include "la/blas.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define DAMPED 0.2  /* least y's over s'Bs */
#define ENOUGH 1e-5 /* of the projected gradient of the model is left */
#define INNER 1e-3  /* of a residual that conjugate gradients leave */
#define ARMIJO 1e-4
#define CURVED 0x1p-50 /* least y's / |y|^2, over 1 / theta */

enum { OUTER = 60, HALVES = 30 };

struct kith_lbfgs_box_model
kith_lbfgs_box_model(size_t n, size_t memory, struct kith_pool *pool)
{
	struct kith_lbfgs_box_model model = {.n = n, .memory = memory, .theta = 1};

	model.S = kith_new(pool, memory, n * sizeof(*model.S));
	model.Y = kith_new(pool, memory, n * sizeof(*model.Y));
	model.W = kith_new(pool, 2 * memory, n * sizeof(*model.W));
	model.packed = kith_new(pool, 2 * memory, n * sizeof(*model.packed));
	model.mix = kith_new(pool, 2 * memory, sizeof(*model.mix));
	model.free = kith_new(pool, n, sizeof(*model.free));
	model.room = kith_new(pool, 6 * n, sizeof(*model.room));
	return model;
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
multiply(const struct kith_lbfgs_box_model *model, size_t pairs, size_t n, const double *W,
    const double *v, double *to)
{
	if (pairs == 0 || n == 0) {
		for (size_t i = 0; i < n; i++)
			to[i] = model->theta * v[i];
		return;
	}
	kith_blas_times(2 * pairs, n, W, n, v, model->mix);
	for (size_t i = 0; i < pairs; i++)
		model->mix[2 * i + 1] *= -1;
	kith_blas_turned(2 * pairs, n, W, n, model->mix, to);
	add(n, model->theta, v, to);
}

/* Make W of S and Y, for this theta. */
static void
rebuild(struct kith_lbfgs_box_model *model)
{
	const size_t n = model->n;

	for (size_t i = 0; i < model->held; i++) {
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

void
kith_lbfgs_box_forget(struct kith_lbfgs_box_model *model, double theta)
{
	model->held = 0;
	model->theta = theta;
}

/* Make room for a pair: the oldest goes. */
static void
make_room(struct kith_lbfgs_box_model *model)
{
	const size_t n = model->n, left = model->memory - 1;

	if (model->held < model->memory)
		return;
	model->held = left;
	memmove(model->S, model->S + n, left * n * sizeof(*model->S));
	memmove(model->Y, model->Y + n, left * n * sizeof(*model->Y));
}

void
kith_lbfgs_box_learn(struct kith_lbfgs_box_model *model, const double *s, const double *y)
{
	const size_t n = model->n;
	double *Bs = model->room, *damped = Bs + n;
	const double curve = dot(n, s, y);
	double norm, phi = 1, square;

	multiply(model, model->held, n, model->W, s, Bs);
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
	make_room(model);
	memcpy(model->S + model->held * n, s, n * sizeof(*s));
	memcpy(model->Y + model->held * n, damped, n * sizeof(*damped));
	model->held++;
	model->theta = square / norm;
	rebuild(model);
}

static double
clip(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* The free variables at z, r being the gradient there, and W of these. */
static size_t
find_free(struct kith_lbfgs_box_model *model, const double *z, const double *r)
{
	const size_t n = model->n;
	size_t held = 0;

	for (size_t j = 0; j < n; j++)
		if (!(z[j] <= 0 && r[j] >= 0) && !(z[j] >= 1 && r[j] <= 0))
			model->free[held++] = j;
	for (size_t i = 0; i < 2 * model->held; i++)
		for (size_t l = 0; l < held; l++)
			model->packed[i * held + l] = model->W[i * n + model->free[l]];
	return held;
}

/* e (m) solves B e = -r over the free variables, by conjugate gradients. */
static void
solve(struct kith_lbfgs_box_model *model, size_t m, const double *r, double *e)
{
	const size_t n = model->n, steps = 2 * model->held + 3;
	double *left = model->room + 3 * n, *d = left + n, *Bd = d + n;
	double norm, first;

	memset(e, 0, m * sizeof(*e));
	for (size_t l = 0; l < m; l++)
		d[l] = left[l] = -r[model->free[l]];
	first = norm = dot(m, left, left);
	for (size_t step = 0; step < steps && norm > 0; step++) {
		double a, next;

		multiply(model, model->held, m, model->packed, d, Bd);
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
go(struct kith_lbfgs_box_model *model, size_t m, const double *e, double *z, double *r)
{
	const size_t n = model->n;
	double *step = model->room + n, *Bs = step + n, t = 1;

	for (int half = 0; half < HALVES; half++) {
		double slope, fall;

		memset(step, 0, n * sizeof(*step));
		for (size_t l = 0; l < m; l++) {
			const size_t j = model->free[l];

			step[j] = clip(z[j] + t * e[l]) - z[j];
		}
		multiply(model, model->held, n, model->W, step, Bs);
		slope = dot(n, r, step);
		fall = slope + dot(n, step, Bs) / 2;
		if (!(slope < 0) || !(fall <= ARMIJO * slope)) {
			t /= 2;
			continue;
		}
		for (size_t l = 0; l < m; l++) {
			const size_t j = model->free[l];

			z[j] = clip(z[j] + t * e[l]);
		}
		add(n, 1, Bs, r);
		return true;
	}
	return false;
}

void
kith_lbfgs_box_minimise(
    struct kith_lbfgs_box_model *model, const double *x, const double *g, double *z)
{
	struct kith_pool tmp = {0};
	const size_t n = model->n;
	double *r = kith_new(&tmp, n, sizeof(*r)), enough = 0;
	double *e = kith_new(&tmp, n, sizeof(*e));

	memcpy(z, x, n * sizeof(*z));
	memcpy(r, g, n * sizeof(*r));
	for (int outer = 0; outer < OUTER; outer++) {
		double left = 0;
		size_t m;

		for (size_t j = 0; j < n; j++) {
			const double d = z[j] - clip(z[j] - r[j]);

			left += d * d;
		}
		if (outer == 0)
			enough = ENOUGH * ENOUGH * left;
		if (left <= enough)
			break;
		m = find_free(model, z, r);
		solve(model, m, r, e);
		if (!go(model, m, e, z, r))
			break;
	}
	kith_pool_free(&tmp);
}
