/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/check.h: what converged passes, what is moved does
 * not, nor a point of a cycle.
 */
#include "immigrate/check.h"

#include "immigrate/data.h"
#include "immigrate/immigrate.h"
#include "tap.h"

#include <stdio.h>

static struct kith_check got[KITH_CHECK_IMMIGRATE];

/* What weights were made with. */
struct made {
	struct kith_immigrate_rows rows;
	struct kith_immigrate_how how;
};

static struct made
check_of(const struct set *set, const struct kith_immigrate_how *how)
{
	return (struct made){set->rows, *how};
}

/* The first of n checks that does not hold, or "none". */
static const char *
fails(size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (!kith_check_ok(got + k))
			return got[k].check;
	return "none";
}

static const char *
matrix(const struct made *of, const double *W)
{
	kith_check_immigrate(&of->rows, &of->how, W, got);
	return fails(KITH_CHECK_IMMIGRATE);
}

static const char *
vector(const struct made *of, const double *w)
{
	kith_check_im4e(&of->rows, &of->how, w, got);
	return fails(KITH_CHECK_IM4E);
}

static double
norm_of(size_t n, const double *W)
{
	double sum = 0;

	for (size_t k = 0; k < n; k++)
		sum += W[k] * W[k];
	return sqrt(sum);
}

static void
test_matrix(struct kith_immigrate_how how, const char *what)
{
	size_t passed = 0, converged = 0, moved = 0, cycles = 0, caught = 0;

	for (size_t run = 0; run < 20; run++) {
		const size_t p = 2 + run % 15;
		struct set *set = draw(40, p, 2 + run % 2, run % 5 == 0, false);
		struct made check;
		struct kith_immigrate_fit fit;
		double *W = start(p, true), norm;

		how.sigma = run % 2 ? 4 : .2;
		if (run % 3 == 0)
			set->rows.weight = set->weight;
		kith_immigrate(&set->rows, &how, W, &fit);
		check = check_of(set, &how);
		if (fit.end == KITH_IMMIGRATE_CYCLE) {
			cycles++;
			caught += strcmp(matrix(&check, W), "stationarity") == 0;
		}
		if (fit.end != KITH_IMMIGRATE_CONVERGED)
			continue;
		converged++;
		passed += strcmp(matrix(&check, W), "none") == 0;
		if (strcmp(fails(KITH_CHECK_IMMIGRATE), "none") != 0)
			printf("# %s: run %zu: %s: %g\n", what, run, fails(KITH_CHECK_IMMIGRATE),
			    got[0].value);
		for (size_t j = 0; j < p; j++)
			W[j * p + j] += j == 0 ? .3 : .02;
		norm = norm_of(p * p, W);
		for (size_t k = 0; k < p * p; k++)
			W[k] /= norm;
		moved += strcmp(matrix(&check, W), "stationarity") == 0;
		kith_pool_free(&pool);
	}
	ok(converged >= 5, "%s: %zu converged", what, converged);
	is_size(passed, converged, "and pass");
	is_size(moved, converged, "but not when they are moved");
	is_size(caught, cycles, "nor do cycles");
}

static void
test_vector(struct kith_immigrate_how how, const char *what)
{
	size_t passed = 0, converged = 0, moved = 0;

	for (size_t run = 0; run < 20; run++) {
		const size_t p = 2 + run % 15;
		struct set *set = draw(40, p, 2, false, false);
		struct made check;
		struct kith_immigrate_fit fit;
		double *w = even(p);

		how.sigma = run % 2 ? 4 : 1;
		kith_im4e(&set->rows, &how, w, &fit);
		check = check_of(set, &how);
		if (fit.end != KITH_IMMIGRATE_CONVERGED)
			continue;
		converged++;
		passed += strcmp(vector(&check, w), "none") == 0;
		if (strcmp(fails(KITH_CHECK_IM4E), "none") != 0)
			printf("# %s: run %zu: %s: %g\n", what, run, fails(KITH_CHECK_IM4E),
			    got[0].value);
		w[0] += .1;
		for (size_t j = 0; j < p; j++)
			w[j] /= 1.1;
		moved += strcmp(vector(&check, w), "stationarity") == 0;
		kith_pool_free(&pool);
	}
	ok(converged >= 5, "%s: %zu converged", what, converged);
	is_size(passed, converged, "and pass");
	is_size(moved, converged, "but not when they are moved");
}

/* Each of the other lines. */
static void
test_lines(void)
{
	struct set *set = draw(40, 4, 2, false, false);
	struct kith_immigrate_how how = {.sigma = 4, .max_iter = 500, .tol = 1e-12, .threads = 1};
	struct made check = check_of(set, &how);
	struct kith_immigrate_fit fit;
	double *W = start(4, true), *w = even(4);

	kith_immigrate(&set->rows, &how, W, &fit);
	is_text(matrix(&check, W), "none", "converged");
	ok(got[0].value >= -1e-12, "the gap of a definite W is not negative");
	W[1] += 1e-9;
	is_text(matrix(&check, W), "symmetry", "1e-9 off");
	W[1] -= 1e-9;
	for (size_t k = 0; k < 16; k++)
		W[k] *= 1 + 1e-8;
	is_text(matrix(&check, W), "norm", "norm 1 + 1e-8");
	memset(W, 0, 16 * sizeof(*W));
	W[0] = sqrt(.5);
	W[5] = -sqrt(.5);
	matrix(&check, W);
	ok(!kith_check_ok(got + 3), "indefinite: %g", got[3].value);
	is_text(got[3].check, "definiteness", "and called so");
	kith_im4e(&set->rows, &how, w, &fit);
	is_text(vector(&check, w), "none", "im4e");
	w[0] = -.1;
	vector(&check, w);
	ok(!kith_check_ok(got + 2), "a negative weight");
	w[0] = NAN;
	ok(strcmp(vector(&check, w), "none") != 0, "no number");
	W[0] = NAN;
	ok(strcmp(matrix(&check, W), "none") != 0, "in a matrix");
	kith_pool_free(&pool);
}

/* Hits farther than misses: the best is the smallest eigenvalue. */
static void
test_no_negative(void)
{
	double x[] = {0, 1, 10, 11}, W = 1;
	size_t y[] = {0, 1, 0, 1};
	const struct kith_mat X = {4, 1, x};
	const struct made check = {{&X, y, 2, NULL}, {.sigma = 1, .threads = 1}};

	is_text(matrix(&check, &W), "none", "one feature has no choice");
	is_text(vector(&check, &W), "none", "im4e");
	x[1] = x[2] = x[3] = 0;
	is_text(matrix(&check, &W), "none", "all the same");
}

/* The limit follows from the tolerance, and is that of rounding at least. */
static void
test_limits(void)
{
	struct set *set = draw(40, 4, 2, false, false);
	const struct kith_immigrate_how how = {.sigma = 4, .tol = 1e-3, .threads = 1};
	struct made check = check_of(set, &how);
	const double *W = start(4, true), *w = even(4);

	matrix(&check, W);
	ok(fabs(got[0].limit - .1) < 1e-15, "a hundred times tol");
	vector(&check, w);
	ok(fabs(got[0].limit - .1) < 1e-15, "im4e: the same");
	check.how.package = true;
	matrix(&check, W);
	ok(fabs(got[0].limit - 1e-5) < 1e-18, "package: a hundredth of tol");
	ok(got[1].limit == 1e-9, "the norm is 1");
	check.how.threshold = .1;
	matrix(&check, W);
	ok(fabs(got[1].limit - sqrt(2e-5)) < 1e-8, "or that of V, as W is V");
	check.how.tol = 0;
	matrix(&check, W);
	ok(got[0].limit == 1e-12, "rounding");
	kith_pool_free(&pool);
}

/*
 * Columns of scales far apart: what a fit is sure of passes, at any tolerance;
 * what it leaves open may not.
 */
static void
test_sure(bool as_matrix, bool monotone, bool package)
{
	static const double tol[] = {1e-3, 1e-6, 1e-9, 0};
	size_t sure = 0, passed = 0;

	for (size_t run = 0; run < 120; run++) {
		const size_t p = 1 + run % 6;
		struct set *set = draw(30, p, 2, false, run % 2);
		const struct kith_immigrate_how how = {.sigma = run % 3 ? 1 : 20,
		    .monotone = monotone,
		    .package = package,
		    .max_iter = 200,
		    .tol = tol[run % 4],
		    .threads = 1};
		struct made check;
		struct kith_immigrate_fit fit = {0};
		double *W = as_matrix ? start(p, true) : even(p);

		for (size_t k = 0; k < 30 * p; k++)
			set->X.v[k] *= pow(10, (double)(k % p) * (double)(run % 5));
		(as_matrix ? kith_immigrate : kith_im4e)(&set->rows, &how, W, &fit);
		check = check_of(set, &how);
		sure += fit.sure;
		if (fit.sure)
			passed += strcmp(as_matrix ? matrix(&check, W) : vector(&check, W),
				      "none") == 0;
		if (fit.end == KITH_IMMIGRATE_CYCLE && fit.open)
			passed = 0; /* a cycle is none */
		kith_pool_free(&pool);
	}
	ok(sure >= 10 && passed == sure, "%s%s%s: %zu of %zu pass",
	    as_matrix ? "immigrate" : "im4e", monotone ? ", monotone" : "",
	    package ? ", package" : "", passed, sure);
}

/* Hits farther than misses: damped steps go to the smallest eigenvalue. */
static void
test_edge(void)
{
	double x[] = {0, 0, 9, 1, 1, 0, 8, 1};
	size_t y[] = {0, 0, 1, 1};
	const struct kith_mat X = {4, 2, x};
	const struct kith_immigrate_rows rows = {&X, y, 2, NULL};
	struct kith_immigrate_how how = {
	    .sigma = 1, .monotone = true, .max_iter = 100, .tol = 1e-6, .threads = 1};
	const struct made check = {rows, {.sigma = 1, .tol = 1e-6, .threads = 1}};
	struct kith_immigrate_fit fit;
	double W[] = {sqrt(.5), 0, 0, sqrt(.5)}, first;

	y[1] = 1, y[2] = 0; /* 0 9 and 0 8 are of one class now */
	how.max_iter = 1;
	how.tol = 0;
	kith_immigrate(&rows, &how, W, &fit);
	first = fit.F;
	how.max_iter = 100;
	how.tol = 1e-6;
	kith_immigrate(&rows, &how, W, &fit);
	ok(fit.F <= first, "F falls on");
	is_text(matrix(&check, W), "none", "to a fixed point");
	ok(fit.end == KITH_IMMIGRATE_CONVERGED, "which ends it");
}

/* Other units, and any number of threads. */
static void
test_scale(void)
{
	static const double unit[] = {1, 0x1p-500, 0x1p500};
	struct set *set = draw(50, 6, 2, false, false);
	struct kith_immigrate_how how = {.sigma = 4, .max_iter = 3, .threads = 1};
	struct made check = check_of(set, &how);
	struct kith_immigrate_fit fit;
	double *W = start(6, true), *w = even(6), gap = 0, gap4 = 0;
	struct kith_mat X = kith_mat_new(&pool, 50, 6);

	kith_immigrate(&set->rows, &how, W, &fit);
	kith_im4e(&set->rows, &how, w, &fit);
	check.rows.X = &X;
	for (size_t k = 0; k < 3; k++) {
		for (size_t i = 0; i < 300; i++)
			X.v[i] = set->X.v[i] * unit[k];
		check.how.threads = k + 1;
		check.how.sigma = 4 * unit[k] * unit[k];
		matrix(&check, W);
		gap = k ? gap : got[0].value;
		ok(got[0].value == gap && gap > 0, "unit %g: gap %g", unit[k], got[0].value);
		check.how.sigma = 4 * unit[k];
		vector(&check, w);
		gap4 = k ? gap4 : got[0].value;
		ok(got[0].value == gap4 && gap4 > 0, "im4e: %g", got[0].value);
	}
	kith_pool_free(&pool);
}

int
main(void)
{
	struct kith_immigrate_how how = {.max_iter = 500, .tol = 1e-10, .threads = 2};

	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_matrix(how, "paper");
	test_vector(how, "im4e");
	how.monotone = true;
	test_matrix(how, "monotone");
	how.monotone = false;
	how.threshold = .1;
	test_matrix(how, "threshold");
	test_vector(how, "im4e, threshold");
	how.threshold = 0;
	how.package = true;
	how.tol = 1e-9;
	test_matrix(how, "package");
	test_vector(how, "im4e, package");
	how.threshold = .1;
	test_matrix(how, "package, threshold");
	test_vector(how, "im4e, package, threshold");
	test_lines();
	test_no_negative();
	test_limits();
	test_sure(false, false, false);
	test_sure(true, false, false);
	test_sure(true, true, false);
	test_sure(false, false, true);
	test_sure(true, false, true);
	test_edge();
	test_scale();
	return done();
}
