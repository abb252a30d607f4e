/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/knife.h: whatever ends a search, what is told is that of its
 * weights; and none of these is put to 0 by a search that has not come to an end.
 */
#include "knife/knife.h"

#include "base/err.h"
#include "knife/data.h"
#include "tap.h"

enum { N = 12, P = 4 };

static struct kith_err err;

/* A small problem; a feature may be of another scale. */
static struct kith_knife_problem
draw_small(unsigned seed, double scale)
{
	struct kith_knife_problem problem;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	problem = draw(
	    N, P, 1, (enum kith_knife_kernel)(seed % 4), (enum kith_knife_loss)(seed / 4 % 4));
	problem.lambda2 = .1 + kith_rng_unit(&rng);
	problem.degree = 2;
	for (size_t i = 0; i < N; i++)
		kith_row(problem.X, i)[P - 1] *= scale;
	return problem;
}

/* Whether F, its projected gradient and the machine of a search are those at w. */
static bool
is_told(const struct kith_knife_problem *problem, const double *w, const double *alpha,
    const struct kith_knife_fit *fit)
{
	double *due = numbers(N), *dF = numbers(P), bias = 0, F = NAN, gradient;

	kith_knife_at(problem, w, &F, dF, due, &bias, &err);
	gradient = kith_knife_projected(P, w, dF);
	return fabs(fit->objective - F) <= 1e-11 * F &&
	    fabs(fit->gradient - gradient) <= 1e-6 * fmax(1, gradient) &&
	    largest(N, due, alpha) <= 1e-7 * fmax(1, largest(N, due, NULL));
}

/* Searches of few steps, to tolerances that are large or small. */
static void
test_told(void)
{
	size_t converged = 0, zero = 0;

	for (unsigned seed = 0; seed < 160; seed++) {
		const struct kith_knife_problem problem = draw_small(seed, 1);
		const struct kith_knife_how how = {
		    .max_iter = seed % 37, .tol = pow(10, -(double)(seed % 5) - 1)};
		double *w = even(P, .5), *alpha = numbers(N), bias;
		struct kith_knife_fit fit;

		w[0] = seed % 3 ? .5 : 1e-3 * kith_rng_unit(&rng);
		if (kith_knife(&problem, &how, w, alpha, &bias, &fit, &err))
			ok(false, "seed %u: %s", seed, err.msg);
		else if (!is_told(&problem, w, alpha, &fit))
			ok(false, "seed %u: told of other weights", seed);
		converged += fit.converged;
		for (size_t j = 0; j < P; j++)
			zero += w[j] == 0;
	}
	ok(converged > 30 && converged < 150 && zero > 30,
	    "%zu of 160 searches come to an end, %zu weights are 0", converged, zero);
}

/*
 * F falls from w = 0 on, but for less than a search can see: what it gains is gained
 * at 1e-40, and from 1e-35 on a weight costs more.
 */
static void
test_wall(void)
{
	for (unsigned k = 0; k < 8; k++) {
		/* Gaussian, or laplacian. */
		struct kith_knife_problem problem = draw_small(
		    4 * (k / 2) + 2 + k % 2, k % 2 ? 1e40 : 1e20);
		const struct kith_knife_how how = {.max_iter = 3, .tol = 1e-9};
		double *w = numbers(P), *alpha = numbers(N), bias;
		struct kith_knife_fit fit;

		problem.lambda2 = 1e35;
		if (kith_knife(&problem, &how, w, alpha, &bias, &fit, &err))
			ok(false, "%s", err.msg);
		ok(largest(P, w, NULL) == 0 && fit.gradient > 0 &&
			is_told(&problem, w, alpha, &fit),
		    "%s, %s: a wall, %zu evaluations", kernel_name[problem.kernel],
		    loss_name[problem.loss], fit.evaluations);
	}
}

/* A weight next to 0 is left as it is where the search ends before its time. */
static void
test_left(void)
{
	size_t ended = 0;

	for (unsigned seed = 0; seed < 40; seed++) {
		const struct kith_knife_problem problem = draw_small(seed, 1);
		const struct kith_knife_how how = {.max_iter = 0, .tol = 1e-6};
		double *w = even(P, .5), *alpha = numbers(N), bias;
		struct kith_knife_fit fit;

		w[seed % P] = 1e-8;
		kith_knife(&problem, &how, w, alpha, &bias, &fit, &err);
		ended += fit.converged || w[seed % P] != 1e-8 || !is_told(&problem, w, alpha, &fit);
	}
	ok(ended == 0, "%zu searches without a step have moved", ended);
}

int
main(void)
{
	test_told();
	test_wall();
	test_left();
	kith_pool_free(&pool);
	return done();
}
