/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/nnk/smooth.h: by hand, and against coordinate descent. */
#include "nnk/smooth.h"

#include "nnk/data.h"
#include "nnk/either.h"
#include "nnk/smooth_pairs.h"
#include "nnk/smooth_step.h"

#include <stdlib.h>
#include <string.h>

static bool
is_solved(const struct kith_smooth_pairs *pairs, const double *w)
{
	struct kith_check check[KITH_CHECK_SMOOTH];
	bool all = true;

	kith_smooth_check(pairs, w, check);
	for (size_t i = 0; i < KITH_CHECK_SMOOTH; i++)
		all = all && kith_check_ok(&check[i]);
	return all;
}

static void
test_hand(void)
{
	double v[] = {0, 1, 3, 4, 5, 5, 5, 5};
	struct kith_smooth_pairs two = pairs_of(v, 2, 1, 30);
	struct kith_smooth_pairs four = pairs_of(v, 4, 1, 2);
	struct kith_smooth_pairs same = pairs_of(v + 4, 4, 1, 2);
	struct kith_smooth_pairs one = pairs_of(v, 1, 1, 2);

	is_near(two.theta, 1, 0, "two rows: the inverse of their distance");
	kith_smooth(&two, 1);
	is_near(two.graph.w[0], (sqrt(5) - 1) / 2, 1e-15, "w^2 + z w = 1");
	/* z 1 9, 1 4, 1 4, 1 9; b and b 2: 1/sqrt(2 z3^2 - b z3). */
	is_near(four.theta, sqrt(1 / sqrt(2 * 256 - 10 * 16) / sqrt(2 * 81 - 10 * 9)), 1e-15,
	    "theta by the bounds of the middle row");
	is_size(same.graph.start[4], 6, "copies: all pairs");
	kith_smooth(&same, 2);
	is_near(same.graph.w[5], sqrt(1. / 3), 1e-15, "3 w^2 = 1");
	ok(kith_smooth(&one, 1) == 0 && is_solved(&one, one.graph.w), "one row has no term");
}

/* Minimise over one weight after the other, by halving, until none moves. */
static void
descend(const struct kith_smooth_pairs *pairs, double *w)
{
	const struct kith_graph *g = &pairs->graph;
	double d[N] = {0}, moved = 1;

	for (size_t e = 0; e < g->start[g->m]; e++)
		w[e] = 1;
	for (size_t i = 0; i < g->m; i++)
		for (size_t e = g->start[i]; e < g->start[i + 1]; e++) {
			d[i] += 1;
			d[g->to[e]] += 1;
		}
	for (size_t sweep = 0; sweep < 20000 && moved > 1e-14; sweep++) {
		moved = 0;
		for (size_t i = 0; i < g->m; i++)
			for (size_t e = g->start[i]; e < g->start[i + 1]; e++) {
				const size_t j = g->to[e];
				const double a = d[i] - w[e], b = d[j] - w[e];
				const double z = pairs->theta * g->d[e];
				double lo = 0, hi = 2;

				for (size_t l = 0; l < 60; l++) {
					const double half = (lo + hi) / 2;

					if (2 * z + 2 * half > 1 / (a + half) + 1 / (b + half))
						hi = half;
					else
						lo = half;
				}
				lo = lo < 1e-15 ? 0 : lo;
				moved = fmax(moved, fabs(lo - w[e]));
				w[e] = lo;
				d[i] = a + lo;
				d[j] = b + lo;
			}
	}
}

static void
test_random(size_t seeds)
{
	double worst = 0, edges = 0, rows = 0;
	size_t solved = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const size_t n = 8 + kith_rng_below(&rng, 20);
		const size_t k = 1 + kith_rng_below(&rng, 4);
		struct kith_smooth_pairs pairs;
		double *due;
		size_t most;

		draw(seed % 3 ? 0 : 3);
		pairs = pairs_of(x, n, P, k);
		most = pairs.graph.start[n];
		due = kith_new(&pool, most, sizeof(*due));
		kith_smooth(&pairs, 1);
		solved += is_solved(&pairs, pairs.graph.w);
		descend(&pairs, due);
		for (size_t e = 0; e < most; e++)
			worst = fmax(worst, fabs(due[e] - pairs.graph.w[e]));
	}
	is_size(solved, seeds, "conditions of optimality hold");
	ok(worst <= 1e-7, "as by coordinate descent: %g", worst);
	for (size_t k = 4; k <= 8; k++) {
		struct kith_smooth_pairs pairs;

		draw(0);
		pairs = pairs_of(x, N, P, k);
		kith_smooth(&pairs, 1);
		for (size_t e = 0; e < pairs.graph.start[N]; e++)
			edges += pairs.graph.w[e] > 0 ? 2 : 0;
		rows += (double)(k * N);
	}
	ok(edges > .7 * rows && edges < 1.3 * rows, "about k edges: %g of %g", edges, rows);
}

/* A row so far away that its weights are small differences. */
static void
test_far(void)
{
	double v[] = {0, 1, 2, 4, 1e5, 1.5, 2.5, 3, 3, 3}, w[100];
	struct kith_smooth_pairs pairs = pairs_of(v, 10, 1, 2);
	size_t edges;

	kith_smooth(&pairs, 1);
	edges = pairs.graph.start[10];
	ok(is_solved(&pairs, pairs.graph.w), "solved");
	memcpy(w, pairs.graph.w, edges * sizeof(*w));
	for (size_t e = 0; e < edges; e++) {
		w[e] = pairs.graph.w[e] * (1 + 1e-6);
		if (w[e] > 0 && is_solved(&pairs, w))
			ok(false, "edge %zu is larger", e);
		w[e] = 0;
		if (pairs.graph.w[e] > 0 && is_solved(&pairs, w))
			ok(false, "edge %zu is missing", e);
		w[e] = pairs.graph.w[e];
	}
	ok(edges > 9, "no other weights pass");
}

static void
test_threads(void)
{
	struct kith_smooth_pairs a, b;

	draw(0);
	a = pairs_of(x, N, P, 5);
	b = pairs_of(x, N, P, 5);
	kith_smooth(&a, 1);
	kith_smooth(&b, 3);
	ok(memcmp(a.graph.w, b.graph.w, a.graph.start[N] * sizeof(*a.graph.w)) == 0,
	    "the same bytes with 3 threads");
}

static void
test_put(void)
{
	double v[] = {0, 1, 3, 20}, w[] = {.5, .25, 0, 2, 7};
	size_t start[] = {0, 1, 3, 3, 5}, to[] = {1, 0, 2, 0, 2};
	const struct kith_graph edges = {0, 4, start, to, w, NULL, NULL};
	struct kith_smooth_pairs pairs = pairs_of(v, 4, 1, 1);

	pairs.graph.start[1] = pairs.graph.start[0] + 2; /* not 0 - 3 */
	memmove(pairs.graph.to + 2, pairs.graph.to + 3, 3 * sizeof(size_t));
	for (size_t i = 2; i <= 4; i++)
		pairs.graph.start[i]--;
	is_size(kith_either_put(&edges, &pairs.graph), 2, "twice there, or no pair");
	ok(pairs.graph.w[0] == .5 && pairs.graph.w[1] == 0 && pairs.graph.w[2] == 0 &&
		pairs.graph.w[4] == 7,
	    "the others are put");
}

/* Weights that make a distance below 0. */
static void
test_below(void)
{
	static const double w[] = {1, -3, -3, 1};
	double v[] = {0, 0, 1, 1, 5, 0};
	const struct kith_mat X = {3, 2, v};
	const struct kith_metric metric = {KITH_SQUARED_MATRIX, 2, w};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, 3, 1};
	struct kith_smooth_pairs out;

	ok(kith_smooth_pairs(&rows, 2, NULL, &out, &pool, &err) == -1 && err.status == EX_DATAERR,
	    "a distance below 0: %s", err.msg);
}

/*
 * A path whose equations are nearly singular: conjugate gradients would take more
 * steps than they have, and a factor solves them.
 */
static void
test_step(void)
{
	enum { LONG = 400 };
	struct kith_smooth_step it = kith_smooth_step_new(LONG, LONG - 1, &pool);
	double most = 0, *y = kith_new(&pool, LONG, sizeof(*y));

	for (size_t i = 0; i < LONG; i++) {
		size_t *end = &it.H.start[i + 1];

		*end = it.H.start[i];
		if (i > 0)
			it.H.column[(*end)++] = (uint32_t)i - 1;
		if (i + 1 < LONG)
			it.H.column[(*end)++] = (uint32_t)i + 1;
		it.H.diagonal[i] = 1 + 1e-9;
		it.b[i] = i % 3 == 0 ? 1 : -1;
	}
	kith_smooth_step(&it, 1e-12, 1);
	kith_sparse_times(&it.H, 1, it.x, y, 1);
	for (size_t i = 0; i < LONG; i++)
		most = fmax(most, fabs(y[i] - it.b[i]));
	ok(most <= 1e-8, "a step by a factor: %.1e", most);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_hand();
	test_random(more && *more ? 300 : 30);
	test_far();
	test_threads();
	test_put();
	test_below();
	test_step();
	kith_pool_free(&pool);
	return done();
}
