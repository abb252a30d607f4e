/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/check.h: the values of its checks, by hand, and what is put
 * back where weights were cut.
 */
#include "nnk/check.h"

#include "nnk/data.h"
#include "table/graph.h"

#include <float.h>

enum { K = 4 };

/* A query and its candidates in the plane, and the weights of these. */
static double v[2 * K], q[2], w[K];
static size_t to[K], n;
static struct kith_check_nnk_how how;
static struct kith_check check[KITH_CHECK_NNK];

/* Check the entries; candidates are all rows. */
static void
look(void)
{
	size_t start[] = {0, n};
	const struct kith_mat X = {n, 2, v}, Z = {1, 2, q};
	const struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	const struct kith_local_rows rows = {&X, &metric, &Z, 0, 1, 1};
	const struct kith_graph edges = {0, 1, start, to, w, NULL, NULL};

	for (size_t j = 0; j < K; j++)
		to[j] = j;
	how.k = how.k ? how.k : n;
	if (kith_check_nnk(&rows, &how, &edges, check, &err))
		ok(false, "failed: %s", err.msg);
}

/*
 * lambda, of a size, in units u of their own; what rounding makes of n kernels
 * of 1 or less and weights of this sum is not held against it.
 */
static double
of(double lambda, double size, double sum, double u)
{
	const double limit = 1e-11 + (double)n * how.least;

	return u * lambda / (u * size + DBL_EPSILON * (double)(n + 2 + 8) * (1 + sum) / limit);
}

static void
is(double stationarity, double dual, const char *name)
{
	look();
	ok(check[0].value == 0 && check[1].value == 0, "%s: weights", name);
	is_near(check[2].value, stationarity, 1e-13, "stationarity");
	is_near(check[3].value, dual, 1e-13, "dual");
}

static void
set(size_t count, const double *rows, double a, double b)
{
	n = count;
	for (size_t e = 0; e < 2 * n; e++)
		v[e] = rows[e];
	q[0] = a;
	q[1] = b;
}

static void
weights(double a, double b)
{
	w[0] = a;
	w[1] = b;
}

static void
test_linear(void)
{
	static const double axes[] = {1, 0, 0, 1}, back[] = {1, 0, -1, 0};
	const double u = 0x1p-4, less = 0x1p-2; /* rows over 2^2, and 2^1 */

	how = (struct kith_check_nnk_how){.kernel = KITH_KERN_LINEAR};
	set(2, axes, 3, 4);
	weights(3, 4);
	is(0, 0, "solved");
	ok(check[2].limit == 1e-11 && check[3].limit == 1e-11 && check[0].limit == 0 &&
		check[1].limit == 0,
	    "limits");
	/* Relative to 4 + 4 1. */
	weights(3.8, 4);
	is(of(.8, 8, 7.8, u), 0, "an edge that is too heavy");
	weights(3, 3.2);
	is(of(.8, 7.2, 6.2, u), 0, "too light");
	weights(0, 4);
	is(0, of(3, 8, 4, u), "one that is not there");
	weights(0, 0);
	is(0, of(4, 4, 0, u), "none of them");
	how.eta = .5;
	weights(2.5, 3.5);
	is(0, 0, "eta");
	weights(3, 4);
	is(of(.5, 8, 7, u), 0, "without it");
	how.eta = 0;
	/* A column of -1: its size counts. */
	set(2, back, 3, 0);
	weights(3.6, 0);
	is(of(.6, 6.6, 3.6, less), of(.6, 6.6, 3.6, less), "an opposite row");
	weights(3, 1);
	is(of(1, 6, 4, less), 0, "which has none");
	how.least = 1e-10;
	look();
	is_near(check[2].limit / 1e-10, 2.1, 1e-12, "limits of what is cut");
	set(2, axes, 300, 400);
	weights(380, 400);
	is(of(80, 800, 780, 0x1p-16), 0, "a row that is longer");
}

static void
test_gaussian(void)
{
	static const double two[] = {1, 0, 0, 2};
	const double factor = exp(-.5), K12 = exp(-2.5), b = exp(-1.5);
	double det = 1 - K12 * K12;

	how = (struct kith_check_nnk_how){.sigma = {KITH_SIGMA_FIXED, 1}};
	set(2, two, 0, 0);
	weights(factor * (1 - K12 * b) / det, factor * (b - K12) / det);
	is(0, 0, "solved");
	/* Shifted, so that the nearest has 1. */
	weights(factor, 0);
	is(0, of(b - K12, 2, 1, 1), "an edge too few");
	weights(factor * .9, 0);
	is(of(.1, 1.9, .9, 1), of(b - .9 * K12, 1.9, .9, 1), "and another that is light");
	how.k = 1;
	weights(factor, 0);
	look();
	ok(check[1].value == 1 && check[3].value == 0 && check[2].value <= 1e-15,
	    "an edge of no weight to what is no candidate is one all the same");
}

static void
test_cosine(void)
{
	static const double axes[] = {1, 0, 0, 1};

	how = (struct kith_check_nnk_how){.kernel = KITH_KERN_COSINE};
	set(2, axes, .6, .8);
	/* K 1 .5; .5 1, b .8 .9: (.8 - .45) / .75, (.9 - .4) / .75. */
	weights(.35 / .75, .5 / .75);
	is(0, 0, "solved");
	weights(0, .9);
	is(0, of(.35, 1.8, .9, 1), "without the first");
}

static void
test_bad(void)
{
	static const double axes[] = {1, 0, 0, 1};

	how = (struct kith_check_nnk_how){.kernel = KITH_KERN_LINEAR};
	set(2, axes, 3, 4);
	weights(-1, 4);
	look();
	ok(check[0].value == 1 && check[1].value == 0 && check[2].value == 0,
	    "a weight below 0 is none");
	is_near(check[3].value, of(3, 8, 4, 0x1p-4), 1e-9, "of an edge that is not there");
	weights(INFINITY, NAN);
	look();
	ok(check[0].value == 2, "one that is infinite, and one that is none");
	weights(DBL_MAX, 4);
	look();
	ok(check[0].value == 0, "the largest number is one");
}

/* Long rows: a weight that was cut may matter, and is put back. */
static void
test_cut(void)
{
	static const double rows[] = {0x1p19, 0, 0, 1};
	const double b = 0x1p-14; /* of the long one: its weight is 2^-33 */

	how = (struct kith_check_nnk_how){.kernel = KITH_KERN_LINEAR, .least = 2e-10};
	set(2, rows, b, 1);
	weights(0x1p-33, 1);
	is(0, 0, "uncut");
	weights(0, 1);
	is(0, 0, "a weight that was cut is put back");
	how.least = 0x1p-34;
	/* Half of it at most: lambda = 2^5 - 2^4, relative to 2^5 + 1. */
	is(0, of(16, 33, 1, 0x1p-38), "as far as it may have been cut");
	how.least = 2e-10;
	weights(0, 1.5);
	/* .5 is relative to b = 2^5 and 1.5 A; A is 1. */
	is(of(.5, 33.5, 1.5, 0x1p-38), 0, "others are judged as ever");
}

int
main(void)
{
	test_linear();
	test_gaussian();
	test_cosine();
	test_bad();
	test_cut();
	kith_pool_free(&pool);
	return done();
}
