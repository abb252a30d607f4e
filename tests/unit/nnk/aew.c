/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/nnk/aew.h: the objective, its gradient, and a minimum. */
#include "nnk/aew.h"

#include "nnk/data.h"
#include "nnk/local.h"

#include <stdlib.h>
#include <string.h>

static struct kith_aew
learn(double *v, size_t n, size_t k, size_t threads)
{
	const struct kith_mat X = {n, P, v};
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, n, threads};
	const struct kith_aew_how how = {.k = k, .tol = 1e-6, .max_iter = 500};
	struct kith_aew out;

	if (kith_aew(&rows, &how, &out, &pool, &err))
		ok(false, "failed: %s", err.msg);
	return out;
}

/* E by its definition, from full matrices. */
static double
objective(const double *v, size_t n, const struct kith_graph *pairs, const double *c)
{
	static long double W[N][N];
	long double E = 0;

	memset(W, 0, sizeof(W));
	for (size_t i = 0; i < n; i++)
		for (size_t e = pairs->start[i]; e < pairs->start[i + 1]; e++) {
			const size_t j = pairs->to[e];
			long double sum = 0;

			for (size_t f = 0; f < P; f++)
				sum += c[f] * powl((long double)v[i * P + f] - v[j * P + f], 2);
			W[i][j] = W[j][i] = expl(-sum);
		}
	for (size_t i = 0; i < n; i++)
		for (size_t f = 0; f < P; f++) {
			long double d = 0, mean = 0;

			for (size_t j = 0; j < n; j++) {
				d += W[i][j];
				mean += W[i][j] * v[j * P + f];
			}
			E += d > 0 ? powl(v[i * P + f] - mean / d, 2) : 0;
		}
	return (double)E;
}

/* Against differences of E, by its definition, at random weights. */
static void
test_gradient(size_t seeds)
{
	double worst = 0, off = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const size_t n = 3 + kith_rng_below(&rng, 30);
		const struct kith_mat X = {n, P, x};
		struct kith_aew_model *model;
		struct kith_aew aew;
		double c[P], g[P], E;

		draw(seed % 4 ? 0 : 4);
		aew = learn(x, n, 1 + kith_rng_below(&rng, 6), 1);
		model = kith_aew_model(&X, &aew.graph, 1, &pool);
		for (size_t f = 0; f < P; f++)
			c[f] = 30 * kith_rng_unit(&rng);
		E = kith_aew_objective(model, c, g);
		off = fmax(off, fabs(E - objective(x, n, &aew.graph, c)));
		for (size_t f = 0; f < P; f++) {
			const double step = 1e-5, was = c[f];
			double up, down;

			c[f] = was * exp(-2 * step);
			up = objective(x, n, &aew.graph, c);
			c[f] = was * exp(2 * step);
			down = objective(x, n, &aew.graph, c);
			c[f] = was;
			worst = fmax(worst, fabs((up - down) / (2 * step) - g[f]) / (1 + E));
		}
	}
	ok(off <= 1e-12, "the objective: %g", off);
	ok(worst <= 1e-8, "its gradient by log s: %g", worst);
}

static void
test_minimum(void)
{
	size_t there = 0, lower = 0;
	double off = 0;

	for (size_t seed = 0; seed < 10; seed++) {
		struct kith_aew aew;
		double c[P], first[P], E;

		draw(0);
		/* The last feature is noise of its own. */
		for (size_t i = 0; i < N; i++)
			x[i * P + 1] = x[i * P] * x[i * P];
		aew = learn(x, N, 8, 1);
		there += aew.converged && aew.gradient <= 1e-6;
		for (size_t f = 0; f < P; f++)
			first[f] = 1 / (2 * aew.sigma * aew.sigma);
		E = objective(x, N, &aew.graph, aew.weight);
		off = fmax(off, fabs(E - aew.objective));
		off = fmax(off, fabs(objective(x, N, &aew.graph, first) - aew.start));
		for (size_t f = 0; f < P; f++)
			for (int up = 0; up < 2; up++) {
				memcpy(c, aew.weight, sizeof(c));
				c[f] *= up ? 1.05 : 0.95;
				lower += objective(x, N, &aew.graph, c) < E * (1 - 1e-9);
			}
	}
	is_size(there, 10, "converged");
	is_size(lower, 0, "no weight near is better");
	ok(off <= 1e-10, "what is said of E: %g", off);
}

static void
test_corners(void)
{
	double same[4 * P] = {0};
	const struct kith_mat X = {4, P, same};
	static double W[P * P] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	const struct kith_metric matrix = {KITH_SQUARED_MATRIX, P, W};
	const struct kith_local_rows rows = {&X, &matrix, NULL, 0, 4, 1};
	const struct kith_aew_how how = {.k = 2};
	struct kith_aew aew = learn(same, 4, 2, 1), other;
	size_t differ = 0;

	ok(aew.converged && aew.flat && aew.graph.w[0] == 1, "copies");
	aew = learn(same, 1, 2, 1);
	ok(aew.converged && aew.graph.start[1] == 0, "one row");
	ok(kith_aew(&rows, &how, &aew, &pool, &err) < 0 && err.status == EX_DATAERR,
	    "weights of pairs of features");
	draw(0);
	aew = learn(x, N, 8, 1);
	other = learn(x, N, 8, 3);
	for (size_t f = 0; f < P; f++)
		differ += aew.weight[f] != other.weight[f];
	for (size_t e = 0; e < aew.graph.start[N]; e++)
		differ += aew.graph.w[e] != other.graph.w[e];
	is_size(differ, 0, "the same numbers with 3 threads");
}

/* Where it begins, and how far it goes. */
static void
test_limits(void)
{
	static const double w[P] = {2, 0, .5};
	const struct kith_mat X = {N, P, x};
	const struct kith_metric metric = {KITH_SQUARED, P, w};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, N, 2};
	struct kith_aew_how how = {.k = 5, .tol = 1e-6, .sigma = {KITH_SIGMA_FIXED, .25}};
	struct kith_aew aew, more;

	draw(0);
	ok(!kith_aew(&rows, &how, &aew, &pool, &err) && aew.sigma == .25 && aew.iterations == 0 &&
		aew.objective == aew.start && !aew.converged && aew.gradient > 1e-6,
	    "no iteration");
	is_near(aew.weight[0], 16, 1e-14, "w / (2 sigma^2) of the first");
	ok(aew.weight[1] == 0, "a feature of weight 0");
	is_near(aew.weight[2], 4, 1e-14, "of the last");
	how.max_iter = 3;
	ok(!kith_aew(&rows, &how, &more, &pool, &err) && more.iterations == 3 && !more.converged &&
		more.objective < aew.objective,
	    "three of them");
	how.max_iter = 100;
	ok(!kith_aew(&rows, &how, &more, &pool, &err) && more.converged && more.iterations > 3 &&
		more.iterations < 100 && more.gradient <= 1e-6,
	    "%zu iterations", more.iterations);
	how.tol = aew.gradient * 1.01;
	ok(!kith_aew(&rows, &how, &more, &pool, &err) && more.converged && more.iterations == 0 &&
		more.gradient == aew.gradient,
	    "a tolerance that is met");
	how.tol = aew.gradient * .99;
	ok(!kith_aew(&rows, &how, &more, &pool, &err) && more.iterations > 0 &&
		more.gradient <= how.tol,
	    "one that is not");
}

/* One feature alone counts. */
static void
test_one(void)
{
	static const double w[P] = {0, 1, 0};
	const struct kith_mat X = {N, P, x};
	const struct kith_metric metric = {KITH_SQUARED, P, w};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, N, 1};
	const struct kith_aew_how how = {.k = 5, .tol = 1e-6, .max_iter = 50};
	struct kith_aew aew;

	draw(0);
	ok(!kith_aew(&rows, &how, &aew, &pool, &err) && aew.converged && aew.iterations > 0 &&
		aew.objective < aew.start && aew.weight[1] > 0 &&
		aew.weight[0] + aew.weight[2] == 0,
	    "one feature");
}

/* The derivative is that of E / E(start) by log s; distances are kept. */
static void
test_said(void)
{
	const struct kith_mat X = {N, P, x};
	struct kith_aew_model *model;
	struct kith_aew aew;
	double g[P], most = 0, off = 0;
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	const struct kith_aew_how how = {.k = 6, .tol = 1e-9, .max_iter = 4};

	draw(0);
	if (kith_aew(&rows, &how, &aew, &pool, &err))
		ok(false, "failed: %s", err.msg);
	model = kith_aew_model(&X, &aew.graph, 1, &pool);
	is_near(kith_aew_objective(model, aew.weight, g), aew.objective, 1e-12, "the objective");
	for (size_t f = 0; f < P; f++)
		most = fmax(most, fabs(g[f]) / aew.start);
	is_near(most, aew.gradient, 1e-12, "its largest derivative");
	for (size_t i = 0; i < N; i++)
		for (size_t e = aew.graph.start[i]; e < aew.graph.start[i + 1]; e++) {
			const double *z = x + aew.graph.to[e] * P;
			double d = 0, c = 0;

			for (size_t f = 0; f < P; f++) {
				d += pow(x[i * P + f] - z[f], 2);
				c += aew.weight[f] * pow(x[i * P + f] - z[f], 2);
			}
			off = fmax(off, fabs(aew.graph.d[e] - sqrt(d)));
			off = fmax(off, fabs(aew.graph.w[e] - exp(-c)));
		}
	ok(off <= 1e-14, "weights and distances of edges: %g", off);
}

/* A row whose weights are no doubles. */
static void
test_lost(void)
{
	double v[4 * P] = {0, 0, 0, .01, 0, 0, 0, .02, 0, 9, 9, 9};
	const struct kith_mat X = {4, P, v};
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, 4, 1};
	const struct kith_aew_how how = {.k = 1, .sigma = {KITH_SIGMA_FIXED, .01}};
	struct kith_aew aew;

	ok(!kith_aew(&rows, &how, &aew, &pool, &err) && aew.lost == 1, "a row far away is lost");
	v[9] = v[10] = v[11] = .1;
	ok(!kith_aew(&rows, &how, &aew, &pool, &err) && aew.lost == 0, "one nearer is not");
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_gradient(more && *more ? 500 : 40);
	test_minimum();
	test_corners();
	test_limits();
	test_one();
	test_said();
	test_lost();
	kith_pool_free(&pool);
	return done();
}
