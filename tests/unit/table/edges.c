/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/edges.h: what is read or written, as text, or the error. */
#include "table/edges.h"

#include "base/err.h"
#include "base/pool.h"
#include "dump.h"
#include "scratch.h"
#include "table/table.h"
#include "tap.h"
#include "text/out.h"
#include "written.h"
#include "wrong.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;

/* Four rows by number. */
static const struct kith_node_names four = {.n = 4};

/* Three rows of a file of seven, the others left out. */
static const size_t number[] = {2, 5, 7};
static const struct kith_node_names gaps = {.n = 3, .number = number};

/* The edges from>to:weight/distance of a graph, row by row, and its errors. */
static const char *
edges_of(const struct kith_graph *e)
{
	static struct dump d;

	d.len = 0;
	add(&d, "%zu rows", e->m);
	for (size_t i = 0; i < e->m; i++)
		for (size_t k = e->start[i]; k < e->start[i + 1]; k++) {
			add(&d, " %zu>%zu", i, e->to[k]);
			if (e->w)
				add(&d, ":%g", e->w[k]);
			if (e->d)
				add(&d, "/%g", e->d[k]);
		}
	for (size_t i = 0; e->J && i < e->m; i++)
		if (isnan(e->J[i]))
			add(&d, " NA");
		else
			add(&d, " %g", e->J[i]);
	return d.text;
}

static int
parse(const char *text, const struct kith_edges_how *how, struct kith_graph *e)
{
	const char *const files[] = {scratch_text(0, text), NULL};

	return kith_edges_read(files, how, e, &pool, &err);
}

static void
reads(const char *text, const struct kith_edges_how *how, const char *due)
{
	struct kith_graph e;

	is_text(parse(text, how, &e) ? wrong(&err) : edges_of(&e), due, due);
}

static const struct kith_edges_how weighted = {.from = &four, .to = &four, .weights = true};
static const struct kith_edges_how signs = {&four, &four, true, .any_sign = true};
static const struct kith_edges_how plain = {.from = &four, .to = &four};
static const struct kith_edges_how missing = {.from = &gaps, .to = &gaps};
static const struct kith_edges_how other = {.from = &four, .to = &gaps};

static void
test_reading(void)
{
	reads("from\tto\tweight\n3\t1\t.5\n1\t4\t2\n3\t2\t0\n1\t2\t1\n", &weighted,
	    "4 rows 0>1:1 0>3:2 2>0:0.5 2>1:0");
	reads("error,weight,x,to,distance,from\n-.5,1,z,2,3,1\n-.5,2,z,3,4,1\n7,1,z,1,3,2\n",
	    &weighted, "4 rows 0>1:1/3 0>2:2/4 1>0:1/3 -0.5 7 NA NA");
	reads("from\tto\tweight\n2\t1\tx\n", &plain, "4 rows 1>0");
	reads("from\tto\n2\t7\n7\t5\n", &missing, "3 rows 0>2 2>1");
	reads("from\tto\n2\t2\n", &other, "4 rows 1>0");
	reads("from\tto\tweight\n", &weighted, "4 rows");
	reads("from\tto\tweight\n1\t2\t-.5\n1\t3\t1.5\n", &signs, "4 rows 0>1:-0.5 0>2:1.5");
}

static void
test_mistakes(void)
{
	static const struct {
		const char *rows, *due;
	} bad[] = {
	    {"1\t2\t1\t0\n1\t5\t1\t0\n", "3: column \"to\": not the number of a row: '5'"},
	    {"0\t2\t1\t0\n", "2: column \"from\": not the number of a row: '0'"},
	    {"x\t2\t1\t0\n", "2: column \"from\": not the number of a row: 'x'"},
	    {"-1\t2\t1\t0\n", "2: column \"from\": not the number of a row: '-1'"},
	    {"NA\t2\t1\t0\n", "2: column \"from\": missing: 'NA'"},
	    {"1\t1\t1\t0\n", "2: column \"to\": the row itself: '1'"},
	    {"1\t2\t-1\t0\n", "2: column \"weight\": negative: '-1'"},
	    {"1\t2\tinf\t0\n", "2: column \"weight\": not a finite number: 'inf'"},
	    {"1\t2\t\t0\n", "2: column \"weight\": missing: ''"},
	    {"1\t2\t1\tNA\n", "2: column \"error\": missing: 'NA'"},
	    {"1\t2\t1\t0\n2\t1\t1\t0\n1\t2\t1\t0\n1\t2\t1\t0\n",
		"4: edge listed twice: from '1' to '2'"},
	    {"2\t4\t1\t5\n1\t4\t1\t7\n1\t3\t1\t8\n1\t2\t1\t7\n2\t1\t1\t6\n",
		"4: column \"error\": differs from that of another edge of this row: '8'"},
	};
	char text[200];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), "from\tto\tweight\terror\n%s", bad[i].rows);
		reads(text, &weighted, bad[i].due);
	}
	reads("from\tweight\n1\t1\n", &weighted,
	    "1: no edges (from, to, weight): column \"to\": not found");
	reads("from\tto\n1\t2\n", &weighted,
	    "1: no edges (from, to, weight): column \"weight\": not found");
	reads("from\tto\n3\t2\n", &missing, "2: column \"from\": not the number of a row: '3'");
	reads("from\tto\n8\t2\n", &missing, "2: column \"from\": not the number of a row: '8'");
}

/* The second of two files is named. */
static void
test_files(void)
{
	static const struct {
		const char *text, *due;
	} second[] = {
	    {"from\tto\tweight\terror\n1\t4\t1\t7\n2\t3\t1\t1\n",
		"2: edge listed twice: from '1' to '4'"},
	    {"from\tto\tweight\terror\n2\t1\t1\t1\n1\t2\t1\t3\n1\t3\t1\t3\n",
		"3: column \"error\": differs from that of another edge of this row: '3'"},
	};
	const char *files[] = {NULL, NULL, NULL};
	struct kith_graph e;

	files[0] = scratch_text(0, "from\tto\tweight\terror\n1\t4\t1\t7\n");
	for (size_t i = 0; i < 2; i++) {
		files[1] = scratch_text(1, second[i].text);
		ok(kith_edges_read(files, &weighted, &e, &pool, &err) < 0 && err.file == files[1],
		    "an error in the second file");
		is_text(wrong(&err), second[i].due, second[i].due);
	}
	files[0] = "";
	ok(kith_edges_read(files, &weighted, &e, &pool, &err) < 0 && err.status == EX_NOINPUT,
	    "no file");
}

static void
test_ids(void)
{
	static const char *const text[] = {"a b", "1", "NA"};
	struct kith_texts id = {0};
	struct kith_table t = {.X = {3, 1, NULL}, .read = 3, .id_name = "name"};
	struct kith_node_names ends;
	const struct kith_edges_how how = {&ends, &ends, true, false};

	for (size_t i = 0; i < 3; i++)
		kith_texts_add(&id, &(struct kith_cell){text[i], strlen(text[i]), true}, &pool);
	t.id = id;
	ok(!kith_node_names_of(&t, &ends, &pool, &err), "rows with ids");
	reads("from\tto\tweight\n1\ta b\t1\n\"NA\"\t1\t2\n", &how, "3 rows 1>0:1 2>1:2");
	reads("from\tto\tweight\n1\t2\t1\n", &how, "2: column \"to\": no row has this id: '2'");
	reads("from\tto\tweight\na b\t1\t1\n1\ta b\t1\na b\t1\t1\n", &how,
	    "4: edge listed twice: from 'a b' to '1'");
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

#define OF "from\tto\tweight\tdistance\terror\n"
#define FIRST "# shard\t1/3 of 4 rows: --method nnk\n" OF "1\t3\t.5\t1\t2\n"
#define SECOND "# shard\t2/3 of 4 rows: --method nnk\n" OF
#define THIRD \
	"# shard\t3/3 of 4 rows: --method nnk\n" OF "4\t2\t-" \
	"1\t2\t3\n3\t1\t0\t4\t5\n3\t4\t1\t2\t5\n"

/* Merges shards of these texts (NULL: no more): what they say, and the edges. */
static const char *
merged(const char *const text[4])
{
	static char said[500];
	const char *files[5] = {NULL};
	struct kith_edges_shard shard;
	struct kith_graph e;

	for (size_t i = 0; i < 4 && text[i]; i++)
		files[i] = scratch_text(i, text[i]);
	if (kith_edges_merge(files, &shard, &e, &pool, &err))
		return wrong(&err);
	snprintf(said, sizeof(said), "%zu/%zu of %zu to %zu: %s: %s", shard.i, shard.n, shard.rows,
	    shard.others, shard.how, edges_of(&e));
	return said;
}

static void
test_shards(void)
{
	static const struct {
		const char *text[4], *due; /* what the error begins with */
	} bad[] = {
	    {{FIRST, SECOND}, "0: shard 3/3 is missing"},
	    {{SECOND, THIRD}, "0: shard 1/3 is missing"},
	    {{FIRST, SECOND, THIRD, FIRST}, "0: shard 1/3: "},
	    {{FIRST, "# shard\t2/3 of 5 rows: --method nnk\n" OF, THIRD},
		"0: a shard of another graph than "},
	    {{FIRST, "# shard\t2/3 of 4 rows: --method nnk -k 1\n" OF, THIRD},
		"0: a shard of another graph than "},
	    {{FIRST, "# shard\t2/3 of 4 rows to 4: --method nnk\n" OF, THIRD},
		"0: a shard of another graph than "},
	    {{FIRST, "# shard\t2/3 of 4 rows: --method nnk\n" OF "1\t2\t1\t1\t2\n", THIRD},
		"0: shard 2/3 has rows of a shard before it"},
	    {{OF "1\t3\t.5\t1\t2\n"}, "0: no line \"# shard\" before the header (nnkgraph "},
	    {{"# shard\t1/3\n" OF}, "1: no shard I/N of a graph: '1/3'"},
	    {{"# shard\t4/3 of 4 rows: x\n" OF}, "1: no shard I/N of a graph: '4/3 of 4 rows: x'"},
	    {{"# shard\t1/3 of 0 rows: x\n" OF}, "1: no shard I/N of a graph: '1/3 of 0 rows: x'"},
	    {{"# shard\t1/3 of 4 rows x\n" OF}, "1: no shard I/N of a graph: '1/3 of 4 rows x'"},
	    {{"# shard\t1/3 of 4 rows: x\nfrom\tto\tweight\tdistance\n"},
		"2: column \"error\": not found"},
	    {{"# shard\t1/3 of 4 rows: x\n" OF "1\t5\t1\t1\t1\n"},
		"3: column \"to\": not the number of a row: '5'"},
	};

	is_text(merged((const char *const[4]){THIRD, FIRST, SECOND}),
	    "0/3 of 4 to 0: --method nnk: "
	    "4 rows 0>2:0.5/1 2>0:0/4 2>3:1/2 3>1:-1/2 2 NA 5 3",
	    "three shards in any order");
	is_text(
	    merged((const char *const[4]){"# shard\t1/1 of 2 rows to 9: x\n" OF "2\t9\t1\t1\t1\n"}),
	    "0/1 of 2 to 9: x: 2 rows 1>8:1/1 NA 1", "edges to other rows");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(strncmp(merged(bad[i].text), bad[i].due, strlen(bad[i].due)) == 0, "refused: %s",
		    wrong(&err));
}

/* Writes the edges, and compares. */
static void
is_written(const struct kith_graph *e, const struct kith_edges_form *form, const char *due,
    const char *name)
{
	struct kith_out out;

	if (kith_edges_write(e, form, &(struct kith_dest){.path = scratch_text(1, "")}, &out, &err))
		abort();
	is_text(written(&out, 1), due, name);
}

static void
test_writing(void)
{
#define EDGES \
	"from\tto\tweight\tdistance\terror\n1\t2\t-0.5\t1\t0.25\n1\t4\t0\t3\t0.25\n" \
	"3\t4\t1e-20\t2\t0\n"
	const struct kith_edges_shard shard = {2, 3, 4, 0, "--method nnk -k 2"};
	const struct kith_edges_shard others = {1, 1, 4, 9, "--method knn"};
	struct kith_edges_form form = {&four, &four, true, &shard};
	struct kith_graph e;

	if (parse(EDGES, &signs, &e))
		abort();
	is_written(&e, &form, "# shard\t2/3 of 4 rows: --method nnk -k 2\n" EDGES, "a shard");
	form.shard = &others;
	is_written(&e, &form, "# shard\t1/1 of 4 rows to 9: --method knn\n" EDGES,
	    "a shard to other rows");
	form.shard = NULL;
	form.error = false;
	is_written(&e, &form, "from\tto\tweight\tdistance\n1\t2\t-0.5\t1\n3\t4\t1e-20\t2\n",
	    "edges of weight 0 aside");
	e.J[0] = NAN;
	e.d = NULL;
	form.error = true;
	is_written(&e, &form, "from\tto\tweight\terror\n1\t2\t-0.5\tNA\n3\t4\t1e-20\t0\n",
	    "an error that is not known");
}

static void
test_writing_names(void)
{
	static char a[] = "a", b[] = "b,\"c\"", c[] = "NA";
	static char *name[] = {a, b, c};
	struct kith_node_names ends = {3, number, "name", {0}};
	const struct kith_edges_how how = {&ends, &ends, true, false};
	struct kith_edges_form form = {.from = &ends, .to = &ends};
	struct kith_graph e;

	kith_names_index(&ends.id, name, 3, &pool);
	if (parse("from\tto\tweight\na\t\"NA\"\t1\n", &how, &e))
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
	const char *const files[] = {scratch_text(0, "from\tto\tweight\n1\t2\t-5\n3\t4\t.5\n"),
	    scratch_text(1, "from\tto\tweight\n1\t2\t7\n"), NULL};
	size_t left = 9;

	ok(!kith_edges_each(files, &signs, give, &left, &err), "each edge");
	is_text(
	    given, "0 1 -5 0 2;2 3 0.5 0 3;0 1 7 1 2;", "as it comes, from which file and line");
	*given = '\0';
	left = 2;
	ok(kith_edges_each(files, &signs, give, &left, &err) == -1, "a failure");
	is_text(given, "0 1 -5 0 2;2 3 0.5 0 3;", "is the end");
	is_text(wrong(&err), "0: enough", "of who was given them");
	ok(kith_edges_each(files, &weighted, give, &left, &err) < 0, "no sign");
	is_text(wrong(&err), "2: column \"weight\": negative: '-5'", "said");
}

int
main(void)
{
	test_reading();
	test_mistakes();
	test_files();
	test_ids();
	test_shards();
	test_writing();
	test_writing_names();
	test_each();
	kith_pool_free(&pool);
	return done();
}
