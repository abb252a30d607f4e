/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/alternate.h: a step goes to the minimum of the problem that is
 * linear in w, made and judged by its definition, or as far as f falls.
 */
#include "knife/alternate.h"

#include "base/err.h"
#include "knife/data.h"
#include "knife/knife.h"
#include "tap.h"

#include <stdio.h>

static struct kith_err err;

/* A_ij = sum_l alpha_l dK_il / dw_j of output o (n x p). */
static double *
plain_slopes(const struct kith_knife_problem *problem, const double *w, const double *alpha)
{
	const size_t n = problem->X->n, p = problem->X->p;
	double *A = numbers(n * p), *slope = numbers(p);

	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < n; l++) {
			plain_kernel_slopes(
			    problem, w, kith_row(problem->X, i), kith_row(problem->X, l), slope);
			for (size_t j = 0; j < p; j++)
				A[i * p + j] += alpha[l] * slope[j];
		}
	return A;
}

/* The scores of output o at w. */
static double *
plain_scores(
    const struct kith_knife_problem *problem, const double *w, const double *alpha, double bias)
{
	const size_t n = problem->X->n;
	double *f = even(n, bias);

	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < n; l++)
			f[i] += alpha[l] *
			    plain_kernel(
				problem, w, kith_row(problem->X, i), kith_row(problem->X, l));
	return f;
}

/* The gradient at v of the problem that is linear about w, of this machine. */
static double *
linear_gradient(const struct kith_knife_problem *problem, const double *w, const double *alpha,
    const double *bias, const double *v)
{
	const size_t n = problem->X->n, p = problem->X->p;
	double *gradient = even(p, problem->lambda2);

	for (size_t o = 0; o < problem->c; o++) {
		const double *a = alpha + o * n;
		const double *A = plain_slopes(problem, w, a);
		const double *f = plain_scores(problem, w, a, bias[o]);

		for (size_t i = 0; i < n; i++) {
			double at = f[i], slope;

			for (size_t j = 0; j < p; j++)
				at += A[i * p + j] * (v[j] - w[j]);
			plain_loss(problem, problem->Y[o * n + i], at, &slope);
			slope *= problem->weight ? problem->weight[i] : 1;
			for (size_t j = 0; j < p; j++)
				gradient[j] += A[i * p + j] * (slope + problem->lambda1 * a[i]);
		}
	}
	return gradient;
}

/* |v - clip(v - g)|, the largest. */
static double
unrest(size_t p, const double *v, const double *g)
{
	double most = 0;

	for (size_t j = 0; j < p; j++)
		most = fmax(most, fabs(v[j] - fmin(fmax(v[j] - g[j], 0), 1)));
	return most;
}

/* One step from w; how often it was halved. */
static size_t
test_step(const struct kith_knife_problem *problem, double at, const char *what)
{
	const size_t n = problem->X->n, p = problem->X->p, c = problem->c;
	struct kith_knife_how how = {.alternate = true, .tol = 1e-9};
	double *w = even(p, at), *v = even(p, at), *whole = numbers(p);
	double *alpha = numbers(n * c), *bias = numbers(c), *other;
	double *next = numbers(n * c), *b = numbers(c), off, slope = 0;
	struct kith_knife_fit none, one;
	const double *first, *g;
	double f0, f1, far;
	size_t halves;

	w[0] /= 2;
	v[0] = w[0];
	if (kith_knife(problem, &how, w, alpha, bias, &none, &err))
		ok(false, "%s: %s", what, err.msg);
	how.max_iter = 1;
	if (kith_knife(problem, &how, v, next, b, &one, &err))
		ok(false, "%s: %s", what, err.msg);
	ok(none.iterations == 0 && none.evaluations == 1 && one.iterations == 1 &&
		one.evaluations >= 2 && none.searches == 0 && one.searches == (one.evaluations > 2),
	    "%s: %zu evaluations", what, one.evaluations);
	halves = one.evaluations - 2;
	for (size_t j = 0; j < p; j++)
		whole[j] = w[j] + ldexp(v[j] - w[j], (int)halves);
	first = linear_gradient(problem, w, alpha, bias, w);
	g = linear_gradient(problem, w, alpha, bias, whole);
	ok(unrest(p, whole, g) <= 1e-6 * fmax(1, unrest(p, w, first)),
	    "%s, %zu halves: the minimum, %.1e is left of %.1e", what, halves, unrest(p, whole, g),
	    unrest(p, w, first));
	f0 = plain_objective(problem, w, alpha, bias, &off);
	f1 = plain_objective(problem, v, alpha, bias, &off);
	for (size_t j = 0; j < p; j++)
		slope += first[j] * (v[j] - w[j]);
	ok(f1 <= f0 + (halves > 0 ? 1e-4 * slope : 0) + 2e-12 * f0, "f falls from %.10g to %.10g",
	    f0, f1);
	if (halves == 0)
		return 0;
	other = numbers(p);
	for (size_t j = 0; j < p; j++)
		other[j] = 2 * v[j] - w[j];
	far = plain_objective(problem, other, alpha, bias, &off);
	ok(far > f0 + 2e-4 * slope, "twice as far it does not: %.10g", far);
	return halves;
}

/* Whether a step from w needs to be halved, which is rare. */
static bool
is_halved(const struct kith_knife_problem *problem, double at)
{
	const size_t n = problem->X->n, p = problem->X->p, c = problem->c;
	const struct kith_knife_how how = {.alternate = true, .max_iter = 1, .tol = 1e-9};
	struct kith_knife_fit fit;
	double *w = even(p, at);

	w[0] /= 2;
	kith_knife(problem, &how, w, numbers(n * c), numbers(c), &fit, &err);
	return fit.searches > 0;
}

static struct kith_knife_problem
draw_all(size_t n, size_t p, unsigned kernel, unsigned k)
{
	const unsigned loss = k % 4;
	struct kith_knife_problem problem = draw(n, p, loss ? 1 : 1 + k / 4 % 2,
	    (enum kith_knife_kernel)kernel, (enum kith_knife_loss)loss);
	double *weight = numbers(n);

	problem.intercept = k / 2 % 2;
	problem.degree = 1 + k % 3;
	problem.threads = 1 + k % 2;
	for (size_t i = 0; i < n; i++)
		weight[i] = .5 + kith_rng_unit(&rng);
	if (k % 3 == 1)
		problem.weight = weight;
	return problem;
}

static void
test_steps(void)
{
	size_t halved = 0, whole = 0;
	char what[64];

	for (unsigned kernel = 0; kernel < 4; kernel++) {
		for (unsigned k = 0; k < 12; k++) {
			const struct kith_knife_problem problem = draw_all(
			    10 + k, 1 + k, kernel, k);
			const double at = k % 5 == 4 ? .02 : .5;

			snprintf(what, sizeof(what), "%s, %s, %zu outputs", kernel_name[kernel],
			    loss_name[problem.loss], problem.c);
			if (test_step(&problem, at, what) > 0)
				halved++;
			else
				whole++;
		}
		if (kernel > 0) {
			const struct kith_knife_problem problem = draw_all(257, 3, kernel, 8);

			test_step(&problem, .5, "more than a tile");
		}
	}
	for (unsigned k = 0; k < 200; k++) {
		const struct kith_knife_problem problem = draw_all(30, 3, 2 + k % 2, 4 * k);

		if (is_halved(&problem, .02))
			halved += test_step(&problem, .02, "near 0");
	}
	ok(halved > 2 && whole > 20, "%zu steps were halved, %zu not", halved, whole);
}

/* It ends at a limit, where nothing moves, and says so. */
static void
test_ends(void)
{
	struct kith_knife_problem problem = draw_all(20, 3, KITH_KNIFE_GAUSSIAN, 0);
	struct kith_knife_how how = {.alternate = true, .tol = 1e-6, .max_iter = 500};
	double *w = even(3, .5), *alpha = numbers(20), bias;
	struct kith_knife_fit fit;

	problem.lambda2 = 1e6;
	kith_knife(&problem, &how, w, alpha, &bias, &fit, &err);
	ok(fit.converged && fit.iterations == 1 && largest(3, w, NULL) == 0, "to 0 in a step");
	kith_knife(&problem, &how, w, alpha, &bias, &fit, &err);
	ok(fit.converged && fit.iterations == 0 && fit.start == 0 && fit.gradient == 0,
	    "where it stays");
	problem.lambda2 = .5;
	w = even(3, .5);
	how.max_iter = 2;
	how.tol = 1e-15;
	kith_knife(&problem, &how, w, alpha, &bias, &fit, &err);
	ok(!fit.converged && fit.iterations == 2 && fit.start > fit.gradient, "a limit");
	problem.lambda1 = 1e-18;
	memcpy(kith_row(problem.X, 3), kith_row(problem.X, 11), 3 * sizeof(double));
	ok(kith_knife(&problem, &how, w, alpha, &bias, &fit, &err) == -1,
	    "a lambda1 that is too small");
}

int
main(void)
{
	kith_rng_seed(&rng, 13, KITH_RNG_SAMPLE, 0);
	test_steps();
	test_ends();
	kith_pool_free(&pool);
	return done();
}
