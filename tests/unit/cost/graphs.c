/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/cost/graph.h: what labelprop and eigenmap cost. */
#include "cost/graph.h"
#include "figures.h"

#include "base/pool.h"
#include "graph/graph.h"

/* A graph of n nodes, whose edges are (from[e], to[e]). */
static struct kith_undirected
graph_of(size_t n, size_t edges, const size_t *from, const size_t *to, struct kith_pool *pool)
{
	struct kith_undirected g = {.W = {.n = n}, .edges = edges};
	size_t *start = kith_new(pool, n + 1, sizeof(*start)), at = 0;

	g.W.column = kith_new(pool, 2 * edges + 1, sizeof(*g.W.column));
	for (size_t i = 0; i < n; i++) {
		start[i] = at;
		for (size_t e = 0; e < edges; e++)
			if (from[e] == i || to[e] == i)
				g.W.column[at++] = (uint32_t)(from[e] == i ? to[e] : from[e]);
	}
	start[n] = at;
	g.W.start = start;
	kith_undirected_connect(&g, pool);
	return g;
}

enum kind { PATH, STARS, STARS_BACK, PAIRS, RING };

/* Edges of a graph of n nodes. */
static size_t
draw(enum kind kind, size_t n, size_t *from, size_t *to)
{
	size_t edges = 0;

	for (size_t i = 1; i < n; i++) {
		size_t j = i - 1;

		if (kind == STARS) /* of n - 4 nodes, and of four */
			j = i < n - 4 ? 0 : n - 4;
		else if (kind == STARS_BACK)
			j = i < 4 ? 0 : 4;
		else if (kind == PAIRS && i % 2 == 0)
			continue;
		if (j == i)
			continue;
		from[edges] = i;
		to[edges++] = j;
	}
	if (kind == RING) {
		from[edges] = n - 1;
		to[edges++] = 0;
	}
	return edges;
}

static struct kith_cost
cost_of(enum kind kind, size_t n, struct kith_cost_graph of, int method)
{
	struct kith_pool pool = {0};
	size_t *from = kith_new(&pool, n + 1, sizeof(*from));
	size_t *to = kith_new(&pool, n + 1, sizeof(*to));
	const struct kith_undirected g = graph_of(n, draw(kind, n, from, to), from, to, &pool);
	struct kith_cost got;

	of.graph = &g;
	got = method < 0 ? kith_cost_of_embed(&of)
			 : kith_cost_of_prop(&of, (enum kith_prop_method)method);
	kith_pool_free(&pool);
	return got;
}

static const struct kith_cost_graph plain = {.c = 3, .times = 1, .threads = 2};

static void
test_prop(void)
{
	const struct kith_cost_graph numbers = {.times = 4};
	const struct kith_cost_graph judged = {.c = 3, .times = 1, .check = true};
	const int usual = KITH_PROP_HARMONIC, other = KITH_PROP_POISSON;
	const struct cost_case all[] = {
	    {"a path", cost_of(PATH, 500, plain, usual),
		{0.00049434, 0.002696418002, 0, 0, 134900, 134960}},
	    {"a ring", cost_of(RING, 500, plain, usual),
		{0.000495, 0.002700072035, 0, 0, 135000, 135240}},
	    {"a small graph", cost_of(STARS, 44, plain, usual),
		{4.224e-05, 0.0001661433568, 0, 0, 11680, 11680}},
	    {"poisson", cost_of(PATH, 500, plain, other),
		{0.00049434, 0.01139708949, 0, 0, 134900, 134900}},
	    {"numbers, four times", cost_of(PATH, 500, numbers, usual),
		{0.00185752, 0.007190424009, 0, 0, 94900, 94960}},
	    {"scores that are judged", cost_of(PATH, 500, judged, usual),
		{0.000453894, 0.0026964, 0, 0, 134900, 134900}},
	};

	is_sizes(&all[0].got, (size_t[]){500, 0, 0, 3, 0, 2}, "labelprop");
	are_costs(all, sizeof(all) / sizeof(*all));
}

static void
test_embed(void)
{
	const struct kith_cost_graph of = {.dims = 2, .threads = 2};
	const struct kith_cost_graph judged = {.dims = 2, .check = true};
	const struct cost_case all[] = {
	    {"a map of a path", cost_of(PATH, 500, of, -1),
		{0.0005844320001, 0.005397432002, 0, 0, 214820, 214880}},
	    {"of a star", cost_of(STARS, 44, of, -1),
		{8.319556115e-05, 0.0005802893461, 0, 0, 18560, 33770}},
	    {"of a small star and a star", cost_of(STARS_BACK, 44, of, -1),
		{8.319556115e-05, 0.0005802893461, 0, 0, 18560, 33770}},
	    {"of pairs", cost_of(PAIRS, 20, of, -1),
		{1.70720015e-05, 0.000186432054, 0, 0, 6800, 6860}},
	    {"of a width of a fourth", cost_of(RING, 8, of, -1),
		{9.4464054e-06, 8.668806e-05, 0, 0, 3440, 3480}},
	    {"of less", cost_of(RING, 9, of, -1),
		{1.081805333e-05, 9.892992e-05, 0, 0, 3870, 4110}},
	    {"of a wide star", cost_of(STARS, 600, of, -1),
		{0.0037772, 0.03823048503, 0, 0, 257640, 3797890}},
	    {"that is judged", cost_of(PATH, 500, judged, -1),
		{0.000462896, 0.005397, 0, 0, 214820, 214820}},
	};

	is_sizes(&all[0].got, (size_t[]){500, 0, 0, 0, 0, 2}, "eigenmap");
	are_costs(all, sizeof(all) / sizeof(*all));
}

int
main(void)
{
	test_prop();
	test_embed();
	return done();
}
