/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/knife.h: the profile and its gradient against the
 * definition, and what must hold of minima.
 */
#include "knife/knife.h"

#include "base/err.h"
#include "knife/ceiling.h"
#include "knife/data.h"
#include "tap.h"

#include <stdlib.h>

static struct kith_err err;
static const struct kith_knife_how usual = {.max_iter = 1000, .tol = 1e-6};

/* F at w; a failure is a test that fails. */
static double
profile(const struct kith_knife_problem *problem, const double *w, double *dF, double *alpha,
    double *bias)
{
	double F = NAN;

	if (kith_knife_at(problem, w, &F, dF, alpha, bias, &err))
		ok(false, "%s", err.msg);
	return F;
}

/* Solve from w; the machine must have the objective told. */
static struct kith_knife_fit
solve(const struct kith_knife_problem *problem, const struct kith_knife_how *how, double *w)
{
	struct kith_knife_fit fit = {.objective = NAN};
	double *alpha = numbers(problem->X->n * problem->c);
	double *bias = numbers(problem->c), F, off;

	if (kith_knife(problem, how, w, alpha, bias, &fit, &err))
		ok(false, "%s", err.msg);
	F = plain_objective(problem, w, alpha, bias, &off);
	if (!(fabs(F - fit.objective) <= 1e-10 * F))
		ok(false, "objective %.14g, due %.14g", fit.objective, F);
	return fit;
}

/* F, alpha and dF at a random w, of which the last is 0. */
static void
test_profile(struct kith_knife_problem *problem, const char *what)
{
	const size_t p = problem->X->p, n = problem->X->n * problem->c;
	double *w = numbers(p), *dF = numbers(p), *due = numbers(p);
	double *alpha = numbers(n), *bias = numbers(problem->c), off;
	const double h = 1e-5;
	double F, plain;

	for (size_t j = 0; j < p; j++)
		w[j] = .1 + .8 * kith_rng_unit(&rng);
	w[p - 1] = p > 1 ? 0 : w[p - 1];
	F = profile(problem, w, dF, alpha, bias);
	plain = plain_objective(problem, w, alpha, bias, &off);
	ok(fabs(F - plain) <= 1e-10 * plain && off <= 1e-9 * fmax(1, plain),
	    "%s, %s%s%s: F %.10g, due %.10g; canonical to %.2g", kernel_name[problem->kernel],
	    loss_name[problem->loss], problem->intercept ? ", intercept" : "", what, F, plain, off);
	for (size_t j = 0; j < p; j++) {
		const double at = w[j];

		/* Into the box from its border: to the second order. */
		w[j] = at + h;
		due[j] = profile(problem, w, NULL, alpha, bias);
		w[j] = at > 0 ? at - h : at + 2 * h;
		plain = profile(problem, w, NULL, alpha, bias);
		due[j] = at > 0 ? (due[j] - plain) / (2 * h)
				: (4 * due[j] - 3 * F - plain) / (2 * h);
		w[j] = at;
	}
	ok(largest(p, dF, due) <= 1e-4 * fmax(1, largest(p, due, NULL)),
	    "its gradient: %.3g from differences of %.3g", largest(p, dF, due),
	    largest(p, due, NULL));
}

static void
test_profiles(void)
{
	for (unsigned k = 0; k < 16; k++)
		for (int intercept = 0; intercept < 2; intercept++) {
			struct kith_knife_problem problem = draw(24, 4, 1,
			    (enum kith_knife_kernel)(k / 4), (enum kith_knife_loss)(k % 4));

			problem.intercept = intercept;
			test_profile(&problem, "");
		}
	for (unsigned k = 0; k < 4; k++) {
		struct kith_knife_problem problem = draw(
		    20, 3, 3, (enum kith_knife_kernel)k, KITH_KNIFE_SQUARED);

		problem.intercept = k % 2;
		test_profile(&problem, ", three outputs");
	}
}

/* Rows in pairs: K is singular, alpha canonical all the same. */
static void
test_duplicates(void)
{
	for (unsigned k = 0; k < 16; k++) {
		struct kith_knife_problem problem = draw(
		    24, 3, 1, (enum kith_knife_kernel)(k / 4), (enum kith_knife_loss)(k % 4));

		for (size_t i = 1; i < 24; i += 2)
			memcpy(
			    kith_row(problem.X, i), kith_row(problem.X, i - 1), 3 * sizeof(double));
		test_profile(&problem, ", duplicates");
	}
}

/* Rows and features in another order. */
static void
test_order(enum kith_knife_kernel kernel, enum kith_knife_loss loss)
{
	enum { N = 40, P = 6 };
	const struct kith_knife_problem problem = draw(N, P, 1, kernel, loss);
	struct kith_knife_problem turned = problem;
	struct kith_mat X = kith_mat_new(&pool, N, P);
	double *y = numbers(N), *w = even(P, .5), *v = even(P, .5);
	double *back = numbers(P);
	struct kith_knife_fit a, b;
	size_t row[N], column[P];

	for (size_t i = 0; i < N; i++)
		row[i] = i;
	for (size_t j = 0; j < P; j++)
		column[j] = j;
	kith_rng_shuffle(&rng, row, N);
	kith_rng_shuffle(&rng, column, P);
	for (size_t i = 0; i < N; i++) {
		y[i] = problem.Y[row[i]];
		for (size_t j = 0; j < P; j++)
			kith_row(&X, i)[j] = kith_row(problem.X, row[i])[column[j]];
	}
	turned.X = &X;
	turned.Y = y;
	a = solve(&problem, &usual, w);
	b = solve(&turned, &usual, v);
	for (size_t j = 0; j < P; j++)
		back[column[j]] = v[j];
	ok(a.converged && b.converged && fabs(a.objective - b.objective) <= 1e-10 * a.objective &&
		largest(P, w, back) <= 1e-5,
	    "%s, %s: any order gives %.10g, weights to %.2g", kernel_name[kernel], loss_name[loss],
	    a.objective, largest(P, w, back));
}

/* s times the targets, s^2 times lambda2: s^2 times the objective. */
static void
test_scaled(double s)
{
	struct kith_knife_problem problem = draw(40, 5, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	double *w = even(5, .5), *v = even(5, .5), *y = numbers(40);
	struct kith_knife_fit a, b;

	problem.lambda2 = 1;
	a = solve(&problem, &usual, w);
	for (size_t i = 0; i < 40; i++)
		y[i] = s * problem.Y[i];
	problem.Y = y;
	problem.lambda2 = s * s;
	b = solve(&problem, &usual, v);
	ok(b.converged && fabs(b.objective - s * s * a.objective) <= 1e-10 * b.objective,
	    "targets times %g: objective times %.12g, projected gradient %.2g", s,
	    b.objective / a.objective, b.gradient);
	ok(largest(5, w, v) <= 1e-5, "the weights are the same");
}

/* The linear kernel is convex: any start comes to one minimum. */
static void
test_convex(size_t n, size_t p, enum kith_knife_loss loss, bool intercept)
{
	struct kith_knife_problem problem = draw(n, p, 1, KITH_KNIFE_LINEAR, loss);
	double least = INFINITY, most = 0;
	bool converged = true;

	problem.intercept = intercept;
	for (int start = 0; start < 5; start++) {
		double *w = even(p, start == 0 ? 0 : 1);
		struct kith_knife_fit fit;

		for (size_t j = 0; j < p && start > 1; j++)
			w[j] = kith_rng_unit(&rng);
		fit = solve(&problem, &usual, w);
		converged = converged && fit.converged;
		least = fmin(least, fit.objective);
		most = fmax(most, fit.objective);
	}
	ok(converged && most - least <= 1e-9 * most,
	    "linear, %s, %zu x %zu%s: one minimum, %.10g, from five starts", loss_name[loss], n, p,
	    intercept ? ", intercept" : "", least);
}

/* The minimum of convex form with X of orthogonal columns is known. */
static void
test_orthogonal(void)
{
	enum { N = 8, P = 3 };
	static const double size[P] = {2, .6, .05};
	struct kith_knife_problem problem = draw(N, P, 1, KITH_KNIFE_LINEAR, KITH_KNIFE_SQUARED);
	const double l1 = .7, l2 = .9, t = sqrt(l2 / l1);
	double *y = numbers(N), *w = even(P, .5), due[P], value = 0;
	struct kith_knife_fit fit;

	problem.lambda1 = l1;
	problem.lambda2 = l2;
	problem.Y = y;
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < P; j++) {
			kith_row(problem.X, i)[j] = i >> j & 1 ? 1 : -1;
			y[i] += size[j] * kith_row(problem.X, i)[j];
		}
	for (size_t j = 0; j < P; j++) {
		double b = N * size[j] / (N + l1); /* w = 1 */

		if (b < t)
			b = fmax(0, size[j] - sqrt(l1 * l2) / N);
		due[j] = fmin(1, b / t);
		value += N * (size[j] - b) * (size[j] - b) +
		    (b < t ? 2 * sqrt(l1 * l2) * b : l1 * b * b + l2);
	}
	fit = solve(&problem, &usual, w);
	is_near(fit.objective, value, 1e-12, "orthogonal columns: minimum");
	ok(largest(P, w, due) <= 1e-5 && w[0] == 1 && w[2] == 0, "weights 1, %.9g, 0", due[1]);
}

static void
test_ceiling(enum kith_knife_kernel kernel, enum kith_knife_loss loss, bool intercept)
{
	enum { P = 5 };
	struct kith_knife_problem problem = draw(40, P, 1, kernel, loss);
	double top, *w = even(P, .5), *v = even(P, .5);
	const bool linear = kernel == KITH_KNIFE_LINEAR;

	problem.intercept = intercept;
	if (kith_knife_ceiling(&problem, &usual, w, &top, &err)) {
		ok(false, "%s", err.msg);
		return;
	}
	problem.lambda2 = top;
	for (int k = 10; k > 0 && !linear; k--) {
		problem.lambda2 = ldexp(top, -k);
		solve(&problem, &usual, v);
	}
	problem.lambda2 = linear ? top * 1.0001 : top * 1.03;
	solve(&problem, &usual, v);
	ok(largest(P, v, NULL) == 0, "%s, %s: no weight from %g on", kernel_name[kernel],
	    loss_name[loss], top);
	if (!linear)
		return;
	problem.lambda2 = top * .999;
	v = even(P, .5);
	solve(&problem, &usual, v);
	ok(largest(P, v, NULL) > 0, "one below");
}

/* y = sin(2 x1) + x2 x3: the other 27 features get no weight. */
static void
test_noise(void)
{
	enum { N = 100, P = 30 };
	static const double lambda2[] = {.05, .2, 1, 5};
	struct kith_knife_problem problem;
	double *y = numbers(N);

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	problem = draw(N, P, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	problem.Y = y;
	problem.lambda1 = 1;
	problem.gamma = 1;
	for (size_t i = 0; i < N; i++) {
		const double *x = kith_row(problem.X, i);

		y[i] = sin(2 * x[0]) + x[1] * x[2];
	}
	for (size_t k = 0; k < sizeof(lambda2) / sizeof(*lambda2); k++) {
		double *w = even(P, .5);
		size_t zeros = 0;
		struct kith_knife_fit fit;

		problem.lambda2 = lambda2[k];
		fit = solve(&problem, &usual, w);
		for (size_t j = 3; j < P; j++)
			zeros += w[j] == 0;
		ok(fit.converged && zeros == 27 && w[0] > 0 && w[1] > 0 && w[2] > 0,
		    "lambda2 %g: weights %.3g, %.3g, %.3g and %zu zeros", lambda2[k], w[0], w[1],
		    w[2], zeros);
	}
}

/* More than one tile of rows: any number of threads, the same bytes. */
static void
test_threads(enum kith_knife_kernel kernel, bool alternate)
{
	enum { N = 600, P = 7 };
	struct kith_knife_problem problem = draw(N, P, 1, kernel, KITH_KNIFE_SQUARED);
	const struct kith_knife_how how = {.alternate = alternate, .max_iter = 3, .tol = 1e-6};
	double *w[3], *alpha[3], bias;
	bool same = true;

	for (size_t t = 0; t < 3; t++) {
		struct kith_knife_fit fit;

		problem.threads = t + 1;
		w[t] = even(P, .5);
		alpha[t] = numbers(N);
		if (kith_knife(&problem, &how, w[t], alpha[t], &bias, &fit, &err))
			ok(false, "%s", err.msg);
		same = same && largest(P, w[t], w[0]) == 0 && largest(N, alpha[t], alpha[0]) == 0;
	}
	ok(same, "%s, %s: the same bytes on 1, 2 and 3 threads", kernel_name[kernel],
	    alternate ? "Algorithm 1" : "profile");
	if (!alternate) {
		double off, F = profile(&problem, w[0], NULL, alpha[0], &bias);
		const double due = plain_objective(&problem, w[0], alpha[0], &bias, &off);

		ok(fabs(F - due) <= 1e-9 * due, "F of three tiles");
	}
}

/* Algorithm 1 with several outputs and an intercept falls as it goes. */
struct told {
	double last;
	size_t rises, times;
};

static void
tell(void *to, const struct kith_knife_trace *trace)
{
	struct told *told = to;

	told->rises += trace->iteration > 0 && trace->objective > told->last * (1 + 1e-12);
	told->times++;
	told->last = trace->objective;
}

static void
test_way(bool alternate)
{
	struct kith_knife_problem problem = draw(40, 5, 2, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	struct told told = {0};
	const struct kith_knife_how how = {
	    .alternate = alternate, .max_iter = 1000, .tol = 1e-6, .tell = tell, .to = &told};
	double *w = even(5, .5), *v = even(5, .5);
	struct kith_knife_fit a, b;

	problem.intercept = true;
	a = solve(&problem, &usual, w);
	b = solve(&problem, &how, v);
	ok(b.converged && told.rises == 0 && told.times == b.iterations + 1 &&
		told.last == b.objective,
	    "%s, two outputs: %zu steps, none upwards", alternate ? "Algorithm 1" : "profile",
	    b.iterations);
	ok(fabs(a.objective - b.objective) <= 1e-9 * a.objective && largest(5, w, v) <= 1e-4,
	    "it comes to %.10g, as due", b.objective);
}

/* Bad input, and input that is none the worse. */
static void
test_lambda1(enum kith_knife_loss loss)
{
	struct kith_knife_problem problem = draw(20, 3, 1, KITH_KNIFE_GAUSSIAN, loss);
	double F, *alpha = numbers(20), bias;

	memcpy(kith_row(problem.X, 3), kith_row(problem.X, 11), 3 * sizeof(double));
	problem.lambda1 = 1e-18;
	ok(kith_knife_at(&problem, even(3, .5), &F, NULL, alpha, &bias, &err) == -1 &&
		err.status == EX_DATAERR,
	    "%s: lambda1 lost in rounding", loss_name[loss]);
	is_text(err.msg,
	    "lambda1 1e-18 is too small: K + lambda1 I is singular to working "
	    "precision",
	    "its message");
}

static void
test_sizes(enum kith_knife_kernel kernel)
{
	static const double scale[] = {1e-150, 1e-8, 1e-4, 1e4, 1e8, 1e150};

	for (size_t k = 0; k < sizeof(scale) / sizeof(*scale); k++) {
		struct kith_knife_problem problem = draw(30, 3, 1, kernel, KITH_KNIFE_SQUARED);
		double *w = even(3, .5), *alpha = numbers(30), bias = 0, off;
		double size = 0, sum = 0;
		struct kith_knife_fit fit;

		for (size_t i = 0; i < 90; i++)
			problem.X->v[i] *= scale[k];
		if (kith_knife(&problem, &usual, w, alpha, &bias, &fit, &err)) {
			ok(kernel == KITH_KNIFE_POLYNOMIAL && scale[k] > 1, "%s, rows times %g: %s",
			    kernel_name[kernel], scale[k], err.msg);
			continue;
		}
		plain_objective(&problem, w, alpha, &bias, &off);
		for (size_t i = 0; i < 30; i++) {
			const double *x = kith_row(problem.X, i);

			size = fmax(size, plain_kernel(&problem, w, x, x));
			sum += fabs(alpha[i]);
		}
		ok(off <= 1e-9 + 1e-14 * size * sum && (fit.converged || scale[k] > 1e4),
		    "%s, rows times %g: %s, canonical to %.2g", kernel_name[kernel], scale[k],
		    fit.converged ? "converges" : "stops", off);
	}
}

static void
test_small(enum kith_knife_kernel kernel, enum kith_knife_loss loss)
{
	struct kith_knife_problem problem = draw(2, 1, 1, kernel, loss);
	const double y[2] = {1, -1};
	double *w = even(1, .5), *v;
	struct kith_knife_fit fit;

	problem.Y = y;
	problem.X->v[0] = 1;
	problem.X->v[1] = -.5;
	problem.intercept = true;
	fit = solve(&problem, &usual, w);
	ok(fit.converged, "%s, %s: two rows of one feature", kernel_name[kernel], loss_name[loss]);
	problem = draw(30, 3, 1, kernel, loss);
	problem.intercept = true;
	for (size_t i = 0; i < 30; i++)
		kith_row(problem.X, i)[1] = 0;
	for (int start = 0; start < 2; start++) {
		v = even(3, start);
		fit = solve(&problem, &usual, v);
		ok(fit.converged && v[1] == 0, "a feature that is always 0 gets none, from %d",
		    start);
	}
}

/*
 * Where the search ends at once, at a weight as far from 0 as it tolerates, and
 * the way down leads to 0, the weight is put there, and F told of 0.
 */
static void
test_tolerated(enum kith_knife_loss loss)
{
	const struct kith_knife_how how = {.max_iter = 1000, .tol = .5};
	struct kith_knife_problem problem = draw(20, 1, 1, KITH_KNIFE_LINEAR, loss);
	struct kith_knife_fit fit;
	double *w = even(1, .5);

	problem.lambda2 = 1e6;
	fit = solve(&problem, &how, w);
	ok(fit.converged && fit.iterations == 0 && *w == 0 && fit.gradient == 0,
	    "%s: a weight at the tolerance goes to 0", loss_name[loss]);
}

/* Any problem: it converges, to a canonical machine of the objective told. */
static void
test_random(size_t seed)
{
	const unsigned k = seed % 4, l = seed / 4 % 4;
	struct kith_knife_problem problem;
	struct kith_knife_fit fit;
	size_t n, p, c;
	double *w, *alpha, *bias, most = 0, off, F;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 1);
	n = 5 + kith_rng_below(&rng, 60);
	p = 1 + kith_rng_below(&rng, 40);
	c = l == 0 && kith_rng_below(&rng, 3) == 0 ? 2 : 1;
	problem = draw(n, p, c, (enum kith_knife_kernel)k, (enum kith_knife_loss)l);
	problem.lambda1 = pow(10, 4 * kith_rng_unit(&rng) - 2);
	problem.lambda2 = pow(10, 5 * kith_rng_unit(&rng) - 3);
	problem.intercept = kith_rng_below(&rng, 2);
	problem.degree = 1 + kith_rng_below(&rng, 3);
	problem.delta = pow(10, 2 * kith_rng_unit(&rng) - 1);
	problem.gamma = kith_rng_below(&rng, 2) ? 1 : problem.gamma;
	w = even(p, .5);
	alpha = numbers(n * c);
	bias = numbers(c);
	if (kith_knife(&problem, &usual, w, alpha, bias, &fit, &err)) {
		ok(false, "seed %zu: %s", seed, err.msg);
		return;
	}
	F = plain_objective(&problem, w, alpha, bias, &off);
	for (size_t i = 0; i < n * c; i++)
		most = fmax(most, 2 * problem.lambda1 * fabs(alpha[i]));
	ok(fit.converged && fabs(F - fit.objective) <= 1e-8 * F && off <= 1e-7 * fmax(most, 1e-6),
	    "seed %zu, %s, %s%s: %zu evaluations to %.10g, canonical to %.2g", seed, kernel_name[k],
	    loss_name[l], problem.intercept ? ", intercept" : "", fit.evaluations, F, off);
}

int
main(void)
{
	kith_rng_seed(&rng, getenv("KITH_LONG") ? 2 : 1, KITH_RNG_SAMPLE, 0);
	for (int seed = 0; seed < (getenv("KITH_LONG") ? 20 : 1); seed++) {
		test_profiles();
		test_duplicates();
	}
	for (unsigned k = 0; k < 16; k++)
		test_order((enum kith_knife_kernel)(k / 4), (enum kith_knife_loss)(k % 4));
	test_scaled(1000);
	test_scaled(1e8);
	for (unsigned l = 0; l < 4; l++) {
		test_convex(40, 6, (enum kith_knife_loss)l, l % 2);
		test_convex(15, 30, (enum kith_knife_loss)l, l % 2 == 0);
		test_ceiling(KITH_KNIFE_LINEAR, (enum kith_knife_loss)l, l % 2 == 0);
		test_lambda1((enum kith_knife_loss)l);
		test_tolerated((enum kith_knife_loss)l);
	}
	test_orthogonal();
	test_ceiling(KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED, true);
	test_ceiling(KITH_KNIFE_LAPLACIAN, KITH_KNIFE_LOGISTIC, false);
	test_ceiling(KITH_KNIFE_POLYNOMIAL, KITH_KNIFE_SQHINGE, true);
	test_noise();
	for (unsigned k = 0; k < 4; k++) {
		test_threads((enum kith_knife_kernel)k, false);
		test_threads((enum kith_knife_kernel)k, true);
		test_sizes((enum kith_knife_kernel)k);
		for (unsigned l = 0; l < 4; l++)
			test_small((enum kith_knife_kernel)k, (enum kith_knife_loss)l);
	}
	test_way(false);
	test_way(true);
	for (size_t seed = 0; seed < (getenv("KITH_LONG") ? 1600 : 160); seed++)
		test_random(seed);
	kith_pool_free(&pool);
	return done();
}
