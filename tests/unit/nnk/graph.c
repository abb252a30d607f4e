/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/nnk.h: symmetric graphs and pairs, against the definitions on dense
 * matrices, for random lists with ties, empty lists and errors that are no numbers; smooth weights
 * beside a row without a pair.
 */
#include "nnk/nnk.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "table/edges.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 14 };

/* Lists as matrices: whether row i has row j, with what weight and at what distance. */
struct dense {
	size_t n;
	bool has[MOST][MOST];
	double w[MOST][MOST], d[MOST][MOST], J[MOST];
};

static void
draw(struct kith_rng *rng, struct dense *to)
{
	memset(to, 0, sizeof(*to));
	to->n = 1 + kith_rng_below(rng, MOST);
	for (size_t i = 0; i < to->n; i++) {
		to->J[i] = (double)kith_rng_below(rng, 4) / 4;
		for (size_t j = 0; j < i; j++)
			to->d[i][j] = to->d[j][i] = kith_rng_unit(rng);
		for (size_t j = 0; j < to->n; j++) {
			to->has[i][j] = i != j && i % 5 != 4 && kith_rng_below(rng, 3) > 0;
			if (to->has[i][j])
				to->w[i][j] = (double)kith_rng_below(rng, 4) / 4;
		}
	}
}

/* The lists, each in an order of its own, in the pool. */
static struct kith_graph
lists_of(const struct dense *from, size_t shift, struct kith_pool *pool)
{
	const size_t n = from->n;
	struct kith_graph graph = {.m = n, .start = kith_new(pool, n + 1, sizeof(size_t))};
	size_t e = 0;

	graph.to = kith_new(pool, n * n, sizeof(*graph.to));
	KITH_NEW_REALS(pool, n * n, 1, &graph.w, &graph.d);
	KITH_NEW_REALS(pool, n, 1, &graph.J);
	memcpy(graph.J, from->J, n * sizeof(*graph.J));
	for (size_t i = 0; i < n; i++) {
		for (size_t l = 0; l < n; l++) {
			const size_t j = (l * (n > 1 ? n - 1 : 1) + shift) % n;

			if (!from->has[i][j])
				continue;
			graph.to[e] = j;
			graph.w[e] = from->w[i][j];
			graph.d[e++] = from->d[i][j];
		}
		graph.start[i + 1] = e;
	}
	return graph;
}

/* Whether row i gives a positive weight. */
static bool
gives(const struct dense *from, size_t i)
{
	for (size_t j = 0; j < from->n; j++)
		if (from->w[i][j] > 0)
			return true;
	return false;
}

/* The weight of the pair i < j by the definition of the rule. */
static double
weight_of(const struct dense *from, enum kith_symm rule, size_t i, size_t j)
{
	const double a = from->w[i][j], b = from->w[j][i];
	const bool both = from->has[i][j] && from->has[j][i];
	const double smaller = from->J[i] == from->J[j] ? fmax(a, b)
	    : from->J[i] < from->J[j]                   ? a
							: b;

	switch (rule) {
	case KITH_SYMM_NODE:
		if (!gives(from, i) || !gives(from, j))
			return gives(from, i) ? a : gives(from, j) ? b : 0;
		return from->J[i] <= from->J[j] ? a : b;
	case KITH_SYMM_ERROR:
		return both ? smaller : fmax(a, b);
	case KITH_SYMM_PAPER:
		return both ? smaller : 0;
	case KITH_SYMM_MAX:
		return fmax(a, b);
	case KITH_SYMM_MIN:
		return fmin(a, b);
	default:
		return (a + b) / 2;
	}
}

static void
test_rules(size_t seed)
{
	struct kith_pool pool = {0};
	struct kith_rng rng;
	struct dense from;
	size_t wrong = 0;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	draw(&rng, &from);
	for (int rule = KITH_SYMM_NODE; rule < KITH_SYMM_NONE; rule++) {
		struct kith_graph lists = lists_of(&from, seed, &pool), out;
		size_t e = 0;

		kith_symmetrize(&lists, (enum kith_symm)rule, &out, &pool);
		for (size_t i = 0; i < from.n; i++) {
			const bool silent = rule == KITH_SYMM_NODE && !gives(&from, i);

			wrong += out.start[i] != e;
			wrong += (size_t)(silent ? !isnan(out.J[i]) : out.J[i] != from.J[i]);
			for (size_t j = i + 1; j < from.n; j++) {
				const double w = weight_of(&from, (enum kith_symm)rule, i, j);

				if (!(w > 0))
					continue;
				wrong += e >= out.start[i + 1] || out.to[e] != j || out.w[e] != w ||
				    out.d[e] != from.d[i][j];
				e++;
			}
		}
		wrong += out.start[from.n] != e;
		for (size_t i = 0; i < from.n; i++)
			for (e = lists.start[i]; e + 1 < lists.start[i + 1]; e++)
				wrong += lists.to[e] >= lists.to[e + 1];
	}
	ok(wrong == 0, "each rule, seed %zu: %zu wrong", seed, wrong);
	kith_pool_free(&pool);
}

/* Edges from either end; edges that are no pair, or twice; pairs of lists, each in one or both. */
static void
test_pairs(void)
{
	size_t start[] = {0, 2, 3, 3, 3}, to[] = {1, 3, 2};
	double w[] = {9, 9, 9};
	struct kith_graph pairs = {.m = 4, .start = start, .to = to, .w = w};
	size_t from[] = {0, 2, 3, 3, 5}, at[] = {1, 2, 0, 0, 2};
	double v[] = {.5, .25, .125, 4, 0};
	const struct kith_graph edges = {.m = 4, .start = from, .to = at, .w = v};
	struct kith_neighbour nn[] = {{1, 4}, {3, 5}, {0, 4}, {2, 6}, {1, 6}};
	size_t first[] = {0, 2, 4, 5, 5};
	const struct kith_candidates lists = {.start = first, .nn = nn};
	struct kith_pool pool = {0};
	struct kith_graph of;

	is_size(kith_pairs_fill(&edges, &pairs), 2, "no pair, and a pair twice");
	ok(w[0] == .5 && w[1] == 4 && w[2] == 0, "the weights of the pairs");
	kith_pairs_of(&lists, 4, &of, &pool);
	ok(of.start[1] == 2 && of.start[4] == 3, "the pairs of lists");
	for (size_t e = 0; e < 3; e++)
		ok(of.to[e] == to[e] && of.w[e] == 1 && of.d[e] == 4 + (double)e, "pair %zu", e);
	kith_pool_free(&pool);
}

/* Rows 0, 2 and 3 are paired, row 1 is alone. */
static void
test_smooth(void)
{
	size_t start[] = {0, 2, 2, 3, 3}, to[] = {2, 3, 3};
	double x[] = {0, 9, 1, 3};
	const struct kith_mat X = {4, 1, x};
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	const struct kith_nnk_rows rows = {.X = &X, .metric = &metric, .m = 4, .threads = 1};
	const struct kith_graph given = {.m = 4, .start = start, .to = to};
	const struct kith_nnk_how how = {.method = KITH_NNK_SMOOTH, .k = 1, .given = &given};
	struct kith_pool pool = {0};
	struct kith_nnk smooth;
	struct kith_err err;
	bool good = kith_nnk(&rows, &how, &smooth, &pool, &err) == 0;

	good = good && smooth.graph.start[4] == 3 && smooth.graph.start[2] == 2;
	ok(good && smooth.iterations > 0 && smooth.iterations < 20 &&
		kith_check_all_ok(smooth.proof, KITH_NNK_CHECKS),
	    "smooth: %zu steps", smooth.iterations);
	kith_pool_free(&pool);
}

int
main(void)
{
	const size_t seeds = getenv("KITH_LONG") ? 3000 : 60;

	for (size_t seed = 1; seed <= seeds; seed++)
		test_rules(seed);
	test_pairs();
	test_smooth();
	return done();
}
