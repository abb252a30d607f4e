/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of where searches of lib/knife/knife.h and lib/knife/mend.h end, mostly by
 * hand.
 */
#include "knife/mend.h"

#include "base/err.h"
#include "knife/check.h"
#include "knife/check_at.h"
#include "knife/data.h"
#include "knife/knife.h"
#include "knife/one.h"
#include "tap.h"

static struct kith_err err;

/*
 * The search ends at once, at .5, by its tolerance; the weight goes to 0 if dF is at
 * least as large as it, and F no larger there.
 */
static void
test_tolerated(double lambda2, double due)
{
	const struct kith_knife_problem problem = one_weight(lambda2);
	const struct kith_knife_how how = {.max_iter = 9, .tol = .5};
	double w = .5, alpha[2], bias = 9, dF;
	struct kith_knife_fit fit;

	kith_knife(&problem, &how, &w, alpha, &bias, &fit, &err);
	ok(w == due && fit.converged && fit.iterations == 0 && fit.evaluations == 1 && bias == 0,
	    "lambda2 %g: w = %g", lambda2, w);
	is_near(fit.objective, one_value(lambda2, w), 1e-14, "its F");
	is_near(alpha[0], 1 / (2 * w + 1), 1e-14, "its machine");
	dF = one_slope(lambda2, w);
	is_near(fit.gradient, fabs(w - fmin(fmax(w - dF, 0), 1)), 1e-14, "its projected gradient");
	is_near(fit.start, fmin(lambda2 - 1, .5), 1e-14, "that of the start");
}

/* A weight that is larger than the tolerance stays, whatever dF. */
static void
test_large(void)
{
	const struct kith_knife_problem problem = one_weight(1 + 1e-3);
	const struct kith_knife_how how = {.max_iter = 9, .tol = .01};
	double w = .5, alpha[2], bias;
	struct kith_knife_fit fit;

	kith_knife(&problem, &how, &w, alpha, &bias, &fit, &err);
	ok(w == .5 && fit.converged, "a weight above the tolerance");
}

/* Rows of different kernels while w is large, of one kernel where it is 0. */
static void
test_fails(void)
{
	struct kith_knife_problem problem = draw(6, 1, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	const struct kith_knife_how how = {.max_iter = 9, .tol = 1e-6};
	double w = .5, alpha[6], bias, F;
	struct kith_knife_fit fit;

	for (size_t i = 0; i < 6; i++)
		problem.X->v[i] = 10 * (double)i;
	problem.lambda1 = 1e-20;
	problem.lambda2 = 1e9;
	problem.gamma = 10;
	ok(kith_knife_at(&problem, &w, &F, NULL, alpha, &bias, &err) == 0,
	    "a machine at the start");
	err.msg[0] = '\0';
	ok(kith_knife(&problem, &how, &w, alpha, &bias, &fit, &err) == -1 &&
		err.status == EX_DATAERR,
	    "but none on the way");
	is_text(err.msg,
	    "lambda1 1e-20 is too small: K + lambda1 I is singular to working "
	    "precision",
	    "its message");
}

/* w becomes 2 w / (2 w + 1) lambda2^(-1/2), 40 times a round. */
static void
test_linear(void)
{
	static const double start = .5;
	const struct kith_knife_problem problem = one_weight(1);
	struct kith_mend_knife how = {&problem, &start, 1e-6, 100};
	double w = .5;
	size_t evaluations;
	bool holds;

	holds = kith_mend_knife(&how, &w, &evaluations);
	ok(holds && w == .5 && evaluations == 1, "nothing to mend, in %zu evaluation", evaluations);
	w = .9;
	holds = kith_mend_knife(&how, &w, &evaluations);
	ok(holds && evaluations == 41, "a round of %zu evaluations", evaluations);
	is_near(w, .5, 1e-11, "comes near");
	for (how.most = 1; how.most < 9; how.most++) {
		double due = .9;

		w = .9;
		for (size_t k = 1; k < how.most; k++)
			due = 2 * due / (2 * due + 1);
		holds = kith_mend_knife(&how, &w, &evaluations);
		ok(!holds && evaluations == how.most && fabs(w - due) < 1e-14,
		    "%zu evaluations come to %.12g", evaluations, w);
	}
}

/*
 * Where the minimum is next to 0 the update gains a thousandth a time: steps by
 * curvature end what a round of it has begun.
 */
static void
test_slow(void)
{
	static const double start = .5;
	const struct kith_knife_problem problem = one_weight(3.99);
	const struct kith_mend_knife how = {&problem, &start, 1e-6, 1000};
	double w = .9;
	size_t evaluations;
	const bool holds = kith_mend_knife(&how, &w, &evaluations);

	ok(holds && evaluations > 41 && evaluations < 81, "a slow one takes %zu evaluations",
	    evaluations);
	is_near(w, 1 / sqrt(3.99) - .5, 1e-6, "to its minimum");
}

/* Weights that cost nothing are doubled up to 1, and those that are 0 stay. */
static void
test_free(void)
{
	static const double start = .5;
	const struct kith_knife_problem problem = one_weight(0);
	const struct kith_mend_knife how = {&problem, &start, 1e-6, 100};
	double w = .1;
	size_t evaluations;
	bool holds = kith_mend_knife(&how, &w, &evaluations);

	ok(holds && w == 1 && evaluations == 5, "without lambda2, .1 takes %zu evaluations to 1",
	    evaluations);
	w = 1;
	holds = kith_mend_knife(&how, &w, &evaluations);
	ok(holds && w == 1 && evaluations == 1, "where it stays");
}

/* By the limit of weights next to 0: those F falls without. */
static void
test_small(void)
{
	static const double start = .5;
	const struct kith_knife_problem problem = one_weight(4.5);
	struct kith_mend_knife how = {&problem, &start, 1e-3, 100};
	double w = 2.9e-4;
	size_t evaluations;

	ok(kith_mend_knife(&how, &w, &evaluations) && w == 0, "a weight next to 0 goes");
	w = 1;
	ok(kith_mend_knife(&how, &w, &evaluations) && w == 0, "from far, too");
}

/* Weights one by one: of each the place where F is least along it. */
static void
test_others(void)
{
	size_t held = 0, all = 0;

	for (unsigned seed = 1; seed < 40; seed++) {
		struct kith_knife_problem problem;
		const double *start = even(3, .5);
		struct kith_mend_knife how = {&problem, start, 1e-5, 2000};
		double w[3], before;
		size_t evaluations;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		problem = draw(10, 3, 1, (enum kith_knife_kernel)(1 + seed % 3),
		    (enum kith_knife_loss)(seed / 3 % 4));
		problem.lambda2 = seed % 4 ? .05 : 2;
		for (size_t k = 0; k < 30 && seed % 3 > 0; k++)
			problem.X->v[k] *= k % 3 == 1 ? 1e4 : 1;
		for (size_t j = 0; j < 3; j++)
			w[j] = seed % 5 ? kith_rng_unit(&rng) : 0;
		before = kith_check_knife_at(&problem, w, &pool).F;
		held += kith_mend_knife(&how, w, &evaluations);
		all++;
		if (!(kith_check_knife_at(&problem, w, &pool).F <= before * (1 + 1e-12)))
			ok(false, "seed %u: F rises", seed);
		for (size_t j = 0; j < 3; j++)
			if (!(w[j] >= 0 && w[j] <= 1))
				ok(false, "seed %u: a weight is %g", seed, w[j]);
	}
	ok(held == all, "%zu of %zu are proved", held, all);
}

int
main(void)
{
	test_tolerated(1.3, .5);
	test_tolerated(1.6, .5);
	test_tolerated(2.5, 0);
	test_tolerated(9, 0);
	test_large();
	test_fails();
	test_linear();
	test_slow();
	test_free();
	test_small();
	test_others();
	kith_pool_free(&pool);
	return done();
}
