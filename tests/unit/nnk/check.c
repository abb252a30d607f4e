/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/check.h: graphs of many kinds pass, and graphs with one
 * thing wrong do not.
 */
#include "nnk/check.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/metric.h"
#include "nnk/nnk.h"
#include "nnk/symm.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N ((size_t)60)
#define P ((size_t)6)

static struct kith_err err;
static struct kith_rng rng;

/* A data set, its graph, and how that was made. */
struct made {
	double x[N * P], w[P];
	struct kith_mat X, Z;
	struct kith_metric metric;
	struct kith_local_rows rows;
	struct kith_nnk_how how;
	struct kith_nnk out;
	struct kith_pool pool;
};

static void
make(struct made *it)
{
	static const double grid[] = {0, 2, 3, 8};
	const double g = grid[kith_rng_below(&rng, 4)];
	const size_t n = 1 + kith_rng_below(&rng, N), m = 1 + n / 3;
	const size_t p = 1 + kith_rng_below(&rng, P);

	memset(it, 0, sizeof(*it));
	for (size_t i = 0; i < n * p; i++) {
		it->x[i] = kith_rng_unit(&rng) + 0.01;
		if (g > 0)
			it->x[i] = ceil(it->x[i] * g);
	}
	for (size_t j = 0; j < p; j++)
		it->w[j] = (double)kith_rng_below(&rng, 3);
	it->w[0] = 1;
	it->X = it->Z = (struct kith_mat){n, p, it->x};
	it->metric = (struct kith_metric){KITH_SQUARED, p, kith_rng_below(&rng, 2) ? it->w : NULL};
	it->rows = (struct kith_local_rows){
	    &it->X, &it->metric, NULL, 0, n, 1 + kith_rng_below(&rng, 2)};
	if (kith_rng_below(&rng, 3) == 0) { /* the first rows ask for the
					       others */
		it->Z.n = it->rows.m = n - m + 1;
		it->rows.Z = &it->Z;
	}
	it->how.k = 1 + kith_rng_below(&rng, 30);
	it->how.kernel = (enum kith_kern_kind)kith_rng_below(&rng, 3);
	it->how.eta = kith_rng_below(&rng, 3) == 0 ? 0.2 : 0;
	it->how.sigma.rule = (unsigned)kith_rng_below(&rng, 4);
	it->how.sigma.value = pow(10, 4 * kith_rng_unit(&rng) - 3);
}

static void
solve(struct made *it)
{
	size_t bad;

	if (it->how.kernel == KITH_KERN_COSINE && kith_kern_unit_rows(&it->X, &it->metric, &bad))
		ok(false, "row %zu is 0", bad);
	if (kith_nnk(&it->rows, &it->how, &it->out, &it->pool, &err) || !it->out.graph.start) {
		ok(false, "failed: %s", err.msg);
		exit(1);
	}
}

/* Keep the edges of positive weight alone, as they are printed. */
static void
drop_zeros(struct kith_graph *graph)
{
	size_t held = 0, e = 0;

	for (size_t i = 0; i < graph->m; i++) {
		for (; e < graph->start[i + 1]; e++)
			if (graph->w[e] > 0) {
				graph->to[held] = graph->to[e];
				graph->w[held++] = graph->w[e];
			}
		graph->start[i + 1] = held;
	}
}

/* How many checks fail. */
static size_t
failures(struct made *it, struct kith_check check[KITH_CHECK_NNK])
{
	const struct kith_check_nnk_how how = {
	    it->how.kernel, it->how.k, it->how.eta, 1e-10, it->how.sigma, NULL};
	size_t count = 0;

	if (kith_check_nnk(&it->rows, &how, &it->out.graph, check, &err))
		ok(false, "failed: %s", err.msg);
	for (size_t i = 0; i < KITH_CHECK_NNK; i++)
		count += !kith_check_ok(&check[i]);
	return count;
}

/* Whether a weight is below the normal doubles, and so has fewer digits. */
static bool
has_denormals(const struct kith_graph *graph)
{
	for (size_t e = 0; e < graph->start[graph->m]; e++)
		if (graph->w[e] < DBL_MIN)
			return true;
	return false;
}

static void
test_pass(size_t seeds)
{
	static struct made it;
	double worst[2] = {0};
	size_t bad = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		struct kith_check check[KITH_CHECK_NNK];

		make(&it);
		solve(&it);
		kith_symm_cut(&it.out.graph, seed % 2 ? 1e-10 : 0);
		drop_zeros(&it.out.graph);
		bad += failures(&it, check) != 0;
		if (seed % 2 == 0 && !has_denormals(&it.out.graph))
			for (size_t c = 0; c < 2; c++)
				worst[c] = fmax(worst[c], check[2 + c].value);
		kith_pool_free(&it.pool);
	}
	ok(bad == 0, "%zu of %zu graphs refused", bad, seeds);
	ok(worst[0] <= 1e-12 && worst[1] <= 1e-12, "uncut: %.1e and %.1e", worst[0], worst[1]);
}

/* The entry of the largest weight. */
static size_t
largest(const struct kith_graph *graph)
{
	size_t best = 0;

	for (size_t e = 0; e < graph->start[graph->m]; e++)
		if (graph->w[e] > graph->w[best])
			best = e;
	return best;
}

/* A graph of 60 rows with something done to it. */
static void
test_refuse(enum kith_kern_kind kernel)
{
	static const char *const name[] = {"as it is", "one weight changed by 1e-6",
	    "the largest edge dropped", "an edge to a candidate added",
	    "an edge to another row added", "a negative weight", "an infinite weight",
	    "no edges at all"};
	static struct made it;

	for (size_t wrong = 0; wrong < 8; wrong++) {
		struct kith_check check[KITH_CHECK_NNK];
		size_t e, zero = 0;

		memset(&it, 0, sizeof(it));
		for (size_t i = 0; i < N * P; i++)
			it.x[i] = kith_rng_unit(&rng) + 0.01;
		it.X = (struct kith_mat){N, P, it.x};
		it.metric = (struct kith_metric){KITH_SQUARED, P, NULL};
		it.rows = (struct kith_local_rows){&it.X, &it.metric, NULL, 0, N, 1};
		it.how.k = 20;
		it.how.kernel = kernel;
		solve(&it);
		kith_symm_cut(&it.out.graph, 1e-10);
		e = largest(&it.out.graph);
		while (it.out.graph.w[zero] > 0)
			zero++;
		if (wrong == 1)
			it.out.graph.w[e] *= 1 + 1e-6;
		if (wrong == 2)
			it.out.graph.w[e] = 0;
		if (wrong == 3)
			it.out.graph.w[zero] = 1e-3;
		drop_zeros(&it.out.graph);
		e = largest(&it.out.graph);
		if (wrong == 4) /* one's own row is none */
			for (size_t i = 0; i < N; i++)
				if (it.out.graph.start[i] <= e && e < it.out.graph.start[i + 1])
					it.out.graph.to[e] = i;
		if (wrong == 7)
			memset(it.out.graph.start, 0, (N + 1) * sizeof(size_t));
		else if (wrong >= 5)
			it.out.graph.w[e] = wrong == 5 ? -1 : INFINITY;
		ok((failures(&it, check) > 0) == (wrong > 0), "kernel %d: %s", (int)kernel,
		    name[wrong]);
		ok(wrong != 4 || check[1].value == 1, "one foreign edge");
		ok(wrong < 5 || wrong == 7 || check[0].value == 1, "one bad weight");
		kith_pool_free(&it.pool);
	}
}

/*
 * With the linear kernel one row as long as 1e100 hides no other; it has a
 * weight of 1e-100, which is cut, and the check puts that back.  Next to it an
 * edge too few, or another weight, is found as ever.
 */
static void
test_lengths(void)
{
	double x[] = {1, 1, 1, -1, -1, 1, 2, 1, 1, 2, 3, 1e100};
	const struct kith_mat X = {6, 2, x};
	const struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	static struct made it;
	struct kith_check check[KITH_CHECK_NNK];
	double weight = 0;

	memset(&it, 0, sizeof(it));
	it.X = X;
	it.metric = metric;
	it.rows = (struct kith_local_rows){&it.X, &it.metric, NULL, 0, 6, 1};
	it.how.k = 5;
	it.how.kernel = KITH_KERN_LINEAR;
	solve(&it);
	for (size_t e = 0; e < it.out.graph.start[5]; e++)
		if (it.out.graph.to[e] == 5)
			weight = fmax(weight, it.out.graph.w[e]);
	ok(weight > 0 && weight < 1e-90, "weights of the longest: %g", weight);
	ok(it.out.doubts > 0, "the check is asked");
	kith_symm_cut(&it.out.graph, 1e-10);
	is_size(failures(&it, check), 0, "a row of 1e100");
	drop_zeros(&it.out.graph);
	is_size(failures(&it, check), 0, "without what was cut");
	it.out.graph.w[0] *= 1 + 1e-6;
	ok(failures(&it, check) > 0, "another weight");
	it.out.graph.w[0] = 0;
	ok(failures(&it, check) > 0, "an edge too few");
	kith_pool_free(&it.pool);
}

/* What is cut may be more than one, and its limit is that of --min-weight. */
static void
test_cut(void)
{
	const double x[] = {1, 0, 1, 1e-4, 1e6, 1e2, 1, -1e-4, 1e6, -3e2};
	static struct made it;
	struct kith_check check[KITH_CHECK_NNK];

	memset(&it, 0, sizeof(it));
	memcpy(it.x, x, sizeof(x));
	it.X = (struct kith_mat){5, 2, it.x};
	it.metric = (struct kith_metric){KITH_SQUARED, 2, NULL};
	it.rows = (struct kith_local_rows){&it.X, &it.metric, NULL, 0, 5, 1};
	it.how.k = 4;
	it.how.kernel = KITH_KERN_LINEAR;
	solve(&it);
	is_size(failures(&it, check), 0, "uncut");
	kith_symm_cut(&it.out.graph, 1e-10);
	is_size(failures(&it, check), 0, "cut by as much as is said");
	kith_symm_cut(&it.out.graph, 1e-3);
	ok(failures(&it, check) > 0, "by more");
	kith_pool_free(&it.pool);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_pass(more && *more ? 20000 : 600);
	for (int kind = KITH_KERN_GAUSSIAN; kind <= KITH_KERN_LINEAR; kind++)
		test_refuse((enum kith_kern_kind)kind);
	test_lengths();
	test_cut();
	return done();
}
