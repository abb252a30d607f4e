/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/prove.h and lib/graph/prop_check.h: what the judge says of
 * scores that are off by so much, and when an exact solution is asked.
 */
#include "graph/prove.h"

#include "base/pool.h"
#include "graph/dense.h"
#include "graph/prop.h"
#include "graph/prop_solve.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { LONG = 401 };

static struct kith_pool pool;
static struct kith_undirected g;
static struct kith_prop p;
static struct kith_prop_solved solved;
static struct kith_proof proof;
static size_t y[LONG];
static double u[LONG];
static struct kith_prop_labels labels;

/* A path of n nodes with labels at its ends, and a node apart. */
static void
draw_path(size_t n, double w)
{
	double *W = kith_new(&pool, (n + 1) * (n + 1), sizeof(*W));

	for (size_t i = 1; i < n; i++)
		join(n + 1, W, i - 1, i, w);
	g = graph_of(n + 1, W, &pool);
	for (size_t i = 0; i <= n; i++) {
		y[i] = KITH_NO_CLASS;
		u[i] = NAN;
	}
	y[0] = 0;
	y[n - 1] = 1;
	u[0] = 0;
	u[n - 1] = 1;
}

static void
solve(enum kith_prop_method method, size_t c, bool classes)
{
	labels = (struct kith_prop_labels){classes ? y : NULL, classes ? NULL : u, c};
	kith_prop_pose(&g, &labels, method, .5, &p, &pool);
	kith_prop_solve(&p, 1, &solved, &pool);
	kith_prove(&p, &solved, &proof, &pool);
}

/* The value of a check of the scores as they are now. */
static double
value(const char *name)
{
	struct kith_check check[KITH_PROP_CHECKS];
	struct kith_prop_errors errors;
	struct kith_prop_classes classes;
	size_t n;

	kith_prop_bound(&p, kith_prop_walk(&p, 1, &pool), &errors, &pool);
	if (labels.y)
		kith_prop_classify(&p, &errors, &classes, &pool);
	n = kith_prop_check(&p, &errors, labels.y ? &classes : NULL, NULL, check);
	for (size_t i = 0; i < n; i++)
		if (strcmp(check[i].check, name) == 0)
			return check[i].value;
	return -1;
}

/* The value when by is added to the score of a node. */
static double
off_by(size_t i, size_t k, double by, const char *name)
{
	double *x = &p.X[i * p.ld + k], got;
	const double was = *x;

	*x += by;
	got = value(name);
	*x = was;
	return got;
}

static void
test_harmonic(void)
{
	draw_path(5, 2);
	solve(KITH_PROP_HARMONIC, 2, true);
	ok(proof.n == 3 && value("residual") <= 1e-15 && value("maximum") <= 1e-15 &&
		value("mean") == -1 && value("error") == -1,
	    "nothing is wrong");
	is_near(off_by(2, 0, .1, "residual"), .1, 1e-14, "a score is off");
	is_near(off_by(2, 1, -.1, "residual"), .1, 1e-14, "of any class");
	is_near(off_by(0, 1, .3, "residual"), .3, 1e-14, "of a label, too");
	is_near(off_by(5, 1, .3, "residual"), 0, 1e-15, "none is asked of what no label reaches");
	is_near(off_by(2, 0, 1.5, "residual"), .75, 1e-14, "relative to the largest");
	is_near(off_by(2, 0, .6, "maximum"), .1 / 1.1, 1e-14, "1.1");
	is_near(off_by(1, 1, -.5, "maximum"), .25, 1e-14, "-.25");
	is_near(off_by(0, 0, 3, "maximum"), 0, 1e-15, "but for labels");
	ok(isnan(off_by(2, 0, NAN, "residual")), "what is no number is wrong");
	solve(KITH_PROP_HARMONIC, 1, false);
	ok(proof.n == 3 && value("error") < 1e-14, "numbers");
	is_near(off_by(2, 0, .01, "residual"), .01, 1e-14, "one is off");
	ok(off_by(2, 0, .01, "error") >= .01 && off_by(2, 0, .01, "error") < .1,
	    "the bound of errors says so: %g", off_by(2, 0, .01, "error"));
}

static void
test_normalized(void)
{
	const double root = sqrt(2); /* of the degree of an end */

	draw_path(5, 2);
	solve(KITH_PROP_NORMALIZED, 2, true);
	ok(value("residual") <= 1e-15 && value("maximum") <= 1e-15 && p.X[0] == 1 / root,
	    "normalized: nothing is wrong");
	is_near(
	    off_by(2, 0, .1, "residual"), .1 * root, 1e-14, "relative to the largest, 1 / sqrt(2)");
	is_near(off_by(0, 1, .3, "residual"), .3 * root, 1e-14, "a label");
	is_near(off_by(1, 0, .25, "maximum"), (.25 - .25 / root) / (.25 + .75 / root), 1e-14,
	    "above the largest label");
	solve(KITH_PROP_NORMALIZED, 2, false);
	ok(value("error") < 1e-14, "numbers");
	ok(off_by(2, 1, .01, "error") > .01, "the column of ones counts, too");
}

static void
test_spread(void)
{
	draw_path(5, 2);
	y[5] = 1;
	solve(KITH_PROP_SPREAD, 2, true);
	ok(value("residual") <= 1e-15 && value("maximum") <= 1e-15 && p.X[5 * p.ld + 1] == .5 &&
		p.X[5 * p.ld] == 0,
	    "spread: nothing is wrong, 1 - a of a label alone");
	is_near(off_by(5, 1, .1, "residual"), .1 / p.X[0], 1e-14, "a node without an edge");
	/* The largest G is that of node 0; a_i = d_i / a. */
	is_near(off_by(2, 0, .1, "residual"), .1 / p.X[0], 1e-14, "another is off");
	is_near(off_by(2, 0, -1, "maximum"), (1 - p.X[2 * p.ld]) / (1 - p.X[2 * p.ld]), 1e-13,
	    "below 0");
	y[5] = KITH_NO_CLASS;
}

static void
test_poisson(void)
{
	double size = 0;

	draw_path(5, 2);
	solve(KITH_PROP_POISSON, 2, true);
	ok(proof.n == 4 && value("residual") <= 1e-15 && value("maximum") <= 1e-15 &&
		value("mean") <= 1e-15,
	    "poisson: nothing is wrong");
	/* Source .5 at node 0, over weights of 2: steps of 1/4. */
	for (size_t i = 0; i < 5; i++) {
		is_near(p.X[i * p.ld], .5 - (double)i / 4, 1e-15, "a line");
		size += fabs(p.X[i * p.ld]) * g.d[i];
	}
	is_near(off_by(2, 0, .1, "residual"), .2, 1e-14, "a score is off, of .5");
	is_near(off_by(0, 0, .5, "residual"), .5, 1e-14, "also of the ends");
	is_near(off_by(1, 0, .5, "maximum"), .25 / .75, 1e-14, "beyond the labels");
	is_near(off_by(2, 0, .1, "mean"), .4 / (2 * size + .4), 1e-14,
	    "d_i times that, of both columns");
	is_near(off_by(5, 0, 7, "mean"), 0, 1e-15, "but where none reaches");
	draw_path(2, 2);
	solve(KITH_PROP_POISSON, 2, true);
	/* d F is -1/4 and 1/4 but for .05. */
	is_near(off_by(0, 0, -.1, "mean"), .25, 1e-14, "of small scores, too");
}

/*
 * In the middle of a long path classes are tied: the bound of the residual is
 * too wide to see it, an exact solution is asked.
 */
static void
test_exact(void)
{
	const size_t n = LONG - 1 - 1; /* odd */
	double *X, *z;

	draw_path(n, 1);
	solve(KITH_PROP_HARMONIC, 2, true);
	ok(solved.solver == KITH_PROP_GTH && proof.classes.tied == 1 &&
		proof.classes.undecided == 0 && proof.classes.y[n / 2] == 0,
	    "a tie is told by an exact solution");
	X = kith_new(&pool, (n + 1) * p.ld, sizeof(*X));
	memcpy(X, p.X, (n + 1) * p.ld * sizeof(*X));
	z = kith_prop_walk(&p, 1, &pool);
	kith_prove_claim(&p, z, proof.classes.y, &proof, &pool);
	ok(proof.classes.undecided == 0 && kith_check_open(&proof.check[2]) &&
		proof.check[2].value == 1,
	    "claims as well");
	ok(memcmp(X, p.X, (n + 1) * p.ld * sizeof(*X)) == 0, "which stay");
	p.X[(n / 2) * p.ld] += 1e-13;
	p.X[7 * p.ld] += 1e-10;
	kith_prove_claim(&p, z, NULL, &proof, &pool);
	ok(!kith_check_ok(&proof.check[0]), "a claim that is off");
	y[n / 2] = 1;
	solve(KITH_PROP_HARMONIC, 2, true);
	ok(solved.solver != KITH_PROP_GTH && proof.classes.tied == 0 &&
		proof.classes.undecided == 0,
	    "without a tie the bound will do");
	y[n / 2] = KITH_NO_CLASS;
	solve(KITH_PROP_POISSON, 2, true);
	ok(solved.solver != KITH_PROP_GTH && proof.n == 4 && kith_check_open(&proof.check[3]),
	    "poisson has no exact one");
	for (size_t i = 0; i <= n; i++)
		y[i] = i % 2;
	solve(KITH_PROP_HARMONIC, 2, true);
	ok(solved.solver == KITH_PROP_GIVEN && p.in == 0 && proof.classes.y[3] == 1 &&
		kith_check_ok(&proof.check[2]),
	    "nothing to solve, nothing to prove");
}

int
main(void)
{
	test_harmonic();
	test_normalized();
	test_spread();
	test_poisson();
	test_exact();
	kith_pool_free(&pool);
	return done();
}
