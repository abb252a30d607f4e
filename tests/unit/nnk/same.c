/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/nnk.h by what must not matter: threads, shards, the order of
 * rows, units.
 */
#include "nnk/data.h"

#include <string.h>

static const struct kith_sigma automatic = {KITH_SIGMA_AUTO, 0};

static bool
same(const struct kith_graph *a, const struct kith_graph *b)
{
	const size_t edges = a->start[a->m];

	return a->m == b->m && memcmp(a->start, b->start, (a->m + 1) * sizeof(*a->start)) == 0 &&
	    memcmp(a->to, b->to, edges * sizeof(*a->to)) == 0 &&
	    memcmp(a->w, b->w, edges * sizeof(*a->w)) == 0 &&
	    memcmp(a->d, b->d, edges * sizeof(*a->d)) == 0 &&
	    memcmp(a->J, b->J, a->m * sizeof(*a->J)) == 0;
}

/* Threads, shards, and candidates found elsewhere. */
static void
test_parts(struct kith_nnk_how how, const char *name)
{
	struct kith_mat X = {N, P, x};
	struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	const struct kith_nnk whole = run(&rows, &how);
	const struct kith_graph *g = &whole.graph;
	struct kith_graph back = *g;
	struct kith_nnk part;
	bool good = true;

	back.to = kith_new(&pool, g->start[N] + 1, sizeof(*back.to));

	for (rows.threads = 2; rows.threads <= 3; rows.threads++) {
		part = run(&rows, &how);
		ok(same(g, &part.graph) && part.residual == whole.residual, "%s: %zu threads", name,
		    rows.threads);
	}
	for (size_t size = 1; size <= 7; size += 2)
		for (rows.first = 0; rows.first < N; rows.first += size) {
			const size_t i = rows.first;
			struct kith_graph slice = *g;

			rows.m = size < N - i ? size : N - i;
			part = run(&rows, &how);
			slice.m = rows.m;
			slice.start = kith_new(&pool, rows.m + 1, sizeof(*slice.start));
			for (size_t l = 0; l <= rows.m; l++)
				slice.start[l] = g->start[i + l] - g->start[i];
			slice.to += g->start[i];
			slice.w += g->start[i];
			slice.d += g->start[i];
			slice.J += i;
			good = good && same(&slice, &part.graph);
		}
	ok(good, "shards of 1, 3, 5 and 7 rows");
	if (how.all || how.method == KITH_NNK_RADIUS)
		return;
	rows.first = 0;
	rows.m = N;
	how.given = &back;
	for (size_t i = 0; i < N; i++) /* in another order */
		for (size_t e = g->start[i]; e < g->start[i + 1]; e++)
			back.to[g->start[i + 1] - 1 - (e - g->start[i])] = g->to[e];
	part = run(&rows, &how);
	ok(same(g, &part.graph), "the same candidates, given");
}

static void
test_all_parts(void)
{
	struct kith_nnk_how how = {.k = 12, .radius = 0.2, .errors = true};

	draw(5);
	how.sigma.rule = KITH_SIGMA_LOCAL;
	test_parts(how, "local bandwidths");
	how.sigma = automatic;
	test_parts(how, "nnk");
	how.eta = 0.05;
	test_parts(how, "eta");
	how.kernel = KITH_KERN_LINEAR;
	test_parts(how, "linear");
	how.kernel = KITH_KERN_GAUSSIAN;
	how.method = KITH_NNK_KNN;
	test_parts(how, "knn");
	how.method = KITH_NNK_RADIUS;
	test_parts(how, "radius");
	how.method = KITH_NNK_LLE;
	test_parts(how, "lle");
	how.method = KITH_NNK_LLE_GRAM;
	test_parts(how, "lle-gram");
	how.method = KITH_NNK_MP;
	test_parts(how, "mp");
	how.method = KITH_NNK_OMP;
	test_parts(how, "omp");
	how.all = true;
	test_parts(how, "omp of all");
}

/* Weights do not change with the units of the data, to the bit. */
static void
test_units(void)
{
	static const int exponent[] = {-450, -400, 400, 490};
	struct kith_mat X = {N, P, x};
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	struct kith_nnk_how how = {.k = 9};
	double copy[N * P];

	draw(0);
	memcpy(copy, x, sizeof(x));
	for (int method = KITH_NNK; method <= KITH_NNK_LLE_GRAM; method++) {
		bool good = true;
		struct kith_nnk due;

		if (method == KITH_NNK_RADIUS)
			continue;
		how.method = (enum kith_nnk_method)method;
		memcpy(x, copy, sizeof(x));
		due = run(&rows, &how);
		for (size_t e = 0; e < 4; e++) {
			struct kith_nnk out;

			for (size_t i = 0; i < N * P; i++)
				x[i] = scalbn(copy[i], exponent[e]);
			out = run(&rows, &how);
			for (size_t i = 0; i < due.graph.start[N]; i++)
				good = good &&
				    fabs(out.graph.w[i] - due.graph.w[i]) <= 1e-12 * due.graph.w[i];
			for (size_t i = 0; i < due.graph.start[N]; i++)
				good = good &&
				    out.graph.d[i] == scalbn(due.graph.d[i], exponent[e]);
			good = good && out.sigma == scalbn(due.sigma, exponent[e]);
		}
		ok(good, "method %d: from 1e-135 to 1e147", method);
	}
	how.method = KITH_NNK;
	how.kernel = KITH_KERN_LINEAR;
	for (size_t i = 0; i < N * P; i++)
		x[i] = i < P * 10 ? scalbn(copy[i], -900) : copy[i];
	ok(run(&rows, &how).residual <= 1e-12, "linear, rows of all sizes");
}

/* Errors do, as their kernels. */
static void
test_error_units(enum kith_nnk_method method, enum kith_kern_kind kernel, int power)
{
	struct kith_mat X = {N, P, x};
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	const struct kith_nnk_how how = {
	    .method = method, .kernel = kernel, .k = 9, .errors = true};
	struct kith_nnk due, out;
	double worst = 0;

	draw(0);
	due = run(&rows, &how);
	for (size_t i = 0; i < N * P; i++)
		x[i] *= 32;
	out = run(&rows, &how);
	for (size_t i = 0; i < N; i++)
		worst = fmax(worst, fabs(scalbn(out.graph.J[i], -5 * power) - due.graph.J[i]));
	ok(worst <= 1e-13 && due.graph.J[0] != 0,
	    "method %d, kernel %d: J of 32 times the data: %.1e", (int)method, (int)kernel, worst);
}

/* The graph of permuted rows is the permuted graph. */
static void
test_permuted(void)
{
	struct kith_mat X = {N, P, x};
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 1};
	const struct kith_nnk_how how = {.k = 15, .errors = true};
	double *W = kith_new(&pool, N * N, sizeof(*W));
	double copy[N * P], worst = 0;
	struct kith_nnk out;
	size_t to[N];

	draw(0);
	out = run(&rows, &how);
	for (size_t i = 0; i < N; i++)
		for (size_t e = out.graph.start[i]; e < out.graph.start[i + 1]; e++)
			W[i * N + out.graph.to[e]] = out.graph.w[e];
	for (size_t i = 0; i < N; i++)
		to[i] = i;
	kith_rng_shuffle(&rng, to, N);
	memcpy(copy, x, sizeof(x));
	for (size_t i = 0; i < N; i++)
		memcpy(x + to[i] * P, copy + i * P, P * sizeof(*x));
	out = run(&rows, &how);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			const size_t s = out.graph.start[to[i]];

			for (size_t e = s; e < out.graph.start[to[i] + 1]; e++)
				if (out.graph.to[e] == to[j])
					worst = fmax(worst, fabs(W[i * N + j] - out.graph.w[e]));
		}
	ok(worst <= 1e-11, "permuted: %.1e", worst);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_all_parts();
	test_units();
	test_error_units(KITH_NNK, KITH_KERN_GAUSSIAN, 0);
	test_error_units(KITH_NNK, KITH_KERN_LINEAR, 2);
	test_error_units(KITH_NNK_LLE, KITH_KERN_GAUSSIAN, 0);
	test_error_units(KITH_NNK_LLE_GRAM, KITH_KERN_GAUSSIAN, -2);
	test_permuted();
	kith_pool_free(&pool);
	return done();
}
