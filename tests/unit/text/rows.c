/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/text/rows.h: files in, rows or messages out. */
#include "text/rows.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "dump.h"
#include "scratch.h"
#include "tap.h"

#include <string.h>

/* A path is too long and too random for a message that is compared. */
static void
add_err(struct dump *d, const struct kith_err *err)
{
	const char *file = err->file ? strrchr(err->file, '/') + 1 : "";
	const char *in = strstr(err->msg, scratch_dir);

	add(d, "%s:%zu: (%d) %.*s%s", file, err->line, err->status, in ? (int)(in - err->msg) : 400,
	    err->msg, in ? in + sizeof(scratch_dir) : "");
}

static void
read_all(struct dump *d, const char *const *files, struct kith_format format)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	struct kith_err err;
	int got;

	d->len = 0;
	if (kith_rows_open(&t, files, &format, &pool, &err)) {
		add_err(d, &err);
		kith_pool_free(&pool);
		return;
	}
	for (size_t j = 0; j < t.name.n; j++)
		add(d, "%s%s", j ? "," : "", t.name.name[j]);
	add(d, "\n");
	while ((got = kith_rows_next(&t, &err)) > 0) {
		add(d, "%zu:%zu ", t.n, t.rec.line);
		for (size_t j = 0; j < t.name.n; j++)
			add(d, "%s%s", j ? "," : "", kith_rec_cell(&t.rec, j)->s);
		add(d, "\n");
	}
	if (got < 0)
		add_err(d, &err);
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

enum { NO_HEADER = 1, HEADER = 2 };

struct trial {
	const char *name, *in[SCRATCHES]; /* files, the last one NULL */
	int format;
	const char *out;
};

/* clang-format off */
static const struct trial trials[] = {
	{"a table", {"a,b\n1,2\n3,4\n"}, 0, "a,b\n1:2 1,2\n2:3 3,4\n"},
	{"two files", {"a,b\n1,2\n", "# x\na,b\n3,4\n"}, 0, "a,b\n1:2 1,2\n2:3 3,4\n"},
	{"files that differ in form", {"a,b\n1,2", "\"a\"\tb\r\n3\t4\r\n"}, 0, "a,b\n1:2 1,2\n2:2 3,4\n"},
	{"no header", {"1,2\n3,4\n"}, NO_HEADER, "V1,V2\n1:1 1,2\n2:2 3,4\n"},
	{"no header in two files", {"1,2\n", "3,4\n"}, NO_HEADER, "V1,V2\n1:1 1,2\n2:1 3,4\n"},
	{"names that are numbers", {"1,2\n3,4\n"}, HEADER, "1,2\n1:2 3,4\n"},
	{"two names and two numbers", {"1,2,a,b\n3,4,5,6\n"}, 0, "1,2,a,b\n1:2 3,4,5,6\n"},
	{"a header and no row, then rows", {"a\n", "a\n1\n", "a\n"}, 0, "a\n1:2 1\n"},
	{"one column with an empty quoted cell", {"a\n\"\"\nNA\n"}, 0, "a\n1:2 \n2:3 NA\n"},

	{"empty input", {""}, 0, "0:0: (65) empty input"},
	{"comments alone", {"# a\n"}, 0, "0:0: (65) empty input"},
	{"blank lines alone", {"\n\n"}, NO_HEADER, "0:0: (65) empty input"},
	{"second file empty", {"a\n1\n", ""}, 0, "a\n1:2 1\n1:0: (65) empty input"},
	{"header only", {"a,b\n"}, 0, "a,b\n0:0: (65) no row below the header"},
	{"headers only", {"a,b\n", "a,b\n"}, 0, "a,b\n1:0: (65) no row below the header"},
	{"numbers in order", {"1,2\n3,4\n"}, 0, "1,2\n1:2 3,4\n"},
	{"numbers from 0 and a class", {"0,1,y\n3,4,a\n"}, 0, "0,1,y\n1:2 3,4,a\n"},
	{"names are numbers", {"2,3\n3,4\n"}, 0, "0:1: (65) names are numbers (-H/--no-header?)"},
	{"names are numbers but one", {"# x\n5.1,3.5,setosa\n"}, 0, "0:2: (65) names are numbers (-H/--no-header?)"},
	{"name is a number", {"5\n"}, 0, "0:1: (65) names are numbers (-H/--no-header?)"},
	{"name is a huge number", {"1e999\n"}, 0, "0:1: (65) names are numbers (-H/--no-header?)"},
	{"one number, one name", {"5,a\n"}, 0, "0:1: (65) names are numbers (-H/--no-header?)"},
	{"no number, one name", {"a\n1\n"}, 0, "a\n1:2 1\n"},
	{"equal names", {"a,b,a\n1,2,3\n"}, 0, "0:1: (65) column \"a\": two of that name (-H/--no-header?)"},
	{"equal names that are numbers", {"5,5,a\n"}, 0, "0:1: (65) column \"5\": two of that name (-H/--no-header?)"},
	{"equal names that shall be names", {"5,5,a\n"}, HEADER, "0:1: (65) column \"5\": two of that name (-H/--no-header?)"},
	{"empty name", {"a,b,\n1,2,3\n"}, 0, "0:1: (65) column 3: empty name (a delimiter at the end of the line?)"},
	{"empty names", {"a,,\n1,2,3\n"}, 0, "0:1: (65) column 2: empty name"},
	{"short row", {"a,b,c\n1,2,3\n1,2\n"}, 0, "a,b,c\n1:2 1,2,3\n0:3: (65) 2 cells where the header has 3"},
	{"long row", {"a,b\n1,2,3,4\n"}, 0, "a,b\n0:2: (65) 4 cells where the header has 2"},
	{"names of rows", {"a,b\nr,2,3\n", "a,b\ns,4,5\n"}, 0, ",a,b\n1:2 r,2,3\n2:2 s,4,5\n"},
	{"names of rows, but not of all", {"a,b\nr,2,3\n4,5\n"}, 0, ",a,b\n1:2 r,2,3\n0:3: (65) 2 cells where the first row has 3"},
	{"names of rows, and numbers", {"\"\",0,1\nr,2,3\n"}, 0, ",0,1\n1:2 r,2,3\n"},
	{"names of rows, and years", {",2001,2002\nr,2,3\n"}, 0, "0:1: (65) names are numbers (-H/--no-header?)"},
	{"an empty name alone", {"\"\"\n1\n"}, 0, "0:1: (65) column 1: empty name"},
	{"decimal commas", {"a;b\n1,5;2\n", "a;b\n3,4\n"}, 0, "a,b\n1:2 1,5,2\n1:2: (65) 1 cells where the header has 2"},
	{"short row without header", {"1,2\n3\n"}, NO_HEADER, "V1,V2\n1:1 1,2\n0:2: (65) 1 cells where the first row has 2"},
	{"second file of another width", {"1,2\n", "3,4,5\n"}, NO_HEADER, "V1,V2\n1:1 1,2\n1:1: (65) 3 cells where the first row has 2"},
	{"other header", {"a,b\n1,2\n", "\n", "a\n"}, 0, "a,b\n1:2 1,2\n1:0: (65) empty input"},
	{"names in another order", {"a,b\n1,2\n", "b,a\n1,2\n"}, 0, "a,b\n1:2 1,2\n1:1: (65) the header differs from that of 0"},
	{"fewer names", {"a,b\n1,2\n", "a\n1\n"}, 0, "a,b\n1:2 1,2\n1:1: (65) the header differs from that of 0"},
	{"more names", {"a,b\n", "a,b,c\n1,2,3\n"}, 0, "a,b\n1:1: (65) the header differs from that of 0"},
	{"bad header", {"a,\"b\"c\n"}, 0, "0:1: (65) text behind a closing quotation mark"},
	{"bad row", {"a,b\n1,\"2\n"}, 0, "a,b\n0:2: (65) quoted cell without end"},
	{"blank line", {"a\n1\n\n2\n"}, 0, "a\n1:2 1\n0:3: (65) blank line"},
};
/* clang-format on */

static void
test_trials(void)
{
	struct dump got;

	for (size_t i = 0; i < sizeof(trials) / sizeof(*trials); i++) {
		const struct trial *t = &trials[i];
		const char *files[SCRATCHES + 1] = {NULL};

		for (size_t k = 0; t->in[k]; k++)
			files[k] = scratch_text(k, t->in[k]);
		read_all(&got, files,
		    (struct kith_format){
			.no_header = t->format & NO_HEADER, .header = t->format & HEADER});
		is_text(got.text, t->out, t->name);
	}
}

static void
test_fail(void)
{
	const char *files[] = {scratch_text(0, "a,b\n1,2\n"), NULL};
	struct kith_pool pool = {0};
	struct kith_err err = {0};
	struct kith_rows t;

	if (kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err))
		abort();
	ok(kith_rows_next(&t, &err) == 1, "a row");
	ok(kith_rows_fail(&t, 1, &err, "no number: " KITH_CELL, "2x") == -1, "which is wrong");
	is_text(err.msg, "column \"b\": no number: '2x'", "as its message says");
	ok(err.status == EX_DATAERR && err.line == 2 && strcmp(err.file, files[0]) == 0,
	    "with status and place");
	is_size(t.head, 1, "the header's line");
	kith_rows_close(&t);
	files[0] = "/nowhere/at/all";
	ok(kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err) == -1 &&
		err.status == EX_NOINPUT,
	    "no file");
	kith_pool_free(&pool);
}

/* A million names: hashed, not compared with each other. */
static void
test_wide(void)
{
	enum { WIDE = 1000000 };
	struct kith_pool pool = {0};
	char *s = kith_new(&pool, WIDE, 16), *to = s;
	const char *files[] = {NULL, NULL};
	struct kith_rows t;
	struct kith_err err;

	for (size_t j = 0; j < WIDE; j++)
		to += sprintf(to, "c%zu%c", j, j + 1 < WIDE ? ',' : '\n');
	for (size_t j = 0; j < WIDE; j++)
		to += sprintf(to, "%zu%c", j % 10, j + 1 < WIDE ? ',' : '\n');
	files[0] = scratch(0, s, (size_t)(to - s));
	ok(kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err) == 0 &&
		kith_rows_next(&t, &err) == 1,
	    "a million columns");
	is_size(kith_names_find(&t.name, "c765432"), 765432, "found by name");
	is_text(kith_rec_cell(&t.rec, 765432)->s, "2", "with its cell");
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

/* The hint that a table of this text gives, else "x". */
static const char *
hint(const char *text, struct kith_format format)
{
	struct kith_pool pool = {0};
	struct kith_err err;
	struct kith_rows t;
	const char *const files[] = {scratch_text(0, text), NULL};
	const char *got;

	if (kith_rows_open(&t, files, &format, &pool, &err))
		abort();
	got = kith_rows_hint(&t, "x");
	kith_rows_close(&t);
	kith_pool_free(&pool);
	return got;
}

/* What is said of columns. */
static void
test_columns(void)
{
	char v1[] = "V1", v2[] = "V2", v02[] = "V02", label[] = "label";
	char *good[] = {v1, v2}, *bad[] = {v1, v02}, *other[] = {v2, v1};
	char *last[] = {v1, v2, label};

	ok(kith_rows_numbered(&(struct kith_names){.name = good, .n = 2}) &&
		kith_rows_numbered(&(struct kith_names){.n = 0}),
	    "names by their places");
	ok(!kith_rows_numbered(&(struct kith_names){.name = bad, .n = 2}) &&
		!kith_rows_numbered(&(struct kith_names){.name = other, .n = 2}) &&
		!kith_rows_numbered(&(struct kith_names){.name = last, .n = 3}),
	    "and other ones");
	is_text(hint("a\n1\n", (struct kith_format){0}), " (-d?)",
	    "one column, which another character may divide");
	is_text(hint("a\n1\n", (struct kith_format){.sep = '|'}), "x", "one, by order");
	is_text(hint("a,b\n1,2\n", (struct kith_format){0}), "x", "two");
	is_text(hint("%%MatrixMarket matrix array real general\n1 1\n1\n", (struct kith_format){0}),
	    "x", "no text");
}

int
main(void)
{
	test_trials();
	test_fail();
	test_wide();
	test_columns();
	return done();
}
