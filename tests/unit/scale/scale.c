/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/scale/scale.h and table/roles.h: what is said of cells that are missing or of
 * another kind.  tabscale.t has scalings, their files, and what --na does.
 */
#include "scale/scale.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "table/roles.h"
#include "tap.h"
#include "wrong.h"

#include <math.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;

/* Reads the files; the kinds of their first columns are a letter each. */
static int
read_files(const char *const *files, const char *kinds)
{
	const struct kith_format format = {0};
	struct kith_frame f = {.pool = &pool, .na = KITH_NA_ERROR};

	if (kith_rows_open(&f.rows, files, &format, &pool, &err))
		return -1;
	f.kind = kith_new(&pool, f.rows.name.n, sizeof(*f.kind));
	for (size_t c = 0; kinds[c]; c++)
		f.kind[c] = kinds[c] == 't' ? KITH_AS_COPY
		    : kinds[c] == 'l'       ? KITH_AS_LEVEL
		    : kinds[c] == 'n'       ? KITH_AS_NUMBER
					    : KITH_AS_AUTO;
	return kith_frame_read(&f, &err);
}

static int
parse(const char *text, const char *kinds)
{
	return read_files((const char *const[]){scratch_text(0, text), NULL}, kinds);
}

/* Tables, the kinds of their columns, and what is said of them. */
static const char *const bad[][3] = {
    {"a\tb\n1\tx\ny\tx\n", "aa", "3: column \"a\": not a number: 'y' (-x '!COL' or --onehot?)"},
    {"a\tb\n1\tx\n2\t3\n", "aa",
	"3: column \"b\": a number in a column of text: '3' (-x '!COL' or --onehot?)"},
    {"a\tb\n1\tx\nNA\tx\n2\tx\n", "aa", "3: column \"a\": missing: 'NA' (--na omit or mean?)"},
    {"a\tb\nNA\tx\n", "la", "2: column \"a\": missing: 'NA' (--na omit or mean?)"},
    {"a\tb\nNA\t1\n2\t1\n3\t1\n", "an", "2: column \"a\": missing: 'NA' (--na omit or mean?)"},
    {"a\tb\n1\tx\nNA\tx\n2\tx\nNA\tx\n", "aa",
	"0: missing cells: column \"a\": 2, first at line 3 (--na omit or mean?)"},
    {"a\tb\n1\t2\n3\tNA\n?\t4\n5\t\n", "aa",
	"0: missing cells: column \"a\": 1, at line 4; column \"b\": 2, first at line 3 (--na omit "
	"or mean?)"},
    {"a\tb\tc\nNA\t?\tt\n", "nlt",
	"0: missing cells: column \"a\": 1, at line 2; column \"b\": 1, at line 2 (--na omit or "
	"mean?)"},
    {"a\tb\n1\tx\nNA\tx\nNA\tx\n1\nNA\tx\n", "aa",
	"0: missing cells above line 5, which is bad: column \"a\": 2, first at line 3 (--na omit "
	"or mean?)"},
    {"a\tb\n0\tNA\nNA\tNA\nNA\tNA\n4\t5\n6\tNA\n", "an",
	"0: missing cells: column \"a\": 2, first at line 3; column \"b\": 4, first at line 2 "
	"(--na omit or mean?)"},
    {"a\tb\nNA\t1\nNA\t1\n3\t1\nNA\t1\n", "an",
	"0: missing cells: column \"a\": 3, first at line 2 (--na omit or mean?)"},
    {"a\tb\nNA\tx\n?\tx\n3\tx\n4\tx\n", "al",
	"0: missing cells: column \"a\": 2, first at line 2 (--na omit or mean?)"},
    {"a\tb\tc\nNA\t1\tx\n3\tNA\tx\n", "ana",
	"0: missing cells: column \"a\": 1, at line 2; column \"b\": 1, at line 3 (--na omit or "
	"mean?)"},
};

static void
test_mistakes(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		is_text(
		    parse(bad[i][0], bad[i][1]) < 0 ? wrong(&err) : "read", bad[i][2], bad[i][2]);
}

/* What does not fit the message is counted, and other files are named. */
static void
test_long(void)
{
	char text[4000] = "", *to = text, due[200];
	const char *files[3] = {NULL};

	for (size_t c = 0; c < 20; c++)
		to += sprintf(to, "column-of-a-long-name-%02zu%s", c, c < 19 ? "\t" : "\n");
	for (size_t c = 0; c < 20; c++)
		to += sprintf(to, "NA%s", c < 19 ? "\t" : "\n");
	ok(parse(text, "nnnnnnnnnnnnnnnnnnnn") < 0, "twenty columns");
	ok(strstr(err.msg, "-04\": 1, at line 2; 15 more columns (--na") && strlen(err.msg) < 400,
	    "say the first, and how many more: %s", err.msg);
	files[0] = scratch_text(0, "a\n1\n");
	files[1] = scratch_text(1, "a\nNA\nNA\n");
	ok(read_files(files, "a") < 0, "two files: in the second");
	is_text(err.file, files[1], "which is named");
	files[0] = scratch_text(0, "a\tb\n1\tNA\n");
	files[1] = scratch_text(1, "a\tb\nNA\t1\n");
	ok(read_files(files, "nn") < 0, "in both, cells are missing");
	is_text(err.file, files[0], "the first is that of the message");
	snprintf(due, sizeof(due),
	    "missing cells: column \"a\": 1, at line 2 of %s; column \"b\": 1, "
	    "at line 2 (--na omit or mean?)",
	    files[1]);
	is_text(err.msg, due, "the other is named");
}

int
main(void)
{
	test_mistakes();
	test_long();
	kith_pool_free(&pool);
	return done();
}
