/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/check.h: alpha and dF against the definition of the
 * problem, the gap against other weights, and that minima pass and others do
 * not.
 */
#include "knife/check.h"

#include "base/err.h"
#include "knife/check_at.h"
#include "knife/check_loss.h"
#include "knife/data.h"
#include "knife/knife.h"
#include "knife/mend.h"
#include "tap.h"

#include <stdio.h>

static struct kith_check got[KITH_CHECK_KNIFE];

/* The first of the checks that does not hold, or "none". */
static const char *
judge(const struct kith_knife_problem *problem, const double *w)
{
	const double *start = even(problem->X->p, .5);
	const size_t n = kith_check_knife(problem, w, start, 1e-6, got);

	for (size_t k = 0; k < n; k++)
		if (!kith_check_ok(got + k))
			return got[k].check;
	return "none";
}

static double *
random_weights(size_t p)
{
	double *w = numbers(p);

	for (size_t j = 0; j < p; j++)
		w[j] = kith_rng_unit(&rng);
	return w;
}

/* y'x, x = (1, -1): all can be had by hand. */
static void
test_hand(void)
{
	struct kith_mat X = {2, 1, (double[]){1, -1}};
	struct kith_knife_problem problem = {.X = &X,
	    .Y = (const double[]){1, -1},
	    .c = 1,
	    .kernel = KITH_KNIFE_LINEAR,
	    .lambda1 = 1,
	    .lambda2 = 1,
	    .threads = 1};
	double w = .5;

	is_text(judge(&problem, &w), "none", "the minimum, by hand");
	is_near(got[2].value, 0, 1e-15, "its gradient");
	is_near(got[3].value, 0, 1e-15, "its gap");
	w = .6;
	is_text(judge(&problem, &w), "stationarity", "beside the minimum");
	is_near(got[2].value, 1 - 4 / (2.2 * 2.2), 1e-14, "the gradient");
	is_near(got[3].value, .6 * (1 - 4 / (2.2 * 2.2)), 1e-14, "the gap");
	w = .3;
	judge(&problem, &w);
	is_near(got[3].value, .7 * (4 / (1.6 * 1.6) - 1), 1e-14, "a gap below");
	w = 1.25;
	is_text(judge(&problem, &w), "range", "a weight above 1");
	is_near(got[0].value, .25, 1e-15, "by how much");
	problem.lambda2 = 4;
	w = 0;
	is_text(judge(&problem, &w), "none", "a minimum at 0");
	ok(fabs(got[2].limit - 1.001e-6) < 1e-18, "the limit");
	problem.lambda2 = 4 / 9.;
	w = 1;
	is_text(judge(&problem, &w), "none", "a minimum at 1");
	problem.kernel = KITH_KNIFE_GAUSSIAN;
	problem.gamma = 1;
	is_size(kith_check_knife(&problem, &w, &w, 1, got), 3, "no gap of other kernels");
}

/* alpha and F by definition, dF by differences. */
static void
test_definition(struct kith_knife_problem *problem, const char *what)
{
	const size_t p = problem->X->p;
	const double h = 1e-5;
	double *w = random_weights(p), off, F, most = 0, size = 0;
	struct kith_check_knife_point at = kith_check_knife_at(problem, w, &pool);

	F = plain_objective(problem, w, at.alpha, at.b, &off);
	is_near(at.F, F, 1e-10, "F");
	ok(off < 1e-9, "alpha is canonical, off %g: %s", off, what);
	for (size_t j = 0; j < p; j++) {
		struct kith_check_knife_point up, down;
		double slope;

		w[j] += h;
		up = kith_check_knife_at(problem, w, &pool);
		w[j] -= 2 * h;
		down = kith_check_knife_at(problem, w, &pool);
		w[j] += h;
		slope = (up.F - down.F) / (2 * h);
		most = fmax(most, fabs(slope - at.dF[j]));
		size = fmax(size, fabs(slope));
	}
	ok(most < 1e-6 * fmax(1, size), "dF, off %g: %s", most, what);
}

/* No F falls below F(w) less the gap. */
static void
test_gap(struct kith_knife_problem *problem, const char *what)
{
	const size_t p = problem->X->p;
	size_t below = 0;
	double least = INFINITY, bound = -INFINITY;

	for (int run = 0; run < 30; run++) {
		const double *w = random_weights(p);
		struct kith_check_knife_point at = kith_check_knife_at(problem, w, &pool);

		judge(problem, w);
		least = fmin(least, at.F);
		bound = fmax(bound, at.F - got[3].value);
		below += !(got[3].value >= 0);
	}
	ok(below == 0 && least >= bound, "gaps bound F, %g >= %g: %s", least, bound, what);
}

/* What kith_knife() finds passes; what is moved by 1e-3 does not. */
static void
test_minimum(struct kith_knife_problem *problem, const char *what)
{
	const struct kith_knife_how how = {.max_iter = 1000, .tol = 1e-6};
	const size_t p = problem->X->p, n = problem->X->n;
	double *w = even(p, .5), *alpha = numbers(n * problem->c);
	double *bias = numbers(problem->c);
	struct kith_knife_fit fit;
	struct kith_err err;
	size_t passed = 0, moved = 0;

	if (kith_knife(problem, &how, w, alpha, bias, &fit, &err))
		ok(false, "%s: %s", what, err.msg);
	is_text(judge(problem, w), "none", what);
	for (size_t j = 0; j < p; j++) {
		const double was = w[j];

		/* What is far from the bound that holds it is not passed. */
		w[j] = was < .5 ? was + 1e-3 : was - 1e-3;
		moved++;
		passed += strcmp(judge(problem, w), "none") == 0;
		w[j] = was;
	}
	ok(passed == 0, "moved by 1e-3, %zu of %zu pass: %s", passed, moved, what);
}

static void
test_all(void)
{
	char what[64];

	for (int kernel = 0; kernel < 4; kernel++)
		for (int loss = 0; loss < 4; loss++)
			for (int b = 0; b < 2; b++) {
				struct kith_knife_problem problem = draw(30, 4, loss || b ? 1 : 3,
				    (enum kith_knife_kernel)kernel, (enum kith_knife_loss)loss);

				problem.intercept = b;
				snprintf(what, sizeof(what), "%s, %s%s", kernel_name[kernel],
				    loss_name[loss], b ? ", intercept" : "");
				test_definition(&problem, what);
				if (kernel == KITH_KNIFE_LINEAR)
					test_gap(&problem, what);
				test_minimum(&problem, what);
			}
}

/* What is degenerate, and what cannot be computed. */
static void
test_degenerate(void)
{
	struct kith_knife_problem problem = draw(
	    20, 3, 1, KITH_KNIFE_POLYNOMIAL, KITH_KNIFE_SQUARED);
	struct kith_check_knife_point at;
	double *w = even(3, .5), *none = numbers(3);

	problem.degree = 1;
	test_definition(&problem, "degree 1");
	for (int kernel = 0; kernel < 4; kernel++) {
		problem.kernel = (enum kith_knife_kernel)kernel;
		at = kith_check_knife_at(&problem, none, &pool);
		ok(at.residual < 1e-12 && isfinite(at.dF[0]), "all weights 0: %s",
		    kernel_name[kernel]);
	}
	/* Rows that are the same, of the same target. */
	for (size_t i = 0; i < 20; i += 2) {
		for (size_t j = 0; j < 3; j++)
			kith_row(problem.X, i + 1)[j] = kith_row(problem.X, i)[j];
		((double *)problem.Y)[i + 1] = problem.Y[i];
	}
	at = kith_check_knife_at(&problem, w, &pool);
	for (size_t i = 0; i < 20; i += 2)
		none[0] = fmax(none[0], fabs(at.alpha[i] - at.alpha[i + 1]));
	ok(none[0] < 1e-10, "rows and copies have one alpha");
	/* Scales. */
	problem.kernel = KITH_KNIFE_LINEAR;
	for (size_t k = 0; k < 60; k++)
		problem.X->v[k] *= 1e-160;
	is_text(judge(&problem, even(3, 0)), "none", "nothing is left of it");
	for (size_t k = 0; k < 60; k++)
		problem.X->v[k] = problem.X->v[k] * 1e160 * 1e160;
	is_text(judge(&problem, w), "stationarity", "columns have a unit");
	ok(isfinite(got[1].value) && isfinite(got[2].value), "and numbers");
	problem.kernel = KITH_KNIFE_POLYNOMIAL;
	is_text(judge(&problem, w), "alpha", "too large to be judged");
	ok(isnan(got[1].value) && isnan(got[2].value), "no numbers");
	problem.degree = 2;
	problem.lambda1 = 1e-30;
	for (size_t k = 0; k < 60; k++)
		problem.X->v[k] *= 1e-160;
	is_text(judge(&problem, w), "alpha", "singular");
}

/*
 * By hand: y = 1, -1, -1, ..., and x = d + 2, d, d, ... far from 0: K is
 * singular to working precision, and w may not be 0.
 */
static void
test_far(void)
{
	double x[4] = {7575315, 7575313, 7575313, 7575313}, w = 0;
	const double y[4] = {1.5, -.5, -.5, -.5};
	struct kith_mat X = {4, 1, x};
	const struct kith_knife_problem problem = {.X = &X,
	    .Y = y,
	    .c = 1,
	    .kernel = KITH_KNIFE_LINEAR,
	    .lambda1 = .1,
	    .lambda2 = .01,
	    .threads = 1};
	const double start = .5;
	struct kith_check_knife_verdict verdict;
	size_t evaluations;
	struct kith_mend_knife mend = {&problem, &start, 1e-6, 100};

	is_text(judge(&problem, &w), "stationarity", "w = 0 is no minimum");
	verdict = kith_check_knife_verdict(&problem, &w, &start, 1e-6);
	ok(!verdict.holds && verdict.solved && fabs(verdict.F - 3) < 1e-12,
	    "in short, F = |y|^2 = %g", verdict.F);
	ok(kith_mend_knife(&mend, &w, &evaluations), "but it can be mended");
	ok(w > 0 && w < 1e-8, "to %g, in %zu evaluations", w, evaluations);
	is_text(judge(&problem, &w), "none", "and proved");
}

/* Columns of scales far apart are mended for all kernels; F never rises. */
static void
test_scales(void)
{
	static const double unit[] = {1e-6, 1, 1e7};
	size_t held = 0, lower = 0, all = 0;

	for (int run = 0; run < 16; run++) {
		const struct kith_knife_problem problem = draw(
		    12, 3, 1, (enum kith_knife_kernel)(run % 4), (enum kith_knife_loss)(run / 4));
		const double *start = even(3, .5);
		struct kith_mend_knife mend = {&problem, start, 1e-6, 3000};
		double *w = even(3, .5), before;
		size_t evaluations;

		for (size_t k = 0; k < 36 && run % 4 != 1; k++)
			problem.X->v[k] *= unit[k % 3];
		before = kith_check_knife_at(&problem, w, &pool).F;
		held += kith_mend_knife(&mend, w, &evaluations);
		lower += kith_check_knife_at(&problem, w, &pool).F <= before;
		all++;
	}
	is_size(held, all, "proved");
	is_size(lower, all, "and F is lower");
}

/* At most so many evaluations. */
static void
test_most(void)
{
	const struct kith_knife_problem problem = draw(
	    12, 3, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	const double *start = even(3, .5);
	struct kith_mend_knife mend = {&problem, start, 1e-6, 3};
	double *w = even(3, .5);
	size_t evaluations;

	ok(!kith_mend_knife(&mend, w, &evaluations), "three are too few");
	ok(evaluations <= 3, "%zu evaluations", evaluations);
}

/* A parabola touches each loss, and is nowhere below it. */
static void
test_parabola(void)
{
	static const double delta[] = {1e-3, .5, 2};
	struct kith_knife_problem of = {0};
	size_t below = 0, all = 0;

	for (int run = 0; run < 3000; run++) {
		const double y = run % 2 ? 1 : -1, f = 6 * normal(&rng), g = 6 * normal(&rng);
		long double d1, no, at, there;
		double d2, c;

		of.loss = (enum kith_knife_loss)(run % 4);
		of.delta = delta[run / 4 % 3];
		at = kith_check_knife_loss(&of, y, f, &d1, &d2);
		there = kith_check_knife_loss(&of, y, g, &no, &d2);
		c = kith_check_knife_curvature(&of, y, f);
		below += at + d1 * (g - f) + c / 2 * (g - f) * (g - f) <
		    there - 1e-12L * (1 + there);
		all++;
	}
	ok(below == 0, "%zu of %zu parabolas below the loss", below, all);
	of.loss = KITH_KNIFE_LOGISTIC;
	ok(kith_check_knife_curvature(&of, 1, 0) == .25, "1/4 where t = 0");
	ok(fabs(kith_check_knife_curvature(&of, 1, 1e-3) - .25) < 1e-7, "and near there");
}

/*
 * A bend so narrow that Newton's method starts with no curvature at all, and
 * a cell next to which its column vanishes.
 */
static void
test_bend(void)
{
	struct kith_knife_problem problem = draw(
	    14, 4, 1, KITH_KNIFE_LINEAR, KITH_KNIFE_HUBERHINGE);
	const double *w = even(4, .5);
	struct kith_check_knife_point at;

	problem.delta = 1e-3;
	problem.lambda1 = .1;
	at = kith_check_knife_at(&problem, w, &pool);
	ok(at.residual < 1e-12, "a narrow bend: %g", at.residual);
	kith_row(problem.X, 4)[3] = -20457438.173526175;
	at = kith_check_knife_at(&problem, w, &pool);
	ok(at.residual < 1e-12, "and an outlier: %g", at.residual);
	problem.intercept = true;
	at = kith_check_knife_at(&problem, w, &pool);
	ok(at.residual < 1e-12, "and an intercept: %g", at.residual);
	problem.kernel = KITH_KNIFE_GAUSSIAN;
	at = kith_check_knife_at(&problem, w, &pool);
	ok(at.residual < 1e-8, "and the gaussian: %g", at.residual);
}

/* Sums in blocks: the same for any number of threads. */
static void
test_threads(void)
{
	struct kith_knife_problem problem = draw(
	    100, 7, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_LOGISTIC);
	double *w = random_weights(7), one;

	judge(&problem, w);
	one = got[2].value;
	for (problem.threads = 2; problem.threads < 5; problem.threads++) {
		judge(&problem, w);
		ok(got[2].value == one, "%zu threads", problem.threads);
	}
}

int
main(void)
{
	kith_rng_seed(&rng, 7, KITH_RNG_SAMPLE, 0);
	test_hand();
	test_all();
	test_degenerate();
	test_far();
	test_scales();
	test_most();
	test_parabola();
	test_bend();
	test_threads();
	kith_pool_free(&pool);
	return done();
}
