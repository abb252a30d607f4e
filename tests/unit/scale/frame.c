/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/scale/frame.h and table/holes.h: numbers, texts, and neither.  tabscale.t has scalings
 * and their files.
 */
#include "scale/frame.h"

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

/* Read the text; the kinds of its first columns are a letter each. */
static int
parse(const char *text, const char *kinds, int na, struct kith_frame *f)
{
	const char *const files[] = {scratch_text(0, text), NULL};
	const struct kith_format format = {0};

	if (kith_frame_open(f, files, &format, &pool, &err))
		return -1;
	for (size_t c = 0; kinds[c]; c++)
		f->kind[c] = kinds[c] == 't' ? KITH_AS_TEXT
		    : kinds[c] == 'l'        ? KITH_AS_LEVEL
		    : kinds[c] == 'n'        ? KITH_AS_NUMBER
					     : KITH_AS_AUTO;
	return kith_frame_rows(f, na, &err);
}

static const char *
text_at(const struct kith_frame *f, size_t i, size_t c)
{
	return kith_texts_at(&f->text, kith_frame_row(f, i)[c].text).s;
}

static double
number_at(const struct kith_frame *f, size_t i, size_t c)
{
	return kith_frame_row(f, i)[c].x;
}

static void
test_kinds(void)
{
	struct kith_frame f;

	ok(!parse("a\tb\tc\td\te\n1\tx\t7\tu\tNA\n2\tNA\t8\tv\t?\n", "aatla", KITH_NA_ERROR, &f),
	    "columns of all kinds");
	ok(f.n == 2 && f.name.n == 5 && f.head == 1, "rows and columns");
	ok(f.kind[0] == KITH_AS_NUMBER && f.kind[1] == KITH_AS_TEXT && f.kind[2] == KITH_AS_TEXT &&
		f.kind[3] == KITH_AS_LEVEL && f.kind[4] == KITH_AS_TEXT,
	    "a column without a cell is text");
	ok(number_at(&f, 0, 0) == 1 && number_at(&f, 1, 0) == 2, "numbers");
	is_text(text_at(&f, 0, 1), "x", "a text");
	is_text(text_at(&f, 1, 1), "NA", "a missing one as it stood there");
	is_text(text_at(&f, 1, 2), "8", "a number as text, by order");
	is_text(text_at(&f, 1, 3), "v", "a level");
	is_text(text_at(&f, 0, 4), "NA", "missing, row after row");
	is_text(text_at(&f, 1, 4), "?", "as they stood there");
}

/* Missing cells before the first that is there, by each --na. */
static void
test_late(void)
{
	static const char text[] = "a\tb\nNA\tx\n\tx\n3\tx\nNA\ty\n5\tz\n";
	struct kith_frame f;

	ok(!parse(text, "aa", KITH_NA_MODEL, &f) && f.n == 5, "they stay");
	ok(f.kind[0] == KITH_AS_NUMBER && isnan(number_at(&f, 0, 0)) &&
		isnan(number_at(&f, 1, 0)) && number_at(&f, 2, 0) == 3 &&
		isnan(number_at(&f, 3, 0)) && number_at(&f, 4, 0) == 5,
	    "as missing numbers");
	ok(!parse(text, "aa", KITH_NA_OMIT, &f) && f.n == 2, "they go");
	ok(number_at(&f, 0, 0) == 3 && number_at(&f, 1, 0) == 5, "in order");
	is_text(text_at(&f, 1, 1), "z", "with what belongs to them");
	ok(!parse("a\tb\nx\t1\nNA\t2\n", "la", KITH_NA_OMIT, &f) && f.n == 1,
	    "a row without its level goes");
	ok(!parse("a\tb\nNA\t1\nx\t2\n", "la", KITH_NA_MODEL, &f) && f.n == 2, "or stays");
	is_text(text_at(&f, 0, 0), "NA", "its level missing");
	ok(parse("a\tb\n1\tNA\nNA\t2\n", "nn", KITH_NA_OMIT, &f) < 0, "all go");
	is_text(err.msg, "every row has a missing cell", "which is an error");
	is_size(err.line, 0, "of no line");
	ok(!parse("a\tb\nNA\tNA\n", "ta", KITH_NA_OMIT, &f) && f.n == 1, "texts may be missing");
}

/* Tables, the kinds of their columns, and what is said of them. */
static const char *const bad[][3] = {
    {"a\tb\n1\tx\ny\tx\n", "aa", "3: column \"a\": not a number: 'y' (-x '!COL' or --onehot?)"},
    {"a\tb\n1\tx\n2\t3\n", "aa", "3: column \"b\": a number in a column of text: '3' (-x '!COL'?)"},
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
	struct kith_frame f;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		is_text(parse(bad[i][0], bad[i][1], KITH_NA_ERROR, &f) < 0 ? wrong(&err) : "read",
		    bad[i][2], bad[i][2]);
}

/* What does not fit the message is counted, and other files are named. */
static void
test_long(void)
{
	char text[4000] = "", *to = text, due[200];
	struct kith_frame f;
	const struct kith_format format = {0};
	const char *files[3] = {NULL};

	for (size_t c = 0; c < 20; c++)
		to += sprintf(to, "column-of-a-long-name-%02zu%s", c, c < 19 ? "\t" : "\n");
	for (size_t c = 0; c < 20; c++)
		to += sprintf(to, "NA%s", c < 19 ? "\t" : "\n");
	ok(parse(text, "nnnnnnnnnnnnnnnnnnnn", KITH_NA_ERROR, &f) < 0, "twenty columns");
	ok(strstr(err.msg, "-05\": 1, at line 2; 14 more columns (--na") && strlen(err.msg) < 400,
	    "say the first, and how many more: %s", err.msg);
	files[0] = scratch_text(0, "a\n1\n");
	files[1] = scratch_text(1, "a\nNA\nNA\n");
	ok(!kith_frame_open(&f, files, &format, &pool, &err), "two files");
	ok(kith_frame_rows(&f, KITH_NA_ERROR, &err) < 0, "in the second");
	is_text(err.file, files[1], "which is named");
	files[0] = scratch_text(0, "a\tb\n1\tNA\n");
	files[1] = scratch_text(1, "a\tb\nNA\t1\n");
	ok(!kith_frame_open(&f, files, &format, &pool, &err), "in both");
	f.kind[0] = f.kind[1] = KITH_AS_NUMBER;
	ok(kith_frame_rows(&f, KITH_NA_ERROR, &err) < 0, "cells are missing");
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
	test_kinds();
	test_late();
	test_mistakes();
	test_long();
	kith_pool_free(&pool);
	return done();
}
