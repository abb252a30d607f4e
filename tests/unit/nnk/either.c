/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/nnk/either.h, against full matrices. */
#include "nnk/either.h"

#include "base/pool.h"
#include "base/rng.h"
#include "nnk/local.h"
#include "table/graph.h"
#include "tap.h"

#include <math.h>
#include <string.h>

#define N ((size_t)9)

static struct kith_pool pool;
static struct kith_rng rng;
static bool has[N][N];

/* Lists of candidates by chance, at a distance of i + j squared. */
static struct kith_graph
draw_pairs(double chance)
{
	struct kith_local local = {.start = NULL};
	struct kith_graph pairs;
	size_t e = 0;

	local.start = kith_new(&pool, N + 1, sizeof(*local.start));
	local.nn = kith_new(&pool, N * N, sizeof(*local.nn));
	for (size_t i = 0; i < N; i++) {
		for (size_t l = 0; l < N; l++) {
			const size_t j = (2 * l + i) % N; /* in no order */

			has[i][j] = i != j && kith_rng_unit(&rng) < chance;
			if (has[i][j])
				local.nn[e++] = (struct kith_neighbour){
				    j, (double)((i + j) * (i + j))};
		}
		local.start[i + 1] = e;
	}
	kith_either(&local, N, &pairs, &pool);
	return pairs;
}

static void
test_pairs(void)
{
	size_t bad = 0;

	for (size_t seed = 0; seed < 50; seed++) {
		struct kith_graph pairs = draw_pairs(.3);
		size_t e = 0;

		kith_either_distances(&pairs);
		for (size_t i = 0; i < N; i++) {
			bad += pairs.start[i] != e;
			for (size_t j = i + 1; j < N; j++) {
				if (!has[i][j] && !has[j][i])
					continue;
				bad += pairs.to[e] != j || pairs.w[e] != 1 ||
				    pairs.d[e] != (double)(i + j);
				e++;
			}
		}
		bad += pairs.start[N] != e || pairs.m != N;
	}
	is_size(bad, 0, "pairs that are not those of either row");
}

/* Weights of edges from either end; what is no pair, or twice there. */
static void
test_put(void)
{
	size_t bad = 0, all = 0;

	for (size_t seed = 0; seed < 100; seed++) {
		struct kith_graph pairs = draw_pairs(.2), edges = {.m = N};
		double w[N * N], due[N][N] = {{0}};
		size_t start[N + 1] = {0}, to[N * N], e = 0, foreign = 0;

		for (size_t i = 0; i < N; i++) {
			for (size_t j = 0; j < N; j++) {
				const size_t a = i < j ? i : j, b = i + j - a;

				if (i == j || kith_rng_unit(&rng) < .8)
					continue;
				to[e] = j;
				w[e] = (double)kith_rng_below(&rng, 4) - 1;
				if (w[e] > 0 && (due[a][b] > 0 || (!has[i][j] && !has[j][i])))
					foreign++;
				else if (w[e] > 0)
					due[a][b] = w[e];
				e++;
			}
			start[i + 1] = e;
		}
		edges.start = start;
		edges.to = to;
		edges.w = w;
		bad += kith_either_put(&edges, &pairs) != foreign;
		all += foreign;
		for (size_t i = 0; i < N; i++)
			for (e = pairs.start[i]; e < pairs.start[i + 1]; e++)
				bad += pairs.w[e] != due[i][pairs.to[e]];
	}
	is_size(bad, 0, "weights that are elsewhere");
	ok(all > 100, "%zu edges of no pair", all);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_pairs();
	test_put();
	kith_pool_free(&pool);
	return done();
}
