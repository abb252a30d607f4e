/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/ceiling.h: the end is one of the steps that the header tells,
 * all weights are 0 there, and not a step before.
 */
#include "knife/ceiling.h"

#include "base/err.h"
#include "knife/data.h"
#include "knife/knife.h"
#include "tap.h"

static struct kith_err err;
static const struct kith_knife_how how = {.max_iter = 1000, .tol = 1e-6};

static double
ceiling_of(const struct kith_knife_problem *problem, const double *w)
{
	double top = NAN;

	if (kith_knife_ceiling(problem, &how, w, &top, &err))
		ok(false, "%s", err.msg);
	return top;
}

/* How far x is from a whole number. */
static double
off_whole(double x)
{
	return fabs(x - round(x));
}

/* F at w, without lambda2, a tenth of it for each feature: the first step. */
static double
first_of(struct kith_knife_problem problem, const double *w)
{
	const size_t n = problem.X->n, c = problem.c;
	double F;

	problem.lambda2 = 0;
	kith_knife_at(&problem, w, &F, NULL, numbers(n * c), numbers(c), &err);
	return F / 10 / (double)problem.X->p;
}

/* Whether some weight is above 0 on a path upwards, at its end. */
static bool
lives(struct kith_knife_problem problem, const double *start, double end, int octaves)
{
	const size_t n = problem.X->n, p = problem.X->p, c = problem.c;
	double *w = numbers(p), *alpha = numbers(n * c), *bias = numbers(c);
	struct kith_knife_fit fit;

	memcpy(w, start, p * sizeof(*w));
	for (int k = octaves; k >= 0; k--) {
		problem.lambda2 = ldexp(end, -k);
		kith_knife(&problem, &how, w, alpha, bias, &fit, &err);
	}
	return largest(p, w, NULL) > 0;
}

/* From a tenth of F/p in quarters of octaves. */
static void
test_few(enum kith_knife_kernel kernel, enum kith_knife_loss loss, double size)
{
	struct kith_knife_problem problem = draw(30, 4, 1, kernel, loss);
	const double *w = even(4, .5);
	double top, first, steps;

	problem.intercept = kernel % 2;
	for (size_t k = 0; k < 120; k++)
		problem.X->v[k] *= size;
	first = first_of(problem, w);
	top = ceiling_of(&problem, w);
	steps = 4 * log2(top / first);
	ok(off_whole(steps) < 1e-9, "%s, %s: %.12g quarters of octaves", kernel_name[kernel],
	    loss_name[loss], steps);
	ok(!lives(problem, w, top, 12) && lives(problem, w, top / 1.5, 12),
	    "all weights end there");
}

/* More than 300 rows: first a quarter of them, at multiples of the golden section. */
static void
test_many(size_t n, size_t c, bool weighted)
{
	struct kith_knife_problem problem = draw(n, 3, c, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	struct kith_knife_problem few = problem;
	const size_t m = (n + 3) / 4;
	struct kith_mat X = kith_mat_new(&pool, m, 3);
	double *Y = numbers(m * c), *v = numbers(n), *u = numbers(m);
	const double *w = even(3, .5);
	double top, part, steps;

	for (size_t i = 0; i < n; i++)
		v[i] = .5 + (double)(i % 5);
	for (size_t i = 0; i < m; i++) {
		const double turn = (double)i * 0.6180339887498949;
		const size_t at = (size_t)((double)n * (turn - floor(turn)));

		memcpy(kith_row(&X, i), kith_row(problem.X, at), 3 * sizeof(double));
		for (size_t o = 0; o < c; o++)
			Y[o * m + i] = problem.Y[o * n + at];
		u[i] = v[at];
	}
	problem.weight = weighted ? v : NULL;
	few.weight = weighted ? u : NULL;
	few.X = &X;
	few.Y = Y;
	part = ceiling_of(&few, w);
	top = ceiling_of(&problem, w);
	steps = 4 * log2(top / (2 * part));
	ok(off_whole(steps) < 1e-9 && fabs(steps) < 20,
	    "%zu rows, %zu outputs%s: %.12g quarters of octaves from a "
	    "quarter of the rows",
	    n, c, weighted ? ", weights" : "", steps);
	ok(!lives(problem, w, top, 2) && lives(problem, w, top / 1.5, 2), "all weights end there");
}

/* Up to 300 rows are looked at as they are. */
static void
test_border(void)
{
	const struct kith_knife_problem problem = draw(
	    300, 1, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_LOGISTIC);
	const double *w = even(1, .5);
	const double steps = 4 * log2(ceiling_of(&problem, w) / first_of(problem, w));

	ok(off_whole(steps) < 1e-9, "300 rows: %.12g quarters", steps);
}

/* max_j (x_j' L'(0))^2 / (4 lambda1); L' = -2 y, or -2 (y - mean). */
static void
test_linear(void)
{
	double x[8] = {1, 3, 2, -1, 0, 5, -2, 1}, y[4] = {1, 2, 0, -1};
	struct kith_mat X = {4, 2, x};
	struct kith_knife_problem problem = {.X = &X,
	    .Y = y,
	    .c = 1,
	    .kernel = KITH_KNIFE_LINEAR,
	    .lambda1 = .5,
	    .lambda2 = 9,
	    .threads = 1};
	const double *w = even(2, .5);

	/* x'y: 1 + 4 + 0 + 2 = 7 and 3 - 2 + 0 - 1 = 0 */
	is_near(ceiling_of(&problem, w), 4 * 49 / 2., 1e-14, "by hand");
	problem.intercept = true;
	/* less half the sums of x, 1 and 8: 6.5 and -4 */
	is_near(ceiling_of(&problem, w), 4 * 6.5 * 6.5 / 2, 1e-14, "with an intercept");
	y[0] = y[1] = y[2] = y[3] = 0;
	ok(ceiling_of(&problem, w) == 0, "nothing to learn");
	problem.kernel = KITH_KNIFE_GAUSSIAN;
	problem.gamma = 1;
	ok(ceiling_of(&problem, w) == 0, "nor for another kernel");
}

/* It tells nobody, fails as the solver does, and takes weights that start at 0. */
static void
tell(void *to, const struct kith_knife_trace *trace)
{
	(void)trace;
	++*(size_t *)to;
}

static void
test_rest(void)
{
	struct kith_knife_problem problem = draw(20, 2, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	size_t told = 0;
	const struct kith_knife_how loud = {
	    .max_iter = 100, .tol = 1e-6, .tell = tell, .to = &told};
	double top = 0, *w = even(2, 0);

	kith_knife_ceiling(&problem, &loud, even(2, .5), &top, &err);
	is_size(told, 0, "its searches are told to nobody");
	ok(kith_knife_ceiling(&problem, &how, w, &top, &err) == 0 && top > 0 && w[0] == 0,
	    "from weights of 0: %g", top);
	memcpy(kith_row(problem.X, 3), kith_row(problem.X, 11), 2 * sizeof(double));
	problem.lambda1 = 1e-18;
	ok(kith_knife_ceiling(&problem, &how, w, &top, &err) == -1 && err.status == EX_DATAERR,
	    "a lambda1 that is too small");
}

int
main(void)
{
	kith_rng_seed(&rng, 2, KITH_RNG_SAMPLE, 0);
	for (unsigned kernel = 1; kernel < 4; kernel++)
		for (unsigned loss = 0; loss < 4; loss++)
			test_few((enum kith_knife_kernel)kernel, (enum kith_knife_loss)loss,
			    kernel == 1    ? .3
				: loss % 2 ? 3
					   : .1);
	test_many(301, 1, false);
	test_many(322, 2, true);
	test_border();
	test_linear();
	test_rest();
	kith_pool_free(&pool);
	return done();
}
