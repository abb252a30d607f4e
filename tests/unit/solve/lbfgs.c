/* Tests of lib/solve/lbfgs.h. */
#include "solve/lbfgs.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { N = 50 };

/* What is minimised: f(x) in n variables, and how its values went. */
struct problem {
	double (*f)(const double *x, double *g, size_t n);
	size_t n, calls;
};

static double
value(void *to, const double *x, double *g)
{
	struct problem *problem = to;

	problem->calls++;
	return problem->f(x, g, problem->n);
}

static struct kith_lbfgs
minimise(struct problem *problem, double gtol, double ftol, size_t max_iter,
    double *x)
{
	const struct kith_lbfgs_how how = {
	    value, problem, 10, max_iter, gtol, ftol};

	problem->calls = 0;
	return kith_lbfgs(&how, problem->n, x);
}

/* Rosenbrock's valley, from (-1.2, 1): least at 1, 1. */
static double
valley(const double *x, double *g, size_t n)
{
	double f = 0;

	memset(g, 0, n * sizeof(*g));
	for (size_t i = 0; i + 1 < n; i++) {
		const double a = 1 - x[i], b = x[i + 1] - x[i] * x[i];

		f += a * a + 100 * b * b;
		g[i] += -2 * a - 400 * b * x[i];
		g[i + 1] += 200 * b;
	}
	return f;
}

/* sum c_i (x_i - i)^2 with c from 1 to 1e3. */
static double
bowl(const double *x, double *g, size_t n)
{
	double f = 0;

	for (size_t i = 0; i < n; i++) {
		const double c = pow(10, 3. * (double)i / (double)(n - 1));
		const double d = x[i] - (double)i;

		f += c * d * d;
		g[i] = 2 * c * d;
	}
	return f;
}

/* x - log x, which ends at 0: least at 1. */
static double
border(const double *x, double *g, size_t n)
{
	double f = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(x[i] > 0))
			return i % 2 ? NAN : INFINITY;
		f += x[i] - log(x[i]);
		g[i] = 1 - 1 / x[i];
	}
	return f;
}

/* exp(-x): falls for ever. */
static double
endless(const double *x, double *g, size_t n)
{
	double f = 0;

	for (size_t i = 0; i < n; i++) {
		f += exp(-x[i]);
		g[i] = -exp(-x[i]);
	}
	return f;
}

/* Flat at 0, where the curvature is 0, and tiny far away: x^4. */
static double
flat(const double *x, double *g, size_t n)
{
	double f = 0;

	for (size_t i = 0; i < n; i++) {
		f += pow(x[i], 4);
		g[i] = 4 * pow(x[i], 3);
	}
	return f;
}

/* A quarter of a million times as large, with an offset: the same steps. */
static double
shifted(const double *x, double *g, size_t n)
{
	const double f = valley(x, g, n);

	for (size_t i = 0; i < n; i++)
		g[i] *= 0x1p18;
	return 0x1p18 * f - 1e9;
}

static void
test_minima(void)
{
	struct problem problem = {valley, 2, 0};
	double x[N] = {-1.2, 1};
	struct kith_lbfgs got = minimise(&problem, 1e-9, 0, 1000, x);

	ok(got.end == KITH_LBFGS_GRADIENT && fabs(x[0] - 1) < 1e-8 &&
		fabs(x[1] - 1) < 1e-8,
	    "the valley's end: %g %g", x[0], x[1]);
	ok(got.evaluations == problem.calls && got.evaluations < 80,
	    "in %zu values, %zu iterations", got.evaluations, got.iterations);
	problem.n = N;
	for (size_t i = 0; i < N; i++)
		x[i] = i % 2 ? 1 : -1.2;
	got = minimise(&problem, 1e-8, 0, 1000, x);
	ok(got.end == KITH_LBFGS_GRADIENT && got.gradient <= 1e-8,
	    "of fifty variables: f %g, %zu values", got.f, got.evaluations);
	problem = (struct problem){bowl, N, 0};
	memset(x, 0, sizeof(x));
	got = minimise(&problem, 1e-6, 0, 1000, x);
	ok(got.end == KITH_LBFGS_GRADIENT && fabs(x[0]) < 1e-6 &&
		fabs(x[N - 1] - (N - 1)) < 1e-6,
	    "a narrow bowl: %zu values", got.evaluations);
	problem = (struct problem){border, N, 0};
	for (size_t i = 0; i < N; i++)
		x[i] = pow(10, (double)(i % 9) - 4);
	got = minimise(&problem, 1e-8, 0, 1000, x);
	ok(got.end == KITH_LBFGS_GRADIENT && fabs(got.f - N) < 1e-9,
	    "within a border: f %.12g, %zu values", got.f, got.evaluations);
	problem = (struct problem){flat, 3, 0};
	x[0] = 1e8;
	x[1] = 1e-3;
	x[2] = -7;
	got = minimise(&problem, 1e-12, 0, 1000, x);
	ok(got.end == KITH_LBFGS_GRADIENT, "a flat bottom: %zu values, f %g",
	    got.evaluations, got.f);
}

static void
test_ends(void)
{
	struct problem problem = {valley, 2, 0};
	double x[N] = {1, 1};
	struct kith_lbfgs got = minimise(&problem, 0, 0, 100, x);

	ok(got.end == KITH_LBFGS_GRADIENT && got.iterations == 0 &&
		problem.calls == 1,
	    "at the minimum already");
	x[0] = -1.2;
	got = minimise(&problem, 1e-9, 0, 5, x);
	ok(got.end == KITH_LBFGS_LIMIT && got.iterations == 5,
	    "no more iterations than asked");
	x[0] = -1.2;
	x[1] = 1;
	got = minimise(&problem, 0, 1e-3, 1000, x);
	ok(got.end == KITH_LBFGS_FLAT && got.f < 1e-2, "ftol: f %g", got.f);
	problem = (struct problem){shifted, 2, 0};
	x[0] = -1.2;
	x[1] = 1;
	got = minimise(&problem, 0, 0, 1000, x);
	ok(got.end == KITH_LBFGS_FLAT && fabs(x[0] - 1) < 1e-4 &&
		got.evaluations < 600,
	    "rounding hides the rest: %g, %zu values", x[0] - 1,
	    got.evaluations);
	problem = (struct problem){endless, 3, 0};
	memset(x, 0, sizeof(x));
	got = minimise(&problem, 1e-9, 0, 1000, x);
	ok(got.end == KITH_LBFGS_GRADIENT && x[0] > 20, "without a minimum: %g",
	    x[0]);
}

/* f falls from one iteration to the next, and the same calls give the same. */
static void
test_steps(void)
{
	struct problem problem = {valley, 10, 0};
	struct kith_rng rng;
	size_t bad = 0, differ = 0;

	kith_rng_seed(&rng, 1, KITH_RNG_START, 0);
	for (size_t trial = 0; trial < 50; trial++) {
		double start[10], x[10], again[10], before = INFINITY;

		for (size_t i = 0; i < 10; i++)
			start[i] = 6 * kith_rng_unit(&rng) - 3;
		for (size_t iter = 0; iter < 30; iter++) {
			struct kith_lbfgs got;

			memcpy(x, start, sizeof(x));
			got = minimise(&problem, 0, 0, iter, x);
			bad += got.f > before || got.f != valley(x, again, 10);
			before = got.f;
		}
		memcpy(again, start, sizeof(again));
		minimise(&problem, 0, 0, 29, again);
		for (size_t i = 0; i < 10; i++)
			differ += x[i] != again[i];
	}
	is_size(bad, 0, "iterations after which f is higher, or not that of x");
	is_size(differ, 0, "runs that differ");
}

int
main(void)
{
	test_minima();
	test_ends();
	test_steps();
	return done();
}
