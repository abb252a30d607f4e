/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/graph/graph.h: undirected graphs, and tables of nodes. */
#include "graph/graph.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "scratch.h"
#include "table/edges.h"
#include "table/table.h"
#include "tap.h"
#include "text/rows.h"

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
	const struct kith_node_names nodes = {.n = n, .read = n};
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
	ok(!parse("from\tto\tweight\n1\t2\t1\n2\t1\t1.0000000009\n", 2, &g) &&
		g.d[0] == (1 + 1.0000000009) / 2 && g.d[1] == g.d[0],
	    "two weights that differ by 1e-9: their mean");
	ok(parse("from\tto\tweight\n1\t2\t1\n2\t1\t1.0000000011\n", 2, &g), "by more");
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
	static const struct kith_node_names nodes = {.n = 9, .read = 9};
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
	    "from\tto\tweight\tx\n4\t3\t1\t\"a\nb\"\n2\t1\t2\t0\n", 1, 4,
	    "edge between '1' and '2': two weights (nnkgraph "
	    "--symmetrize?)");
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

static struct kith_table t;

static int
parse_nodes(const char *text, const struct kith_how *how, bool target)
{
	err = (struct kith_err){0};
	return kith_nodes_read(scratch_text(0, text), how, target, &t, &pool, &err);
}

static const char people[] = "who\tsize\tkind\nx\t1.5\tb\ny\t?\ta\nz\t7\tNA\nu\t3\tb\n";

static void
nodes(void)
{
	struct kith_how how = {0};

	ok(!parse_nodes(people, &how, true) && t.X.n == 4 && t.read == 4 && t.X.p == 0,
	    "four rows");
	is_text(t.target, "kind", "the last column is the target");
	ok(t.class.n == 2 && strcmp(t.class.name[0], "a") == 0 && strcmp(t.class.name[1], "b") == 0,
	    "classes in byte order");
	ok(t.y[0] == 1 && t.y[1] == 0 && t.y[2] == KITH_NO_CLASS && t.y[3] == 1 && !t.t,
	    "a label may be missing");
	ok(!t.id_name, "rows have numbers");
	how = (struct kith_how){.id = "who", .target = "size", .task = KITH_REGRESS};
	ok(!parse_nodes(people, &how, true) && !t.y && t.t[0] == 1.5 && isnan(t.t[1]) &&
		t.t[2] == 7,
	    "numbers, of which one is missing");
	is_text(kith_texts_at(&t.id, 3).s, "u", "ids");
	how = (struct kith_how){.id = "who"};
	ok(!parse_nodes(people, &how, false) && t.X.n == 4 && !t.y && !t.t && !t.target &&
		t.id.n == 4,
	    "nodes without labels");
	ok(!parse_nodes("kind\nNA\nb\n", &(struct kith_how){0}, true), "one column, one label");
	ok(!parse_nodes("kind\nNA\nb\n", &(struct kith_how){0}, false),
	    "one column, no label asked");
}

static void
refuse_nodes(const char *text, struct kith_how how, int status, size_t line, const char *message)
{
	ok(parse_nodes(text, &how, true) == -1 && err.status == status && err.line == line,
	    "refused: %s", message);
	is_text(err.msg, message, "message");
}

static void
nodes_refused(void)
{
	refuse_nodes(
	    people, (struct kith_how){.target = "kin"}, EX_DATAERR, 1, "column \"kin\": not found");
	refuse_nodes(
	    people, (struct kith_how){.id = "wh"}, EX_DATAERR, 1, "column \"wh\": not found");
	refuse_nodes(people, (struct kith_how){.id = "kind"}, KITH_EX_USAGE, 0,
	    "column \"kind\": target and id of rows");
	refuse_nodes(people, (struct kith_how){.target = "none"}, KITH_EX_USAGE, 0,
	    "-y none: a target is needed here");
	refuse_nodes(people, (struct kith_how){.id = "size"}, EX_DATAERR, 3,
	    "column \"size\": missing: '?'");
	refuse_nodes(people, (struct kith_how){.task = KITH_REGRESS}, EX_DATAERR, 2,
	    "column \"kind\": not a number: 'b'");
	refuse_nodes("a\tb\n1\tNA\n2\t?\n", (struct kith_how){0}, EX_DATAERR, 0,
	    "column \"b\": missing in all rows");
	refuse_nodes("a\tb\n1\tNA\n2\t?\n", (struct kith_how){.task = KITH_REGRESS}, EX_DATAERR, 0,
	    "column \"b\": missing in all rows");
	refuse_nodes("a\t(bias)\n1\t2\n", (struct kith_how){0}, EX_DATAERR, 1,
	    "column \"(bias)\": a reserved name");
}

/* A table "id v" with a row for each node, whose rows add 10 node + v to the sum. */
struct sum {
	size_t column;
	double total;
};

static int
find_columns(void *to, const struct kith_rows *rows, struct kith_err *e)
{
	struct sum *sum = to;

	return kith_roles_find(rows, "v", "", &sum->column, e);
}

static int
add_row(void *to, const struct kith_rows *rows, size_t node, struct kith_err *e)
{
	struct sum *sum = to;
	double v = 0;

	if (kith_value(rows, sum->column, &v, "", e) < 0)
		return -1;
	sum->total += 10 * (double)node + v;
	return 0;
}

static void
node_rows(const char *text, double due, size_t line, const char *message)
{
	static const struct kith_node_names three = {.n = 3, .read = 3};
	bool seen[3] = {false};
	struct sum sum = {0};
	const struct kith_node_rows job = {
	    scratch_text(0, text), &three, find_columns, add_row, &sum, seen};

	err = (struct kith_err){0};
	if (due >= 0)
		ok(!kith_node_rows_read(&job, &err) && sum.total == due && seen[2] && !seen[1],
		    "rows of nodes: %g", sum.total);
	else
		ok(kith_node_rows_read(&job, &err) && err.line == line, "line %zu", err.line);
	is_text(err.msg, message, "message");
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
	nodes();
	nodes_refused();
	node_rows("id\tx\tv\n3\t?\t1\n1\t?\t2\n", 23, 0, "");
	node_rows("id\tx\n3\t1\n", -1, 1, "column \"v\": not found");
	node_rows("x\tv\n3\t1\n", -1, 1, "column \"id\": not found");
	node_rows("id\tv\n3\t1\n3\t1\n", -1, 3, "column \"id\": listed twice: '3'");
	node_rows("id\tv\n4\t1\n", -1, 2, "column \"id\": not the number of a row: '4'");
	node_rows("id\tv\nNA\t1\n", -1, 2, "column \"id\": missing: 'NA'");
	node_rows("id\tv\n1\tx\n", -1, 2, "column \"v\": not a number: 'x'");
	kith_pool_free(&pool);
	return done();
}
