/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/graph/graph.h. */
#include "graph/graph.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "scratch.h"
#include "table/edges.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;

static int
parse(const char *text, size_t n, struct kith_undirected *g)
{
	const struct kith_ends nodes = {.n = n, .read = n};
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
	ok(!parse("from\tto\tweight\n1\t2\t3\n2\t1\t3\n", 2, &g) && g.edges == 1 && g.d[0] == 3 &&
		g.W.start[2] == 2,
	    "edges from both ends");
	ok(!parse("from\tto\tweight\n", 3, &g) && g.components == 3, "no edge at all");
}

static void
refused(void)
{
	struct kith_undirected g;

	ok(parse("from\tto\tweight\n1\t2\t3\n2\t1\t4\n", 2, &g) && err.status == EX_DATAERR &&
		err.file,
	    "two weights");
	is_text(err.msg,
	    "edge between '1' and '2': two weights (nnkgraph "
	    "--symmetrize?)",
	    "names the nodes");
	ok(parse("from\tto\tweight\n1\t2\t3\n2\t1\t3\n2\t3\t1\n", 3, &g), "directed lists");
	is_text(err.msg,
	    "edge between '2' and '3': listed in one direction, others in both "
	    "(nnkgraph --symmetrize?)",
	    "name an edge of one direction");
	ok(parse("from\tto\tweight\n2\t1\t1\n1\t3\t2\n2\t1\t1\n", 3, &g) && err.line == 4,
	    "an edge that stands twice, at its line");
	is_text(err.msg, "edge between '2' and '1': listed twice", "says so");
	ok(parse("from\tto\tweight\n1\t2\t1\n\"2\"\t1\t1\n2\t1\t1\n", 2, &g) && err.line == 4,
	    "in both directions, and once more");
	ok(parse("from\tto\tweight\n1\t2\t0\n2\t1\t1\n", 2, &g) && err.line == 3,
	    "weight 0 is another weight");
	ok(parse("from\tto\tweight\n1\t9\t3\n", 3, &g), "a node that is none");
	ok(parse("from\tto\tweight\n1\t2\t1e308\n1\t3\t1e308\n2\t3\t1e-308\n", 3, &g),
	    "weights too far apart");
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

/* Where an edge stands that is there twice, in one of several files. */
static void
lines(const char *one, const char *two, size_t file, size_t line, const char *message)
{
	static const struct kith_ends nodes = {.n = 9, .read = 9};
	const char *const files[] = {scratch_text(0, one), scratch_text(1, two), NULL};
	struct kith_undirected g;

	err = (struct kith_err){0};
	ok(kith_undirected_read(files, &nodes, &g, &pool, &err) == -1 && err.line == line &&
		strcmp(err.file, files[file]) == 0,
	    "file %zu, line %zu: not %zu", file, line, err.line);
	is_text(err.msg, message, "says so");
}

static void
several(void)
{
	lines("from\tto\tweight\n1\t2\t1\n3\t4\t1\n",
	    "from\tto\tweight\n5\t6\t1\n1\t2\t1\n7\t8\t1\n", 1, 3,
	    "edge between '1' and '2': listed twice");
	lines("from\tto\tweight\n1\t2\t1\n3\t4\t1\n1\t2\t1\n",
	    "from\tto\tweight\n5\t6\t1\n7\t8\t1\n", 0, 4, "edge between '1' and '2': listed twice");
	lines("from\tto\tweight\n4\t3\t1\n\"4\"\t2\t2\n", "from\tto\tweight\n1\t2\t1\n3\t4\t2\n", 1,
	    3,
	    "edge between '3' and '4': two weights (nnkgraph "
	    "--symmetrize?)");
	lines("from\tto\tweight\n6\t5\t1\n4\t3\t1\n5\t6\t1\n",
	    "from\tto\tweight\n9\t8\t1\n8\t9\t1\n", 0, 3,
	    "edge between '3' and '4': listed in one direction, others in both "
	    "(nnkgraph --symmetrize?)");
	/* A record of two lines. */
	lines("from\tto\tweight\tx\n1\t2\t1\t\"a\nb\"\n3\t4\t1\t0\n",
	    "from\tto\tweight\tx\n4\t3\t1\t0\n4\t3\t1\t\"a\nb\"\n"
	    "2\t1\t2\t0\n",
	    1, 5,
	    "edge between '1' and '2': two weights (nnkgraph "
	    "--symmetrize?)");
}

/* The same graph under new numbers, neighbours of a node near each other. */
static void
arranged(const struct kith_undirected *g, const double *w, int seed)
{
	const size_t n = g->W.n;
	struct kith_undirected h;
	const uint32_t *place = kith_undirected_arrange(g, &h, &pool);
	bool right = h.edges == g->edges && h.components == g->components;

	for (size_t i = 0; i < n; i++) {
		const size_t k = place[i];

		right = right && h.d[k] == g->d[i] && h.order[k] == k &&
		    h.component[k] == g->component[i] &&
		    h.W.start[k + 1] - h.W.start[k] == g->W.start[i + 1] - g->W.start[i];
		for (size_t e = h.W.start[k]; right && e < h.W.start[k + 1]; e++)
			right = (e == h.W.start[k] || h.W.column[e - 1] < h.W.column[e]) &&
			    h.W.x[e] == w[i * n + g->order[h.W.column[e]]];
	}
	ok(right, "seed %d: numbered breadth first", seed);
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
	arranged(&g, w, (int)seed);
}

int
main(void)
{
	by_hand();
	refused();
	huge();
	several();
	for (uint64_t seed = 1; seed <= 50; seed++)
		shuffled(seed);
	kith_pool_free(&pool);
	return done();
}
