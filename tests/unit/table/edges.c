/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/edges.h. */
#include "table/edges.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "table/table.h"
#include "tap.h"
#include "text/out.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;

/* Four rows by number. */
static const struct kith_node_names four = {.n = 4, .read = 4};

/* Three rows of a file of seven, the others left out. */
static const size_t number[] = {2, 5, 7};
static const struct kith_node_names gaps = {.n = 3, .read = 7, .number = number};

static int
parse(const char *text, const struct kith_node_names *from, const struct kith_node_names *to,
    bool weights, struct kith_graph *e)
{
	const char *const files[] = {scratch_text(0, text), NULL};
	const struct kith_edges_how how = {.from = from, .to = to, .weights = weights};

	return kith_edges_read(files, &how, e, &pool, &err);
}

static void
test_reading(void)
{
	struct kith_graph e;

	ok(!parse(
	       "from\tto\tweight\n3\t1\t.5\n1\t4\t2\n3\t2\t0\n1\t2\t1\n", &four, &four, true, &e),
	    "a graph");
	is_size(e.m, 4, "of as many rows as there are");
	ok(e.start[0] == 0 && e.start[1] == 2 && e.start[2] == 2 && e.start[3] == 4 &&
		e.start[4] == 4,
	    "edges row by row");
	ok(e.to[0] == 1 && e.to[1] == 3 && e.to[2] == 0 && e.to[3] == 1,
	    "in the order of the rows they go to");
	ok(e.w[0] == 1 && e.w[1] == 2 && e.w[2] == .5 && e.w[3] == 0, "with their weights");
	ok(!e.d && !e.J, "and nothing else");
	ok(!parse("error,weight,x,to,distance,from\n-.5,1,z,2,3,1\n"
		  "-.5,2,z,3,4,1\n7,1,z,1,3,2\n",
	       &four, &four, true, &e),
	    "columns in any order");
	ok(e.d[0] == 3 && e.d[1] == 4, "distances");
	ok(e.J[0] == -.5 && e.J[1] == 7 && isnan(e.J[2]), "errors of the rows that have edges");
	ok(!parse("from\tto\tweight\n2\t1\tx\n", &four, &four, false, &e), "candidates");
	ok(!e.w && e.start[1] == 0 && e.start[2] == 1 && e.to[0] == 0, "have no weights");
	ok(!parse("from\tto\n2\t7\n7\t5\n", &gaps, &gaps, false, &e), "numbers with gaps");
	ok(e.to[0] == 2 && e.to[1] == 1 && e.start[1] == 1, "are found");
	ok(!parse("from\tto\n2\t2\n", &four, &gaps, false, &e), "to rows of another table");
	ok(e.m == 4 && e.to[0] == 0, "found there");
}

static void
test_files(void)
{
	const char *const files[] = {scratch_text(0, "from\tto\tweight\n1\t2\t1\n1\t3\t1\n"),
	    scratch_text(1, "from\tto\tweight\n1\t2\t1\n2\t3\t1\n"), NULL};
	const struct kith_edges_how how = {.from = &four, .to = &four, .weights = true};
	struct kith_graph e;

	ok(kith_edges_read(files, &how, &e, &pool, &err) < 0, "an edge in two files");
	is_text(err.file, files[1], "is an error in the second");
	is_size(err.line, 2, "at its line");
	is_text(err.msg, "edge listed twice: from '1' to '2'", "with its rows");
}

static void
test_ids(void)
{
	struct kith_texts id = {0};
	struct kith_table t = {.X = {3, 1, NULL}, .read = 3, .id_name = "name"};
	struct kith_node_names ends;
	struct kith_graph e;
	static const char *const text[] = {"a b", "1", "NA"};

	for (size_t i = 0; i < 3; i++)
		kith_texts_add(&id, &(struct kith_cell){text[i], strlen(text[i]), true}, &pool);
	t.id = id;
	ok(!kith_node_names_of(&t, &ends, &pool, &err), "rows with ids");
	ok(!parse("from\tto\tweight\n1\ta b\t1\n\"NA\"\t1\t2\n", &ends, &ends, true, &e),
	    "edges between ids");
	ok(e.start[1] == 0 && e.start[2] == 1 && e.to[0] == 0 && e.to[1] == 1, "found");
	ok(parse("from\tto\tweight\n1\t2\t1\n", &ends, &ends, true, &e) < 0, "numbers are no ids");
	is_text(err.msg, "column \"to\": no row has this id: '2'", "message");
	kith_texts_add(&id, &(struct kith_cell){"1", 1, false}, &pool);
	t.id = id;
	t.X.n = 4;
	t.file = "rows";
	ok(kith_node_names_of(&t, &ends, &pool, &err) < 0, "two rows of one id");
	is_text(err.msg, "column \"name\": listed twice: '1'", "message");
	t.id_name = NULL;
	ok(!kith_node_names_of(&t, &ends, &pool, &err) && !ends.column && ends.n == 4,
	    "without ids");
}

static void
refuse(const char *rows, size_t line, const char *message)
{
	char text[200];
	struct kith_graph e;

	snprintf(text, sizeof(text), "from\tto\tweight\terror\n%s", rows);
	ok(parse(text, &four, &four, true, &e) < 0 && err.status == EX_DATAERR, "refused");
	is_size(err.line, line, "at the line");
	is_text(err.msg, message, "with the message");
}

/* Merges shards of these texts (NULL: no more). */
static int
merge(const char *const text[4], struct kith_edges_shard *shard, struct kith_graph *e)
{
	const char *files[5] = {NULL};

	for (size_t i = 0; i < 4 && text[i]; i++)
		files[i] = scratch_text(i, text[i]);
	return kith_edges_merge(files, shard, e, &pool, &err);
}

#define OF "from\tto\tweight\tdistance\terror\n"
#define FIRST "# shard\t1/3 of 4 rows: --method nnk\n" OF "1\t3\t.5\t1\t2\n"
#define SECOND "# shard\t2/3 of 4 rows: --method nnk\n" OF
#define THIRD \
	"# shard\t3/3 of 4 rows: --method nnk\n" OF "4\t2\t-" \
	"1\t2\t3\n3\t1\t0\t4\t5\n3\t4\t1\t2\t5\n"

static void
test_shards(void)
{
	static const struct {
		const char *text[4], *message;
	} bad[] = {
	    {{FIRST, SECOND}, "shard 3/3 is missing"},
	    {{SECOND, THIRD}, "shard 1/3 is missing"},
	    {{FIRST, SECOND, THIRD, FIRST}, "shard 1/3: "},
	    {{FIRST, "# shard\t2/3 of 5 rows: --method nnk\n" OF, THIRD},
		"a shard of another graph than "},
	    {{FIRST, "# shard\t2/3 of 4 rows: --method nnk -k 1\n" OF, THIRD},
		"a shard of another graph than "},
	    {{FIRST, "# shard\t2/3 of 4 rows to 4: --method nnk\n" OF, THIRD},
		"a shard of another graph than "},
	    {{FIRST, "# shard\t2/3 of 4 rows: --method nnk\n" OF "1\t2\t1\t1\t2\n", THIRD},
		"shard 2/3 has rows of a shard before it"},
	    {{OF "1\t3\t.5\t1\t2\n"}, "no line \"# shard\" before the header (nnkgraph --shard?)"},
	    {{"# shard\t1/3\n" OF}, "no shard I/N of a graph: '1/3'"},
	    {{"# shard\t4/3 of 4 rows: x\n" OF}, "no shard I/N of a graph: '4/3 of 4 rows: x'"},
	    {{"# shard\t1/3 of 0 rows: x\n" OF}, "no shard I/N of a graph: '1/3 of 0 rows: x'"},
	    {{"# shard\t1/3 of 4 rows x\n" OF}, "no shard I/N of a graph: '1/3 of 4 rows x'"},
	    {{"# shard\t1/3 of 4 rows: x\nfrom\tto\tweight\tdistance\n"},
		"column \"error\": not found"},
	    {{"# shard\t1/3 of 4 rows: x\n" OF "1\t5\t1\t1\t1\n"},
		"column \"to\": not the number of a row: '5'"},
	};
	struct kith_edges_shard shard;
	struct kith_graph e;

	ok(!merge((const char *const[4]){THIRD, FIRST, SECOND}, &shard, &e), "three shards");
	ok(shard.i == 0 && shard.n == 3 && shard.rows == 4 && shard.others == 0, "of four rows");
	is_text(shard.how, "--method nnk", "by a method");
	ok(e.m == 4 && e.start[0] == 0 && e.start[1] == 1 && e.start[2] == 1 && e.start[3] == 3 &&
		e.start[4] == 4,
	    "lists of all rows");
	ok(e.to[0] == 2 && e.to[1] == 0 && e.to[2] == 3 && e.to[3] == 1, "in order");
	ok(e.w[0] == .5 && e.w[1] == 0 && e.w[3] == -1 && e.d[1] == 4, "weights and distances");
	ok(e.J[0] == 2 && isnan(e.J[1]) && e.J[2] == 5 && e.J[3] == 3, "errors");
	ok(!merge((const char *const[4]){"# shard\t1/1 of 2 rows to 9: x\n" OF "2\t9\t1\t1\t1\n"},
	       &shard, &e) &&
		shard.others == 9 && e.m == 2 && e.to[0] == 8,
	    "edges to other rows");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(merge(bad[i].text, &shard, &e) && err.status == EX_DATAERR &&
			strncmp(err.msg, bad[i].message, strlen(bad[i].message)) == 0,
		    "refused: %s", err.msg);
}

static void
test_mistakes(void)
{
	const char *const files[] = {"", NULL};
	const struct kith_edges_how how = {.from = &four, .to = &four, .weights = true};
	struct kith_graph e;

	refuse("1\t2\t1\t0\n1\t5\t1\t0\n", 3, "column \"to\": not the number of a row: '5'");
	refuse("0\t2\t1\t0\n", 2, "column \"from\": not the number of a row: '0'");
	refuse("x\t2\t1\t0\n", 2, "column \"from\": not the number of a row: 'x'");
	refuse("-1\t2\t1\t0\n", 2, "column \"from\": not the number of a row: '-1'");
	refuse("NA\t2\t1\t0\n", 2, "column \"from\": missing: 'NA'");
	refuse("1\t1\t1\t0\n", 2, "column \"to\": the row itself: '1'");
	refuse("1\t2\t-1\t0\n", 2, "column \"weight\": negative: '-1'");
	refuse("1\t2\tinf\t0\n", 2, "column \"weight\": not a finite number: 'inf'");
	refuse("1\t2\t\t0\n", 2, "column \"weight\": missing: ''");
	refuse("1\t2\t1\t0\n1\t3\t1\t1\n", 3,
	    "column \"error\": differs from that of another edge of this row: "
	    "'1'");
	refuse("1\t2\t1\tNA\n", 2, "column \"error\": missing: 'NA'");
	refuse("1\t2\t1\t0\n2\t1\t1\t0\n1\t2\t1\t0\n1\t2\t1\t0\n", 4,
	    "edge listed twice: from '1' to '2'");
	ok(!parse("from\tto\tweight\n", &four, &four, true, &e) && e.start[4] == 0,
	    "a header alone is a graph without an edge");
	ok(parse("from\tweight\n1\t1\n", &four, &four, true, &e) < 0 && err.line == 1,
	    "no column of the other end");
	is_text(err.msg, "no edges (from, to, weight): column \"to\": not found", "message");
	ok(parse("from\tto\n1\t2\n", &four, &four, true, &e) < 0, "no weights");
	is_text(err.msg, "no edges (from, to, weight): column \"weight\": not found", "message");
	ok(parse("from\tto\n3\t2\n", &gaps, &gaps, false, &e) < 0, "a gap");
	is_text(err.msg, "column \"from\": not the number of a row: '3'", "message");
	ok(parse("from\tto\n8\t2\n", &gaps, &gaps, false, &e) < 0, "the end");
	ok(kith_edges_read(files, &how, &e, &pool, &err) < 0 && err.status == EX_NOINPUT,
	    "no file");
}

/* Write the edges, and compare. */
static void
is_written(const struct kith_graph *e, const struct kith_edges_form *form, const char *due,
    const char *name)
{
	const char *path = scratch_text(1, "");
	char got[400] = "";
	struct kith_out out;
	FILE *f;

	if (kith_edges_write(e, form, &(struct kith_dest){.path = path}, &out, &err) ||
	    (kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err)))
		abort();
	f = fopen(path, "r");
	if (!f)
		abort();
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	is_text(got, due, name);
}

/* Weights of either sign, where the caller takes them. */
static void
test_signs(void)
{
	const char *const files[] = {
	    scratch_text(0, "from\tto\tweight\n1\t2\t-.5\n1\t3\t1.5\n"), NULL};
	struct kith_edges_how how = {.from = &four, .to = &four, .weights = true, .any_sign = true};
	const struct kith_edges_form form = {.from = &four, .to = &four};
	struct kith_graph e;

	ok(!kith_edges_read(files, &how, &e, &pool, &err) && e.w[0] == -.5 && e.w[1] == 1.5,
	    "a negative weight, which the caller allows");
	is_written(&e, &form, "from\tto\tweight\n1\t2\t-0.5\n1\t3\t1.5\n", "and is written");
	how.any_sign = false;
	ok(kith_edges_read(files, &how, &e, &pool, &err) < 0 && err.line == 2,
	    "one that it does not");
	is_text(err.msg, "column \"weight\": negative: '-.5'", "message");
}

static void
test_writing(void)
{
	static const char text[] = "from\tto\tweight\tdistance\terror\n"
				   "1\t2\t0.5\t1\t0.25\n1\t4\t0\t3\t0.25\n"
				   "3\t4\t1e-20\t2\t0\n";
	const struct kith_edges_shard shard = {2, 3, 4, 0, "--method nnk -k 2"};
	const struct kith_edges_shard others = {1, 1, 4, 9, "--method knn"};
	struct kith_edges_form form = {&four, &four, true, &shard};
	char due[400];
	struct kith_graph e;

	if (parse(text, &four, &four, true, &e))
		abort();
	snprintf(due, sizeof(due), "# shard\t2/3 of 4 rows: --method nnk -k 2\n%s", text);
	is_written(&e, &form, due, "a shard");
	form.shard = &others;
	snprintf(due, sizeof(due), "# shard\t1/1 of 4 rows to 9: --method knn\n%s", text);
	is_written(&e, &form, due, "a shard to other rows");
	form.shard = NULL;
	form.error = false;
	is_written(&e, &form, "from\tto\tweight\tdistance\n1\t2\t0.5\t1\n3\t4\t1e-20\t2\n",
	    "edges of weight 0 aside");
	e.J[0] = NAN;
	e.d = NULL;
	form.error = true;
	is_written(&e, &form, "from\tto\tweight\terror\n1\t2\t0.5\tNA\n3\t4\t1e-20\t0\n",
	    "an error that is not known");
}

static void
test_writing_names(void)
{
	static char a[] = "a", b[] = "b,\"c\"", c[] = "NA";
	static char *name[] = {a, b, c};
	struct kith_node_names ends = {3, 7, number, "name", {0}};
	struct kith_edges_form form = {.from = &ends, .to = &ends};
	struct kith_graph e;

	kith_names_index(&ends.id, name, 3, &pool);
	if (parse("from\tto\tweight\na\tNA_\t1\n", &ends, &ends, true, &e) == 0 ||
	    parse("from\tto\tweight\na\t\"NA\"\t1\n", &ends, &ends, true, &e))
		abort();
	is_written(&e, &form, "from\tto\tweight\na\t\"NA\"\t1\n", "ids");
	/* A block of rows. */
	e.m = 1;
	e.start[1] = 1;
	e.first = 1;
	form = (struct kith_edges_form){.from = &gaps, .to = &gaps};
	is_written(&e, &form, "from\tto\tweight\n5\t7\t1\n", "a block");
}

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
	struct kith_node_names ends = {.n = 2, .read = 2, .column = "id"};
	const struct kith_edges_how how = {.from = &ends, .to = &ends};
	const char *const files[] = {scratch_text(0, "from\tto\na b\tb\nb\ta b\na b\tb\n"), NULL};
	struct kith_graph e;

	kith_names_index(&ends.id, name, 2, &pool);
	ok(kith_edges_read(files, &how, &e, &pool, &err) < 0 && err.line == 4,
	    "an edge between ids twice");
	is_text(err.msg, "edge listed twice: from 'a b' to 'b'", "by name");
}

int
main(void)
{
	test_reading();
	test_files();
	test_ids();
	test_shards();
	test_mistakes();
	test_writing();
	test_writing_names();
	test_signs();
	test_each();
	test_errors();
	test_twice();
	kith_pool_free(&pool);
	return done();
}
