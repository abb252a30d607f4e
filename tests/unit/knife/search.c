/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/knife.h: minima over many problems, by definition: the machine, the gradient,
 * curvatures, the certificate; the largest useful lambda2; many rows; threads and levels; tables of
 * copies, constants and columns of scales far apart.
 */
#include "knife/knife.h"

#include "knife/problem.h"
#include "la/level.h"
#include "la/vec.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>

static const struct kith_knife_control control = {.max_iter = 1000, .tol = 1e-6};

/* The solution is a minimum by the sums of problem.h. */
static void
is_minimum(const struct kith_knife_problem *problem, const struct kith_knife_solution *sol,
    const char *what)
{
	const size_t p = problem->X->p;
	double off,
	    f = plain_objective(problem, sol->w, sol->machine.alpha, sol->machine.bias, &off);
	const double *dF = plain_gradient(problem, sol->w, sol->machine.alpha);
	const double gradient = kith_lbfgs_box_gradient(p, sol->w, dF);

	ok(sol->certified, "%s: certified", what);
	ok(fabs(f - sol->objective) <= 1e-9 * fabs(f) && off <= 1e-6,
	    "%s: objective %.10g, due %.10g; canonical to %.2g", what, sol->objective, f, off);
	ok(gradient <= 2e-6 * fmax(1, sol->start_gradient), "%s: projected gradient %.2g", what,
	    gradient);
}

/* dF is the derivative of F, by differences. */
static void
test_gradient(const struct kith_knife_problem *problem, const char *what)
{
	const size_t p = problem->X->p;
	double *w = even(p, 0), *dF = numbers(p), *unused = numbers(p), F[2], worst = 0;

	for (size_t j = 0; j < p; j++)
		w[j] = .2 + .6 * kith_rng_unit(&rng);
	evaluate(problem, w, &F[0], dF);
	for (size_t j = 0; j < p; j++) {
		const double h = 1e-5, at = w[j];

		for (int k = 0; k < 2; k++) {
			w[j] = k ? at + h : at - h;
			evaluate(problem, w, &F[k], unused);
		}
		w[j] = at;
		worst = fmax(worst, fabs((F[1] - F[0]) / (2 * h) - dF[j]) / fmax(1, fabs(dF[j])));
	}
	ok(worst <= 1e-5, "%s: dF is the derivative of F, to %.2g", what, worst);
}

/* L'' is the derivative of L' by y f to the right, also where two pieces of a loss meet. */
static void
test_curvature(enum kith_knife_loss loss)
{
	const struct kith_knife_problem problem = {.loss = loss, .delta = .5};
	const double h = 0x1p-12;
	double worst = 0;

	for (int eighths = -24; eighths <= 24; eighths++)
		for (int y = -1; y <= 1; y += 2) {
			const double f = eighths / 8.;
			double d2, slope[2];
			long double d1;

			plain_loss(&problem, y, f, &slope[0]);
			plain_loss(&problem, y, f + y * h, &slope[1]);
			kith_knife_loss(&problem, y, f, true, &d1, &d2);
			worst = fmax(worst, fabs((slope[1] - slope[0]) / (y * h) - d2));
		}
	ok(worst < 1e-4, "%s: curvatures, to %.2g", loss_name[loss], worst);
}

/* Both solvers end in the same minimum; engines may serve again. */
static void
test_solvers(const struct kith_knife_problem *problem, const struct kith_knife_solution *first,
    const char *what)
{
	struct kith_knife_control paper = control;
	struct kith_knife_solution sol;
	struct kith_knife_engine *e = kith_knife_engine_new(problem, &control, &pool);
	struct kith_err err;
	const double *start = even(problem->X->p, .5);

	paper.alternate = true;
	paper.max_iter = 100;
	sol = solve(problem, &paper, .5);
	ok(sol.objective >= first->objective * (1 - 1e-9) || problem->kern.kind != KITH_KERN_LINEAR,
	    "%s: no solver is below the global minimum", what);
	if (sol.converged)
		ok(fabs(sol.objective / first->objective - 1) < .2, "%s: Algorithm 1 ends in %.9g",
		    what, sol.objective);
	for (int k = 0; k < 2; k++) {
		memcpy(sol.w, start, problem->X->p * sizeof(*start));
		if (kith_knife_fit(e, problem->lambda2, start, &sol, &err))
			ok(false, "%s: %s", what, err.msg);
	}
	ok(largest(problem->X->p, sol.w, first->w) <= 1e-5, "%s: an engine that has been used",
	    what);
}

/* At the largest useful lambda2 all weights are 0; a third below some are not. */
static void
test_lambda2_max(struct kith_knife_problem *problem, const char *what)
{
	struct kith_knife_engine *e = kith_knife_engine_new(problem, &control, &pool);
	const double *start = even(problem->X->p, .5), lambda2 = problem->lambda2;
	struct kith_err err;
	struct kith_knife_solution sol;
	double most;

	if (kith_knife_lambda2_max(e, start, &most, &err))
		ok(false, "%s: %s", what, err.msg);
	/* F may be flat along weights at the very value where a loss is a straight line. */
	problem->lambda2 = problem->kern.kind == KITH_KERN_LINEAR ? 1.001 * most : most;
	sol = solve(problem, &control, .5);
	ok(largest(problem->X->p, sol.w, NULL) == 0 && sol.certified, "%s: all weights are 0 at %g",
	    what, most);
	problem->lambda2 = most * (problem->kern.kind == KITH_KERN_LINEAR ? .99 : .1);
	sol = solve(problem, &control, .5);
	ok(largest(problem->X->p, sol.w, NULL) > 0, "%s: some are not at %g", what,
	    problem->lambda2);
	problem->lambda2 = lambda2;
}

static void
test_problems(uint64_t seed)
{
	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	for (int kernel = 0; kernel < 4; kernel++)
		for (int loss = 0; loss < 4; loss++) {
			const size_t c = loss == 0 && seed % 2 ? 2 : 1;
			const size_t n = seed % 3 == 0 ? 6 : 24, p = seed % 3 == 1 ? 9 : 4;
			struct kith_knife_problem problem = draw(
			    n, p, c, kernels[kernel], (enum kith_knife_loss)loss);
			struct kith_knife_solution sol;
			char what[64];

			snprintf(what, sizeof(what), "%s, %s, seed %d",
			    kernel_name[kernels[kernel]], loss_name[loss], (int)seed);
			problem.intercept = seed % 2;
			sol = solve(&problem, &control, .5);
			is_minimum(&problem, &sol, what);
			test_gradient(&problem, what);
			test_solvers(&problem, &sol, what);
			test_lambda2_max(&problem, what);
			kith_pool_free(&pool);
		}
}

/* The same bytes for any threads and levels; tiles that are not stored give the same minimum. */
static void
test_large(enum kith_kern_kind kernel, enum kith_knife_loss loss)
{
	struct kith_knife_problem problem = draw(100, 5, 1, kernel, loss);
	const struct kith_knife_solution dense = solve(&problem, &control, .5);
	const size_t level = kith_level;
	size_t size = problem.X->p * sizeof(*dense.w), rows = problem.X->n * sizeof(*dense.w);
	struct kith_knife_solution sol;

	for (problem.threads = 2; problem.threads <= 3; problem.threads++) {
		sol = solve(&problem, &control, .5);
		ok(memcmp(sol.w, dense.w, size) == 0 &&
			memcmp(sol.machine.alpha, dense.machine.alpha, rows) == 0,
		    "%s: %zu threads", kernel_name[kernel], problem.threads);
	}
	for (kith_level = 0; kith_level < kith_level_count(); kith_level++) {
		sol = solve(&problem, &control, .5);
		ok(memcmp(sol.w, dense.w, size) == 0, "%s: level %s", kernel_name[kernel],
		    kith_level_name(kith_level));
	}
	kith_level = level;
	if (kernel != KITH_KERN_LINEAR) {
		problem.dense_rows = 20;
		sol = solve(&problem, &control, .5);
		ok(sol.certified && sol.products > 0 && largest(5, sol.w, dense.w) <= 1e-4,
		    "%s, %s: K is not stored, weights to %.2g", kernel_name[kernel],
		    loss_name[loss], largest(5, sol.w, dense.w));
	}
	kith_pool_free(&pool);
}

/* The low-rank part of K that is not stored leaves no row out, be the row far from all others. */
static void
test_rank(size_t far)
{
	struct kith_knife_problem problem = draw(200, 2, 1, KITH_KERN_GAUSSIAN, KITH_KNIFE_SQUARED);
	struct kith_knife_engine *e;
	double F, left = 0;
	struct kith_err err;

	kith_row(problem.X, far)[0] = 100;
	problem.dense_rows = 20;
	problem.lambda1 = .01;
	e = kith_knife_engine_new(&problem, &control, &pool);
	ok(!kith_knife_evaluate(e, even(2, .1), &F, NULL, &err) && e->ranked, "K is not stored");
	for (size_t i = 0; i < 200; i++) {
		const double *g = e->rank.G + i * e->rank.most;

		left = fmax(left, 1 - kith_vec_dot(e->rank.r, g, g));
	}
	ok(left <= .01, "row %zu: %zu columns leave %g of a row", far, e->rank.r, left);
	kith_pool_free(&pool);
}

/* Copies of columns and rows, constants, scales 1e-6 to 1e6: certified, and copies share. */
static void
test_degenerate(enum kith_kern_kind kernel, enum kith_knife_loss loss)
{
	struct kith_knife_problem problem = draw(20, 6, 1, kernel, loss);
	struct kith_mat *X = (struct kith_mat *)problem.X;
	struct kith_knife_solution sol;

	for (size_t i = 0; i < 20; i++) {
		double *x = kith_row(X, i);

		if (i >= 10)
			memcpy(x, kith_row(X, i - 10), 6 * sizeof(*x));
		x[3] = x[0];
		x[4] = kernel == KITH_KERN_POLYNOMIAL ? 1 : 7;
		x[5] *= kernel == KITH_KERN_POLYNOMIAL ? 1 : 1e6;
		x[1] *= kernel == KITH_KERN_POLYNOMIAL ? 1 : 1e-6;
	}
	problem.intercept = loss % 2 == 0;
	sol = solve(&problem, &control, .5);
	ok(sol.certified, "%s, %s: copies, a constant, scales far apart", kernel_name[kernel],
	    loss_name[loss]);
	ok(fabs(sol.w[3] - sol.w[0]) <= 1e-3, "%s, %s: copies have equal weights, %g and %g",
	    kernel_name[kernel], loss_name[loss], sol.w[0], sol.w[3]);
	if (kith_knife_is_radial(&problem))
		ok(sol.w[4] == 0, "a constant has no weight: %g", sol.w[4]);
	kith_pool_free(&pool);
}

/* A search that rounding ends has converged, also where F and lambda2 are large. */
static void
test_rounding(void)
{
	const struct kith_knife_control tight = {.max_iter = 1000, .tol = 1e-17};
	struct kith_knife_problem problem = draw(30, 7, 1, KITH_KERN_GAUSSIAN, KITH_KNIFE_SQUARED);

	for (size_t i = 0; i < 30; i++)
		((double *)problem.Y)[i] *= 0x1p20;
	problem.lambda2 *= 0x1p40;
	ok(solve(&problem, &tight, .5).converged, "a search to rounding");
	kith_pool_free(&pool);
}

int
main(void)
{
	const uint64_t seeds = getenv("KITH_LONG") ? 24 : 2;

	for (uint64_t seed = 0; seed < seeds; seed++)
		test_problems(seed);
	for (int loss = 0; loss < 4; loss++)
		test_curvature((enum kith_knife_loss)loss);
	for (int kernel = 0; kernel < 4; kernel++)
		for (int loss = 0; loss < 4; loss += 3) {
			test_large(kernels[kernel], (enum kith_knife_loss)loss);
			test_degenerate(kernels[kernel], (enum kith_knife_loss)loss);
		}
	test_rank(0);
	test_rank(199);
	test_rounding();
	return done();
}
