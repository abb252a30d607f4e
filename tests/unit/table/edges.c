/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/edges.h. */
#include "table/edges.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "table/edges_write.h"
#include "table/graph.h"
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
static const struct kith_ends four = {.n = 4, .read = 4};

/* Three rows of a file of seven, the others left out. */
static const size_t number[] = {2, 5, 7};
static const struct kith_ends gaps = {.n = 3, .read = 7, .number = number};

static int
parse(const char *text, const struct kith_ends *from, const struct kith_ends *to, bool weights,
    struct kith_graph *e)
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
	struct kith_ends ends;
	struct kith_graph e;
	static const char *const text[] = {"a b", "1", "NA"};

	for (size_t i = 0; i < 3; i++)
		kith_texts_add(&id, &(struct kith_cell){text[i], strlen(text[i]), true}, &pool);
	t.id = id;
	ok(!kith_ends_of(&t, &ends, &pool, &err), "rows with ids");
	ok(!parse("from\tto\tweight\n1\ta b\t1\n\"NA\"\t1\t2\n", &ends, &ends, true, &e),
	    "edges between ids");
	ok(e.start[1] == 0 && e.start[2] == 1 && e.to[0] == 0 && e.to[1] == 1, "found");
	ok(parse("from\tto\tweight\n1\t2\t1\n", &ends, &ends, true, &e) < 0, "numbers are no ids");
	is_text(err.msg, "column \"to\": no row has this id: '2'", "message");
	kith_texts_add(&id, &(struct kith_cell){"1", 1, false}, &pool);
	t.id = id;
	t.X.n = 4;
	t.file = "rows";
	ok(kith_ends_of(&t, &ends, &pool, &err) < 0, "two rows of one id");
	is_text(err.msg, "column \"name\": listed twice: '1'", "message");
	t.id_name = NULL;
	ok(!kith_ends_of(&t, &ends, &pool, &err) && !ends.column && ends.n == 4, "without ids");
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

static void
test_full(void)
{
	struct kith_graph e;

	ok(!parse("from\tto\tweight\n1\t2\t1\n1\t3\t0\n", &four, &four, true, &e) &&
		kith_edges_full(&e, 4),
	    "a weight of 0 is there");
	ok(!parse("from\tto\tweight\n1\t2\t1\n1\t3\t1\n", &four, &four, true, &e) &&
		!kith_edges_full(&e, 4),
	    "none is");
	ok(!parse(
	       "from\tto\tweight\n1\t2\t1\n2\t3\t1\n3\t4\t1\n4\t1\t1\n", &four, &four, true, &e) &&
		kith_edges_full(&e, 4),
	    "none is, of one candidate each");
}

/* Numbers of rows, of which memory has no room for lists. */
#if SIZE_MAX > UINT32_MAX
#define LATE "8000000000"
#define LATER "9000000000"
#define ROWS ((size_t)1 << 53)
#else
#define LATE "3000000000"
#define LATER "4000000000"
#define ROWS SIZE_MAX
#endif

/* Of very many rows the lists are those that edges name. */
static void
test_met(void)
{
	const struct kith_ends many = {.n = ROWS, .read = ROWS};
	const char *const files[] = {scratch_text(0,
					 "from\tto\tweight\terror\n" LATER "\t7\t.5\t2\n"
					 "7\t" LATER "\t1\t1\n"
					 "7\t" LATE "\t.25\t1\n"),
	    NULL};
	struct kith_ends met = {0};
	const struct kith_edges_how how = {
	    .from = &many, .to = &many, .weights = true, .errors = true, .met = &met};
	struct kith_graph e;

	ok(!kith_edges_read(files, &how, &e, &pool, &err), "edges of few");
	is_size(met.n, 3, "rows that they name");
	ok(met.number[0] == 7 && met.number[1] == strtoull(LATE, NULL, 10) &&
		met.number[2] == strtoull(LATER, NULL, 10) && met.read == many.read,
	    "by their numbers");
	ok(e.m == 3 && e.start[1] == 2 && e.start[2] == 2 && e.start[3] == 3, "lists");
	ok(e.to[0] == 1 && e.to[1] == 2 && e.to[2] == 0, "in order");
	ok(e.w[0] == .25 && e.w[1] == 1 && e.w[2] == .5, "with weights");
	ok(e.J[0] == 1 && isnan(e.J[1]) && e.J[2] == 2, "and errors");
	ok(!kith_edges_full(&e, many.n) && !kith_edges_full(&e, 3), "not lists of one length");
	ok(!kith_edges_read(
	       (const char *const[]){scratch_text(0, "from\tto\tweight\terror\n"), NULL}, &how, &e,
	       &pool, &err) &&
		met.n == 0 && e.m == 0,
	    "no edge, no row");
}

static void
test_mistakes(void)
{
	const char *const files[] = {"", NULL};
	const struct kith_edges_how how = {
	    .from = &four, .to = &four, .weights = true, .errors = true};
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
	ok(kith_edges_read(
	       (const char *const[]){scratch_text(0, "from\tto\tweight\n1\t2\t1\n"), NULL}, &how,
	       &e, &pool, &err) < 0,
	    "no errors where they are due");
	is_text(err.msg, "column \"error\": not found (nnkgraph --errors?)", "message");
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
	    kith_out_close_alone(&out, NULL, &err))
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
	const struct kith_edges_form form = {.from = &four, .to = &four, .full = false};
	struct kith_graph e;

	ok(!kith_edges_read(files, &how, &e, &pool, &err) && e.w[0] == -.5 && e.w[1] == 1.5,
	    "a negative weight, which the caller allows");
	ok(!kith_edges_full(&e, 4), "is no weight of 0");
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
	struct kith_edges_form form = {KITH_EDGES_TSV, &four, &four, true, true, true};
	struct kith_graph e;

	if (parse(text, &four, &four, true, &e))
		abort();
	is_written(&e, &form, text, "what was read");
	form.full = form.error = false;
	is_written(&e, &form, "from\tto\tweight\tdistance\n1\t2\t0.5\t1\n3\t4\t1e-20\t2\n",
	    "edges of weight 0 aside");
	e.J[0] = NAN;
	form.error = true;
	form.distance = false;
	is_written(&e, &form, "from\tto\tweight\terror\n1\t2\t0.5\tNA\n3\t4\t1e-20\t0\n",
	    "an error that is not known");
	form.format = KITH_EDGES_NCOL;
	is_written(&e, &form, "1\t2\t0.5\n3\t4\t1e-20\n", "ncol");
}

static void
test_writing_names(void)
{
	static char a[] = "a", b[] = "b,\"c\"", c[] = "NA";
	static char *name[] = {a, b, c};
	struct kith_ends ends = {3, 7, number, "name", {0}};
	struct kith_edges_form form = {.from = &ends, .to = &ends};
	struct kith_graph e;
	struct kith_out out;

	kith_names_index(&ends.id, name, 3, &pool);
	if (parse("from\tto\tweight\na\tNA_\t1\n", &ends, &ends, true, &e) == 0 ||
	    parse("from\tto\tweight\na\t\"NA\"\t1\n", &ends, &ends, true, &e))
		abort();
	is_written(&e, &form, "from\tto\tweight\na\t\"NA\"\t1\n", "ids");
	form.format = KITH_EDGES_NCOL;
	ok(kith_edges_write(&e, &form, &(struct kith_dest){0}, &out, &err) < 0 &&
		err.status == EX_DATAERR,
	    "an id that ncol cannot have");
	is_text(err.msg, "column \"name\": no name for ncol: 'b,\"c\"'", "message");
	name[0] = b;
	name[1] = a;
	kith_names_index(&ends.id, name, 3, &pool);
	ok(kith_edges_write(&e, &form, &(struct kith_dest){0}, &out, &err) < 0,
	    "where it is the first, too");
	/* A block of rows. */
	e.m = 1;
	e.start[1] = 1;
	e.first = 1;
	form = (struct kith_edges_form){.from = &gaps, .to = &gaps};
	is_written(&e, &form, "from\tto\tweight\n5\t7\t1\n", "a block");
}

int
main(void)
{
	test_reading();
	test_files();
	test_ids();
	test_met();
	test_full();
	test_mistakes();
	test_writing();
	test_writing_names();
	test_signs();
	kith_pool_free(&pool);
	return done();
}
