/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of text/rows.h with texts, .npy, Matrix Market and svmlight, and with files of other formats,
 * which are refused: bytes in, rows or messages out.
 */
#include "text/rows.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "base/rng.h"
#include "dump.h"
#include "npy.h"
#include "scratch.h"
#include "tap.h"
#include "zipped.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Adds an error: the file, unless it is the first, and the line. */
static void
add_err(struct dump *d, const struct kith_err *err)
{
	const char *slash = err->file ? strrchr(err->file, '/') : NULL;
	const char *file = slash ? slash + 1 : "0";
	const char *in = strstr(err->msg, scratch_dir); /* too random to compare */

	add(d, "%s%s%s%zu: (%d) %.*s%s", d->len ? " " : "", *file == '0' ? "" : file,
	    *file == '0' ? "" : ":", err->line, err->status, in ? (int)(in - err->msg) : 400,
	    err->msg, in ? in + sizeof(scratch_dir) : "");
}

/* Reads the files: names, then rows as text behind their lines, or what is wrong. */
static void
read_all(struct dump *d, const char *const *files, struct kith_format format)
{
	struct kith_pool pool = {0};
	struct kith_err err = {0};
	struct kith_rows t;
	int got;

	d->len = 0;
	*d->text = '\0';
	got = kith_rows_open(&t, files, &format, &pool, &err);
	if (got == 0) {
		for (size_t j = 0; j < t.name.n; j++)
			add(d, "%s%s", j ? "," : "", t.name.name[j]);
		for (size_t n = 0; (got = kith_rows_next(&t, &err)) > 0;) {
			add(d, t.n == ++n ? " %zu:" : " not counted %zu:", t.rec.line);
			for (size_t j = 0; j < t.name.n; j++)
				add(d, "%s%s", j ? "," : "", kith_rec_cell(&t.rec, j)->s);
		}
		kith_rows_close(&t);
	}
	if (got < 0)
		add_err(d, &err);
	kith_pool_free(&pool);
}

#define BYTES(s) (s), sizeof(s) - 1

struct npy_trial {
	const char *name, *head, *cells;
	size_t len;
	const char *out;
};

#define NO "the header is not that of .npy"
#define FIELDS(f) "{'descr': [" f "], 'fortran_order': False, 'shape': (3,)}"
#define SHAPE(s) "{'descr': '<i2', 'fortran_order': True, 'shape': " s "}"
#define BAD(head, why) \
	{ \
		head, head, BYTES(""), "0: (65) " why \
	}
#define ONE_TO_FOUR "\1\0\2\0\3\0\4\0"
#define TYPES ", not f8, f4, i1 to i8, u1 to u8 or b1 (astype(float)?)"

/* clang-format off */
static const struct npy_trial npys[] = {
	{"i2", HEAD("'<i2'", "False", "(2, 2)"), BYTES(ONE_TO_FOUR), "V1,V2 1:1,2 2:3,4"},
	{"b1", HEAD("'|b1'", "False", "(1, 2)"), BYTES("\0\1"), "V1,V2 1:0,1"},
	{"i8, exact as text", HEAD("'<i8'", "False", "(1, 2)"), BYTES("\1\0\0\0\0\0\40\0\377\377\377\377\377\377\377\377"), "V1,V2 1:9007199254740993,-1"},
	{"u8, exact as text", HEAD("'>u8'", "False", "(1, 1)"), BYTES("\377\377\377\377\377\377\377\377"), "V1 1:18446744073709551615"},
	{"f8, nan and inf", HEAD("'<f8'", "False", "(1, 2)"), BYTES("\0\0\0\0\0\0\370\177\0\0\0\0\0\0\360\377"), "V1,V2 1:NA,-inf"},
	{"one dimension", HEAD("'<i2'", "False", "(4,)"), BYTES(ONE_TO_FOUR), "V1 1:1 2:2 3:3 4:4"},
	{"one dimension, by columns", HEAD("'<i2'", "True", "(4,)"), BYTES(ONE_TO_FOUR), "V1 1:1 2:2 3:3 4:4"},
	{"Python 2", HEAD("'<i2'", "False", "(2L, 2L)"), BYTES(ONE_TO_FOUR), "V1,V2 1:1,2 2:3,4"},
	{"fields", HEAD("[('a', '<i2'), (\"b c\", '|u1')]", "False", "(2,)"), BYTES("\1\0\2\3\0\4"), "a,b c 1:1,2 2:3,4"},
	{"fields with room between them", HEAD("[('a', '|u1'), ('', '|V1'), ('b', '<i2')]", "False", "(1,)"), BYTES("\1x\2\0"), "a,b 1:1,2"},
	{"fields and padding", HEAD("[('a', '|u1'), ('b', '<f8'), ('', '|V2'), ('c', '<i2'), ('', '|V4'), ('d', '<u4')]", "False", "(1,)"), BYTES("\1" "\0\0\0\0\0\0\4\300" "xy" "\2\0" "abcd" "\7\0\0\0"), "a,b,c,d 1:1,-2.5,2,7"},
	{"blanks, and keys in another order", "  {\"shape\":\n(2L,2L,),\t'descr':'<i2' , 'fortran_order':False}", BYTES(ONE_TO_FOUR), "V1,V2 1:1,2 2:3,4"},
	{"texts", HEAD("[('a', '|S3'), ('b', '<i2'), ('c', 'S1')]", "False", "(2,)"), BYTES("x\0\0\1\0y" "abc\2\0z"), "a,b,c 1:x,1,y 2:abc,2,z"},
	{"texts, the second shorter", HEAD("[('a', '|S3'), ('b', '<U2')]", "False", "(2,)"), BYTES("abc\1\1\0\0\2\1\0\0x\0\0\3\1\0\0\0\0\0\0"), "a,b 1:abc,\u0101\u0102 2:x,\u0103"},
	{"texts, bytes that are no UTF-8", HEAD("[('a', '|S3')]", "False", "(1,)"), BYTES("\xff,\t"), "a 1:\xff,\t"},
	{"characters", HEAD("[('a', '<U2'), ('b', '>U1')]", "False", "(1,)"), BYTES("\xe9\0\0\0\0\0\0\0\0\1\xf6\0"), "a,b 1:\u00e9,\U0001f600"},
	{"characters of each length", HEAD("[('a', '<U9')]", "False", "(1,)"), BYTES("\177\0\0\0\200\0\0\0\377\7\0\0\0\10\0\0\377\327\0\0\0\340\0\0\377\377\0\0\0\0\1\0\377\377\20\0"), "a 1:\x7f\xc2\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"},
	{"characters to their last byte", HEAD("[('a', '<U2')]", "False", "(1,)"), BYTES("\0\1\0\0\0\1\0\0"), "a 1:\u0100\u0100"},
	{"texts that are numbers, or missing", HEAD("[('a', '|S3')]", "False", "(3,)"), BYTES("1.5\0\0\0NA\0"), "a 1:1.5 2: 3:NA"},
	{"texts without bytes", HEAD("[('a', '|S0'), ('b', '|u1'), ('c', '<U0')]", "False", "(2,)"), BYTES("\1\2"), "a,b,c 1:,1, 2:,2,"},
	{"names of all sorts", HEAD("[('a\\\\\\'\\x41\\u03b1\\U0001F600', '|u1'), (\"'\\\"\", '|u1')]", "False", "(1,)"), BYTES("\1\2"), "a\\'A\u03b1\U0001f600,'\" 1:1,2"},

	{"a text with a null byte", HEAD("[('a', '|S3')]", "False", "(1,)"), BYTES("a\0b"), "a 1: (65) column \"a\": a null byte in a text"},
	{"no character", HEAD("[('a', '<U1')]", "False", "(1,)"), BYTES("\0\330\0\0"), "a 1: (65) column \"a\": a character that is none"},
	{"the last that is none", HEAD("[('a', '<U1')]", "False", "(1,)"), BYTES("\377\337\0\0"), "a 1: (65) column \"a\": a character that is none"},
	{"beyond all characters", HEAD("[('a', '<U1')]", "False", "(1,)"), BYTES("\0\0\21\0"), "a 1: (65) column \"a\": a character that is none"},
	{"records of no bytes", HEAD("[('a', '|S0')]", "False", "(1,)"), BYTES(""), "0: (65) records of no bytes"},
	{"a long text", HEAD("[('a', '|S268435457')]", "False", "(1,)"), BYTES(""), "0: (65) the header is not that of .npy"},
	{"long records", HEAD("[('a', '|S268435456'), ('b', '|u1')]", "False", "(1,)"), BYTES(""), "0: (65) records of too many bytes"},
	{"a text of what length", HEAD("[('a', '|S')]", "False", "(1,)"), BYTES("x"), "0: (65) the header is not that of .npy"},
	{"an escape that is none", HEAD("[('\\q', '|u1')]", "False", "(1,)"), BYTES("x"), "0: (65) fields that are no plain columns"},
	{"an escape that is cut", HEAD("[('\\x4', '|u1')]", "False", "(1,)"), BYTES("x"), "0: (65) fields that are no plain columns"},
	{"a name with a null byte", HEAD("[('a\\x00', '|u1')]", "False", "(1,)"), BYTES("x"), "0: (65) fields that are no plain columns"},
	{"half a character", HEAD("[('\\ud800', '|u1')]", "False", "(1,)"), BYTES("x"), "0: (65) fields that are no plain columns"},
	{"no rows", HEAD("'<i2'", "False", "(0, 2)"), BYTES(""), "V1,V2 0: (65) no row"},
	{"no columns", HEAD("'<i2'", "False", "(2, 0)"), BYTES(""), "0: (65) no column"},
	{"truncated", HEAD("'<i2'", "False", "(2, 2)"), BYTES("\1\0\2\0\3\0\4"), "0: (65) truncated"},
	{"nothing behind the header", HEAD("'<i2'", "True", "(2, 2)"), BYTES(""), "0: (65) truncated"},
	{"more bytes", HEAD("'<i2'", "False", "(1, 2)"), BYTES(ONE_TO_FOUR), "0: (65) other bytes behind the array"},
	{"no dimension", HEAD("'<i2'", "False", "()"), BYTES("\1\0"), "0: (65) an array of 0 dimensions, not a table"},
	{"three dimensions", HEAD("'<i2'", "False", "(1, 2, 2)"), BYTES(ONE_TO_FOUR), "0: (65) an array of 3 dimensions, not a table"},
	{"two dimensions of records", HEAD("[('a', '<i2')]", "False", "(2, 2)"), BYTES(ONE_TO_FOUR), "0: (65) an array of 2 dimensions of records, not a table"},
	{"objects", HEAD("'|O'", "False", "(2, 2)"), BYTES("x"), "0: (65) objects of Python, not numbers (astype(float)?)"},
	{"strings", HEAD("'<U3'", "False", "(2, 2)"), BYTES("x"), "0: (65) cells of type '<U3'" TYPES},
	{"half floats", HEAD("'<f2'", "False", "(2, 2)"), BYTES("x"), "0: (65) cells of type '<f2'" TYPES},
	{"complex fields", HEAD("[('a', '<c16')]", "False", "(2,)"), BYTES("x"), "0: (65) cells of type '<c16'" TYPES},
	{"fields in fields", HEAD("[('a', [('b', '<i2')])]", "False", "(2,)"), BYTES("x"), "0: (65) fields that are no plain columns"},
	{"fields of several cells", HEAD("[('a', '<i2', (2,))]", "False", "(2,)"), BYTES("x"), "0: (65) fields of several cells each"},
	{"two fields of a name", HEAD("[('a', '|i1'), ('a', '|i1')]", "False", "(1,)"), BYTES("xx"), "0: (65) column \"a\": two of that name"},
	{"more than memory can be", HEAD("'<i2'", "False", "(99999999999999, 999999)"), BYTES("x"), "0: (65) the header is not that of .npy"},
	{"too many columns", HEAD("'<i2'", "False", "(1, 99999999)"), BYTES("x"), "0: (65) 99999999 columns, where 10000000 are the most"},
	{"no shape", "{'descr': '<f8', 'fortran_order': False}", BYTES(""), "0: (65) the header is not that of .npy"},
	{"no dict", "[1, 2]", BYTES(""), "0: (65) the header is not that of .npy"},
	{"a dict without end", "{'descr': '<f8', ", BYTES(""), "0: (65) the header is not that of .npy"},

	BAD("", NO),
	BAD("{}", NO),
	BAD("{'descr'", NO),
	BAD("{'descr': 3", NO),
	BAD("{descr: '<i2'", NO),
	BAD("{'descr': '<i2', 'descr': '<i2', 'fortran_order': True, 'shape': (1, 2)}", NO),
	BAD("{'descr': '<i2', 'fortran_order': True, 'fortran_order': True, 'shape': (1, 2)}", NO),
	BAD("{'descr': '<i2', 'fortran_order': True, 'shape': (1, 2), 'shape': (1, 2)}", NO),
	BAD("{'descr': '<i2', 'fortran_order': Perhaps, 'shape': (1, 2)}", NO),
	BAD("{'descr': '<i2', 'fortran_order': True}", NO),
	BAD("{'descr': '<i2', 'shape': (1, 2)}", NO),
	BAD("{'fortran_order': True, 'shape': (1, 2)}", NO),
	BAD("{'descr': '<i2', 'fortran_order': True, 'shape': (1, 2), 'x': 1}", NO),
	BAD(SHAPE("1, 2"), NO),
	BAD(SHAPE("(x)"), NO),
	BAD(SHAPE("(-1, 2)"), NO),
	BAD(SHAPE("(1, 2"), NO),
	BAD(SHAPE("(99999999999999999999, 2)"), NO),
	BAD(SHAPE("(18446744073709551616, 2)"), NO),
	BAD(SHAPE("(1, 9223372036854775808)"), NO),
	BAD(SHAPE("(4611686018427387904, 2)"), NO),
	BAD(FIELDS("('', '|V268435457'), ('a', '<i2')"), NO),
	BAD(FIELDS("('', '|V'), ('a', '<i2')"), NO),
	BAD(FIELDS("('', '|V1')"), "records without fields"),
	BAD(FIELDS(""), "records without fields"),
	BAD(FIELDS("('a', '<i2'"), "fields of several cells each"),
	BAD(FIELDS("('a' '<i2')"), "fields that are no plain columns"),
	BAD(FIELDS("('a',)"), "fields that are no plain columns"),
	BAD(FIELDS("'a'"), "fields that are no plain columns"),
	BAD(FIELDS("('a', '|S1x')"), NO),
	BAD(FIELDS("('a', '|U268435457')"), NO),
	BAD(FIELDS("('a', '|U67108865')"), "records of too many bytes"),
	BAD(FIELDS("('', '|V1048576'), ('a', '|S268435456'), "), "records of too many bytes"),
	BAD(FIELDS("('a', '|S268435456')"), "truncated"),
	BAD("{'descr': '', 'fortran_order': True, 'shape': (1, 2)}", "cells of type ''" TYPES),
	BAD("{'descr': '!i2', 'fortran_order': True, 'shape': (1, 2)}", "cells of type '!i2'" TYPES),
	BAD("{'descr': 'O', 'fortran_order': True, 'shape': (1, 2)}", "objects of Python, not numbers (astype(float)?)"),
};
/* clang-format on */

/* A regular file and gzip: the same rows, or the same message. */
static void
test_npy(void)
{
	for (size_t i = 0; i < sizeof(npys) / sizeof(*npys); i++) {
		const struct npy_trial *t = &npys[i];
		char bytes[1000];
		const size_t len = put_npy(bytes, 1 + (int)i % 3, t->head, t->cells, t->len);
		const char *files[] = {scratch(0, bytes, len), NULL};
		struct dump got;
		bool at_end;

		read_all(&got, files, (struct kith_format){0});
		is_text(got.text, t->out, t->name);
		files[0] = zipped(0, bytes, len);
		read_all(&got, files, (struct kith_format){0});
		/* A stream knows at its end only what is wrong there: behind its names and rows. */
		at_end = strstr(t->out, "truncated") || strstr(t->out, "bytes behind");
		ok(strcmp(got.text, t->out) == 0 ||
			(at_end && got.len > strlen(t->out) &&
			    strcmp(got.text + got.len - strlen(t->out), t->out) == 0),
		    "%s, gzip: %s", t->name, got.text);
	}
}

/* Bytes of names are Latin-1 up to version 2, then UTF-8. */
static void
test_npy_names(void)
{
	static const char *const due[] = {"\u00c3\u00a9 1:1", "\u00e9 1:1"};

	for (int version = 1; version <= 3; version++) {
		char bytes[1000];
		const size_t len = put_npy(
		    bytes, version, HEAD("[('\u00e9', '|u1')]", "False", "(1,)"), "\1", 1);
		struct dump got;

		read_all(
		    &got, (const char *[]){scratch(0, bytes, len), NULL}, (struct kith_format){0});
		is_text(got.text, due[version == 3],
		    version == 3 ? "names in UTF-8" : "names in Latin-1");
	}
}

/* Cells of format.missing, of texts and numbers in one record. */
static void
test_npy_missing(void)
{
	char bytes[1000];
	const size_t len = put_npy(bytes, 1,
	    HEAD("[('a', '|S2'), ('b', '|u1'), ('c', '|S1')]", "False", "(2,)"),
	    "99\t-"
	    "1\0"
	    "c0",
	    8);
	struct dump got;

	read_all(&got, (const char *[]){scratch(0, bytes, len), NULL},
	    (struct kith_format){.missing = "99,-"});
	is_text(got.text, "a,b,c 1:NA,9,NA 2:1,NA,0", "missing words among texts and numbers");
}

/* A file that is truncated while it is read. */
static void
test_npy_cut(void)
{
	enum { ROWS = 100000 };
	char head[200];
	const char *files[] = {scratch(0, "", 0), NULL};
	struct kith_pool pool = {0};
	char *bytes = kith_new(&pool, 8 * ROWS + 300, 1);
	struct kith_rows t;
	struct kith_err err = {0};
	size_t n = 0, len;
	int got = 1;

	snprintf(head, sizeof(head), HEAD("'<f8'", "False", "(%d, 1)"), ROWS);
	len = put_npy(bytes, 1, head, bytes + 200, 0);
	files[0] = scratch(0, bytes, len + sizeof(double) * ROWS);
	if (kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err))
		abort();
	is_size(t.rec.rows, ROWS, "rows of a file, before they are read");
	while (got > 0 && n < 10)
		n += (got = kith_rows_next(&t, &err)) > 0;
	if (truncate(files[0], 4096))
		abort();
	while ((got = kith_rows_next(&t, &err)) > 0)
		n++;
	ok(got < 0 && n < ROWS && err.status == EX_DATAERR,
	    "a file that is cut after 10 rows ends with an error, not a "
	    "signal: "
	    "%zu rows, %s",
	    n, err.msg);
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

/* Headers cut short anywhere, and versions that are not known. */
static void
test_npy_start(void)
{
	char bytes[1000];
	const size_t len = put_npy(bytes, 2, HEAD("'<i2'", "False", "(2, 2)"), ONE_TO_FOUR, 8);
	size_t right = 0;
	struct dump got;

	for (size_t cut = 6; cut < len; cut++) {
		const char *files[] = {scratch(0, bytes, cut), NULL};

		read_all(&got, files, (struct kith_format){0});
		right += strcmp(got.text, "0: (65) truncated") == 0;
	}
	is_size(right, len - 6, "a file cut short anywhere");
	bytes[6] = 4;
	read_all(&got, (const char *[]){scratch(0, bytes, len), NULL}, (struct kith_format){0});
	is_text(got.text, "0: (65) version 4 of .npy (1 to 3 are known)", "a later version");
}

struct trial {
	const char *name, *in[SCRATCHES]; /* files, the last one NULL */
	struct kith_format format;
	const char *out;
};

#define MTX "%%MatrixMarket matrix "
#define LIGHT .form = KITH_FORM_SVMLIGHT

/* clang-format off */
static const struct trial trials[] = {
	{"a table", {"a,b\n1,2\n3,4\n"}, {0}, "a,b 2:1,2 3:3,4"},
	{"two files", {"a,b\n1,2\n", "# x\na,b\n3,4\n"}, {0}, "a,b 2:1,2 3:3,4"},
	{"files that differ in form", {"a,b\n1,2", "\"a\"\tb\r\n3\t4\r\n"}, {0}, "a,b 2:1,2 2:3,4"},
	{"no header", {"1,2\n3,4\n"}, {.no_header = true}, "V1,V2 1:1,2 2:3,4"},
	{"no header in two files", {"1,2\n", "3,4\n"}, {.no_header = true}, "V1,V2 1:1,2 1:3,4"},
	{"names that are numbers", {"1,2\n3,4\n"}, {.header = true}, "1,2 2:3,4"},
	{"two names and two numbers", {"1,2,a,b\n3,4,5,6\n"}, {0}, "1,2,a,b 2:3,4,5,6"},
	{"a header and no row, then rows", {"a\n", "a\n1\n", "a\n"}, {0}, "a 2:1"},
	{"one column with an empty quoted cell", {"a\n\"\"\nNA\n"}, {0}, "a 2: 3:NA"},

	{"empty input", {""}, {0}, "0: (65) empty input"},
	{"comments alone", {"# a\n"}, {0}, "0: (65) empty input"},
	{"blank lines alone", {"\n\n"}, {.no_header = true}, "0: (65) empty input"},
	{"second file empty", {"a\n1\n", ""}, {0}, "a 2:1 1:0: (65) empty input"},
	{"header only", {"a,b\n"}, {0}, "a,b 0: (65) no row below the header"},
	{"headers only", {"a,b\n", "a,b\n"}, {0}, "a,b 1:0: (65) no row below the header"},
	{"numbers in order", {"1,2\n3,4\n"}, {0}, "1,2 2:3,4"},
	{"numbers from 0 and a class", {"0,1,y\n3,4,a\n"}, {0}, "0,1,y 2:3,4,a"},
	{"names are numbers", {"2,3\n3,4\n"}, {0}, "1: (65) names are numbers (-H/--no-header?)"},
	{"names are numbers but one", {"# x\n5.1,3.5,setosa\n"}, {0}, "2: (65) names are numbers (-H/--no-header?)"},
	{"name is a number", {"5\n"}, {0}, "1: (65) names are numbers (-H/--no-header?)"},
	{"name is a huge number", {"1e999\n"}, {0}, "1: (65) names are numbers (-H/--no-header?)"},
	{"one number, one name", {"5,a\n"}, {0}, "1: (65) names are numbers (-H/--no-header?)"},
	{"no number, one name", {"a\n1\n"}, {0}, "a 2:1"},
	{"equal names", {"a,b,a\n1,2,3\n"}, {0}, "1: (65) column \"a\": two of that name (-H/--no-header?)"},
	{"equal names that are numbers", {"5,5,a\n"}, {0}, "1: (65) column \"5\": two of that name (-H/--no-header?)"},
	{"equal names that shall be names", {"5,5,a\n"}, {.header = true}, "1: (65) column \"5\": two of that name (-H/--no-header?)"},
	{"empty name", {"a,b,\n1,2,3\n"}, {0}, "1: (65) column 3: empty name (a delimiter at the end of the line?)"},
	{"empty names", {"a,,\n1,2,3\n"}, {0}, "1: (65) column 2: empty name"},
	{"short row", {"a,b,c\n1,2,3\n1,2\n"}, {0}, "a,b,c 2:1,2,3 3: (65) 2 cells where the header has 3"},
	{"long row", {"a,b\n1,2,3,4\n"}, {0}, "a,b 2: (65) 4 cells where the header has 2"},
	{"names of rows", {"a,b\nr,2,3\n", "a,b\ns,4,5\n"}, {0}, ",a,b 2:r,2,3 2:s,4,5"},
	{"names of rows, but not of all", {"a,b\nr,2,3\n4,5\n"}, {0}, ",a,b 2:r,2,3 3: (65) 2 cells where the first row has 3"},
	{"names of rows, and numbers", {"\"\",0,1\nr,2,3\n"}, {0}, ",0,1 2:r,2,3"},
	{"names of rows, and years", {",2001,2002\nr,2,3\n"}, {0}, "1: (65) names are numbers (-H/--no-header?)"},
	{"an empty name alone", {"\"\"\n1\n"}, {0}, "1: (65) column 1: empty name"},
	{"decimal commas", {"a;b\n1,5;2\n", "a;b\n3,4\n"}, {0}, "a,b 2:1,5,2 1:2: (65) 1 cells where the header has 2"},
	{"short row without header", {"1,2\n3\n"}, {.no_header = true}, "V1,V2 1:1,2 2: (65) 1 cells where the first row has 2"},
	{"second file of another width", {"1,2\n", "3,4,5\n"}, {.no_header = true}, "V1,V2 1:1,2 1:1: (65) 3 cells where the first row has 2"},
	{"other header", {"a,b\n1,2\n", "\n", "a\n"}, {0}, "a,b 2:1,2 1:0: (65) empty input"},
	{"names in another order", {"a,b\n1,2\n", "b,a\n1,2\n"}, {0}, "a,b 2:1,2 1:1: (65) the header differs from that of 0"},
	{"fewer names", {"a,b\n1,2\n", "a\n1\n"}, {0}, "a,b 2:1,2 1:1: (65) the header differs from that of 0"},
	{"more names", {"a,b\n", "a,b,c\n1,2,3\n"}, {0}, "a,b 1:1: (65) the header differs from that of 0"},
	{"bad header", {"a,\"b\"c\n"}, {0}, "1: (65) text behind a closing quotation mark"},
	{"bad row", {"a,b\n1,\"2\n"}, {0}, "a,b 2: (65) quoted cell without end"},
	{"blank line", {"a\n1\n\n2\n"}, {0}, "a 2:1 3: (65) blank line"},

	{"array", {MTX "array real general\n% x\n\n2 3\n1\n2\n3\n4.5\n-5\n6e1\n"}, {0}, "V1,V2,V3 1:1,3,-5 2:2,4.5,60"},
	{"symmetric array", {MTX "Array Integer Symmetric\n3 3\n1\n2\n3\n4\n5\n6"}, {0}, "V1,V2,V3 1:1,2,3 2:2,4,5 3:3,5,6"},
	{"skew-symmetric array", {MTX "array real skew-symmetric\n3 3\n1\n2\n3\n"}, {0}, "V1,V2,V3 1:0,-1,-2 2:1,0,-3 3:2,3,0"},
	{"coordinate", {MTX "coordinate real general\r\n2 3 3\r\n2 3 7\r\n1 1 -1\r\n2 1 nan\r\n"}, {0}, "V1,V2,V3 1:-1,0,0 2:NA,0,7"},
	{"a pattern", {MTX "coordinate pattern general\n2 2 1\n2 1\n"}, {0}, "V1,V2 1:0,0 2:1,0"},
	{"symmetric", {MTX "coordinate integer symmetric\n2 2 2\n1 1 3\n2 1 4\n"}, {0}, "V1,V2 1:3,4 2:4,0"},
	{"skew-symmetric", {MTX "coordinate real skew-symmetric\n2 2 1\n2 1 4\n"}, {0}, "V1,V2 1:0,-4 2:4,0"},
	{"two files", {MTX "array real general\n1 2\n1\n2\n", "V1,V2\n3,4\n"}, {0}, "V1,V2 1:1,2 2:3,4"},
	{"two files of other columns", {MTX "array real general\n1 2\n1\n2\n", "a,b\n3,4\n"}, {0}, "V1,V2 1:1,2 1:1: (65) the header differs from that of 0"},
	{"the second wider", {MTX "array real general\n1 1\n1\n", MTX "array real general\n1 2\n1\n2\n"}, {0}, "V1 1:1 1:0: (65) the columns differ from those of 0"},
	{"no rows", {MTX "array real general\n0 2\n"}, {0}, "V1,V2 0: (65) no row"},
	{"no columns", {MTX "array real general\n2 0\n"}, {0}, "0: (65) no column"},
	{"truncated array", {MTX "array real general\n2 2\n1\n2\n3\n"}, {0}, "5: (65) truncated"},
	{"truncated coordinate", {MTX "coordinate real general\n2 2 2\n1 1 1\n"}, {0}, "3: (65) truncated"},
	{"no size", {MTX "coordinate real general\n% x\n"}, {0}, "2: (65) truncated"},
	{"too many numbers", {MTX "array real general\n1 2\n1\n2\n7\n"}, {0}, "5: (65) more entries than there should be"},
	{"too many of a symmetric array", {MTX "array real symmetric\n2 2\n1\n2\n3\n7\n"}, {0}, "6: (65) more entries than there should be"},
	{"too many of a skew-symmetric array", {MTX "array real skew-symmetric\n2 2\n1\n7\n"}, {0}, "4: (65) more entries than there should be"},
	{"too many entries", {MTX "coordinate real general\n2 2 1\n1 1 1\n2 2 2\n"}, {0}, "4: (65) more entries than there should be"},
	{"twice", {MTX "coordinate real general\n2 2 2\n1 2 1\n1 2 2\n"}, {0}, "0: (65) row 1, column 2: listed twice"},
	{"outside", {MTX "coordinate real general\n2 2 1\n3 1 1\n"}, {0}, "3: (65) no row and column of the matrix: '3'"},
	{"above the diagonal", {MTX "coordinate real symmetric\n2 2 1\n1 2 1\n"}, {0}, "3: (65) not below the diagonal"},
	{"no number", {MTX "array real general\n1 1\nx\n"}, {0}, "3: (65) not a number: 'x'"},
	{"infinity", {MTX "array real general\n1 1\ninf\n"}, {0}, "3: (65) not a number: 'inf'"},
	{"complex", {MTX "array complex general\n1 1\n1 2\n"}, {0}, "1: (65) not real, integer or pattern: 'complex'"},
	{"Hermitian", {MTX "array real hermitian\n1 1\n1\n"}, {0}, "1: (65) not general, symmetric or skew-symmetric: 'hermitian'"},
	{"no square", {MTX "array real symmetric\n1 2\n1\n"}, {0}, "2: (65) not as many rows as columns"},
	{"half a banner", {MTX "array\n1 2\n1\n"}, {0}, "1: (65) the banner ends early"},
	{"a vector", {"%%MatrixMarket vector array real general\n1\n1\n"}, {0}, "1: (65) not a matrix: 'vector'"},
	{"one % and a mark", {"\xEF\xBB\xBF%MatrixMarket matrix array real general\n1 2\n1\n5\n"}, {0}, "V1,V2 1:1,5"},
	{"neither array nor coordinate: 'band'", {MTX "band real general\n1 1\n1\n"}, {0}, "1: (65) neither array nor coordinate: 'band'"},
	{"an array of a pattern", {MTX "array pattern general\n1 1\n"}, {0}, "1: (65) an array of a pattern"},
	{"the banner ends early", {MTX "array real\n1 1\n1\n"}, {0}, "1: (65) the banner ends early"},
	{"no word behind the mark", {"%%MatrixMarket\n1 1\n1\n"}, {0}, "1: (65) the banner ends early"},
	{"not rows and columns of a matrix", {MTX "array real general\n1\n1\n"}, {0}, "2: (65) not rows and columns of a matrix"},
	{"not rows and columns of a matrix", {MTX "array real general\n1 x\n1\n"}, {0}, "2: (65) not rows and columns of a matrix"},
	{"not rows and columns of a matrix", {MTX "array real general\n-1 1\n1\n"}, {0}, "2: (65) not rows and columns of a matrix"},
	{"not rows, columns and entries of a matrix", {MTX "coordinate real general\n1 1\n1 1 1\n"}, {0}, "2: (65) not rows, columns and entries of a matrix"},
	{"more than the size of a matrix", {MTX "array real general\n1 1 1\n1\n"}, {0}, "2: (65) more than the size of a matrix"},
	{"more than the size of a matrix", {MTX "coordinate real general\n1 1 1 1\n1 1 1\n"}, {0}, "2: (65) more than the size of a matrix"},
	{"too many rows", {MTX "array real general\n9999999999999999999 9\n1\n"}, {0}, "2: (65) too many rows"},
	{"not rows and columns of a matrix", {MTX "array real general\n99999999999999999999 1\n1\n"}, {0}, "2: (65) not rows and columns of a matrix"},
	{"truncated", {MTX "array real general\n4294967295 9\n1\n"}, {0}, "3: (65) truncated"},
	{"too many rows", {MTX "coordinate real general\n5000000000 3 1\n1 1 1\n"}, {0}, "2: (65) too many rows"},
	{"too many rows", {MTX "coordinate real general\n4294967296 3 1\n1 1 1\n"}, {0}, "2: (65) too many rows"},
	{"truncated", {MTX "coordinate real general\n2 3 5000000000\n1 1 1\n"}, {0}, "3: (65) truncated"},
	{"10000001 columns, where 10000000 are the most", {MTX "coordinate real general\n2 10000001 1\n1 1 1\n"}, {0}, "0: (65) 10000001 columns, where 10000000 are the most"},
	{"5000000000 columns, where 10000000 are the most", {MTX "array real symmetric\n5000000000 5000000000\n1\n"}, {0}, "0: (65) 5000000000 columns, where 10000000 are the most"},
	{"too large for a double: '1e999'", {MTX "array real general\n1 1\n1e999\n"}, {0}, "3: (65) too large for a double: '1e999'"},
	{"truncated", {MTX "array real general\n1 1\n% x\n\n"}, {0}, "4: (65) truncated"},
	{"no row and column of the matrix: '3'", {MTX "coordinate real general\n2 2 1\n1 3 1\n"}, {0}, "3: (65) no row and column of the matrix: '3'"},
	{"no row and column of the matrix: '0'", {MTX "coordinate real general\n2 2 1\n1 0 1\n"}, {0}, "3: (65) no row and column of the matrix: '0'"},
	{"no row and column of the matrix: ''", {MTX "coordinate real general\n2 2 1\n1\n"}, {0}, "3: (65) no row and column of the matrix: ''"},
	{"not a number: ''", {MTX "coordinate real general\n2 2 1\n1 1\n"}, {0}, "3: (65) not a number: ''"},
	{"more than an entry", {MTX "coordinate real general\n2 2 1\n1 1 1 1\n"}, {0}, "3: (65) more than an entry"},
	{"more than an entry", {MTX "coordinate pattern general\n2 2 1\n1 1 1\n"}, {0}, "3: (65) more than an entry"},
	{"not below the diagonal", {MTX "coordinate real skew-symmetric\n2 2 1\n1 1 1\n"}, {0}, "3: (65) not below the diagonal"},
	{"no byte", {""}, {0}, "0: (65) empty input"},
	{"comments, blank lines and any case", {"%%MatrixMarket MATRIX Array REAL General\n% a comment\n\n \t\n2 2\n1\n\n% b\nNA\n3\n 4\t\n\n%\n"}, {0}, "V1,V2 1:1,3 2:NA,4"},

	{"svmlight", {"+1 1:0.5 3:2 # x:y\n-1.50 qid:7 2:1e-3\r\n# c\n0\n\n"}, {LIGHT}, "label,V1,V2,V3,qid 1:1,0.5,0,2,NA 2:-1.5,0,0.001,0,7 4:0,0,0,0,NA"},
	{"svmlight, blanks", {"\xEF\xBB\xBF" "1 qid: 3 1: .50 3:\t2 \n"}, {LIGHT}, "label,V1,V2,V3,qid 1:1,0.5,0,2,3"},
	{"svmlight, no value", {"1 1:\n"}, {LIGHT}, "1: (65) not a number: ''"},
	{"nan", {"nan 1:NaN\n"}, {LIGHT}, "label,V1 1:NA,NA"},
	{"labels alone", {"1\n2\n"}, {LIGHT}, "label 1:1 2:2"},
	{"a narrow file behind a wide one", {"1 3:2\n", "0 1:1\n"}, {LIGHT}, "label,V1,V2,V3 1:1,0,0,2 1:0,1,0,0"},
	{"a wide file behind a narrow one", {"1 1:2\n", "0 3:1\n"}, {LIGHT}, "label,V1 1:1,2 1:0: (65) the columns differ from those of 0 (first the file with most of them?)"},
	{"index 0", {"1 1:1\n1 0:1 1:2\n"}, {LIGHT}, "2: (65) index 0: indices are counted from 1 (dump_svmlight_file: zero_based=False?)"},
	{"indices that do not increase", {"1 2:1 2:2\n"}, {LIGHT}, "1: (65) index 2: indices must increase"},
	{"index 10000000: too large", {"1 1:1\n1 10000000:1\n"}, {LIGHT}, "2: (65) index 10000000: too large"},
	{"index 5000000000: too large", {"1 1:1\n1 5000000000:1\n"}, {LIGHT}, "2: (65) index 5000000000: too large"},
	{"index 18446744073709551615: too large", {"1 1:1\n1 18446744073709551615:1\n"}, {LIGHT}, "2: (65) index 18446744073709551615: too large"},
	{"not an index: '18446744073709551616'", {"1 1:1\n1 18446744073709551616:1\n"}, {LIGHT}, "2: (65) not an index: '18446744073709551616'"},
	{"not an index: '-1'", {"1 1:1\n1 -1:1\n"}, {LIGHT}, "2: (65) not an index: '-1'"},
	{"no index", {"1 x:1\n"}, {LIGHT}, "1: (65) not an index: 'x'"},
	{"no pair", {"1 2\n"}, {LIGHT}, "1: (65) not INDEX:VALUE: '2'"},
	{"no value", {"1 2:\n"}, {LIGHT}, "1: (65) not a number: ''"},
	{"infinite", {"1 2:-inf\n"}, {LIGHT}, "1: (65) not a number: '-inf'"},
	{"too large", {"1 2:1e999\n"}, {LIGHT}, "1: (65) too large for a double: '1e999'"},
	{"no label", {"1:1 2:1\n"}, {LIGHT}, "1: (65) no label before '1:1'"},
	{"a label that is text", {"a 2:1\n"}, {LIGHT}, "1: (65) not a number: 'a'"},
	{"blank line", {"1 2:1\n\n1 2:1\n"}, {LIGHT}, "2: (65) blank line"},
	{"nothing", {"# x\n"}, {LIGHT}, "0: (65) empty input"},

	{"svmlight not asked for", {"1 1:0.5 3:2\n"}, {0}, "1: (65) LABEL INDEX:VALUE ... (tabscale --format svmlight?)"},
	{"with qid", {"# x\n-1 qid:2 3:2 # a,b\n"}, {0}, "2: (65) LABEL INDEX:VALUE ... (tabscale --format svmlight?)"},
	{"with a blank behind the colon", {"1 6: .5\n"}, {0}, "1: (65) LABEL INDEX:VALUE ... (tabscale --format svmlight?)"},
	{"no svmlight", {"1 1:0.5x\n2\n"}, {0}, "1 1:0.5x 2:2"},
	{"times are none", {"12:30\n"}, {0}, "12:30 0: (65) no row below the header"},
	{"insisted on", {"1 1:0.5\n2\n"}, {.form = KITH_FORM_CSV}, "1 1:0.5 2:2"},
	{"blanks", {"a b c\n1 2 3\n4 5 6\n"}, {0}, "1: (65) cells divided by blanks (-d space?)"},
	{"blanks, no names", {"1 2\n3 4"}, {0}, "1: (65) cells divided by blanks (-d space?)"},
	{"runs of blanks", {" a b\n 1  2\n"}, {0}, "1: (65) cells divided by blanks (-d space?)"},
	{"bars", {"a|b\n1|2\n3 | -4e5\n"}, {0}, "1: (65) cells divided by '|' (-d '|'?)"},
	{"one column of texts", {"a b\n1 2\n3 x\n"}, {0}, "a b 2:1 2 3:3 x"},
	{"one column of a name", {"a\n1 2\n3 4\n"}, {0}, "a 2:1 2 3:3 4"},
	{"one column, header alone", {"a b\n"}, {0}, "a b 0: (65) no row below the header"},
	{"one column of other counts", {"a b\n1 2\n3 4 5\n"}, {0}, "a b 2:1 2 3:3 4 5"},
	{"one column of quotes", {"a b\n\"1 2\"\n"}, {0}, "a b 2:1 2"},
	{"one column with an empty bar", {"a|b\n1|\n"}, {0}, "a|b 2:1|"},
	{"ARFF", {"@RELATION iris\n"}, {0}, "0: (65) ARFF (write it as CSV?)"},
	{"ARFF with comments", {"% a\n%\n\n@relation iris\n"}, {0}, "0: (65) ARFF (write it as CSV?)"},
	{"percents", {"% a\n% b\n"}, {0}, "% a 2:% b"},
	{"Parquet", {"PAR1\x15 and so on"}, {0}, "0: (65) Parquet (write it as CSV?)"},
	{"a name that begins as Parquet does", {"PAR1\n2\n"}, {0}, "PAR1 2:2"},
	{"HDF5", {"\x89HDF\r\n\x1a\n"}, {0}, "0: (65) HDF5 (write it as CSV or .npy?)"},
	{"RData", {"RDX3\nX\n"}, {0}, "0: (65) RData of R (write.csv?)"},
};
/* clang-format on */

/* Whether a text has a number that may be beyond 32 bits. */
static bool
is_wide(const char *s)
{
	const char *end;

	for (; (s = strpbrk(s, "123456789")) != NULL; s = end) {
		end = s + strspn(s, "0123456789");
		if (end - s >= 10)
			return true;
	}
	return false;
}

static void
test_trials(void)
{
	for (size_t i = 0; i < sizeof(trials) / sizeof(*trials); i++) {
		const struct trial *t = &trials[i];
		const char *files[SCRATCHES + 1] = {NULL};
		struct dump got;

		if (sizeof(size_t) < 8 && is_wide(t->in[0]))
			continue;
		for (size_t k = 0; t->in[k]; k++)
			files[k] = scratch_text(k, t->in[k]);
		read_all(&got, files, t->format);
		is_text(got.text, t->out, t->name);
	}
}

/* Files of other formats, by their first bytes. */
static void
test_other_formats(void)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *due;
	} all[] = {
	    {BYTES("SQLite format 3\0x"), "0: (65) SQLite (sqlite3 -header -csv?)"},
	    {BYTES("X\n\0\0\0\2"), "0: (65) rds of R (write.csv?)"},
	    {BYTES("\x28\xb5\x2f\xfdxx"), "0: (65) zstd (zstdcat?)"},
	    {BYTES("\xfd\x37zXZ\0"), "0: (65) xz (xzcat?)"},
	    {BYTES("BZh91AY&SYxx"), "0: (65) bzip2 (bzcat?)"},
	    {BYTES("BZh9,1AY&SY\n1,2\n"), "BZh9,1AY&SY 2:1,2"},
	    {BYTES("PK\3\4xx"), "0: (65) zip (unzip -p?)"},
	    {BYTES("PK\5\6"), "0: (65) zip (unzip -p?)"},
	    {BYTES("\xff\xfe"
		   "a"),
		"0: (65) UTF-16 (iconv -f UTF-16 -t UTF-8?)"},
	    {BYTES("\xfe\xff"), "0: (65) UTF-16 (iconv -f UTF-16 -t UTF-8?)"},
	    {BYTES("\0\0\xfe\xff"), "0: (65) UTF-32 (iconv -f UTF-32 -t UTF-8?)"},
	    {BYTES("\xff\xfe\0\0"), "0: (65) UTF-32 (iconv -f UTF-32 -t UTF-8?)"},
	    {BYTES("\x1f\x8b\x08\0\0\0\0\0\0\3"), "0: (65) truncated gzip"},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const char *files[] = {scratch(0, all[i].bytes, all[i].len), NULL};
		struct dump got;

		read_all(&got, files, (struct kith_format){0});
		is_text(got.text, all[i].due, all[i].due);
	}
}

/* Cells that are missing by order: text as it stands, numbers by value. */
static void
test_missing(void)
{
	static const char in[] = "a,-\n-,-1.0\n\"-\",-1\nx y,2\n";
	struct kith_format format = {.missing = "-,-1,\"x y\",x"};
	const char *files[] = {scratch_text(0, in), NULL};
	struct dump got;

	read_all(&got, files, format);
	is_text(got.text, "a,- 2:NA,-1.0 3:-,NA 4:NA,2", "of text");
	files[0] = scratch_text(0, MTX "array real general\n2 1\n-1.0\n2\n");
	read_all(&got, files, format);
	is_text(got.text, "V1 1:NA 2:2", "of numbers");
	format.missing = "\"a";
	read_all(&got, files, format);
	is_text(got.text, "1: (2) quoted cell without end", "no list");
	format.missing = "a\nb";
	read_all(&got, files, format);
	is_text(got.text, "0: (2) more than one line", "two lines");
}

/* What is not named is 0 where another table has the names. */
static void
test_cover(void)
{
	struct kith_pool pool = {0};
	struct kith_err err;
	struct kith_rows t;
	const char *name[] = {"V2", "label", "V05", "Vx", "V4", "V"};
	const struct kith_names due = {.name = (char **)name, .n = 6};
	const char *files[] = {scratch_text(0, "1 2:3\n"), NULL};

	ok(kith_rows_open(
	       &t, files, &(struct kith_format){.form = KITH_FORM_SVMLIGHT}, &pool, &err) == 0,
	    "a narrow table");
	kith_rows_widen(&t, &due);
	is_size(t.name.n, 5, "has the columns that others name");
	is_text(t.name.name[4], "V4", "the fourth");
	is_text(t.name.name[0], "label", "behind the label");
	is_size(kith_names_find(&t.name, "V4"), 4, "which is found there");
	ok(kith_rows_next(&t, &err) == 1 && t.rec.n == 5, "a row");
	ok(t.rec.number[0] == 1 && t.rec.number[2] == 3 && t.rec.number[4] == 0,
	    "of these numbers");
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

/* Blocks: more rows than one holds, from gzip, in both orders. */
static void
test_blocks(bool by_column)
{
	enum { N = 50000, P = 3 };
	static double cell[N * P];
	static char bytes[sizeof(cell) + 200];
	struct kith_pool pool = {0};
	struct kith_err err;
	struct kith_rows t;
	size_t right = 0, len;
	const char *files[] = {NULL, NULL};

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < P; j++)
			cell[by_column ? j * N + i : i * P + j] = sin((double)(i * P + j));
	len = put_npy(bytes, 1,
	    by_column ? HEAD("'=f8'", "True", "(50000, 3)") : HEAD("'=f8'", "False", "(50000, 3)"),
	    cell, sizeof(cell));
	files[0] = zipped(1, bytes, len);
	if (kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err))
		abort();
	for (size_t i = 0; kith_rows_next(&t, &err) > 0; i++)
		for (size_t j = 0; j < P; j++)
			right += t.rec.number[j] == sin((double)(i * P + j));
	is_size(right, (size_t)N * P, "cells of a long file");
	is_size(t.rec.rows, 0, "whose number of rows gzip does not tell");
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

enum { CELLS = 64 };

/* The cells of a file as numbers, in x, and the number of rows; what is wrong, or "". */
static const char *
read_numbers(const char *file, int form, double *x, size_t *rows)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	const struct kith_format format = {.form = form};
	static struct kith_err err;
	int got;

	err = (struct kith_err){0};
	*rows = 0;
	got = kith_rows_open(&t, (const char *[]){file, NULL}, &format, &pool, &err);
	if (got == 0) {
		for (size_t k = 0; (got = kith_rows_next(&t, &err)) > 0; ++*rows)
			for (size_t j = 0; j < t.rec.n; j++, k++)
				if (k < CELLS)
					x[k] = t.rec.number[j];
		kith_rows_close(&t);
	}
	kith_pool_free(&pool);
	if (got < 0 && (err.status != EX_DATAERR || strcmp(err.file, file) != 0))
		return "not bad data of this file";
	return err.msg;
}

/* A type of cells of `size` bytes; signed, unsigned, or floating. */
static const struct type {
	const char *name;
	size_t size;
	char kind;
} types[] = {{"f8", 8, 'f'}, {"f4", 4, 'f'}, {"i8", 8, 'i'}, {"i4", 4, 'i'}, {"i2", 2, 'i'},
    {"i1", 1, 'i'}, {"u8", 8, 'u'}, {"u4", 4, 'u'}, {"u2", 2, 'u'}, {"u1", 1, 'u'}};

/* Writes a random number as a cell; returns the number as it is to be read. */
static double
put_cell(unsigned char *to, const struct type *t, bool big_endian, struct kith_rng *rng)
{
	uint64_t bits = kith_rng_next(rng) >> kith_rng_below(rng, 64);
	const size_t unused = 64 - 8 * t->size;
	const int64_t whole = (int64_t)(bits << unused) >> unused;
	const double real = ((double)bits - 0x1p40) / 64;
	const float narrow = (float)real;
	double due;

	if (t->kind == 'f' && t->size == 8) {
		due = real;
		memcpy(&bits, &real, 8);
	} else if (t->kind == 'f') {
		uint32_t half;

		memcpy(&half, &narrow, 4);
		bits = half;
		due = (double)narrow;
	} else {
		due = t->kind == 'i' ? (double)whole : (double)(bits << unused >> unused);
	}
	for (size_t i = 0; i < t->size; i++)
		to[big_endian ? t->size - 1 - i : i] = (unsigned char)(bits >> 8 * i);
	return due;
}

/*
 * Arrays of every type, order of bytes, order of cells and version, whole, short and long, plain
 * and gzip: each number, and as many rows as there are before the error.
 */
static void
test_files(void)
{
	size_t wrong = 0, files = 0;
	struct kith_rng rng;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types) * 2 * 2 * 3 * 3 * 2; i++) {
		const struct type *t = &types[i / 72];
		const bool big = i % 2, fortran = i / 2 % 2, zip = i / 4 % 2;
		const int version = 1 + (int)(i / 8 % 3), change = (int)(i / 24 % 3) - 1;
		const size_t n = 1 + kith_rng_below(&rng, 8), p = 1 + kith_rng_below(&rng, 8);
		unsigned char cells[8 * CELLS + 1];
		double due[CELLS] = {0}, x[CELLS] = {0};
		char bytes[1000], head[200];
		const char *file, *why,
		    *message = change == 0 ? ""
		    : change < 0           ? "truncated"
					   : "other bytes behind the array";
		size_t rows, read, len = n * p * t->size;

		for (size_t k = 0; k < n * p; k++)
			due[fortran ? k % n * p + k / n : k] = put_cell(
			    cells + k * t->size, t, big, &rng);
		snprintf(head, sizeof(head), HEAD("'%c%s'", "%s", "(%zu, %zu)"),
		    t->size == 1 ? '|'
			: big    ? '>'
				 : '<',
		    t->name, fortran ? "True" : "False", n, p);
		if (change > 0)
			cells[len++] = 0;
		else if (change < 0)
			len -= 1 + kith_rng_below(&rng, len);
		len = put_npy(bytes, version, head, cells, len);
		file = zip ? zipped(0, bytes, len) : scratch(0, bytes, len);
		why = read_numbers(file, 0, x, &rows);
		/* The size of a regular file is known when it is opened; gzip is read by rows. */
		read = change == 0                    ? n
		    : !zip || (fortran && change < 0) ? 0
		    : change > 0                      ? n
						      : rows;
		wrong += strcmp(why, message) != 0 || rows != read || (change < 0 && rows == n) ||
		    memcmp(x, due, rows * p * sizeof(*x)) != 0;
		files++;
	}
	is_size(wrong, 0, "files of every type and length");
	ok(files == 720, "%zu files", files);
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

/* The number of the first cell of a table, or what is wrong with it where one is due from 0 on. */
static void
test_values(void)
{
	static const struct {
		const char *table;
		double x;
		const char *message, *unsigned_message;
	} all[] = {
	    {"a\tb\n1.5\t1\n", 1.5, NULL, NULL},
	    {"a\tb\n-0\t1\n", 0, NULL, NULL},
	    {"a\tb\n1e-400\t1\n", 0, NULL, NULL},
	    {"a\tb\n-1\t1\n", -1, NULL, "negative: '-1'"},
	    {MTX "array real general\n1 1\n4\n", 4, NULL, NULL},
	    {MTX "array real general\n1 1\nNA\n", NAN, NULL, "missing: 'NA'"},
	    {"a\tb\nNA\t1\n", NAN, NULL, "missing: 'NA'"},
	    {"a\tb\nx\t1\n", 0, "not a number: 'x' (hint)", "not a number: 'x'"},
	    {"a\nx\n", 0, "not a number: 'x' (-d?)", "not a number: 'x'"},
	    {"a\tb\na,b\t1\n", 0, "not a number: 'a,b' (hint)", "not a number: 'a,b'"},
	    {"a\tb\n1,5\t1\n", 0,
		"not a number: '1,5' (decimal comma? sed -E 's/([0-9]),([0-9])/\\1.\\2/g' FILE)",
		"not a number: '1,5' (decimal comma? sed -E 's/([0-9]),([0-9])/\\1.\\2/g' FILE)"},
	    {"a\tb\n1,5,2\t1\n", 0, "not a number: '1,5,2' (hint)", "not a number: '1,5,2'"},
	    {"a\tb\n1e999\t1\n", 0, "too large for a double: '1e999'",
		"too large for a double: '1e999'"},
	    {"a\tb\n-inf\t1\n", 0, "not a finite number: '-inf'", "not a finite number: '-inf'"},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const char *const files[] = {scratch_text(0, all[i].table), NULL};
		struct kith_pool pool = {0};
		struct kith_err err = {0};
		struct kith_rows t;
		double x = -7;
		enum kith_value got;
		int wrong;

		if (kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err) ||
		    kith_rows_next(&t, &err) != 1)
			abort();
		got = kith_value(&t, 0, &x, " (hint)", &err);
		if (all[i].message)
			ok(got == KITH_VALUE_BAD && err.line == t.rec.line &&
				err.status == EX_DATAERR &&
				strcmp(strchr(err.msg, ':') + 2, all[i].message) == 0,
			    "value %zu: %s", i, err.msg);
		else
			ok(isnan(all[i].x) ? got == KITH_VALUE_MISSING
					   : got == KITH_VALUE_OK && x == all[i].x,
			    "value %zu is %g", i, all[i].x);
		wrong = kith_value_unsigned(&t, 0, &x, &err);
		ok(all[i].unsigned_message ? wrong == -1 &&
			    strcmp(strchr(err.msg, ':') + 2, all[i].unsigned_message) == 0
					   : wrong == 0 && x == all[i].x,
		    "value %zu, where a number from 0 on is due", i);
		kith_rows_close(&t);
		kith_pool_free(&pool);
	}
}

/* What cells mean that are no numbers. */
static void
test_meant(void)
{
	static const char *const meant[] = {
	    "1", "1e999", "inf", "-Infinity", "+INF", "1,5", "-12,5", ",5"};
	static const char *const not [] = {
	    "++inf", "infinit", "1,", "1,-5", "a,5", "1,5,3", "1,a", "a", "a,b", ""};
	const size_t n = sizeof(meant) / sizeof(*meant);

	for (size_t i = 0; i < n + sizeof(not ) / sizeof(*not ); i++) {
		const char *s = i < n ? meant[i] : not [i - n];
		const struct kith_cell c = {s, strlen(s), false};
		double x;

		ok(kith_value_looks_numeric(&c, kith_parse_real(c.s, c.len, &x)) == (i < n),
		    "'%s' was %s a number", s, i < n ? "meant as" : "not meant as");
	}
}

int
main(void)
{
	test_files();
	test_npy();
	test_npy_names();
	test_npy_missing();
	test_npy_cut();
	test_npy_start();
	test_trials();
	test_other_formats();
	test_missing();
	test_cover();
	test_fail();
	test_wide();
	test_columns();
	test_values();
	test_meant();
	test_blocks(false);
	test_blocks(true);
	return done();
}
