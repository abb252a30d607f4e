/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the line search of lib/solve/box.h: where it looks, what it takes, and
 * when it gives up, on functions that say where they were asked.
 */
#include "solve/box.h"

#include "tap.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = 64, N = 100 };

/* f and g at the start .9, and anywhere else; all places that were looked at. */
struct line {
	double f0, g0, f1, g1;
	size_t calls;
	double at[MOST], told[MOST], gradient[MOST];
	size_t times;
};

static double
value(void *to, const double *x, double *g)
{
	struct line *l = to;

	if (l->calls < MOST)
		l->at[l->calls] = *x;
	*g = l->calls == 0 ? l->g0 : l->g1;
	return l->calls++ == 0 ? l->f0 : l->f1;
}

static void
tell(void *to, size_t iteration, double f, double gradient)
{
	struct line *l = to;

	l->told[iteration] = f;
	l->gradient[iteration] = gradient;
	l->times++;
}

static struct kith_lbfgs_box
run(struct line *l, size_t max_iter, double *x)
{
	const struct kith_lbfgs_box_how how = {
	    .value = value, .log = tell, .to = l, .memory = 3, .max_iter = max_iter, .tol = 1e-9};

	*x = .9;
	return kith_lbfgs_box(&how, 1, x);
}

/* Where the cubic through f and g of both ends of 0..1 is least. */
static double
plain_cubic(double f0, double s0, double f1, double s1)
{
	const double b = s0 + s1 - 2 * (f1 - f0);
	const double a = 3 * (f1 - f0) - 2 * s0 - s1;

	return (-a + sqrt(a * a - 3 * b * s0)) / (3 * b);
}

/*
 * The first place is half the box away; the second where a cubic is least, from a
 * tenth to eight tenths of the way.
 */
static void
test_cubic(double f1, double g1)
{
	struct line l = {1, .25, f1, g1, 0, {0}, {0}, {0}, 0};
	double x, due;

	run(&l, 1, &x);
	due = plain_cubic(1, -.125, f1, -.5 * g1);
	ok(fabs(l.at[1] - .4) < 1e-14, "the first step: to %.15g", l.at[1]);
	ok(fabs((.9 - l.at[2]) / .5 - (due >= .1 ? fmin(due, .8) : .1)) < 1e-12,
	    "f %g, g %g: the second %.12g of it, the cubic says %.12g", f1, g1, (.9 - l.at[2]) / .5,
	    due);
}

/* How many values are asked for in one step; whether it was taken. */
static void
test_taken(double f1, double g1, bool due, const char *what)
{
	struct line l = {1, .25, f1, g1, 0, {0}, {0}, {0}, 0};
	double x;
	const struct kith_lbfgs_box got = run(&l, 1, &x);

	ok((got.evaluations == 2) == due, "%s: %zu values", what, got.evaluations);
	if (!due)
		return;
	ok(x == l.at[1] && got.iterations == 1 && got.f == f1 && got.end == KITH_LBFGS_BOX_LIMIT &&
		l.times == 2 && l.told[0] == 1 && l.told[1] == f1 && l.gradient[0] == .25 &&
		got.start == .25 && got.gradient == l.gradient[1],
	    "and all are told");
}

static void
test_steps(void)
{
	test_cubic(1.2, -.25);
	test_cubic(1.01, -.3);
	test_cubic(2, -1);
	test_cubic(1e6, -1);
	test_cubic(1.0005, .249);
	test_cubic(1.0001, -1e-3);
	test_cubic(1.0001, -.01);
	/* The slope along the way is -.125: 1e-4 of it is due. */
	test_taken(1 - 1.3e-5, -.25, true, "a fall that is due");
	test_taken(1 - 1.2e-5, -.25, false, "one that is too little");
	test_taken(1 - 1.2e-5, -.2, true, "but for a slope that has fallen");
	test_taken(1, .2, true, "no fall, but a slope that has");
	test_taken(1, -.23, false, "or too little");
	test_taken(1 + 0x1p-44, .2, true, "rounding");
	test_taken(1 + 0x1p-42, .2, false, "more than that");
}

/* Where nothing lowers f: as long as a decrease would be seen. */
static void
test_end(void)
{
	struct line l = {0, .25, 1, .25, 0, {0}, {0}, {0}, 0};
	double x;
	struct kith_lbfgs_box got = run(&l, 9, &x);

	ok(got.end == KITH_LBFGS_BOX_FLAT && got.evaluations == 31 && got.iterations == 0 &&
		x == .9 && got.f == 0 && got.slope == .25,
	    "30 steps, each a tenth: %zu values", got.evaluations);
	ok(fabs(.9 - l.at[3] - .005) < 1e-14, "the third is a hundredth");
	l = (struct line){1, .25, 2, .25, 0, {0}, {0}, {0}, 0};
	got = run(&l, 9, &x);
	ok(got.end == KITH_LBFGS_BOX_FLAT && got.evaluations == 22,
	    "until none has been seen in the 21st step: %zu values", got.evaluations);
	l = (struct line){1e12, 1e-9, 1e12 + 1, .25, 0, {0}, {0}, {0}, 0};
	l.g0 = 1e-4;
	got = run(&l, 9, &x);
	ok(got.end == KITH_LBFGS_BOX_FLAT && got.evaluations == 22,
	    "as many where none is seen at all: %zu values", got.evaluations);
	l = (struct line){1, .25, NAN, .25, 0, {0}, {0}, {0}, 0};
	got = run(&l, 9, &x);
	ok(got.end == KITH_LBFGS_BOX_LOST && got.evaluations == 2 && x == .9, "no number");
	l = (struct line){NAN, .25, 1, .25, 0, {0}, {0}, {0}, 0};
	got = run(&l, 9, &x);
	ok(got.end == KITH_LBFGS_BOX_LOST && got.evaluations == 1 && l.times == 0,
	    "none at the start: it is not told");
	l = (struct line){1, -.25, 1, .25, 0, {0}, {0}, {0}, 0};
	l.g0 = 1e-10;
	got = run(&l, 9, &x);
	ok(got.end == KITH_LBFGS_BOX_DONE && got.evaluations == 1 && l.times == 1,
	    "done at the start");
}

/* Two variables: the one of the larger slope moves by a half. */
static double
plane(void *to, const double *x, double *g)
{
	struct line *l = to;

	if (l->calls == 1)
		memcpy(l->at, x, 2 * sizeof(*x));
	l->calls++;
	g[0] = 1e-3;
	g[1] = -5e-4;
	g[2] = 7; /* which is held at 0 */
	return 1e-3 * x[0] - 5e-4 * x[1] + 7 * x[2];
}

static void
test_first(void)
{
	struct line l = {0};
	const struct kith_lbfgs_box_how how = {
	    .value = plane, .to = &l, .memory = 3, .max_iter = 1, .tol = 1e-9};
	double x[] = {.9, .1, 0};

	kith_lbfgs_box(&how, 3, x);
	ok(fabs(l.at[0] - .4) < 1e-14 && fabs(l.at[1] - .35) < 1e-14, "the first place: %g, %g",
	    l.at[0], l.at[1]);
}

/* Slopes of 5 everywhere at the start, .04 from then on. */
static double
many(void *to, const double *x, double *g)
{
	size_t *calls = to;

	for (size_t j = 0; j < N; j++)
		g[j] = *calls == 0 ? 5 : .04;
	(void)x;
	return -(double)(*calls)++;
}

/* The tolerance is relative to a start that is larger than 1, but not below. */
static void
test_tolerance(void)
{
	size_t calls = 0;
	struct kith_lbfgs_box_how how = {.value = many, .to = &calls, .memory = 3, .max_iter = 9};
	double x[N], g[3] = {-1e-200, -1e-200, 0}, z[3] = {0, 0, .5};
	struct kith_lbfgs_box got;

	for (size_t j = 0; j < N; j++)
		x[j] = 1;
	how.tol = .041;
	got = kith_lbfgs_box(&how, N, x);
	ok(got.end == KITH_LBFGS_BOX_DONE && got.iterations == 1 && fabs(got.start - 10) < 1e-14 &&
		fabs(got.gradient - .4) < 1e-14,
	    "10 at the start, %g at the end", got.gradient);
	calls = 1;
	how.tol = .39;
	for (size_t j = 0; j < N; j++)
		x[j] = 1;
	got = kith_lbfgs_box(&how, N, x);
	ok(got.iterations > 0, ".4 at the start is more than .39");
	is_near(kith_lbfgs_box_gradient(3, z, g) * 1e200, sqrt(2), 1e-15,
	    "a gradient whose square is no double");
	z[0] = z[1] = 1;
	z[2] = 0;
	g[0] = 1e300;
	ok(kith_lbfgs_box_gradient(3, z, g) == 1, "what a bound cuts");
	g[0] = NAN;
	g[1] = -1;
	ok(kith_lbfgs_box_gradient(3, z, g) == 0 || isnan(kith_lbfgs_box_gradient(3, z, g)),
	    "no number");
}

int
main(void)
{
	test_steps();
	test_end();
	test_first();
	test_tolerance();
	return done();
}
