/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/knife.h against tests/golden/knife: minima, weights, the
 * first values f(alpha, w) of Algorithm 1 and the minima of the convex form
 * with the linear kernel, from knife.py, on synthetic data.
 */
#include "knife/knife.h"

#include "golden.h"
#include "knife/problem.h"
#include "tap.h"

#include <stdio.h>

enum { FIRST_VALUES = 6, MOST = 30 };

/* A line of cases.tsv. */
struct golden_case {
	struct kith_knife_problem problem;
	double least, *weights, *first, convex;
};

static struct golden_case
read_case(const struct golden *t, size_t row)
{
	struct kith_mat *X = kith_new(&pool, 1, sizeof(*X));
	struct golden_case g = {
	    .problem = {.c = 1, .kern = {.degree = 2, .coef0 = 1}, .delta = 2, .threads = 2}};
	struct kith_knife_problem *problem = &g.problem;
	char name[64];
	double *Y;

	snprintf(name, sizeof(name), "knife/%s", golden_cell(t, row, "data"));
	*X = golden_data(name, &Y, &pool);
	problem->X = X;
	problem->Y = Y;
	problem->kern.kind = (enum kith_kern_kind)golden_word(t, row, "kernel", kernel_name, 5);
	problem->loss = (enum kith_knife_loss)golden_word(t, row, "loss", loss_name, 4);
	problem->lambda1 = golden_number(t, row, "lambda1");
	problem->lambda2 = golden_number(t, row, "lambda2");
	problem->kern.gamma = problem->kern.kind == KITH_KERN_POLYNOMIAL
	    ? 1
	    : golden_number(t, row, "gamma");
	g.least = golden_number(t, row, "objective");
	g.weights = golden_numbers(t, row, "weights", X->p, &pool);
	g.first = golden_numbers(t, row, "first", FIRST_VALUES, &pool);
	if (problem->kern.kind == KITH_KERN_LINEAR)
		g.convex = golden_number(t, row, "convex");
	return g;
}

static void
test_quasi_newton(const struct golden_case *g)
{
	const struct kith_knife_problem *problem = &g->problem;
	const struct kith_knife_control control = {.max_iter = 100, .tol = 1e-6};
	const struct kith_knife_solution sol = solve(problem, &control, .5);
	const size_t p = problem->X->p;
	const char *kernel = kernel_name[problem->kern.kind], *loss = loss_name[problem->loss];
	double off, f, apart;

	ok(fabs(sol.objective - g->least) <= 9e-10 * g->least, "%s, %s: minimum %.12g, due %.12g",
	    kernel, loss, sol.objective, g->least);
	ok(sol.certified && sol.gradient <= 1e-6 * fmax(1, sol.start_gradient),
	    "%s, %s: projected gradient %.2g", kernel, loss, sol.gradient);
	ok(sol.evaluations <= MOST, "%s, %s: %zu evaluations", kernel, loss, sol.evaluations);
	apart = golden_distance(sol.w, g->weights, p);
	ok(apart <= 1.9e-6, "%s, %s: weights to %.2g", kernel, loss, apart);
	f = plain_objective(problem, sol.w, sol.machine.alpha, sol.machine.bias, &off);
	ok(fabs(f - sol.objective) <= 1e-10 * g->least && off <= 1e-8,
	    "%s, %s: the machine has the minimum, canonical to %.2g", kernel, loss, off);
	if (problem->kern.kind == KITH_KERN_LINEAR)
		is_near(sol.objective, g->convex, 9e-10, "the minimum of the convex form");
}

static void
test_paper(const struct golden_case *g)
{
	const struct kith_knife_problem *problem = &g->problem;
	const size_t n = problem->X->n;
	struct kith_knife_control control = {.alternate = true, .tol = 1e-6};
	const char *kernel = kernel_name[problem->kern.kind], *loss = loss_name[problem->loss];
	double *before = numbers(n), worst = 0;
	struct kith_knife_solution sol;

	for (size_t t = 0; t <= FIRST_VALUES; t++) {
		double off;

		control.max_iter = t;
		sol = solve(problem, &control, .5);
		if (t > 0)
			worst = fmax(worst,
			    fabs(plain_objective(problem, sol.w, before, sol.machine.bias, &off) /
				    g->first[t - 1] -
				1));
		memcpy(before, sol.machine.alpha, n * sizeof(*before));
	}
	ok(worst <= 9e-7, "%s, %s: the way of Algorithm 1, to %.2g", kernel, loss, worst);
	control.max_iter = 100;
	sol = solve(problem, &control, .5);
	ok(sol.objective >= g->least * (1 - 5e-13) &&
		sol.objective <= g->least * (sol.converged ? 1 + 1e-9 : 1.05),
	    "%s, %s: Algorithm 1 %s at %.10g", kernel, loss, sol.converged ? "ends" : "is",
	    sol.objective);
}

int
main(void)
{
	struct kith_pool tables = {0};
	const struct golden t = golden_read("knife/cases.tsv", &tables);

	is_size(t.rows, 16, "cases");
	for (size_t i = 0; i < t.rows; i++) {
		const struct golden_case g = read_case(&t, i);

		test_quasi_newton(&g);
		test_paper(&g);
		kith_pool_free(&pool);
	}
	kith_pool_free(&tables);
	return done();
}
