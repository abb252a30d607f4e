/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/fit.h on tables: problems of some rows, grids, restarts, and
 * the machine and weights that are left of a fit.
 */
#include "knife/fit.h"

#include "base/err.h"
#include "knife/ceiling.h"
#include "knife/knife.h"
#include "knife/table.h"
#include "machine/machine.h"
#include "tap.h"

#include <stdlib.h>

enum { N = 12, P = 3 };

static struct kith_err err;

static struct kith_knife_fit_how
how_of(enum kith_knife_kernel kernel)
{
	return (struct kith_knife_fit_how){.like = {.kernel = kernel,
					       .gamma = .5,
					       .coef0 = 1,
					       .degree = 2,
					       .delta = 1,
					       .lambda1 = .5,
					       .threads = 1},
	    .how = {.max_iter = 200, .tol = 1e-6},
	    .seed = 7};
}

/* Rows whose second feature is constant; numbers of the first. */
static struct kith_table
numbers_table(void)
{
	struct kith_table t = table_of(N, P);

	t.t = numbers(N);
	for (size_t i = 0; i < N; i++) {
		double *x = kith_row(&t.X, i);

		x[1] = 2;
		t.t[i] = 3 + x[0] + x[2] * x[0] / 3;
	}
	return t;
}

static struct kith_knife_rows
rows_of(const struct kith_table *t)
{
	struct kith_knife_rows rows = {0};

	if (kith_knife_rows(t, &rows, &pool, &err))
		ok(false, "rows: %s", err.msg);
	return rows;
}

/* A problem of some rows is that of a table of these rows alone. */
static void
test_new(void)
{
	static const size_t some[] = {7, 2, 9, 4};
	struct kith_table t = numbers_table();
	const struct kith_knife_rows rows = rows_of(&t);
	struct kith_knife_fit_how how = how_of(KITH_KNIFE_GAUSSIAN);
	struct kith_knife_fitted fit;
	const double *was = kith_row(&t.X, 0);
	const double first = was[0];
	double sum = 0, square = 0;

	ok(kith_knife_fitted_new(&rows, &how, some, 4, &fit, &pool, &err) == 0 && fit.X.n == 4 &&
		fit.row == some && fit.unit.p == 0 && !fit.weight && fit.problem.X == &fit.X &&
		fit.problem.c == 1,
	    "four rows");
	for (size_t i = 0; i < 4; i++) {
		const double *x = kith_row(&t.X, some[i]);

		ok(largest(P, kith_row(&fit.X, i), x) == 0 &&
			fabs(fit.Y[i] + *fit.mean - t.t[some[i]]) < 1e-15 * 9,
		    "row %zu", some[i]);
		sum += fit.Y[i];
	}
	ok(fabs(sum) < 1e-14, "targets about their mean");
	kith_knife_fitted_new(&rows, &how, NULL, N, &fit, &pool, &err);
	ok(fit.X.v == t.X.v && !fit.row, "all rows stay where they are");
	how.scale = KITH_UNIT_ZSCORE;
	kith_knife_fitted_new(&rows, &how, NULL, N, &fit, &pool, &err);
	sum = 0;
	for (size_t i = 0; i < N; i++) {
		const double *x = kith_row(&fit.X, i);

		sum += x[0];
		square += x[0] * x[0];
		ok(x[1] == 0, "a constant becomes 0");
	}
	ok(fabs(sum) < 1e-13 && fabs(square - (N - 1)) < 1e-12 && was[0] == first &&
		fit.unit.p == P && fit.unit.scale[1] == 0,
	    "z-scores, of a copy");
}

static void
test_range(void)
{
	struct kith_table t = numbers_table();
	const struct kith_knife_rows rows = rows_of(&t);
	struct kith_knife_fit_how how = how_of(KITH_KNIFE_GAUSSIAN);
	struct kith_knife_fitted fit;

	kith_row(&t.X, 3)[2] = 1.7e308;
	kith_row(&t.X, 4)[2] = -1.7e308;
	how.scale = KITH_UNIT_MINMAX;
	ok(kith_knife_fitted_new(&rows, &how, NULL, N, &fit, &pool, &err) == -1 &&
		err.status == EX_DATAERR,
	    "no scale for a range that is no double: %s", err.msg);
}

static void
test_weighted(void)
{
	struct kith_table t = numbers_table();
	const struct kith_knife_fit_how how = how_of(KITH_KNIFE_LINEAR);
	struct kith_knife_rows rows;
	struct kith_knife_fitted fit;
	const double w[P] = {.1, .2, .3};

	t.weight = even(N, 2);
	t.weight[3] = 0;
	rows = rows_of(&t);
	kith_knife_fitted_new(&rows, &how, rows.learn, rows.n, &fit, &pool, &err);
	ok(fit.X.n == N - 1 && fit.problem.weight == fit.weight && fit.weight[0] == 2 &&
		fit.weight[N - 2] == 2,
	    "weights of rows");
	kith_knife_fitted_start(&fit, w);
	ok(largest(P, fit.w, w) == 0 && largest(P, fit.start, w) == 0, "where it starts");
}

/* The largest lambda2, a thousandth of it, and the root of both. */
static void
test_grid(void)
{
	struct kith_table t = numbers_table();
	const struct kith_knife_rows rows = rows_of(&t);
	const struct kith_knife_fit_how how = how_of(KITH_KNIFE_GAUSSIAN);
	struct kith_knife_fitted fit;
	double lambda2[3], most, top;

	kith_knife_fitted_new(&rows, &how, NULL, N, &fit, &pool, &err);
	kith_knife_fitted_start(&fit, even(P, .5));
	ok(kith_knife_fitted_grid(&rows, &how, &fit, 3, lambda2, &most, &err) == 0, "a grid");
	kith_knife_ceiling(&fit.problem, &how.how, even(P, .5), &top, &err);
	ok(most == top && lambda2[2] == most, "from the ceiling");
	is_near(lambda2[0], most / 1000, 1e-15, "to a thousandth");
	is_near(lambda2[1], most / sqrt(1000), 1e-15, "at equal ratios");
	memset(fit.Y, 0, N * sizeof(*fit.Y));
	ok(kith_knife_fitted_grid(&rows, &how, &fit, 3, lambda2, &most, &err) == -1 &&
		err.status == EX_DATAERR,
	    "nothing to learn");
	is_text(err.msg, "no largest --lambda2 for --grid: it would be 0", "its message");
	fit.Y[0] = 1e200;
	kith_knife_fitted_grid(&rows, &how, &fit, 3, lambda2, &most, &err);
	is_text(err.msg, "the objective is too large for a double (tabscale?)",
	    "an F that is no double");
}

/* Searches of its own from the same numbers: the best is kept. */
static void
test_restarts(unsigned seed)
{
	struct kith_table t = numbers_table();
	const struct kith_knife_rows rows = rows_of(&t);
	struct kith_knife_fit_how how = how_of(KITH_KNIFE_GAUSSIAN);
	struct kith_knife_fitted fit;
	double *w[4], *alpha = numbers(N), bias, worst = 0;
	size_t best = 0, evaluations = 0, missed = 0;
	struct kith_knife_fit of[4];

	how.seed = seed;
	how.restarts = 3;
	how.how.max_iter = seed % 3 ? 2 + seed : 200;
	how.like.gamma = 4;
	how.like.intercept = seed % 2;
	kith_knife_fitted_new(&rows, &how, NULL, N, &fit, &pool, &err);
	kith_knife_fitted_start(&fit, even(P, .5));
	if (kith_knife_fit_at(&fit, &how, .05, &err))
		ok(false, "%s", err.msg);
	for (size_t r = 0; r < 4; r++) {
		struct kith_rng start;

		w[r] = even(P, .5);
		kith_rng_seed(&start, seed, KITH_RNG_START, r);
		for (size_t j = 0; j < P && r > 0; j++)
			w[r][j] = kith_rng_unit(&start);
		kith_knife(&fit.problem, &how.how, w[r], alpha, &bias, &of[r], &err);
		best = of[r].objective < of[best].objective ? r : best;
		worst = fmax(worst, of[r].objective);
		evaluations += of[r].evaluations;
		missed += !of[r].converged;
	}
	ok(fit.problem.lambda2 == .05 && fit.fit.objective == of[best].objective &&
		fit.worst == worst && fit.evaluations == evaluations && fit.missed == missed &&
		fit.converged == of[best].converged,
	    "seed %u: %zu evaluations, %zu missed, search %zu is the best", seed, evaluations,
	    missed, best);
	kith_knife_at(&fit.problem, fit.w, &worst, NULL, alpha, &bias, &err);
	ok(largest(P, fit.w, w[best]) == 0 && largest(N, fit.alpha, alpha) < 1e-12 &&
		fabs(*fit.bias - bias) < 1e-12,
	    "its weights, and their machine");
}

/* The machine is that of the rows whose coefficients are not all 0. */
static void
test_machine(void)
{
	struct kith_table t = table_of(5, P);
	size_t y[] = {0, 1, 2, 1, 0}, number[] = {2, 3, 5, 7, 11};
	const struct kith_knife_fit_how how = how_of(KITH_KNIFE_LAPLACIAN);
	double alpha[15] = {1, 0, 0, 4, 0, 6, 0, 0, 9, 0, 11, 0, 0, 14, 15};
	static const double due[] = {1, 6, 11, 4, 9, 14, 0, 0, 15};
	double bias[] = {.5, -1, 2}, w[] = {.5, 0, 1};
	struct kith_knife_rows rows;
	struct kith_knife_fitted fit;
	struct kith_machine m;

	t.y = y;
	t.number = number;
	rows = rows_of(&t);
	kith_knife_fitted_new(&rows, &how, NULL, 5, &fit, &pool, &err);
	fit.alpha = alpha;
	fit.bias = bias;
	fit.w = w;
	kith_knife_fitted_machine(&rows, &fit, &m, &pool);
	ok(m.task == KITH_MACHINE_CLASSIFY && m.X.n == 3 && m.X.p == P && m.class.n == 3 &&
		m.kern.metric == &m.metric && m.metric.kind == KITH_ABSOLUTE && m.metric.p == P &&
		m.metric.w == w,
	    "three rows count");
	ok(largest(9, m.coef, due) == 0, "their coefficients by rows");
	ok(m.number[0] == 2 && m.number[1] == 7 && m.number[2] == 11, "their numbers in the file");
	ok(kith_row(&m.X, 1)[2] == kith_row(&t.X, 3)[2] && largest(3, m.bias, bias) == 0,
	    "their features, and the intercepts");
}

static void
test_features(void)
{
	struct kith_table t = numbers_table();
	const struct kith_knife_rows rows = rows_of(&t);
	const struct kith_knife_fit_how how = how_of(KITH_KNIFE_LAPLACIAN);
	double w[] = {.5, 0, 1}, scale[] = {2, 0, .5}, unscaled[P], alpha[P];
	struct kith_knife_fitted fit;

	kith_knife_fitted_new(&rows, &how, NULL, N, &fit, &pool, &err);
	fit.w = w;
	is_size(kith_knife_fitted_features(&fit), 2, "features");
	ok(kith_knife_fitted_weights(&rows, &fit, unscaled, &err) == 0 &&
		largest(P, unscaled, w) == 0,
	    "weights as they are");
	fit.unit = (struct kith_unit){P, scale, scale, KITH_UNIT_NONE};
	is_size(kith_knife_fitted_features(&fit), 2, "none is constant");
	scale[2] = 0;
	is_size(kith_knife_fitted_features(&fit), 1, "the last one is");
	scale[2] = .5;
	scale[1] = 1;
	kith_knife_fitted_weights(&rows, &fit, alpha, &err);
	ok(alpha[0] == .25 && alpha[1] == 0 && alpha[2] == 2, "weights over scales");
	fit.problem.kernel = KITH_KNIFE_GAUSSIAN;
	kith_knife_fitted_weights(&rows, &fit, alpha, &err);
	ok(alpha[0] == .125 && alpha[1] == 0 && alpha[2] == 4, "weights over their squares");
}

static void
test_regress(void)
{
	static const size_t some[] = {8, 1, 5};
	struct kith_table t = numbers_table();
	const struct kith_knife_rows rows = rows_of(&t);
	const struct kith_knife_fit_how how = how_of(KITH_KNIFE_GAUSSIAN);
	struct kith_knife_fitted fit;
	struct kith_machine m;

	kith_knife_fitted_new(&rows, &how, some, 3, &fit, &pool, &err);
	fit.alpha[0] = fit.alpha[2] = 1;
	fit.bias[0] = .5;
	kith_knife_fitted_machine(&rows, &fit, &m, &pool);
	ok(m.task == KITH_MACHINE_REGRESS && m.X.n == 2 && m.number[0] == 9 && m.number[1] == 6 &&
		m.metric.kind == KITH_SQUARED,
	    "of some rows");
	is_near(m.bias[0], .5 + (t.t[8] + t.t[1] + t.t[5]) / 3, 1e-15,
	    "the mean is a part of its intercept");
}

int
main(void)
{
	kith_rng_seed(&rng, 5, KITH_RNG_SAMPLE, 0);
	test_new();
	test_range();
	test_weighted();
	test_grid();
	for (unsigned seed = 0; seed < 12; seed++)
		test_restarts(seed);
	test_machine();
	test_features();
	test_regress();
	kith_pool_free(&pool);
	return done();
}
