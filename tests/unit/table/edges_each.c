/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/edges.h and needs.h: edges one by one, and odd tables. */
#include "table/edges.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "table/graph.h"
#include "table/needs.h"
#include "table/unit.h"
#include "table/weights.h"
#include "tap.h"
#include "text/out.h"

#include <math.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;
static const struct kith_ends four = {.n = 4, .read = 4};

/* What was given, as text. */
static char given[400];

static int
give(void *to, const struct kith_edge *e, struct kith_err *failed)
{
	size_t *left = to;

	sprintf(given + strlen(given), "%zu %zu %g %s %zu;", e->from, e->to, e->w,
	    strrchr(e->file, '/') + 1, e->line);
	return --*left ? 0 : kith_fail(failed, EX_DATAERR, "enough");
}

static void
test_each(void)
{
	const char *files[] = {scratch_text(0, "from\tto\tweight\n1\t2\t-5\n3\t4\t.5\n"),
	    scratch_text(1, "from\tto\tweight\n1\t2\t7\n"), NULL};
	const struct kith_edges_how how = {
	    .from = &four, .to = &four, .weights = true, .any_sign = true};
	struct kith_edges_how strict = how;
	size_t left = 9;

	ok(!kith_edges_each(files, &how, give, &left, &err), "each edge");
	is_text(
	    given, "0 1 -5 0 2;2 3 0.5 0 3;0 1 7 1 2;", "as it comes, from which file and line");
	*given = '\0';
	left = 2;
	ok(kith_edges_each(files, &how, give, &left, &err) == -1, "a failure");
	is_text(given, "0 1 -5 0 2;2 3 0.5 0 3;", "is the end");
	is_text(err.msg, "enough", "of who was given them");
	left = 9;
	strict.any_sign = false;
	ok(kith_edges_each(files, &strict, give, &left, &err) < 0, "no sign");
	is_text(err.msg, "column \"weight\": negative: '-5'", "said");
	files[0] = scratch_text(0, "from\tto\tweight\n3\t3\t.5\n");
	ok(kith_edges_each(files, &how, give, &left, &err) < 0, "a row and itself");
	is_text(err.msg, "column \"to\": the row itself: '3'", "said");
	ok(kith_edges_each(
	       (const char *const[]){"/nowhere/at/all", NULL}, &how, give, &left, &err) < 0 &&
		err.status == EX_NOINPUT,
	    "no file");
}

/* Errors of one row that differ, the first of them in the order of lines. */
static void
test_errors(void)
{
	const struct kith_edges_how how = {.from = &four, .to = &four, .weights = true};
	const char *files[] = {NULL, NULL, NULL};
	struct kith_graph e;

	files[0] = scratch_text(0,
	    "from\tto\tweight\terror\n2\t4\t1\t5\n1\t4\t1\t7\n1\t3\t1\t8\n"
	    "1\t2\t1\t7\n2\t1\t1\t6\n");
	ok(kith_edges_read(files, &how, &e, &pool, &err) < 0 && err.line == 4,
	    "the first line that differs");
	is_text(err.msg,
	    "column \"error\": differs from that of another edge of this row: "
	    "'8'",
	    "is told");
	files[0] = scratch_text(0, "from\tto\tweight\terror\n1\t4\t1\t7\n");
	files[1] = scratch_text(1, "from\tto\tweight\terror\n2\t1\t1\t1\n1\t2\t1\t3\n1\t3\t1\t3\n");
	ok(kith_edges_read(files, &how, &e, &pool, &err) < 0 && err.line == 3 &&
		err.file == files[1],
	    "in the second file");
	is_text(err.msg,
	    "column \"error\": differs from that of another edge of this row: "
	    "'3'",
	    "which comes second");
}

static void
test_twice(void)
{
	char a[] = "a b", b[] = "b", *name[] = {a, b};
	struct kith_ends ends = {.n = 2, .read = 2, .column = "id"};
	const struct kith_edges_how how = {.from = &ends, .to = &ends};
	const char *const files[] = {scratch_text(0, "from\tto\na b\tb\nb\ta b\na b\tb\n"), NULL};
	struct kith_graph e;

	kith_names_index(&ends.id, name, 2, &pool);
	ok(kith_edges_read(files, &how, &e, &pool, &err) < 0 && err.line == 4,
	    "an edge between ids twice");
	is_text(err.msg, "edge listed twice: from 'a b' to 'b'", "by name");
}

/* What weights need, read and written. */
static void
test_needs(void)
{
	static char f[] = "f", *name[] = {f};
	struct kith_names feature;
	struct kith_weights w;
	struct kith_out out;
	char got[200] = "";
	FILE *file;

	kith_names_index(&feature, name, 1, &pool);
	ok(!kith_weights_read(scratch_text(0,
				  "# sample\t20\n# scale\tzscore\n# sigma\t.5\n"
				  "feature\tweight\nf\t1\n"),
	       &feature, false, &w, &pool, &err),
	    "weights that were learnt from scaled rows");
	ok(w.needs.scale == KITH_UNIT_ZSCORE && w.needs.sigma == .5 && w.needs.unknowns == 1 &&
		strcmp(w.needs.unknown, "sample") == 0,
	    "say so");
	ok(!kith_out_open(&out, scratch_text(1, ""), &err), "open");
	kith_needs_put(&w.needs, &out);
	kith_needs_put(&(struct kith_needs){0}, &out);
	kith_out_header(&out, (const char *const[]){"a"}, 1);
	ok(!(kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err)), "write");
	file = fopen(scratch_path[1], "r");
	if (!file || fread(got, 1, sizeof(got) - 1, file) == 0 || fclose(file))
		abort();
	is_text(got, "# sigma\t0.5\n# scale\tzscore\na\n", "what there is");
}

int
main(void)
{
	test_each();
	test_errors();
	test_twice();
	test_needs();
	kith_pool_free(&pool);
	return done();
}
