/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/knife.h against tests/golden/knife: minima, weights, the
 * first values f(alpha, w) of Algorithm 1 and the minima of the convex form
 * with the linear kernel, from knife.py, on synthetic data.
 */
#include "knife/knife.h"

#include "base/err.h"
#include "golden.h"
#include "knife/data.h"
#include "tap.h"

#include <stdio.h>

enum { FIRST_VALUES = 6, MOST = 30 };

/* A line of cases.tsv. */
struct golden_case {
	struct kith_knife_problem problem;
	double least, *weights, *first, convex;
};

static struct kith_err err;

static struct golden_case
read_case(const struct golden *t, size_t row)
{
	struct kith_mat *X = kith_new(&pool, 1, sizeof(*X));
	struct golden_case g = {
	    .problem = {.c = 1, .coef0 = 1, .delta = 2, .degree = 2, .threads = 2}};
	struct kith_knife_problem *problem = &g.problem;
	char name[64];
	double *Y;

	snprintf(name, sizeof(name), "knife/%s", golden_cell(t, row, "data"));
	*X = golden_data(name, &Y, &pool);
	problem->X = X;
	problem->Y = Y;
	problem->kernel = (enum kith_knife_kernel)golden_word(t, row, "kernel", kernel_name, 4);
	problem->loss = (enum kith_knife_loss)golden_word(t, row, "loss", loss_name, 4);
	problem->lambda1 = golden_number(t, row, "lambda1");
	problem->lambda2 = golden_number(t, row, "lambda2");
	problem->gamma = golden_number(t, row, "gamma");
	g.least = golden_number(t, row, "objective");
	g.weights = golden_numbers(t, row, "weights", X->p, &pool);
	g.first = golden_numbers(t, row, "first", FIRST_VALUES, &pool);
	if (problem->kernel == KITH_KNIFE_LINEAR)
		g.convex = golden_number(t, row, "convex");
	return g;
}

static void
test_profile(const struct golden_case *g)
{
	const struct kith_knife_problem *problem = &g->problem;
	const struct kith_knife_how how = {.max_iter = 100, .tol = 1e-6};
	const size_t p = problem->X->p;
	double *w = even(p, .5), *alpha = numbers(problem->X->n), bias, off, f, apart;
	struct kith_knife_fit fit;
	const char *kernel = kernel_name[problem->kernel];
	const char *loss = loss_name[problem->loss];

	if (kith_knife(problem, &how, w, alpha, &bias, &fit, &err)) {
		ok(false, "%s, %s: %s", kernel, loss, err.msg);
		return;
	}
	ok(fabs(fit.objective - g->least) <= 9e-10 * g->least, "%s, %s: minimum %.12g, due %.12g",
	    kernel, loss, fit.objective, g->least);
	ok(fit.converged && fit.gradient <= 1e-6 * fmax(1, fit.start),
	    "%s, %s: projected gradient %.2g", kernel, loss, fit.gradient);
	ok(fit.evaluations <= MOST, "%s, %s: %zu evaluations", kernel, loss, fit.evaluations);
	apart = golden_distance(w, g->weights, p);
	ok(apart <= 1.9e-6, "%s, %s: weights to %.2g", kernel, loss, apart);
	f = plain_objective(problem, w, alpha, &bias, &off);
	ok(fabs(f - fit.objective) <= 1e-10 * g->least && off <= 1e-8,
	    "%s, %s: the machine has the minimum, canonical to %.2g", kernel, loss, off);
	if (problem->kernel == KITH_KNIFE_LINEAR)
		is_near(fit.objective, g->convex, 9e-10, "the minimum of the convex form");
}

static void
test_alternate(const struct golden_case *g)
{
	const struct kith_knife_problem *problem = &g->problem;
	struct kith_knife_how how = {.alternate = true, .tol = 1e-6};
	const size_t p = problem->X->p, n = problem->X->n;
	double *alpha = numbers(n), *before = numbers(n), bias, worst = 0, *w;
	const char *kernel = kernel_name[problem->kernel];
	const char *loss = loss_name[problem->loss];
	struct kith_knife_fit fit;

	for (size_t t = 0; t <= FIRST_VALUES; t++) {
		double off, f;

		how.max_iter = t;
		w = even(p, .5);
		if (kith_knife(problem, &how, w, alpha, &bias, &fit, &err))
			ok(false, "%s", err.msg);
		if (t > 0) {
			f = plain_objective(problem, w, before, &bias, &off);
			worst = fmax(worst, fabs(f / g->first[t - 1] - 1));
		}
		memcpy(before, alpha, n * sizeof(*alpha));
	}
	ok(worst <= 9e-7, "%s, %s: the way of Algorithm 1, to %.2g", kernel, loss, worst);
	how.max_iter = 100;
	w = even(p, .5);
	if (kith_knife(problem, &how, w, alpha, &bias, &fit, &err))
		ok(false, "%s", err.msg);
	ok(fit.objective >= g->least * (1 - 5e-13) &&
		fit.objective <= g->least * (fit.converged ? 1 + 1e-9 : 1.05),
	    "%s, %s: Algorithm 1 %s at %.10g", kernel, loss, fit.converged ? "ends" : "is",
	    fit.objective);
}

int
main(void)
{
	struct kith_pool tables = {0};
	const struct golden t = golden_read("knife/cases.tsv", &tables);

	is_size(t.rows, 16, "cases");
	for (size_t i = 0; i < t.rows; i++) {
		const struct golden_case g = read_case(&t, i);

		test_profile(&g);
		test_alternate(&g);
		kith_pool_free(&pool);
	}
	kith_pool_free(&tables);
	return done();
}
