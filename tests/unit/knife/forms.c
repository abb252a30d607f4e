/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of what is found at some weights against its definition, by the solver
 * (lib/knife/knife.h) and by the check (lib/knife/check_at.h), K being held or not: at
 * numbers of rows and features around those of tiles, blocks and lanes.
 */
#include "knife/forms.h"

#include "base/err.h"
#include "knife/check_at.h"
#include "knife/data.h"
#include "knife/knife.h"
#include "tap.h"

#include <stdio.h>

static struct kith_err err;

/* A problem with all that may count, and weights of which each third is 0. */
static struct kith_knife_problem
draw_all(size_t n, size_t p, unsigned kernel, unsigned k, double **w)
{
	static const size_t c[] = {1, 3, 2, 1, 1, 1};
	const unsigned loss = k % 6 < 3 ? 0 : 1 + (k + kernel) % 3;
	struct kith_knife_problem problem = draw(
	    n, p, c[k % 6], (enum kith_knife_kernel)kernel, (enum kith_knife_loss)loss);
	double *weight = numbers(n);

	problem.intercept = k / 2 % 2;
	problem.degree = 1 + k / 4 % 4;
	problem.coef0 = k % 3 * .5;
	problem.lambda1 = 2;
	problem.threads = 1 + k % 3;
	for (size_t i = 0; i < n; i++)
		weight[i] = .5 + kith_rng_unit(&rng);
	if (k % 5 == 1)
		problem.weight = weight;
	*w = numbers(p);
	for (size_t j = 0; j < p; j++)
		(*w)[j] = j % 3 == 1 ? 0 : kith_rng_unit(&rng) / (double)p;
	return problem;
}

/* The largest |dF_j - due_j| over the largest |dF_j|. */
static double
apart(size_t p, const double *dF, const double *due)
{
	return largest(p, dF, due) / fmax(1, largest(p, due, NULL));
}

static void
test_solver(struct kith_knife_problem problem, const double *w, size_t held, const char *what)
{
	const size_t n = problem.X->n, p = problem.X->p, c = problem.c;
	double *dF = numbers(p), *alpha = numbers(n * c), *bias = numbers(c);
	double F = NAN, plain, off, d;
	const char *how = held ? "tiles" : "all of K";

	problem.held = held;
	if (kith_knife_at(&problem, w, &F, dF, alpha, bias, &err)) {
		ok(false, "%s, %s: %s", what, how, err.msg);
		return;
	}
	plain = plain_objective(&problem, w, alpha, bias, &off);
	ok(fabs(F - plain) <= 1e-11 * plain && off <= (held ? 1e-6 : 1e-9),
	    "%s, %s: F, off %.1e, canonical to %.1e", what, how, F / plain - 1, off);
	d = apart(p, dF, plain_gradient(&problem, w, alpha));
	ok(d <= 1e-11, "%s, %s: dF by definition, to %.1e", what, how, d);
}

static void
test_check(struct kith_knife_problem problem, const double *w, size_t held, const char *what)
{
	const size_t p = problem.X->p;
	struct kith_check_knife_point at;
	double plain, off, d;

	problem.held = held;
	at = kith_check_knife_at(&problem, w, &pool);
	plain = plain_objective(&problem, w, at.alpha, at.b, &off);
	ok(fabs(at.F - plain) <= 1e-11 * plain && off <= (held ? 1e-6 : 1e-9),
	    "%s, check%s: F, off %.1e, canonical to %.1e", what, held ? ", large" : "",
	    at.F / plain - 1, off);
	ok(at.residual <= (held ? 1e-8 : 1e-12) || off <= 1e-15, "its residual: %.1e", at.residual);
	d = apart(p, at.dF, plain_gradient(&problem, w, at.alpha));
	ok(d <= (problem.kernel ? 1e-11 : 1e-9), "%s, check%s: dF by definition, to %.1e", what,
	    held ? ", large" : "", d);
}

static void
test_sizes(void)
{
	static const size_t rows[] = {1, 2, 15, 16, 17, 33, 64, 127, 128, 129, 140, 7};
	static const size_t features[] = {1, 2, 7, 8, 9, 16, 17, 3};
	unsigned k = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (unsigned kernel = 0; kernel < 4; kernel++, k++) {
			const size_t p = features[(k + kernel) % 8];
			struct kith_knife_problem problem;
			char what[64];
			double *w;

			problem = draw_all(rows[i], p, kernel, k, &w);
			snprintf(what, sizeof(what), "%s, %s, %zu x %zu", kernel_name[kernel],
			    loss_name[problem.loss], rows[i], p);
			test_solver(problem, w, 0, what);
			test_check(problem, w, 0, what);
			if (kernel == 0 || rows[i] < 2)
				continue;
			test_solver(problem, w, 1, what);
			test_check(problem, w, 1, what);
		}
}

/* More than one tile of rows, by each way; the last tile has few. */
static void
test_tiles(void)
{
	for (unsigned kernel = 0; kernel < 4; kernel++) {
		struct kith_knife_problem problem;
		double *w;

		problem = draw_all(259, 9, kernel, kernel, &w);
		problem.threads = 2;
		test_solver(problem, w, 0, kernel_name[kernel]);
		if (kernel > 0)
			test_solver(problem, w, 1, kernel_name[kernel]);
	}
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_sizes();
	test_tiles();
	kith_pool_free(&pool);
	return done();
}
