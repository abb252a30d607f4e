/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/check_linear.h: the squared loss of columns that are orthogonal,
 * by hand.  Column x with the weight w has c = x'y / (x'x + lambda1 / w), and
 * x'alpha = c / w, however far apart y, the columns and lambda1 are; and without a
 * penalty to speak of, columns that are alike have no solution.
 */
#include "knife/check_linear.h"

#include "knife/check_at.h"
#include "knife/data.h"
#include "tap.h"

enum { N = 16, P = 4 };

/* Columns of 1 and -1 that are orthogonal, each times its size; sums are 0. */
static struct kith_knife_problem
draw_signs(const double *size, double lambda1)
{
	struct kith_mat *X = kith_new(&pool, 1, sizeof(*X));
	double *y = numbers(N);

	*X = kith_mat_new(&pool, N, P);
	for (size_t i = 0; i < N; i++) {
		y[i] = normal(&rng);
		for (size_t j = 0; j < P; j++)
			kith_row(X, i)[j] = (i >> j) % 2 ? size[j] : -size[j];
	}
	return (struct kith_knife_problem){.X = X,
	    .Y = y,
	    .c = 1,
	    .kernel = KITH_KNIFE_LINEAR,
	    .loss = KITH_KNIFE_SQUARED,
	    .lambda1 = lambda1,
	    .threads = 1};
}

/* F, alpha and dF of a lambda1 and columns of these sizes. */
static void
test_ridge(double lambda1, const double *size, bool intercept)
{
	struct kith_knife_problem problem = draw_signs(size, lambda1);
	const double w[P] = {.5, 1, 1e-3, .25};
	struct kith_check_knife_point at;
	long double left[N], mean = 0, F = 0;
	double off = 0;

	problem.intercept = intercept;
	for (size_t i = 0; i < N && intercept; i++)
		mean += problem.Y[i] / (long double)N;
	for (size_t i = 0; i < N; i++)
		left[i] = problem.Y[i] - mean;
	at = kith_check_knife_at(&problem, w, &pool);
	for (size_t j = 0; j < P; j++) {
		long double xy = 0, c, due;

		for (size_t i = 0; i < N; i++)
			xy += kith_row(problem.X, i)[j] * (long double)problem.Y[i];
		c = xy / (N * (long double)size[j] * size[j] + lambda1 / w[j]);
		due = -lambda1 * (c / w[j]) * (c / w[j]);
		off = fmax(off, fabs((double)(at.dF[j] / due - 1)));
		F += lambda1 * c * c / w[j];
		for (size_t i = 0; i < N; i++)
			left[i] -= c * kith_row(problem.X, i)[j];
	}
	for (size_t i = 0; i < N; i++)
		F += left[i] * left[i];
	ok(off < 1e-9, "lambda1 %g, sizes %g %g%s: dF to %.1e", lambda1, size[0], size[1],
	    intercept ? ", intercept" : "", off);
	is_near(at.F, (double)F, 1e-12, "F");
	is_near(*at.b, (double)mean, 1e-12, "b");
	off = 0;
	for (size_t i = 0; i < N; i++)
		off = fmax(off, fabs(at.alpha[i] * lambda1 - (double)left[i]));
	ok(off < 1e-12, "alpha to %.1e", off);
}

/* Two columns are the same, and nothing tells which of them has the weight. */
static void
test_alike(enum kith_knife_loss loss, bool intercept)
{
	const double size[] = {1, 1, 1, 1}, *w = even(P, 1);
	struct kith_knife_problem problem = draw_signs(size, 1e-30);

	problem.loss = loss;
	problem.delta = .5;
	problem.intercept = intercept;
	for (size_t i = 0; i < N; i++) {
		kith_row(problem.X, i)[3] = kith_row(problem.X, i)[1];
		((double *)problem.Y)[i] = i < 5 ? -1 : 1;
	}
	ok(isnan(kith_check_knife_at(&problem, w, &pool).F),
	    "%s: no machine of columns that are alike", loss_name[loss]);
}

/* Numbers whose differences are too large for a double, but not from the median. */
static void
test_huge(void)
{
	double x[] = {-1.7e308, 0, 1.7e308, -1.7e308, 1.7e308}, w = 1;
	const double y[] = {1, 2, 3, 1, 3};
	struct kith_mat X = {5, 1, x};
	const struct kith_knife_problem problem = {.X = &X,
	    .Y = y,
	    .c = 1,
	    .kernel = KITH_KNIFE_LINEAR,
	    .lambda1 = 1,
	    .intercept = true,
	    .threads = 1};
	const struct kith_check_knife_point at = kith_check_knife_at(&problem, &w, &pool);

	ok(fabs(at.F) < 1e-30 && fabs(*at.b - 2) < 1e-15, "a line through huge numbers: F %g, b %g",
	    at.F, *at.b);
}

int
main(void)
{
	static const double lambda1[] = {1e-15, 1e-9, .1, 1e6, 1e15};
	static const double sizes[][P] = {{1, 1, 1, 1}, {1, 1e-4, 1e4, 3}, {1e9, 1e-9, 1, 1e5}};

	kith_rng_seed(&rng, 17, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < 15; k++) {
		test_ridge(lambda1[k % 5], sizes[k / 5], false);
		test_ridge(lambda1[k % 5], sizes[k / 5], true);
	}
	for (int loss = 0; loss < 4; loss++) {
		test_alike((enum kith_knife_loss)loss, false);
		test_alike((enum kith_knife_loss)loss, true);
	}
	test_huge();
	kith_pool_free(&pool);
	return done();
}
