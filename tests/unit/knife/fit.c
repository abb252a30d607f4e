/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/fit.h: what a fit that was judged, and mended where the judge
 * said no, tells of itself; of copies; of intercepts that nothing determines.
 */
#include "knife/fit.h"

#include "base/err.h"
#include "knife/check.h"
#include "knife/check_at.h"
#include "knife/data.h"
#include "knife/knife.h"
#include "tap.h"

#include <stdlib.h>

enum { N = 16 };

static struct kith_err err;

/* A fit of this problem that is ready to start from all weights .5. */
static struct kith_knife_fitted
fit_of(const struct kith_knife_problem *problem)
{
	const size_t n = problem->X->n, p = problem->X->p, c = problem->c;
	struct kith_knife_fitted fit = {.problem = *problem, .X = *problem->X};

	fit.w = even(p, .5);
	fit.start = even(p, .5);
	fit.alpha = numbers(n * c);
	fit.bias = numbers(c);
	return fit;
}

/* Features of this many powers of ten, where searches end before the check is content. */
struct scales {
	enum kith_knife_kernel kernel;
	enum kith_knife_loss loss;
	int span;
	double tol, off;              /* off: how exactly a machine's F can be had */
	size_t mended, other, failed; /* searches */
};

/* What is told is that of the weights and of the machine that are left. */
static void
test_judged(unsigned seed, struct scales *s)
{
	const struct kith_knife_fit_how how = {
	    .how = {.max_iter = 200, .tol = s->tol}, .prove = true};
	struct kith_knife_problem problem;
	struct kith_knife_fitted fit, copy;
	struct kith_check_knife_verdict verdict;
	struct kith_knife_fit search;
	const int half = s->span / 2;
	double off, F, *w = even(4, .5), *alpha = numbers(N), bias = 0;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	problem = draw(N, 4, 1, s->kernel, s->loss);
	problem.intercept = seed % 3 == 0;
	problem.lambda2 = .1;
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < 4; j++)
			kith_row(problem.X, i)[j] *= pow(
			    10, (int)(j * (seed + 1) % (size_t)(s->span + 1)) - half);
	fit = fit_of(&problem);
	if (kith_knife_fit_at(&fit, &how, .1, &err)) {
		s->failed++;
		return;
	}
	verdict = kith_check_knife_verdict(&fit.problem, fit.w, fit.start, how.how.tol);
	/* A K that is next to singular has a machine by some processors alone. */
	if (isnan(verdict.F) && !fit.converged) {
		s->failed++;
		return;
	}
	F = plain_objective(&fit.problem, fit.w, fit.alpha, fit.bias, &off);
	if (!(fabs(F - fit.fit.objective) <= s->off * F))
		ok(false, "seed %u: objective %.12g, of the machine %.12g", seed, fit.fit.objective,
		    F);
	if (fit.converged != verdict.holds ||
	    !(fabs(verdict.F - fit.fit.objective) <= 1e-9 * verdict.F))
		ok(false, "seed %u: told as %d, %.12g; it is %d, %.12g", seed, fit.converged,
		    fit.fit.objective, verdict.holds, verdict.F);
	copy = kith_knife_fitted_copy(&fit, &pool);
	if (copy.w == fit.w || largest(4, copy.w, fit.w) > 0 ||
	    largest(N, copy.alpha, fit.alpha) > 0 || *copy.bias != *fit.bias)
		ok(false, "seed %u: its copy", seed);
	s->mended += fit.evaluations > fit.fit.evaluations;
	if (kith_knife(&problem, &how.how, w, alpha, &bias, &search, &err) == 0)
		s->other += fit.evaluations == fit.fit.evaluations &&
		    search.objective != fit.fit.objective;
}

/* A trace: how often, and the last one. */
struct told {
	size_t times;
	struct kith_knife_trace last;
};

static void
tell(void *to, const struct kith_knife_trace *trace)
{
	struct told *told = to;

	told->times++;
	told->last = *trace;
}

/* What was mended has the machine and the numbers of the check. */
static void
test_mended(const struct kith_knife_fitted *fit)
{
	const size_t n = fit->X.n, p = fit->X.p;
	const struct kith_check_knife_point at = kith_check_knife_at(&fit->problem, fit->w, &pool);

	ok(fit->fit.objective == at.F && largest(n, fit->alpha, at.alpha) == 0 &&
		*fit->bias == *at.b,
	    "its machine");
	is_near(fit->fit.gradient, kith_knife_projected(p, fit->w, at.dF), 1e-14, "its gradient");
}

/*
 * Mending takes six evaluations for each step that the search left, and 30 at most
 * where these are dear; it counts as a step, and is told as the last one.
 */
static void
test_budget(size_t n, size_t max_iter, size_t *mended, size_t *tight)
{
	struct kith_knife_problem problem = draw(
	    n, 6, 1, n > 99 ? KITH_KNIFE_LINEAR : KITH_KNIFE_GAUSSIAN, KITH_KNIFE_LOGISTIC);
	struct told told = {0};
	struct kith_knife_fit_how how = {
	    .how = {.max_iter = max_iter, .tol = 1e-9, .tell = tell, .to = &told}};
	struct kith_knife_fitted fit, plain;
	size_t left, due, more;

	for (size_t k = 0; k < n * 6; k++)
		problem.X->v[k] *= pow(10, (double)(k % 6) * 3 - 6);
	plain = fit_of(&problem);
	kith_knife_fit_at(&plain, &how, .01, &err);
	told.times = 0;
	fit = fit_of(&problem);
	how.prove = true;
	kith_knife_fit_at(&fit, &how, .01, &err);
	left = max_iter - plain.fit.iterations;
	due = n > 99 && 6 * left > 30 ? 30 : 6 * left;
	more = fit.evaluations - plain.evaluations;
	ok(more <= due, "%zu rows, %zu of %zu steps: %zu evaluations more, of %zu", n,
	    plain.fit.iterations, max_iter, more, due);
	ok(fit.fit.iterations == plain.fit.iterations + (more > 0) &&
		told.times == fit.fit.iterations + 1 && told.last.iteration == fit.fit.iterations &&
		(more == 0 || told.last.objective == fit.fit.objective),
	    "and its trace");
	if (more > 0)
		test_mended(&fit);
	*mended += more > 0;
	*tight += due > 0 && more >= due;
}

static void
test_budgets(void)
{
	size_t mended = 0, tight = 0;

	for (unsigned seed = 1; seed < 40; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		test_budget(12, 2 + seed % 9, &mended, &tight);
	}
	ok(mended > 3 && tight > 1, "%zu mended, %zu of them to the end", mended, tight);
	for (unsigned seed = 1; seed < 3; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		test_budget(1300, 180, &mended, &tight);
	}
}

/* A search by Algorithm 1 that came to no end is not mended, one that did is. */
static void
test_alternate(void)
{
	struct kith_knife_problem problem = draw(20, 3, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	struct kith_knife_fit_how how = {
	    .how = {.alternate = true, .max_iter = 1, .tol = 1e-9}, .prove = true};
	struct kith_knife_fitted fit = fit_of(&problem);

	kith_knife_fit_at(&fit, &how, .1, &err);
	ok(!fit.converged && fit.missed == 1 && fit.fit.iterations == 1 &&
		fit.evaluations == fit.fit.evaluations,
	    "a step of Algorithm 1 stays");
	how.how.alternate = false;
	how.how.max_iter = 9;
	fit = fit_of(&problem);
	kith_knife_fit_at(&fit, &how, 1e5, &err);
	ok(fit.converged && fit.missed == 0 && largest(3, fit.w, NULL) == 0 &&
		fit.evaluations == fit.fit.evaluations,
	    "nothing to mend");
}

/*
 * Two rows of each class whose scores are next to 0: all are on the straight
 * part of the loss, and as many pull up as down.
 */
static void
test_balanced(void)
{
	struct kith_knife_problem problem = draw(
	    4, 2, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_HUBERHINGE);
	double y[] = {1, -1, 1, -1}, *alpha = numbers(4), bias = 0, F, off;

	problem.Y = y;
	problem.intercept = true;
	problem.lambda1 = 1e6;
	if (kith_knife_at(&problem, even(2, .5), &F, NULL, alpha, &bias, &err))
		ok(false, "%s", err.msg);
	is_near(F, plain_objective(&problem, even(2, .5), alpha, &bias, &off), 1e-12,
	    "balanced: objective");
	ok(bias == 0, "an intercept that nothing moves stays: %g", bias);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const unsigned seeds = more && *more == '1' ? 200 : 20;
	struct scales scales[] = {
	    {KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED, 10, 1e-9, 1e-7, 0, 0, 0},
	    {KITH_KNIFE_GAUSSIAN, KITH_KNIFE_LOGISTIC, 10, 1e-9, 1e-7, 0, 0, 0},
	    {KITH_KNIFE_POLYNOMIAL, KITH_KNIFE_SQUARED, 2, 1e-9, 1e-7, 0, 0, 0},
	    {KITH_KNIFE_POLYNOMIAL, KITH_KNIFE_SQUARED, 6, 1e-3, 1e-2, 0, 0, 0}};
	size_t mended = 0, other = 0;

	for (size_t k = 0; k < sizeof(scales) / sizeof(*scales); k++) {
		struct scales *s = &scales[k];

		for (unsigned seed = 1; seed <= seeds; seed++)
			test_judged(seed, s);
		ok(s->failed < seeds / 2, "%s, %s: %zu mended, %zu others, %zu that failed",
		    kernel_name[s->kernel], loss_name[s->loss], s->mended, s->other, s->failed);
		mended += s->mended;
		other += s->other;
	}
	ok(mended > 4, "%zu searches were mended", mended);
	ok(other > 0, "%zu have the numbers of the check", other);
	test_balanced();
	test_budgets();
	test_alternate();
	kith_pool_free(&pool);
	return done();
}
