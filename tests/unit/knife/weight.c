/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the weights of rows in lib/knife/: whole ones are as many copies of a
 * row, in F and dF, in minima, upper ends of paths, and in the check.
 */
#include "base/err.h"
#include "knife/ceiling.h"
#include "knife/check.h"
#include "knife/check_at.h"
#include "knife/data.h"
#include "knife/knife.h"
#include "tap.h"

#include <stdio.h>

static struct kith_err err;

/* The problem with each row as often as its weight says, and no weights. */
static struct kith_knife_problem
repeat(const struct kith_knife_problem *problem)
{
	struct kith_knife_problem out = *problem;
	struct kith_mat *X = kith_new(&pool, 1, sizeof(*X));
	size_t m = 0, at = 0;
	double *Y;

	for (size_t i = 0; i < problem->X->n; i++)
		m += (size_t)problem->weight[i];
	*X = kith_mat_new(&pool, m, problem->X->p);
	Y = numbers(m * problem->c);
	for (size_t i = 0; i < problem->X->n; i++)
		for (size_t k = 0; k < (size_t)problem->weight[i]; k++) {
			memcpy(kith_row(X, at), kith_row(problem->X, i), X->p * sizeof(double));
			for (size_t o = 0; o < problem->c; o++)
				Y[o * m + at] = problem->Y[o * problem->X->n + i];
			at++;
		}
	out.X = X;
	out.Y = Y;
	out.weight = NULL;
	return out;
}

/* F and dF at w, and the sums of alpha over copies. */
static void
test_profile(const struct kith_knife_problem *problem, const struct kith_knife_problem *copies,
    const double *w, const char *what)
{
	const size_t n = problem->X->n, m = copies->X->n, p = problem->X->p;
	const size_t c = problem->c;
	double F = 0, G = 1, *dF = numbers(p), *dG = numbers(p), worst = 0, apart = 0;
	double *alpha = numbers(n * c), *bias = numbers(c);
	double *beta = numbers(m * c), *other = numbers(c);

	ok(kith_knife_at(problem, w, &F, dF, alpha, bias, &err) == 0 &&
		kith_knife_at(copies, w, &G, dG, beta, other, &err) == 0,
	    "solved, %s", what);
	ok(fabs(F / G - 1) < 1e-10, "F, %s", what);
	for (size_t j = 0; j < p; j++)
		worst = fmax(worst, fabs(dF[j] - dG[j]) / (1 + fabs(dG[j])));
	ok(worst < 1e-7, "dF, %s: %g", what, worst);
	for (size_t o = 0; o < c; o++) {
		size_t at = 0;

		apart = fmax(apart, fabs(bias[o] - other[o]));
		for (size_t i = 0; i < n; i++) {
			double sum = 0;

			for (size_t k = 0; k < (size_t)problem->weight[i]; k++)
				sum += beta[o * m + at++];
			apart = fmax(apart, fabs(sum - alpha[o * n + i]));
		}
	}
	ok(apart < 1e-6, "alpha and b, %s: %g", what, apart);
}

/* The check finds the same at w. */
static void
test_check(const struct kith_knife_problem *problem, const struct kith_knife_problem *copies,
    const double *w, const char *what)
{
	struct kith_pool tmp = {0};
	const struct kith_check_knife_point a = kith_check_knife_at(problem, w, &tmp),
					    b = kith_check_knife_at(copies, w, &tmp);
	struct kith_check one[KITH_CHECK_KNIFE], two[KITH_CHECK_KNIFE];
	const double *start = even(problem->X->p, .5);
	const size_t n = kith_check_knife(problem, w, start, 1e-6, one);
	double worst = 0;

	kith_check_knife(copies, w, start, 1e-6, two);
	ok(fabs(a.F / b.F - 1) < 1e-10, "F of the check, %s", what);
	ok(a.residual < 1e-8, "its alpha, %s", what);
	for (size_t j = 0; j < problem->X->p; j++)
		worst = fmax(worst, fabs(a.dF[j] - b.dF[j]) / (1 + fabs(b.dF[j])));
	ok(worst < 1e-7, "dF of the check, %s: %g", what, worst);
	for (size_t k = 2; k < n; k++) {
		ok(fabs(one[k].limit / two[k].limit - 1) < 1e-6, "limit of %s, %s", one[k].check,
		    what);
		ok(fabs(one[k].value - two[k].value) < 1e-6 * (1 + fabs(two[k].value)), "%s, %s",
		    one[k].check, what);
	}
	kith_pool_free(&tmp);
}

static void
test_minimum(const struct kith_knife_problem *problem, const struct kith_knife_problem *copies,
    const char *what)
{
	const struct kith_knife_how how = {.max_iter = 500, .tol = 1e-8};
	const size_t p = problem->X->p, c = problem->c;
	double *w = even(p, .5), *v = even(p, .5), worst = 0, top[2];
	double *alpha = numbers(copies->X->n * c), *bias = numbers(c);
	struct kith_knife_fit one = {0}, two = {0};

	ok(kith_knife(problem, &how, w, alpha, bias, &one, &err) == 0 &&
		kith_knife(copies, &how, v, alpha, bias, &two, &err) == 0,
	    "minima, %s", what);
	for (size_t j = 0; j < p; j++)
		worst = fmax(worst, fabs(w[j] - v[j]));
	ok(worst < 1e-4, "w, %s: %g", what, worst);
	ok(fabs(one.objective / two.objective - 1) < 1e-9, "their F, %s", what);
	ok(kith_check_knife_verdict(problem, w, even(p, .5), 1e-6).holds, "the check holds, %s",
	    what);
	ok(kith_knife_ceiling(problem, &how, even(p, .5), top, &err) == 0 &&
		kith_knife_ceiling(copies, &how, even(p, .5), top + 1, &err) == 0,
	    "upper ends, %s", what);
	ok(fabs(top[0] / top[1] - 1) < 1e-6, "the same, %s", what);
}

static void
test_all(void)
{
	for (int kernel = 0; kernel < 4; kernel++)
		for (int loss = 0; loss < 4; loss++)
			for (int b = 0; b < 2; b++) {
				struct kith_knife_problem problem = draw(14, 4,
				    loss == KITH_KNIFE_SQUARED && b ? 2 : 1,
				    (enum kith_knife_kernel)kernel, (enum kith_knife_loss)loss);
				struct kith_knife_problem copies;
				double *weight = numbers(14), *w = numbers(4);
				char what[64];

				problem.intercept = b;
				for (size_t i = 0; i < 14; i++)
					weight[i] = 1 + (double)(kith_rng_below(&rng, 3));
				for (size_t j = 0; j < 4; j++)
					w[j] = kith_rng_unit(&rng);
				problem.weight = weight;
				copies = repeat(&problem);
				snprintf(what, sizeof(what), "%s %s%s", kernel_name[kernel],
				    loss_name[loss], b ? " intercept" : "");
				test_profile(&problem, &copies, w, what);
				test_check(&problem, &copies, w, what);
				test_minimum(&problem, &copies, what);
			}
}

int
main(void)
{
	kith_rng_seed(&rng, 11, KITH_RNG_SAMPLE, 0);
	test_all();
	kith_pool_free(&pool);
	return done();
}
