/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/prop_class.h: bounds of errors by hand, and which classes
 * they leave open.
 */
#include "graph/prop_class.h"

#include "base/pool.h"
#include "graph/dense.h"
#include "graph/prop.h"
#include "table/table.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_undirected g;
static struct kith_prop p;
static size_t y[6];
static struct kith_prop_labels labels = {y, NULL, 2};

/* A path of five with labels at its ends, and a node apart, or two of them. */
static void
draw_path(size_t n, double w, enum kith_prop_method method, double alpha)
{
	double W[36] = {0};

	for (size_t i = 1; i < 5 && i < n; i++)
		join(n, W, i, i - 1, w);
	g = graph_of(n, W, &pool);
	for (size_t i = 0; i < n; i++)
		y[i] = KITH_NO_CLASS;
	y[0] = 0;
	if (n > 2)
		y[4] = 1;
	kith_prop_pose(&g, &labels, method, alpha, &p, &pool);
}

/* The exact harmonic scores of the path. */
static void
set_line(void)
{
	for (size_t i = 0; i < 5; i++) {
		p.X[i * p.ld] = 1 - (double)i / 4;
		p.X[i * p.ld + 1] = (double)i / 4;
	}
}

/* t of column 0 under z times f; -1 where nothing is known. */
static double
bound(const double z[6], double f)
{
	struct kith_prop_errors errors;
	double x[6];

	for (size_t i = 0; i < 6; i++)
		x[i] = f * z[i];
	kith_prop_bound(&p, x, &errors, &pool);
	return errors.unknown ? -1 : errors.t[0];
}

static void
test_bound(void)
{
	/* A z = a: steps until the ends are reached. */
	static const double z[6] = {0, 3, 4, 3, 0, 0};
	const double eps = DBL_EPSILON;
	struct kith_prop_errors errors;

	draw_path(6, 2, KITH_PROP_HARMONIC, .5);
	set_line();
	/* No residual, rounding (2 + 6) eps (.5 + .5), a = 4. */
	is_near(bound(z, 1) / eps, 2 * (1 + 1e-9), 1e-12, "rounding alone");
	is_near(bound(z, .5) / eps, 4, 1e-8, "z that falls short by a half");
	is_near(bound(z, 2) / eps, 2, 1e-8, "z that is too large");
	ok(bound(z, .11) > 0 && bound(z, .09) == -1 && bound(z, 0) == -1,
	    "none where z is a tenth of what it should be");
	p.X[2 * p.ld] += .125;
	/* r = -.5 at node 2, .25 beside it. */
	is_near(bound(z, 1), .125, 1e-8, "a residual over a");
	is_near(bound(z, .25), .5, 1e-8, "and over 1 - eps");
	kith_prop_bound(&p, z, &errors, &pool);
	is_near(kith_prop_error(&p, &errors, 2, 0), .5, 1e-8, "times z");
	is_near(kith_prop_error(&p, &errors, 1, 0), .375, 1e-8, "of a node");
	ok(kith_prop_error(&p, &errors, 0, 0) == 0 && kith_prop_error(&p, &errors, 5, 0) == 0 &&
		kith_prop_error(&p, &errors, 1, 1) < 1e-14,
	    "labels are exact, as are nodes apart and another column");
	kith_prop_bound(&p, NULL, &errors, &pool);
	ok(errors.unknown && isinf(kith_prop_error(&p, &errors, 1, 0)) &&
		kith_prop_error(&p, &errors, 0, 0) == 0,
	    "nothing is known without z");
	p.X[3 * p.ld] = NAN;
	ok(isnan(bound(z, 1)), "what is no number bounds nothing");
	set_line();
	p.X[p.ld] = NAN;
	ok(isnan(bound(z, 1)), "nor where numbers come after it");
}

/* Two nodes, e = 2, a = 3: G = 3/4 and 1/4 of source 2. */
static void
test_load(void)
{
	const double z[6] = {1.5, 1.5};
	double t;

	draw_path(2, 1, KITH_PROP_SPREAD, 1. / 3);
	p.X[0] = .75;
	p.X[p.ld] = .25;
	t = bound(z, 1) / DBL_EPSILON;
	/* 7 eps (1.5 + 4 2 + .5) / 3, and what alpha is off. */
	ok(t >= 23 && t <= 26, "sources and loads: %g", t);
	p.X[0] += .3;
	is_near(bound(z, 1), .3, 1e-8, "a residual of .9 over 3");
	p.X[0] -= .3;
	p.X[p.ld] -= .3;
	is_near(bound(z, 1), .3, 1e-8, "at either node");
	is_near(bound(z, .5), .6, 1e-8, "z that falls short");
}

static void
test_exact(void)
{
	const struct kith_gth_error error = {1e-3, 1e-5}, all = {.5, .5};
	double *X;
	struct kith_prop_errors errors;

	draw_path(6, 2, KITH_PROP_HARMONIC, .5);
	set_line();
	X = kith_new(&pool, 6 * p.ld, sizeof(*X));
	memcpy(X, p.X, 6 * p.ld * sizeof(*X));
	p.X[p.ld] += .25;
	errors = kith_prop_bound_exact(X, &error);
	ok(!errors.unknown, "an exact solution");
	is_near(kith_prop_error(&p, &errors, 1, 0), .25 + 7.5e-4 + 1e-5, 1e-13,
	    "its error, and the distance from it");
	is_near(kith_prop_error(&p, &errors, 2, 1), 5e-4 + 1e-5, 1e-13, "where it is the same");
	ok(kith_prop_bound_exact(X, &all).unknown, "an error of all");
	p.top = 3;
	is_near(kith_prop_error(&p, &errors, 2, 1), 5e-4 + 3e-5, 1e-13,
	    "relative to the largest that is given");
}

/* Tied and open nodes when each score may be off by so much, of its size. */
static void
count(double off, size_t tied, size_t undecided, const char *name)
{
	const struct kith_gth_error error = {off, 0};
	const struct kith_prop_errors errors = kith_prop_bound_exact(p.X, &error);
	struct kith_prop_classes c;

	kith_prop_classify(&p, &errors, &c, &pool);
	ok(c.tied == tied && c.undecided == undecided, "%s: %zu, %zu", name, c.tied, c.undecided);
}

static void
test_classes(void)
{
	draw_path(6, 2, KITH_PROP_HARMONIC, .5);
	set_line();
	count(0, 1, 0, "the middle is tied");
	count(.49, 1, 0, "errors of half of them change nothing");
	count(.51, 1, 2, "of more they do");
	p.X[2 * p.ld] *= 1 + 1e-9;
	count(4e-10, 0, 0, "1e-9 apart, known to less");
	count(6e-10, 0, 1, "to more");
	p.X[2 * p.ld] = .5 * (1 + 5e-13);
	count(1e-13, 1, 0, "what is as near as 1e-12 is tied");
	count(1e-12, 0, 1, "where it is as exact");
	draw_path(6, 0x1p40, KITH_PROP_NORMALIZED, .5);
	set_line();
	for (size_t e = 0; e < 5 * p.ld; e++)
		p.X[e] = ldexp(p.X[e], -20);
	is_near(p.top, 0x1p-20, 0, "the largest score of a label");
	p.X[2 * p.ld] *= 1 + 1e-7;
	count(0, 0, 0, "ties are relative to scores, which may be small");
}

/* A class that no score says. */
static void
test_zero(void)
{
	const struct kith_gth_error exact = {0, 0};
	struct kith_prop_errors errors;
	struct kith_prop_classes c;

	labels.c = 3;
	draw_path(6, 2, KITH_PROP_HARMONIC, .5);
	set_line();
	errors = kith_prop_bound_exact(p.X, &exact);
	kith_prop_classify(&p, &errors, &c, &pool);
	ok(c.y[1] == 0 && c.y[2] == 0 && c.y[3] == 1 && c.tied == 1 && c.undecided == 0,
	    "gets no row");
	/* Scores that are all 0 are not decided. */
	p.X[2 * p.ld] = p.X[2 * p.ld + 1] = 0;
	kith_prop_classify(&p, &errors, &c, &pool);
	ok(c.tied == 0 && c.undecided == 1 && c.y[2] == 0, "scores of 0 say nothing");
	labels.c = 2;
}

/* One score nearly as large as the first, and one that is the same. */
static void
test_open_ties(void)
{
	labels.c = 3;
	for (size_t turn = 0; turn < 2; turn++) {
		draw_path(6, 2, KITH_PROP_HARMONIC, .5);
		set_line();
		for (size_t k = 0; k < 3; k++)
			p.X[2 * p.ld + k] = k == 1 + turn ? .4 * (1 - 1e-9) : .4;
		count(4e-10, 1, 0, "what is less for sure, and a tie");
		count(6e-10, 0, 1, "what is not sure is no tie");
	}
	labels.c = 2;
}

/* Poisson goes by the largest score of all. */
static void
test_poisson(void)
{
	struct kith_prop_errors errors = {.unknown = true};
	struct kith_prop_classes c;

	draw_path(6, 2, KITH_PROP_POISSON, .5);
	for (size_t i = 0; i < 5; i++) {
		p.X[i * p.ld] = .5 - (double)i / 4;
		p.X[i * p.ld + 1] = (double)i / 4 - .5;
	}
	p.X[2 * p.ld + 1] = 4e-13;
	kith_prop_classify(&p, &errors, &c, &pool);
	ok(c.tied == 1 && c.undecided == 0 && c.y[2] == 0 && c.y[1] == 0 && c.y[3] == 1,
	    "4e-13 of 1/2 is a tie");
	p.X[2 * p.ld + 1] = 6e-13;
	kith_prop_classify(&p, &errors, &c, &pool);
	ok(c.y[2] == 1, "6e-13 is not");
	y[4] = KITH_NO_CLASS;
	y[0] = 1;
	kith_prop_pose(&g, &labels, KITH_PROP_POISSON, .5, &p, &pool);
	kith_prop_classify(&p, &errors, &c, &pool);
	ok(c.y[2] == 1 && c.y[4] == 1 && c.y[5] == KITH_NO_CLASS && c.tied == 0 && p.in == 0,
	    "one class alone is that of all");
}

int
main(void)
{
	test_bound();
	test_load();
	test_exact();
	test_classes();
	test_zero();
	test_open_ties();
	test_poisson();
	kith_pool_free(&pool);
	return done();
}
