/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/immigrate.h against tests/golden/immigrate: weights of
 * the published package, and by the rules of the paper of immigrate.py, from
 * synthetic data and iris, to 1e-9 (9e-10 of what is rounded to 10 decimals).
 *
 * Left out are lines of tiny6 that hang on rounding: its fixed point under the
 * paper's rules is unstable, and the entries cut are equal to the threshold.
 */
#include "immigrate/immigrate.h"

#include "base/pool.h"
#include "golden.h"
#include "la/mat.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

enum { CLASSES = 3 };

#define TOL 9e-10

static size_t iterations;
static double costs[64]; /* C of the start, and after each iteration */

static struct kith_pool pool;

static double *
start_of(const struct golden *t, size_t row, size_t p)
{
	double *W = kith_new(&pool, p, p * sizeof(*W));
	char name[64];

	if (golden_is(t, row, "start", "identity")) {
		for (size_t j = 0; j < p; j++)
			W[j * p + j] = 1 / sqrt((double)p);
		return W;
	}
	snprintf(name, sizeof(name), "immigrate/w0_%zu_%s.csv", p, golden_cell(t, row, "start"));
	return golden_matrix(name, &pool).v;
}

static void
report(size_t iteration, double C, double F, double step)
{
	(void)F;
	(void)step;
	iterations = iteration;
	costs[iteration] = C;
}

/* The number of iterations and the last cost that the package looks at. */
static void
test_end(const struct golden *t, size_t row, const struct kith_immigrate_result *result)
{
	const double got = costs[iterations - 1];
	const double C = golden_number(t, row, "C");

	is_size(result->iterations, golden_count(t, row, "iterations"), "iterations");
	ok(isnan(C) ? isnan(got) && result->no_cost : fabs(got - C) <= 9e-9 * fmax(1, fabs(C)),
	    "C: %.12g, %.12g", got, C);
}

static void
test_golden(const struct golden *t, size_t row, bool package)
{
	const bool matrix = golden_is(t, row, "method", "immigrate");
	struct kith_immigrate_result result;
	struct kith_immigrate_how how = {
	    .sigma = golden_number(t, row, "sigma"),
	    .solver = package ? KITH_IMMIGRATE_PACKAGE : KITH_IMMIGRATE_PAPER,
	    .max_iter = golden_count(t, row, "max_iter"),
	    .tol = package ? .01 : 0,
	    .threads = 2,
	    .report = report,
	};
	char name[64];
	double *class, *W, worst;
	struct kith_mat X;
	struct kith_immigrate_rows rows = {&X, NULL, CLASSES, NULL};
	size_t *y, len;

	snprintf(name, sizeof(name), "relief/%s.csv", golden_cell(t, row, "data"));
	X = golden_data(name, &class, &pool);
	rows.y = y = kith_new(&pool, X.n, sizeof(*y));
	for (size_t i = 0; i < X.n; i++)
		y[i] = (size_t) class[i];
	W = start_of(t, row, X.p);
	how.threshold = golden_is(t, row, "cut", "1") ? 1 / (double)X.p : 0;
	for (size_t j = 0; j < X.p && !matrix; j++)
		W[j] = 1 / (double)X.p;
	kith_immigrate_solve(&rows, &how, matrix, W, &result, NULL);
	len = matrix ? X.p * X.p : X.p;
	worst = golden_distance(W, golden_numbers(t, row, "weights", len, &pool), len);
	ok(worst <= TOL, "%s: %s of %s from %s, sigma %s, %s iterations, cut %s: %.1e", t->name,
	    golden_cell(t, row, "method"), golden_cell(t, row, "data"),
	    golden_cell(t, row, "start"), golden_cell(t, row, "sigma"),
	    golden_cell(t, row, "max_iter"), golden_cell(t, row, "cut"), worst);
	if (package)
		test_end(t, row, &result);
}

static void
test_table(const char *name, bool package, size_t due)
{
	struct kith_pool tables = {0};
	const struct golden t = golden_read(name, &tables);

	is_size(t.rows, due, name);
	for (size_t i = 0; i < t.rows; i++) {
		test_golden(&t, i, package);
		kith_pool_free(&pool);
	}
	kith_pool_free(&tables);
}

int
main(void)
{
	test_table("immigrate/weights.tsv", false, 121);
	test_table("immigrate/package.tsv", true, 236);
	return done();
}
