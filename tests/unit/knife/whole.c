/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/alternate.h: a step is whole wherever f does not rise, however
 * little it falls.  Where it leads to w = 0, f falls by lambda2 w and by what does
 * not depend on lambda2, so that there is a lambda2 for any fall.
 */
#include "base/err.h"
#include "knife/data.h"
#include "knife/knife.h"
#include "tap.h"

enum { N = 20 };

static const double from = .5, to = 0;
static struct kith_err err;

static struct kith_knife_problem
draw_one(unsigned seed)
{
	struct kith_knife_problem problem;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	problem = draw(
	    N, 1, 1, (enum kith_knife_kernel)(1 + seed % 3), (enum kith_knife_loss)(seed / 3 % 4));
	problem.intercept = seed % 2;
	problem.lambda2 = 0;
	problem.gamma = pow(10, 3 * kith_rng_unit(&rng) - 1);
	problem.lambda1 = pow(10, -3 * kith_rng_unit(&rng));
	return problem;
}

/* How much f(alpha, w) rises on the way, alpha being that of its start; *f, there. */
static double
rise(const struct kith_knife_problem *problem, double *f)
{
	double *alpha = numbers(N), bias, F, off;

	if (kith_knife_at(problem, &from, &F, NULL, alpha, &bias, &err))
		ok(false, "%s", err.msg);
	*f = plain_objective(problem, &from, alpha, &bias, &off);
	return plain_objective(problem, &to, alpha, &bias, &off) - *f;
}

/* Whether a step goes half the way to 0 as often as it has halved it. */
static bool
is_there(const struct kith_knife_problem *problem, struct kith_knife_fit *fit)
{
	const struct kith_knife_how how = {.alternate = true, .max_iter = 1};
	double w = from, *alpha = numbers(N), bias;

	if (kith_knife(problem, &how, &w, alpha, &bias, fit, &err))
		ok(false, "%s", err.msg);
	return w == from - ldexp(from, 2 - (int)fit->evaluations);
}

/* A step that goes to 0 or, where f rises by that, a part of the way. */
static void
test_whole(void)
{
	size_t all = 0, halved = 0, whole = 0;

	for (unsigned seed = 0; seed < 200; seed++) {
		struct kith_knife_problem problem = draw_one(seed);
		struct kith_knife_fit fit;
		double f, least;
		const double up = rise(&problem, &f);

		least = 1e-8 * (f + fabs(up));
		problem.lambda2 = (up - least) / from;
		/* Else the step leads elsewhere. */
		if (problem.lambda2 < 0 || !is_there(&problem, &fit))
			continue;
		all++;
		halved += fit.evaluations > 2 && fit.searches == 1;
		problem.lambda2 = (up + least) / from;
		whole += is_there(&problem, &fit) && fit.evaluations == 2 && fit.searches == 0;
	}
	ok(halved == all, "%zu of %zu steps are halved where f rises", halved, all);
	ok(whole == all && all > 9, "%zu are whole where it falls", whole);
}

/* From a minimum of the linear kernel steps leave f as it is: none is searched. */
static void
test_rest(void)
{
	size_t searched = 0, steps = 0;

	for (unsigned seed = 0; seed < 30; seed++) {
		struct kith_knife_problem problem = draw_one(seed);
		struct kith_knife_how how = {.alternate = true, .max_iter = 500, .tol = 1e-6};
		double w = from, *alpha = numbers(N), bias;
		struct kith_knife_fit fit;

		problem.kernel = KITH_KNIFE_LINEAR;
		problem.lambda1 = problem.lambda2 = 2;
		kith_knife(&problem, &how, &w, alpha, &bias, &fit, &err);
		if (!fit.converged)
			continue;
		how.tol = 0;
		how.max_iter = 3;
		kith_knife(&problem, &how, &w, alpha, &bias, &fit, &err);
		searched += fit.searches;
		steps += fit.iterations;
	}
	ok(searched == 0 && steps > 9, "%zu of %zu steps at rest are searched", searched, steps);
}

int
main(void)
{
	test_whole();
	test_rest();
	kith_pool_free(&pool);
	return done();
}
