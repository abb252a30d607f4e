/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/solve/box.h and of lib/la/lapack.h, on which it does not depend. */
#include "solve/box.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/lapack.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

static struct kith_rng rng;

/* x'Ax/2 - b'x, A = G G' + ridge I. */
struct quadratic {
	size_t n, calls;
	double A[MOST * MOST], b[MOST];
};

static void
draw(struct quadratic *q, size_t n, size_t rank, double ridge)
{
	double G[MOST * MOST] = {0};

	*q = (struct quadratic){.n = n};
	for (size_t k = 0; k < n * rank; k++)
		G[k] = kith_rng_unit(&rng) - .5;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			for (size_t k = 0; k < rank; k++)
				q->A[i * n + j] += G[i * rank + k] * G[j * rank + k];
		q->A[i * n + i] += ridge;
		q->b[i] = 2 * kith_rng_unit(&rng) - 1;
	}
}

static double
value(void *to, const double *x, double *g)
{
	struct quadratic *q = to;
	double sum = 0;

	q->calls++;
	for (size_t i = 0; i < q->n; i++) {
		double Ax = 0;

		for (size_t j = 0; j < q->n; j++)
			Ax += q->A[i * q->n + j] * x[j];
		sum += x[i] * (Ax / 2 - q->b[i]);
		g[i] = Ax - q->b[i];
	}
	return sum;
}

/* By coordinates, to the last digit. */
static void
descend(const struct quadratic *q, double *x)
{
	for (int sweep = 0; sweep < 20000; sweep++)
		for (size_t i = 0; i < q->n; i++) {
			double g = -q->b[i];

			for (size_t j = 0; j < q->n; j++)
				g += q->A[i * q->n + j] * x[j];
			x[i] -= g / q->A[i * q->n + i];
			x[i] = x[i] < 0 ? 0 : x[i] > 1 ? 1 : x[i];
		}
}

static void
test_quadratic(size_t n, size_t rank, double ridge, size_t memory)
{
	static struct quadratic q;
	const struct kith_lbfgs_box_how how = {
	    .value = value, .to = &q, .memory = memory, .max_iter = 2000, .tol = 1e-9};
	double x[MOST], due[MOST] = {0}, g[MOST], worst = 0;
	struct kith_lbfgs_box got;
	bool exact = true;

	draw(&q, n, rank, ridge);
	for (size_t i = 0; i < n; i++)
		x[i] = i % 3 == 0 ? kith_rng_unit(&rng) : (double)(i % 3 - 1);
	got = kith_lbfgs_box(&how, n, x);
	ok(got.end == KITH_LBFGS_BOX_DONE && got.evaluations == q.calls,
	    "%zu variables, memory %zu: %zu evaluations, |pg| %.2g", n, memory, got.evaluations,
	    got.gradient);
	descend(&q, due);
	for (size_t i = 0; i < n; i++) {
		worst = fmax(worst, fabs(x[i] - due[i]));
		exact = exact && (due[i] != 0 || x[i] == 0) && (due[i] != 1 || x[i] == 1);
	}
	ok(worst <= 1e-6 && exact, "the minimum to %.2g, bounds exact", worst);
	ok(got.f == value(&q, x, g) && got.gradient == kith_lbfgs_box_gradient(n, x, g),
	    "f and the projected gradient are those of x");
}

/* A curved valley that is not convex, shifted into the box. */
static double
valley(void *to, const double *x, double *g)
{
	const double a = 3 * x[0] - 1, b = 3 * x[1] - 1, d = b - a * a;

	(void)to;
	g[0] = 3 * (-400 * a * d - 2 * (1 - a));
	g[1] = 3 * 200 * d;
	return 100 * d * d + (1 - a) * (1 - a);
}

static double
nothing(void *to, const double *x, double *g)
{
	(void)to;
	g[0] = 1;
	return x[0] < .4 ? NAN : x[0];
}

static void
test_ends(void)
{
	double x[2] = {.05, .6}, y = .9;
	struct kith_lbfgs_box_how how = {
	    .value = valley, .memory = 5, .max_iter = 500, .tol = 1e-8};
	struct kith_lbfgs_box got = kith_lbfgs_box(&how, 2, x);

	ok(got.end == KITH_LBFGS_BOX_DONE && fabs(x[0] - 2. / 3) < 1e-6 &&
		fabs(x[1] - 2. / 3) < 1e-6,
	    "the end of the valley, in %zu evaluations", got.evaluations);
	how.max_iter = 2;
	x[0] = .05;
	x[1] = .6;
	got = kith_lbfgs_box(&how, 2, x);
	ok(got.end == KITH_LBFGS_BOX_LIMIT && got.iterations == 2,
	    "no more iterations than asked for");
	how.value = nothing;
	got = kith_lbfgs_box(&how, 1, &y);
	ok(got.end == KITH_LBFGS_BOX_LOST && y >= .4, "a value that is no number ends it");
}

/* The slopes are 3, -2, 1, -5 and 4 anywhere. */
static double
slopes(void *to, const double *x, double *g)
{
	static const double slope[] = {3, -2, 1, -5, 4};
	double sum = 0;

	(void)to;
	for (size_t j = 0; j < 5; j++) {
		g[j] = slope[j];
		sum += slope[j] * x[j];
	}
	return sum;
}

/* Of variables on a bound, those count that would leave it. */
static void
test_slope(void)
{
	const struct kith_lbfgs_box_how how = {.value = slopes, .memory = 5, .tol = 1e-8};
	double held[] = {0, 1, .5, 1, 0}, leaves[] = {0, 0, .5, 1, 0};
	double both[] = {0, 0, .5, 1, 1};

	/* x_4 rises from 0, and is held there; so are x_0, x_1 and x_3. */
	is_near(kith_lbfgs_box(&how, 5, held).slope, 1, 0, "one is free");
	is_near(kith_lbfgs_box(&how, 5, leaves).slope, 2, 0, "one leaves 0");
	is_near(kith_lbfgs_box(&how, 5, both).slope, 4, 0, "and one leaves 1");
}

/* f is the same but for one fall, at this call; g swings, and dies away. */
struct level {
	size_t calls, fall;
};

static double
level(void *to, const double *x, double *g)
{
	struct level *l = to;

	(void)x;
	*g = pow(-.8, (double)l->calls);
	return l->calls++ < l->fall ? 2 : 1;
}

/* Steps that lower nothing are counted in a row, from any that does. */
static void
test_flat(void)
{
	size_t most = 0;

	for (size_t fall = 0; fall < 15; fall++) {
		struct level l = {.fall = fall};
		const struct kith_lbfgs_box_how how = {
		    .value = level, .to = &l, .memory = 3, .max_iter = 1000};
		double x = .6;
		const struct kith_lbfgs_box got = kith_lbfgs_box(&how, 1, &x);

		most = fall == 0 ? got.iterations : most;
		ok(got.end == KITH_LBFGS_BOX_FLAT && most > 15,
		    "level ground is left, after %zu steps", got.iterations);
		is_size(got.iterations, fall + most, "as many behind a fall");
	}
}

int
main(void)
{
	const size_t seeds = getenv("KITH_LONG") ? 40 : 3;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t seed = 0; seed < seeds; seed++) {
		test_quadratic(1, 1, .5, 1);
		test_quadratic(5, 5, .1, 10);
		test_quadratic(MOST, MOST, .1, 20);
		test_quadratic(MOST, 10, .5, 3);
	}
	test_ends();
	test_slope();
	test_flat();
	return done();
}
