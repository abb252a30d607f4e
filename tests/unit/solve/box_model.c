/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/solve/box_model.h: its matrix is that of the BFGS formula, dense, and
 * the minimum of its model is one.
 */
#include "solve/box_model.h"

#include "base/pool.h"
#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = 12 };

static struct kith_rng rng;

static double
number(void)
{
	return 2 * kith_rng_unit(&rng) - 1;
}

static double
dot(size_t n, const double *a, const double *b)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* The pairs that are held, the oldest first, and B of them. */
struct plain {
	size_t n, memory, held;
	double theta, S[MOST][MOST], Y[MOST][MOST], B[MOST][MOST];
};

/* b = B s */
static void
times(const struct plain *p, const double *s, double *b)
{
	for (size_t i = 0; i < p->n; i++)
		b[i] = dot(p->n, p->B[i], s);
}

/* B += y y' / y's - B s s'B / s'B s, from theta I on. */
static void
rebuild(struct plain *p)
{
	memset(p->B, 0, sizeof(p->B));
	for (size_t i = 0; i < p->n; i++)
		p->B[i][i] = p->theta;
	for (size_t k = 0; k < p->held; k++) {
		const double *s = p->S[k], *y = p->Y[k];
		const double ys = dot(p->n, y, s);
		double b[MOST], sb;

		times(p, s, b);
		sb = dot(p->n, s, b);
		for (size_t i = 0; i < p->n; i++)
			for (size_t j = 0; j < p->n; j++)
				p->B[i][j] += y[i] * y[j] / ys - b[i] * b[j] / sb;
	}
}

/* Powell: y's is at least a fifth of s'B s. */
static void
learn(struct plain *p, const double *s, const double *y)
{
	const double ys = dot(p->n, y, s);
	double b[MOST], sb, phi = 1, *at;

	times(p, s, b);
	sb = dot(p->n, s, b);
	if (ys < .2 * sb)
		phi = .8 * sb / (sb - ys);
	if (p->held == p->memory) {
		memmove(p->S, p->S + 1, (p->held - 1) * sizeof(p->S[0]));
		memmove(p->Y, p->Y + 1, (p->held - 1) * sizeof(p->Y[0]));
		p->held--;
	}
	at = p->Y[p->held];
	memcpy(p->S[p->held++], s, p->n * sizeof(*s));
	for (size_t i = 0; i < p->n; i++)
		at[i] = phi * y[i] + (1 - phi) * b[i];
	p->theta = dot(p->n, at, at) / dot(p->n, s, at);
	rebuild(p);
}

/* The largest |B_ij - due_ij| over the largest |due_ij|. */
static double
apart(const struct kith_lbfgs_box_model *model, const struct plain *p)
{
	double worst = 0, size = 0;

	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->n; j++) {
			double B = i == j ? model->theta : 0;

			for (size_t k = 0; k < 2 * model->held; k++)
				B += (k % 2 ? -1 : 1) * model->W[k * p->n + i] *
				    model->W[k * p->n + j];
			worst = fmax(worst, fabs(B - p->B[i][j]));
			size = fmax(size, fabs(p->B[i][j]));
		}
	return worst / size;
}

/* The length of z - clip(z - g - B (z - x)), and of the same at x. */
static double
projected(const struct plain *p, const double *x, const double *g, const double *z)
{
	double sum = 0, d[MOST], b[MOST];

	for (size_t i = 0; i < p->n; i++)
		d[i] = z[i] - x[i];
	times(p, d, b);
	for (size_t i = 0; i < p->n; i++) {
		const double to = fmin(fmax(z[i] - g[i] - b[i], 0), 1);

		sum += (z[i] - to) * (z[i] - to);
	}
	return sqrt(sum);
}

static void
test_minimum(struct kith_lbfgs_box_model *model, const struct plain *p, const char *what)
{
	double x[MOST], g[MOST], z[MOST], left, first;
	bool inside = true;
	size_t bound = 0;

	for (size_t i = 0; i < p->n; i++) {
		x[i] = i % 4 == 0 ? 0 : i % 4 == 1 ? 1 : kith_rng_unit(&rng);
		g[i] = number() * p->theta;
	}
	kith_lbfgs_box_minimise(model, x, g, z);
	for (size_t i = 0; i < p->n; i++) {
		inside = inside && 0 <= z[i] && z[i] <= 1;
		bound += z[i] == 0 || z[i] == 1;
	}
	left = projected(p, x, g, z);
	first = projected(p, x, g, x);
	ok(inside && left <= 1.1e-5 * first, "%s: %zu at a bound, %.1e is left of %.1e", what,
	    bound, left, first);
}

static void
test_random(size_t n, size_t memory, double curve)
{
	struct kith_pool pool = {0};
	struct kith_lbfgs_box_model model = kith_lbfgs_box_model(n, memory, &pool);
	struct plain p = {.n = n, .memory = memory, .theta = 1};

	rebuild(&p);
	test_minimum(&model, &p, "nothing is known");
	for (size_t step = 0; step < 2 * memory + 2; step++) {
		double s[MOST], y[MOST], d;

		for (size_t i = 0; i < n; i++) {
			s[i] = number() / 10;
			/* Of any curvature, or of a matrix. */
			y[i] = curve > 0 ? (curve + (double)i) * s[i] : number();
		}
		for (size_t i = 0; i + 1 < n && curve > 0; i++) {
			y[i] += s[i + 1] / 3;
			y[i + 1] += s[i] / 3;
		}
		kith_lbfgs_box_learn(&model, s, y);
		learn(&p, s, y);
		d = apart(&model, &p);
		ok(model.held == p.held && d <= 1e-9 && fabs(model.theta / p.theta - 1) <= 1e-12,
		    "%zu pairs of %zu, of %zu numbers: B to %.1e", p.held, memory, n, d);
		test_minimum(&model, &p, "its minimum");
	}
	kith_lbfgs_box_forget(&model, 3);
	ok(model.held == 0 && model.theta == 3, "all is forgotten");
	p.theta = 3;
	p.held = 0;
	rebuild(&p);
	test_minimum(&model, &p, "theta I");
	kith_pool_free(&pool);
}

/* Pairs that tell nothing are not learnt from. */
static void
test_ignored(void)
{
	struct kith_pool pool = {0};
	struct kith_lbfgs_box_model model = kith_lbfgs_box_model(2, 3, &pool);
	const double none[] = {0, 0}, s[] = {1, 0}, same[] = {1, 0};
	const double huge[] = {1e200, 1e200}, across[] = {.2, 1e9};
	const double tilted[] = {.2, 1e7};

	kith_lbfgs_box_learn(&model, none, same);
	ok(model.held == 0 && model.theta == 1, "no step");
	kith_lbfgs_box_learn(&model, s, huge);
	ok(model.held == 0, "a square that is no number");
	kith_lbfgs_box_learn(&model, s, across);
	ok(model.held == 0, "1e-18 of curvature");
	kith_lbfgs_box_learn(&model, s, tilted);
	ok(model.held == 1, "1e-14 of it");
	kith_lbfgs_box_forget(&model, 1);
	kith_lbfgs_box_learn(&model, s, same);
	ok(model.held == 1 && model.theta == 1, "a pair");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t memory = 1; memory < 6; memory += 2) {
		test_random(1, memory, 2);
		test_random(5, memory, .5);
		test_random(MOST, memory, 1);
		test_random(7, memory, 0);
	}
	test_ignored();
	return done();
}
