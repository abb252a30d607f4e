/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/nnk.h: the weights of random tables against the conditions of optimality, written
 * out with dense kernels of all pairs; the check of a graph, and of one that was changed; lengths
 * that are far apart; the bandwidths of eight features.
 */
#include "nnk/nnk.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/metric.h"
#include "normal.h"
#include "table/edges.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40, P = 3 };

static struct kith_err err;

/* Rows of one of four kinds: normal, on a grid, with copies, on a line. */
static void
draw(struct kith_rng *rng, size_t kind, size_t n, double *x)
{
	for (size_t i = 0; i < n * P; i++)
		x[i] = kind == 1 ? (double)kith_rng_below(rng, 3) : normal(rng);
	for (size_t i = 1; kind == 2 && i < n; i++)
		if (kith_rng_below(rng, 2))
			memcpy(x + i * P, x + kith_rng_below(rng, i) * P, P * sizeof(*x));
	for (size_t i = 0; kind == 3 && i < n; i++)
		for (size_t j = 1; j < P; j++)
			x[i * P + j] = (double)(j + 1) * x[i * P];
}

static double
square(const double *x, const double *z)
{
	double d = 0;

	for (size_t j = 0; j < P; j++)
		d += (x[j] - z[j]) * (x[j] - z[j]);
	return d;
}

/* The largest violation of row i by lambda = K_SS theta - K_Sq + eta, relative to max K_Sq. */
static double
violation(
    const double *x, const struct kith_graph *graph, size_t i, double sigma, double eta, double *J)
{
	const size_t from = graph->start[i], end = graph->start[i + 1];
	const double *q = x + i * P;
	double worst = 0, largest = 0, least = INFINITY;

	*J = .5;
	for (size_t e = from; e < end; e++)
		least = fmin(least, square(x + graph->to[e] * P, q));
	for (size_t e = from; e < end; e++) {
		const double *z = x + graph->to[e] * P;
		const double b = exp(-square(z, q) / (2 * sigma * sigma));
		double lambda = eta - b, half = 0;

		for (size_t f = from; f < end; f++)
			half += graph->w[f] *
			    exp(-square(z, x + graph->to[f] * P) / (2 * sigma * sigma));
		lambda += half;
		*J += graph->w[e] * (half / 2 - b);
		largest = fmax(largest, b);
		worst = fmax(worst, graph->w[e] > 0 ? fabs(lambda) : -lambda);
		if (graph->w[e] < 0)
			return INFINITY;
	}
	return largest > 0 ? worst / largest : 0;
}

/* Checks a claimed graph of method nnk. */
static void
judge(const struct kith_nnk_rows *rows, const struct kith_nnk_how *how,
    const struct kith_graph *claim, struct kith_check check[KITH_NNK_CHECKS])
{
	struct kith_pool pool = {0};
	struct kith_nnk_how claimed = *how;
	struct kith_nnk got;

	claimed.claim = claim;
	if (kith_nnk(rows, &claimed, &got, &pool, &err))
		abort();
	memcpy(check, got.proof, sizeof(got.proof));
	kith_pool_free(&pool);
}

static void
test_optimal(size_t seed)
{
	struct kith_pool pool = {0};
	struct kith_rng rng;
	double x[MOST * P], worst = 0, J, off = 0;
	const struct kith_metric metric = {KITH_SQUARED, P, NULL};
	struct kith_mat X = {2 + seed % (MOST - 1), P, x};
	struct kith_nnk_rows rows = {.X = &X, .metric = &metric, .m = X.n, .threads = 1 + seed % 3};
	struct kith_nnk_how how = {.method = KITH_NNK,
	    .k = 1 + seed % 12,
	    .eta = seed % 4 == 3 ? .05 : 0,
	    .errors = true,
	    .sigma = {KITH_SIGMA_FIXED, seed % 5 == 0 ? .3 : 1}};
	struct kith_check check[KITH_NNK_CHECKS];
	struct kith_nnk nnk;
	size_t edge = 0;
	bool all = true;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	draw(&rng, seed % 4, X.n, x);
	if (kith_nnk(&rows, &how, &nnk, &pool, &err))
		abort();
	judge(&rows, &how, &nnk.graph, check);
	for (size_t i = 0; i < X.n; i++) {
		worst = fmax(worst, violation(x, &nnk.graph, i, how.sigma.value, how.eta, &J));
		off = fmax(off, fabs(J - nnk.graph.J[i]));
	}
	ok(worst < 1e-8 && off < 1e-12, "optimal, seed %zu: off by %g, J by %g", seed, worst, off);
	for (size_t c = 0; c < KITH_NNK_CHECKS; c++)
		all = all && kith_check_ok(&check[c]);
	ok(all, "as the check says");
	for (size_t e = 1; e < nnk.graph.start[X.n]; e++)
		edge = nnk.graph.w[e] > nnk.graph.w[edge] ? e : edge;
	nnk.graph.w[edge] *= 1 + 1e-6;
	judge(&rows, &how, &nnk.graph, check);
	ok(nnk.graph.w[edge] <= 0 || (!kith_check_ok(&check[2]) && kith_check_ok(&check[0])),
	    "a weight that is off");
	nnk.graph.w[edge] = -1;
	judge(&rows, &how, &nnk.graph, check);
	ok(check[0].value == 1, "a weight below 0");
	kith_pool_free(&pool);
}

/* The weight of a short candidate is judged, and proved, beside one 1e9 times as long. */
static void
test_lengths(void)
{
	struct kith_pool pool = {0};
	double x[] = {1, .7, .3, 1, .1, .2, 3e-10, 1e-9, 1e-10};
	const struct kith_metric metric = {KITH_SQUARED, P, NULL};
	const struct kith_mat X = {3, P, x};
	const struct kith_nnk_rows rows = {.X = &X, .metric = &metric, .m = 1, .threads = 1};
	const struct kith_nnk_how how = {.method = KITH_NNK, .kernel = KITH_KERN_LINEAR, .k = 2};
	struct kith_check check[KITH_NNK_CHECKS];
	struct kith_nnk nnk;

	for (int off = 0; off < 2; off++) {
		if (kith_nnk(&rows, &how, &nnk, &pool, &err))
			abort();
		nnk.graph.w[1] *= 1 + .01 * off;
		judge(&rows, &how, &nnk.graph, check);
		ok(kith_check_ok(&check[2]) == !off && nnk.graph.w[1] > 1e8 &&
			(off || (check[2].value > 0 && check[2].value == nnk.proof[2].value)),
		    "a short candidate: %g %g", check[2].value, nnk.proof[0].value);
	}
	kith_pool_free(&pool);
}

/* Candidates on a line that leads past the row: signed weights near 1000, solved to rounding. */
static void
test_signed(void)
{
	struct kith_pool pool = {0};
	double x[] = {0, 0, 0, 1000, .1, 0, 1001, 0, 0};
	const struct kith_metric metric = {KITH_SQUARED, P, NULL};
	const struct kith_mat X = {3, P, x};
	const struct kith_nnk_rows rows = {.X = &X, .metric = &metric, .m = 1, .threads = 1};
	const struct kith_nnk_how how = {.method = KITH_NNK_LLE_SIGNED, .k = 2};
	struct kith_nnk nnk;

	if (kith_nnk(&rows, &how, &nnk, &pool, &err))
		abort();
	ok(fabs(nnk.graph.w[0]) > 100 && nnk.residual <= 1e-14, "weights %g and %g: residual %g",
	    nnk.graph.w[0], nnk.graph.w[1], nnk.residual);
	kith_pool_free(&pool);
}

/* Eight are a multiple of what the L-BFGS library takes at once: it adds none. */
static void
test_aew(void)
{
	struct kith_pool pool = {0};
	struct kith_rng rng;
	double x[MOST * P];
	const struct kith_mat X = {MOST * P / 8, 8, x};
	const struct kith_metric metric = {KITH_SQUARED, 8, NULL};
	const struct kith_nnk_rows rows = {.X = &X, .metric = &metric, .m = X.n, .threads = 1};
	const struct kith_nnk_how how = {
	    .method = KITH_NNK_AEW, .k = 3, .sigma = {KITH_SIGMA_FIXED, 1}};
	struct kith_nnk aew;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	draw(&rng, 0, MOST, x);
	if (kith_nnk(&rows, &how, &aew, &pool, &err))
		abort();
	ok(aew.converged && aew.objective < aew.start, "aew of eight features");
	kith_pool_free(&pool);
}

int
main(void)
{
	const size_t seeds = getenv("KITH_LONG") ? 1000 : 40;

	for (size_t seed = 1; seed <= seeds; seed++)
		test_optimal(seed);
	test_lengths();
	test_signed();
	test_aew();
	return done();
}
