/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/ where K is not held: F, dF and the machine are those of all of
 * K, for any number of threads; and what is left of K is positive semidefinite.
 */
#include "base/err.h"
#include "knife/check.h"
#include "knife/data.h"
#include "knife/gram.h"
#include "knife/knife.h"
#include "knife/rank.h"
#include "knife/solve.h"
#include "knife/state.h"
#include "knife/tiles.h"
#include "tap.h"

#include <stdio.h>

static struct kith_err err;

/* F, dF and the machine at w, of tiles and of all of K. */
static void
test_profile(struct kith_knife_problem problem, const char *what)
{
	const size_t n = problem.X->n, p = problem.X->p, c = problem.c;
	double *w = numbers(p), F, G, H, *dF = numbers(p), *dG = numbers(p);
	double *alpha = numbers(n * c), *beta = numbers(n * c);
	double *bias = numbers(c), *other = numbers(c), size = 0;

	for (size_t j = 0; j < p; j++)
		w[j] = j % 3 == 2 ? 0 : kith_rng_unit(&rng);
	problem.held = n;
	ok(kith_knife_at(&problem, w, &F, dF, alpha, bias, &err) == 0, "all of K, %s", what);
	problem.held = 1;
	ok(kith_knife_at(&problem, w, &G, dG, beta, other, &err) == 0, "tiles, %s", what);
	for (size_t j = 0; j < p; j++)
		size = fmax(size, fabs(dF[j]));
	ok(fabs(F / G - 1) < 1e-11, "F, %s: %g", what, F / G - 1);
	ok(largest(p, dF, dG) < 1e-8 * size, "dF, %s: %g of %g", what, largest(p, dF, dG), size);
	ok(largest(n * c, alpha, beta) < 1e-7, "alpha, %s: %g", what, largest(n * c, alpha, beta));
	ok(largest(c, bias, other) < 1e-7, "b, %s", what);
	problem.threads = 3;
	kith_knife_at(&problem, w, &H, dF, alpha, bias, &err);
	ok(G == H && memcmp(dF, dG, p * sizeof(*dF)) == 0 &&
		memcmp(alpha, beta, n * c * sizeof(*alpha)) == 0,
	    "three threads, %s", what);
}

static void
test_profiles(void)
{
	static const size_t sizes[] = {2, 40, 140, 270};

	for (int kernel = 1; kernel < 4; kernel++)
		for (int loss = 0; loss < 4; loss++)
			for (size_t k = 0; k < 8; k++) {
				const size_t n = sizes[k / 2];
				const bool many = loss == 0 && k % 2;
				struct kith_knife_problem problem = draw(n, 5, many ? 3 : 1,
				    (enum kith_knife_kernel)kernel, (enum kith_knife_loss)loss);
				double *weight = numbers(n);
				char what[64];

				for (size_t i = 0; i < n; i++)
					weight[i] = .1 + kith_rng_unit(&rng);
				problem.intercept = k % 2;
				if (k / 2 % 2)
					problem.weight = weight;
				snprintf(what, sizeof(what), "%s %s n %zu%s", kernel_name[kernel],
				    loss_name[loss], n, k % 2 ? " intercept" : "");
				test_profile(problem, what);
			}
}

/* Rows that are alike, and weights that leave one row only. */
static void
test_alike(void)
{
	struct kith_knife_problem problem = draw(
	    300, 3, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	double w[3] = {0}, F, dF[3], *alpha = numbers(300), bias;

	problem.held = 1;
	ok(kith_knife_at(&problem, w, &F, dF, alpha, &bias, &err) == 0, "all kernels are 1");
	for (size_t i = 0; i < 300; i++)
		memcpy(kith_row(problem.X, i), kith_row(problem.X, i % 7), 3 * sizeof(double));
	w[0] = w[1] = 1;
	test_profile(problem, "copies of seven rows");
}

/* G G' has what K has but for the trace that is said to be left. */
static void
test_rank(void)
{
	struct kith_knife_problem problem = draw(
	    400, 4, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	const double enough[] = {40, 4, 1e-3, 0};
	const size_t n = 400;
	double *w = even(4, .5), *C = numbers(n * n);
	struct kith_knife_state state;
	size_t row[400];

	problem.held = 1;
	state = kith_knife_begin(&problem, true);
	ok(kith_knife_gram(&state, w, &err) == 0, "Z");
	for (size_t i = 0; i < n; i++)
		row[i] = i;
	kith_knife_tiles_columns(&state, n, row, C);
	for (size_t k = 0; k < 4; k++) {
		const struct kith_knife_rank rank = kith_knife_rank_find(
		    &state, enough[k], n / 2, &pool);
		double trace = 0, least = 0;

		for (size_t i = 0; i < n; i++) {
			double left = C[i * n + i];

			for (size_t l = 0; l < rank.r; l++)
				left -= rank.G[i * rank.r + l] * rank.G[i * rank.r + l];
			trace += left;
			least = fmin(least, left);
		}
		ok(rank.trace <= enough[k] || rank.r + 64 > n / 2, "rank %zu leaves %g", rank.r,
		    rank.trace);
		ok(fabs(trace - rank.trace) < 1e-9 && least > -1e-9, "as it says: %g, %g", trace,
		    least);
	}
	kith_knife_end(&state);
}

/* Of rows that have nothing in common all are taken, once each. */
static void
test_apart(size_t n)
{
	struct kith_knife_problem problem = draw(n, 4, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	struct kith_knife_state state;
	struct kith_knife_rank rank;
	double off = 0;

	problem.gamma = 1e6;
	problem.held = 0;
	state = kith_knife_begin(&problem, true);
	ok(kith_knife_gram(&state, even(4, 1), &err) == 0, "Z");
	rank = kith_knife_rank_find(&state, 0, n + 128, &pool);
	ok(rank.r == n && rank.trace == 0, "%zu rows: rank %zu leaves %g", n, rank.r, rank.trace);
	for (size_t i = 0; i < n && rank.r == n; i++)
		for (size_t l = 0; l < n; l++) {
			double sum = i == l ? -1 : 0;

			for (size_t k = 0; k < n; k++)
				sum += rank.G[i * n + k] * rank.G[l * n + k];
			off = fmax(off, fabs(sum));
		}
	ok(off == 0, "%zu rows: G G' is I, to %g", n, off);
	kith_knife_end(&state);
}

/* What ends at its first evaluation has made its products, and no others. */
static void
test_products(enum kith_knife_loss loss)
{
	struct kith_knife_problem problem = draw(140, 5, 1, KITH_KNIFE_GAUSSIAN, loss);
	const struct kith_knife_how how = {.max_iter = 0, .tol = 1e-9};
	double *w = even(5, .5), *alpha = numbers(140), bias;
	struct kith_knife_fit fit;
	struct kith_knife_state state;

	problem.held = 1;
	ok(kith_knife(&problem, &how, w, alpha, &bias, &fit, &err) == 0 && fit.evaluations == 1 &&
		fit.iterations == 0 && !fit.converged && largest(5, w, even(5, .5)) == 0,
	    "no iteration");
	state = kith_knife_begin(&problem, true);
	ok(kith_knife_gram(&state, w, &err) == 0 && kith_knife_solve(&state, &err) == 0,
	    "the machine there");
	is_size(fit.products, state.products, "its products");
	is_size(fit.rank, state.rank.r, "its rank");
	ok(fit.left == state.rank.trace && largest(140, alpha, state.alpha) == 0 &&
		bias == *state.bias && state.products > 0,
	    "and itself");
	kith_knife_end(&state);
}

/* Minima are the same, and the check agrees. */
static void
test_minimum(enum kith_knife_kernel kernel, enum kith_knife_loss loss)
{
	struct kith_knife_problem problem = draw(140, 5, 1, kernel, loss);
	const struct kith_knife_how how = {.max_iter = 500, .tol = 1e-7};
	double *w = even(5, .5), *v = even(5, .5), *alpha = numbers(300), bias;
	struct kith_knife_fit one, two;

	problem.lambda2 = 3;
	ok(kith_knife(&problem, &how, w, alpha, &bias, &one, &err) == 0, "all of K");
	problem.held = 1;
	ok(kith_knife(&problem, &how, v, alpha, &bias, &two, &err) == 0, "tiles");
	ok(one.converged && two.converged && largest(5, w, v) < 1e-5 &&
		fabs(one.objective / two.objective - 1) < 1e-10,
	    "%s %s: the same minimum", kernel_name[kernel], loss_name[loss]);
	ok(two.products > 0 && two.rank > 0 && one.products == 0, "%zu products, rank %zu",
	    two.products, two.rank);
	ok(kith_check_knife_verdict(&problem, v, even(5, .5), 1e-6).holds, "the check holds");
	v[0] = v[0] > .5 ? v[0] - .01 : v[0] + .01;
	ok(!kith_check_knife_verdict(&problem, v, even(5, .5), 1e-6).holds,
	    "but for other weights");
}

int
main(void)
{
	kith_rng_seed(&rng, 12, KITH_RNG_SAMPLE, 0);
	test_profiles();
	test_alike();
	test_rank();
	test_apart(1);
	test_apart(5);
	test_apart(90);
	test_products(KITH_KNIFE_SQUARED);
	test_products(KITH_KNIFE_LOGISTIC);
	for (int kernel = 1; kernel < 4; kernel++)
		for (int loss = 0; loss < 4; loss++)
			test_minimum((enum kith_knife_kernel)kernel, (enum kith_knife_loss)loss);
	kith_pool_free(&pool);
	return done();
}
