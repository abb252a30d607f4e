/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/connect.h, against Prim's tree of the components, and of
 * kith_symm_parts() of lib/nnk/symm.h.
 */
#include "nnk/connect.h"

#include "nnk/data.h"
#include "nnk/symm.h"

#include <float.h>
#include <string.h>

/* The undirected graph of the first n rows and some edges, in order. */
static struct kith_graph
graph_of(size_t n, const double *W, bool distances)
{
	struct kith_graph g = {.m = n};
	size_t e = 0;

	g.start = kith_new(&pool, n + 1, sizeof(*g.start));
	g.to = kith_new(&pool, n * n, sizeof(*g.to));
	g.w = kith_new(&pool, n * n, sizeof(*g.w));
	if (distances)
		g.d = kith_new(&pool, n * n, sizeof(*g.d));
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			if (isnan(W[i * n + j]))
				continue;
			g.to[e] = j;
			if (distances)
				g.d[e] = (double)(i + j);
			g.w[e++] = W[i * n + j];
		}
		g.start[i + 1] = e;
	}
	return g;
}

/* Draw a few weights of least at least into W (n x n); NaN: no entry. */
static void
draw_edges(size_t n, double chance, double least, double *W)
{
	for (size_t e = 0; e < n * n; e++) {
		W[e] = NAN;
		if (kith_rng_unit(&rng) < chance)
			W[e] = least + (double)kith_rng_below(&rng, 3);
	}
}

/* The components by relabelling: the least row of each. */
static void
relabel(size_t n, const double *W, size_t *of)
{
	bool more = true;

	for (size_t i = 0; i < n; i++)
		of[i] = i;
	while (more) {
		more = false;
		for (size_t i = 0; i < n; i++)
			for (size_t j = i + 1; j < n; j++)
				if (W[i * n + j] > 0 && of[i] != of[j]) {
					more = true;
					of[i] = of[j] = of[i] < of[j] ? of[i] : of[j];
				}
	}
}

static void
test_parts(size_t seeds)
{
	size_t bad = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const size_t n = 1 + kith_rng_below(&rng, 20);
		double W[400] = {0};
		size_t part[20], of[20], number[20] = {0}, parts = 0;
		struct kith_graph g;

		draw_edges(n, 1.2 / (double)n, 0, W);
		g = graph_of(n, W, false);
		relabel(n, W, of);
		for (size_t i = 0; i < n; i++)
			number[i] = of[i] == i ? parts++ : number[of[i]];
		bad += kith_symm_parts(&g, n, part) != parts ||
		    memcmp(part, number, n * sizeof(*part)) != 0;
	}
	is_size(bad, 0, "components, numbered by their first rows");
}

static double
square(size_t i, size_t j)
{
	double d = 0;

	for (size_t f = 0; f < P; f++)
		d += pow(x[i * P + f] - x[j * P + f], 2);
	return d;
}

/* The shortest edges between components, one after the other; the longest. */
static double
join_all(size_t n, double *W, double sigma)
{
	double longest = 0;

	for (;;) {
		size_t of[N], from = 0, to = 0;
		double best = INFINITY;

		relabel(n, W, of);
		for (size_t i = 0; i < n; i++)
			for (size_t j = i + 1; j < n; j++)
				if (of[i] != of[j] && square(i, j) < best) {
					best = square(i, j);
					from = i;
					to = j;
				}
		if (isinf(best))
			return longest;
		W[from * n + to] = exp(-best / (2 * sigma * sigma));
		longest = fmax(longest, sqrt(best));
	}
}

static void
test_random(size_t seeds)
{
	size_t bad = 0, added = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		const size_t n = 2 + kith_rng_below(&rng, N - 2);
		const double sigma = .3;
		const struct kith_mat X = {n, P, x};
		const struct kith_local_rows rows = {&X, &plain, NULL, 0, n, 1 + seed % 2};
		struct kith_nnk_connect how = {.sigma = {KITH_SIGMA_FIXED, sigma}, .k = 3};
		double *W = kith_new(&pool, n * n, sizeof(*W));
		double *was = kith_new(&pool, n * n, sizeof(*was)), longest;
		size_t part[N], edges = 0;
		struct kith_graph g;

		draw(0);
		draw_edges(n, 1. / (double)n, 1, W);
		memcpy(was, W, n * n * sizeof(*W));
		g = graph_of(n, W, seed % 3);
		added += kith_symm_parts(&g, n, part) - 1;
		longest = join_all(n, W, sigma);
		bad += kith_nnk_connect(&rows, &how, &g, &pool, &err) != 0;
		added -= how.added;
		bad += fabs(how.longest - longest) > 1e-14 || how.vanished;
		for (size_t i = 0; i < n; i++)
			for (size_t j = i + 1; j < n; j++) {
				const double w = W[i * n + j];
				const bool old = was[i * n + j] > 0;
				const double d = !old ? sqrt(square(i, j)) : (double)(i + j);

				if (isnan(w))
					continue;
				bad += g.to[edges] != j || fabs(g.w[edges] - w) > 1e-14 ||
				    (g.d && fabs(g.d[edges] - d) > 1e-14);
				edges++;
			}
		bad += g.start[n] != edges;
	}
	is_size(bad, 0, "edges that differ from the shortest between parts");
	is_size(added, 0, "parts less one are added");
}

/* Weights of bandwidths of both rows, and those that are no doubles. */
static void
test_weights(void)
{
	double v[] = {0, 1, 10, 12, 100, 103};
	const struct kith_mat X = {6, 1, v};
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, 6, 1};
	size_t start[] = {0, 1, 1, 2, 2, 3, 3}, to[] = {1, 3, 5};
	double w[] = {1, 1, 1}, J[6] = {0};
	const struct kith_graph three = {0, 6, start, to, w, NULL, J};
	struct kith_graph g = three;
	struct kith_nnk_connect how = {.k = 2, .sigma = {.rule = KITH_SIGMA_LOCAL}};

	ok(!kith_nnk_connect(&rows, &how, &g, &pool, &err) && g.start[6] == 5 && !g.d && g.J == J,
	    "three parts get two edges");
	ok(g.to[1] == 2 && g.to[3] == 4, "between 1 and 10, 12 and 100");
	/* Two thirds of 9 are the bandwidth of 1 and of 10: exp(-81 / 18). */
	is_near(g.w[1], exp(-4.5), 1e-15, "of equal bandwidths");
	/* The second of 12: 11 / 3; of 100: 88 / 3. */
	is_near(g.w[3], exp(-4.5), 1e-15, "the larger of two");
	ok(how.added == 2 && how.vanished == 0 && how.longest == 88, "told");
	how.sigma = (struct kith_sigma){KITH_SIGMA_FIXED, 1};
	g = three;
	ok(!kith_nnk_connect(&rows, &how, &g, &pool, &err) && g.w[3] == DBL_TRUE_MIN &&
		how.vanished == 1,
	    "exp(-88^2 / 2) is no double");
	is_near(g.w[1], exp(-40.5), 1e-15, "exp(-81 / 2) is");
	how.kernel = KITH_KERN_LINEAR;
	g = three;
	ok(!kith_nnk_connect(&rows, &how, &g, &pool, &err) && g.w[1] == 10 && g.w[3] == 1200 &&
		how.vanished == 0,
	    "linear: products");
}

/* k above what there is, and a graph that is one part. */
static void
test_corners(void)
{
	double v[] = {0, 1, 10, 12, 100, 103};
	const struct kith_mat X = {6, 1, v};
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, 6, 1};
	size_t start[] = {0, 1, 1, 2, 2, 3, 3}, to[] = {1, 3, 5};
	double w[] = {1, 1, 1};
	struct kith_graph g = {0, 6, start, to, w, NULL, NULL};
	struct kith_nnk_connect how = {.k = 6, .sigma = {.rule = KITH_SIGMA_LOCAL}};

	ok(!kith_nnk_connect(&rows, &how, &g, &pool, &err) && g.start[6] == 5,
	    "k above what there is");
	/* From 100 the last is 100 away, from 12 it is 91. */
	is_near(g.w[3], exp(-88. * 88 / 2 / (100. * 100 / 9)), 1e-15, "weight");
	g = (struct kith_graph){0, 6, start, to, w, NULL, NULL};
	how.k = 4;
	ok(!kith_nnk_connect(&rows, &how, &g, &pool, &err), "one less");
	/* From 100 the last but one is 99 away, from 12 it is 88. */
	is_near(g.w[3], exp(-88. * 88 / 2 / (99. * 99 / 9)), 1e-15, "weight");
	memcpy(start, (size_t[]){0, 5, 5, 5, 5, 5, 5}, sizeof(start));
	g = (struct kith_graph){
	    0, 6, start, (size_t[]){1, 2, 3, 4, 5}, (double[]){1, 1, 1, 1, 1}, NULL, NULL};
	ok(!kith_nnk_connect(&rows, &how, &g, &pool, &err) && g.start[6] == 5 && how.added == 0 &&
		how.longest == 0,
	    "one part is left alone");
}

/* Large numbers, and distances below 0. */
static void
test_large(void)
{
	static const double below[] = {1, -3, -3, 1};
	double v[] = {0, 0, 3e140, 4e140};
	const struct kith_mat X = {2, 2, v};
	struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, 2, 1};
	double W[4] = {NAN, NAN, NAN, NAN};
	struct kith_nnk_connect how = {.k = 1, .sigma = {KITH_SIGMA_FIXED, 5e140}};
	struct kith_graph g = graph_of(2, W, true);

	ok(!kith_nnk_connect(&rows, &how, &g, &pool, &err) && g.start[2] == 1, "two rows");
	is_near(g.d[0] / 1e140, 5, 1e-15, "a distance of 5e140");
	is_near(how.longest / 1e140, 5, 1e-15, "the longest");
	is_near(g.w[0], exp(-.5), 1e-15, "its kernel");
	metric = (struct kith_metric){KITH_SQUARED_MATRIX, 2, below};
	g = graph_of(2, W, true);
	ok(kith_nnk_connect(&rows, &how, &g, &pool, &err) == -1 && err.status == EX_DATAERR,
	    "a distance below 0");
	is_text(err.msg, "the weights make a distance below 0", "is refused");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_parts(200);
	test_random(30);
	test_weights();
	test_corners();
	test_large();
	kith_pool_free(&pool);
	return done();
}
