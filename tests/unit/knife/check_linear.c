/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/check_linear.h, and of the gap and the limits of check.h: by
 * their definitions.
 */
#include "knife/check_linear.h"

#include "base/err.h"
#include "knife/check.h"
#include "knife/check_at.h"
#include "knife/check_loss.h"
#include "knife/data.h"
#include "knife/knife.h"
#include "tap.h"

/* A problem of the linear kernel at w, of this size; columns are of two scales. */
static struct kith_knife_problem
draw_linear(size_t n, size_t p, unsigned k, double size, double **w)
{
	struct kith_knife_problem problem = draw(
	    n, p, k % 4 ? 1 : 3, KITH_KNIFE_LINEAR, (enum kith_knife_loss)(k % 4));
	double *weight = numbers(n);

	problem.intercept = k / 4 % 2;
	for (size_t i = 0; i < n; i++) {
		weight[i] = .5 + kith_rng_unit(&rng);
		kith_row(problem.X, i)[p - 1] += 3;
		kith_row(problem.X, i)[0] *= 10;
	}
	problem.weight = k / 8 % 2 ? weight : NULL;
	*w = numbers(p);
	for (size_t j = 0; j < p; j++)
		(*w)[j] = j % 3 == 2 ? 0 : kith_rng_unit(&rng);
	for (size_t q = 0; q < n * problem.c && k % 4 == 0; q++)
		((double *)problem.Y)[q] *= size;
	return problem;
}

/* How far f, L' and x'L' of an output are from their definition, relatively. */
static double
output_off(const struct kith_knife_problem *problem, const struct kith_check_knife_point *at,
    const double *w, size_t o)
{
	const size_t n = problem->X->n, p = problem->X->p;
	const double *f = at->f + o * n, *alpha = at->alpha + o * n;
	double *xu = numbers(p), worst = 0, size = 1;

	for (size_t i = 0; i < n; i++) {
		const double v = problem->weight ? problem->weight[i] : 1;
		const double *x = kith_row(problem->X, i);
		const double u = (double)at->u[o * n + i];
		double sum = at->b[o], slope;

		for (size_t l = 0; l < n; l++)
			sum += alpha[l] * plain_kernel(problem, w, x, kith_row(problem->X, l));
		plain_loss(problem, problem->Y[o * n + i], f[i], &slope);
		size = fmax(size, fmax(fabs(f[i]), fabs(slope)));
		worst = fmax(worst, fabs(sum - f[i]));
		worst = fmax(worst, fabs(v * slope - u) * 1e4);
		for (size_t j = 0; j < p; j++)
			xu[j] += x[j] * u;
	}
	for (size_t j = 0; j < p; j++)
		worst = fmax(worst, fabs(xu[j] - (double)at->xu[o * p + j]) * 1e2);
	return worst / size;
}

/* All that is found at w, K = sum w x x'. */
static void
test_point(size_t n, size_t p, unsigned k, double size)
{
	double *w, off, plain, most = 0, apart = 0;
	const struct kith_knife_problem problem = draw_linear(n, p, k, size, &w);
	const struct kith_check_knife_point at = kith_check_knife_at(&problem, w, &pool);
	const double *dF = plain_gradient(&problem, w, at.alpha);

	plain = plain_objective(&problem, w, at.alpha, at.b, &off);
	ok(at.u && fabs(at.F / plain - 1) < 1e-10 && off < 1e-10 * size,
	    "%s%s, %zu x %zu: F %.12g, canonical to %.1e", loss_name[problem.loss],
	    problem.intercept ? ", intercept" : "", n, p, at.F, off);
	ok(at.residual < 1e-15, "its residual: %.1e", at.residual);
	for (size_t o = 0; o < problem.c; o++)
		most = fmax(most, output_off(&problem, &at, w, o));
	ok(most <= 1e-7, "f, L' and x'L' to %.1e", most);
	for (size_t j = 0; j < p; j++)
		apart = fmax(apart, fabs(dF[j] - at.dF[j]) / fmax(1, fabs(dF[j])));
	ok(apart < 1e-5, "dF to %.1e", apart);
}

/* Columns that are 0, constant, or whose penalty is no double count for nothing. */
static void
test_nothing(void)
{
	struct kith_knife_problem problem = draw(12, 4, 1, KITH_KNIFE_LINEAR, KITH_KNIFE_LOGISTIC);
	const double w[] = {.5, 1, .5, .25}, less[] = {.5, 0, 0, 0};
	struct kith_check_knife_point a, b;

	for (size_t i = 0; i < 12; i++) {
		double *x = kith_row(problem.X, i);

		x[1] = 0;
		x[2] = 7;
		x[3] *= 1e-200;
	}
	problem.intercept = true;
	problem.lambda2 = 0;
	a = kith_check_knife_at(&problem, w, &pool);
	b = kith_check_knife_at(&problem, less, &pool);
	ok(a.residual < 1e-15 && fabs(a.F - b.F) < 1e-14 && largest(12, a.alpha, b.alpha) < 1e-14,
	    "columns of nothing: %.15g", a.F);
	ok(!kith_check_knife_is_linear(&problem, w) || kith_check_knife_is_linear(&problem, less),
	    "fewer columns than rows");
	problem = draw(4, 4, 1, KITH_KNIFE_LINEAR, KITH_KNIFE_SQUARED);
	ok(!kith_check_knife_is_linear(&problem, w) && kith_check_knife_is_linear(&problem, less),
	    "four columns of four rows are too many");
	problem.kernel = KITH_KNIFE_GAUSSIAN;
	ok(!kith_check_knife_is_linear(&problem, less), "another kernel");
}

/* All of it times 1e-9, by weights and lambda1: the same machine. */
static void
test_tiny(unsigned k)
{
	struct kith_knife_problem problem = draw(
	    14, 4, 1, (enum kith_knife_kernel)(k % 4), (enum kith_knife_loss)(1 + k / 4 % 3));
	struct kith_knife_problem tiny = problem;
	const double *w = even(4, .5), tol = 1e-8;
	struct kith_check_knife_point a, b;
	double F, *alpha = numbers(14), bias = 0, size;
	struct kith_err err;

	problem.delta = k % 3 ? .7 : 1e-3;
	problem.intercept = k / 8 % 2;
	problem.lambda1 = .1;
	problem.degree = 2;
	tiny = problem;
	tiny.weight = even(14, 1e-9);
	tiny.lambda1 = 1e-10;
	tiny.lambda2 *= 1e-9;
	a = kith_check_knife_at(&problem, w, &pool);
	b = kith_check_knife_at(&tiny, w, &pool);
	size = fmax(1, largest(14, a.alpha, NULL));
	ok(a.residual < 1e-10 && b.residual < 1e-10 && fabs(b.F * 1e9 / a.F - 1) < 1e-12 &&
		largest(14, a.alpha, b.alpha) < tol * size,
	    "%s, %s: small numbers, %.1e and %.1e are left", kernel_name[problem.kernel],
	    loss_name[problem.loss], a.residual, b.residual);
	ok(kith_knife_at(&tiny, w, &F, NULL, alpha, &bias, &err) == 0 &&
		fabs(F * 1e9 / a.F - 1) < 1e-10 && largest(14, a.alpha, alpha) < tol * size,
	    "and so has the solver: %g", F);
}

/*
 * F less the dual at u = -2 lambda1 alpha, of v L*(u / v) and x'u, and what 1'u
 * misses; with more columns than rows, too.
 */
static void
test_gap(size_t n, size_t p, unsigned k)
{
	struct kith_knife_problem problem = draw(
	    n, p, k % 4 ? 1 : 2, KITH_KNIFE_LINEAR, (enum kith_knife_loss)(k % 4));
	double *w = numbers(p), *weight = numbers(n), *square = numbers(p);
	struct kith_check got[KITH_CHECK_KNIFE];
	struct kith_check_knife_point at;
	double due;

	problem.intercept = k / 4 % 2;
	for (size_t i = 0; i < n; i++)
		weight[i] = .5 + kith_rng_unit(&rng);
	problem.weight = k % 3 ? weight : NULL;
	for (size_t j = 0; j < p; j++)
		w[j] = kith_rng_unit(&rng);
	at = kith_check_knife_at(&problem, w, &pool);
	due = at.F;
	for (size_t o = 0; o < problem.c; o++) {
		double *xu = numbers(p), sum = 0;

		for (size_t i = 0; i < n; i++) {
			const double v = problem.weight ? weight[i] : 1;
			const double *x = kith_row(problem.X, i);
			long double u = -2 * problem.lambda1 * at.alpha[o * n + i] / v;

			due += v *
			    (double)kith_check_knife_conjugate(&problem, problem.Y[o * n + i], &u);
			sum += v * (double)u;
			for (size_t j = 0; j < p; j++)
				xu[j] += x[j] * v * (double)u;
		}
		due += fabs(sum * at.b[o]);
		for (size_t j = 0; j < p; j++)
			square[j] += xu[j] * xu[j] / (4 * problem.lambda1);
	}
	for (size_t j = 0; j < p; j++)
		due += fmax(0, square[j] - problem.lambda2);
	is_size(kith_check_knife(&problem, w, w, 1e-6, got), 4, "checks");
	ok(fabs(got[3].value - due) <= 1e-9 * fmax(1, at.F) && due > 1e-3,
	    "%s, %zu x %zu: the gap %.10g, due %.10g", loss_name[problem.loss], n, p, got[3].value,
	    due);
}

/* An intercept takes what all rows of a column have in common, however large. */
static void
test_shift(unsigned k)
{
	struct kith_knife_problem problem = draw(
	    16, 3, 1, KITH_KNIFE_LINEAR, (enum kith_knife_loss)(k % 4));
	const double *w = even(3, .5);
	struct kith_check_knife_point a, b;

	problem.intercept = true;
	for (size_t q = 0; q < 48; q++)
		problem.X->v[q] = floor(problem.X->v[q] * 1024) / 1024;
	a = kith_check_knife_at(&problem, w, &pool);
	for (size_t i = 0; i < 16; i++)
		kith_row(problem.X, i)[k / 4] += 0x1p40;
	b = kith_check_knife_at(&problem, w, &pool);
	ok(fabs(a.F / b.F - 1) < 1e-12 && largest(16, a.alpha, b.alpha) < 1e-12 &&
		b.residual < 1e-14,
	    "%s: a column far away, F %.14g", loss_name[problem.loss], b.F);
}

/* The limit of stationarity is relative to the start, or to lambda2. */
static void
test_limits(void)
{
	static const double lambda2[] = {.01, 3, 1e5};
	static const double tol[] = {1e-6, 1e-10};
	struct kith_check got[KITH_CHECK_KNIFE];

	for (int k = 0; k < 12; k++) {
		struct kith_knife_problem problem = draw(20, 3, 1,
		    k / 6 ? KITH_KNIFE_LINEAR : KITH_KNIFE_POLYNOMIAL, KITH_KNIFE_SQUARED);
		const double *start = even(3, .5), *w = even(3, .25), *dF;
		struct kith_check_knife_point at;
		double first, here, t = tol[k / 3 % 2];

		problem.lambda2 = lambda2[k % 3];
		problem.lambda1 = k % 2 ? 1e-3 : .5;
		at = kith_check_knife_at(&problem, start, &pool);
		dF = plain_gradient(&problem, start, at.alpha);
		first = kith_knife_projected(3, start, dF);
		at = kith_check_knife_at(&problem, w, &pool);
		dF = plain_gradient(&problem, w, at.alpha);
		here = kith_knife_projected(3, w, dF);
		is_size(kith_check_knife(&problem, w, start, t, got), k / 6 ? 4 : 3, "checks");
		is_near(got[2].limit, 1.001 * fmax(t * fmax(1, first), 1e-9 * lambda2[k % 3]),
		    1e-12, "the limit");
		is_near(got[2].value, here, 1e-9, "its value");
		ok(got[1].limit == 1e-8 && got[0].limit == 0, "limits of the others");
		if (k / 6)
			ok(got[3].limit == fmax(t, 1e-9) * fmax(1, at.F), "that of the gap");
	}
}

int
main(void)
{
	kith_rng_seed(&rng, 14, KITH_RNG_SAMPLE, 0);
	for (unsigned k = 0; k < 16; k++)
		test_point(9 + k, 1 + k % 6, k, k % 3 ? 1 : 1e4);
	for (unsigned k = 0; k < 48; k++)
		test_tiny(k);
	for (unsigned k = 0; k < 12; k++) {
		test_gap(15, 4, k);
		test_gap(6, 9, k);
	}
	for (unsigned k = 0; k < 12; k++)
		test_shift(k);
	test_nothing();
	test_limits();
	kith_pool_free(&pool);
	return done();
}
