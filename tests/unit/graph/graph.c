/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/graph.h: undirected graphs.  tests/cli/labelprop.t and eigenmap.t have tables
 * of nodes.
 */
#include "graph/graph.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "scratch.h"
#include "table/edges.h"
#include "tap.h"
#include "wrong.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;

static int
parse(const char *text, size_t n, struct kith_undirected *g)
{
	const struct kith_node_names nodes = {.n = n};
	const char *const files[] = {scratch_text(0, text), NULL};

	return kith_undirected_read(files, &nodes, g, &pool, &err);
}

static void
by_hand(void)
{
	struct kith_undirected g;

	ok(!parse("from\tto\tweight\n1\t3\t.5\n6\t2\t2\n3\t4\t1\n1\t4\t0\n", 6, &g),
	    "two components of edges, and a node without one");
	is_size(g.edges, 3, "an edge of weight 0 is none");
	ok(g.d[0] == .5 && g.d[1] == 2 && g.d[2] == 1.5 && g.d[3] == 1 && g.d[4] == 0 &&
		g.d[5] == 2,
	    "degrees");
	is_size(g.components, 3, "components");
	ok(g.component[0] == 0 && g.component[1] == 1 && g.component[2] == 0 &&
		g.component[3] == 0 && g.component[4] == 2 && g.component[5] == 1,
	    "numbered by their first nodes");
	ok(g.order[0] == 0 && g.order[1] == 2 && g.order[2] == 3 && g.order[3] == 1 &&
		g.order[4] == 5 && g.order[5] == 4,
	    "breadth first, one after the other");
	ok(!parse("from\tto\tweight\n1\t2\t3\n2\t1\t3\n", 2, &g) && g.edges == 1 && g.d[0] == 3 &&
		g.W.start[2] == 2,
	    "edges from both ends");
	ok(!parse("from\tto\tweight\n1\t2\t1\n2\t1\t1.0000000009\n", 2, &g) &&
		g.d[0] == (1 + 1.0000000009) / 2 && g.d[1] == g.d[0],
	    "two weights that differ by 1e-9: their mean");
}

static void
huge(void)
{
	struct kith_undirected g;

	ok(!parse("from\tto\tweight\n1\t2\t1e308\n1\t3\t1e308\n2\t3\t1\n", 3, &g),
	    "degrees that would overflow");
	ok(g.exponent > 0 && isfinite(g.d[0] + g.d[1] + g.d[2]) &&
		g.W.x[0] == ldexp(1e308, -g.exponent),
	    "are divided by a power of 2");
	is_size((size_t)g.exponent, 3, "6 entries below 2^3, of 2^1024");
	ok(g.W.x[3] == .125 && g.d[1] == ldexp(1e308, -3) + .125 && g.d[2] == g.d[1],
	    "all of them");
	ok(!parse("from\tto\tweight\n1\t2\t2.2e307\n2\t3\t1\n", 3, &g) && g.exponent == 0 &&
		g.W.x[0] == 2.2e307,
	    "4 entries below 2^1021 are as they were read");
	ok(!parse("from\tto\tweight\n1\t2\t2.3e307\n2\t3\t1e-307\n", 3, &g) && g.exponent == 1 &&
		g.W.x[1] == 2.3e307 / 2,
	    "of 2^1022 they are halved");
	ok(parse("from\tto\tweight\n1\t2\t2.3e307\n2\t3\t4e-308\n", 3, &g) &&
		err.status == EX_DATAERR,
	    "unless the least would lose digits");
	is_text(err.msg, "weights from 4e-308 to 2.3e+307 are too far apart", "message");
}

/* Rows of W in order, both halves equal, whatever the order of the edges. */
static void
shuffled(uint64_t seed)
{
	enum { N = 12 };
	struct kith_undirected g;
	struct kith_rng rng;
	size_t order[N * N], n = 0;
	double w[N * N] = {0};
	char text[8192] = "from\tto\tweight\n";
	bool right = true;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < i; j++)
			if (kith_rng_unit(&rng) < .4) {
				w[i * N + j] = w[j * N + i] = (double)(1 + kith_rng_below(&rng, 9));
				order[n++] = kith_rng_unit(&rng) < .5 ? i * N + j : j * N + i;
			}
	kith_rng_shuffle(&rng, order, n);
	for (size_t e = 0; e < n; e++)
		sprintf(strchr(text, 0), "%zu\t%zu\t%g\n", order[e] / N + 1, order[e] % N + 1,
		    w[order[e]]);
	ok(!parse(text, N, &g) && g.edges == n, "seed %d: edges", (int)seed);
	for (size_t i = 0; i < N; i++)
		for (size_t e = g.W.start[i]; e < g.W.start[i + 1]; e++)
			right = right && g.W.x[e] == w[i * N + g.W.column[e]] &&
			    (e == g.W.start[i] || g.W.column[e - 1] < g.W.column[e]);
	ok(right, "seed %d: rows are in order", (int)seed);
}

/* What is refused of one or two files, and where it stands there. */
static void
refused(void)
{
#define WEIGHTS "from\tto\tweight\n"
	static const struct kith_node_names nodes = {.n = 9};
	static const struct {
		const char *one, *two;
		size_t file;
		const char *due;
	} bad[] = {
	    {WEIGHTS "1\t2\t0\n2\t1\t1\n", NULL, 0,
		"3: edge between '1' and '2': two weights (nnkgraph --symmetrize?)"},
	    {WEIGHTS "1\t2\t1\n2\t1\t1.0000000011\n", NULL, 0,
		"3: edge between '1' and '2': two weights (nnkgraph --symmetrize?)"},
	    {WEIGHTS "1\t2\t1\n\"2\"\t1\t1\n2\t1\t1\n", NULL, 0,
		"4: edge between '2' and '1': listed twice"},
	    {WEIGHTS "1\t2\t1\n3\t4\t1\n", WEIGHTS "5\t6\t1\n1\t2\t1\n7\t8\t1\n", 1,
		"3: edge between '1' and '2': listed twice"},
	    {WEIGHTS "4\t3\t1\n\"4\"\t2\t2\n", WEIGHTS "1\t2\t1\n3\t4\t2\n", 1,
		"3: edge between '3' and '4': two weights (nnkgraph --symmetrize?)"},
	    {WEIGHTS "6\t5\t1\n4\t3\t1\n5\t6\t1\n", WEIGHTS "9\t8\t1\n8\t9\t1\n", 0,
		"3: edge between '3' and '4': listed in one direction, others in both "
		"(nnkgraph --symmetrize?)"},
	    /* A record of two lines. */
	    {"from\tto\tweight\tx\n1\t2\t1\t\"a\nb\"\n3\t4\t1\t0\n",
		"from\tto\tweight\tx\n4\t3\t1\t\"a\nb\"\n2\t1\t2\t0\n", 1,
		"4: edge between '1' and '2': two weights (nnkgraph --symmetrize?)"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const char *const files[] = {scratch_text(0, bad[i].one),
		    bad[i].two ? scratch_text(1, bad[i].two) : NULL, NULL};
		struct kith_undirected g;

		ok(kith_undirected_read(files, &nodes, &g, &pool, &err) == -1 &&
			strcmp(err.file, files[bad[i].file]) == 0,
		    "file %zu", bad[i].file);
		is_text(wrong(&err), bad[i].due, bad[i].due);
	}
}

int
main(void)
{
	by_hand();
	refused();
	huge();
	for (uint64_t seed = 1; seed <= 50; seed++)
		shuffled(seed);
	kith_pool_free(&pool);
	return done();
}
