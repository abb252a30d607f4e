/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the formats of input that are not text cells (text/npy.c,
 * text/mtx.c, text/svmlight.c), and of what text/guess.h refuses: bytes in, rows
 * or messages out.
 */
#include "base/err.h"
#include "base/pool.h"
#include "dump.h"
#include "scratch.h"
#include "tap.h"
#include "text/readers.h"
#include "text/rows.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

/* Read the files as this form: names, then rows as text, or what is wrong. */
static void
read_all(struct dump *d, const char *const *files, struct kith_format format)
{
	struct kith_pool pool = {0};
	struct kith_err err = {0};
	struct kith_rows t;
	int got = -1;

	d->len = 0;
	*d->text = '\0';
	if (kith_rows_open(&t, files, &format, &pool, &err)) {
		add(d, "%zu: (%d) %s", err.line, err.status, err.msg);
		kith_pool_free(&pool);
		return;
	}
	for (size_t j = 0; j < t.name.n; j++)
		add(d, "%s%s", j ? "," : "", t.name.name[j]);
	while ((got = kith_rows_next(&t, &err)) > 0) {
		add(d, " %zu:", t.rec.line);
		for (size_t j = 0; j < t.name.n; j++)
			add(d, "%s%s", j ? "," : "",
			    kith_rec_cell(&t.rec, j)->s);
	}
	if (got < 0)
		add(d, " %zu: (%d) %s", err.line, err.status, err.msg);
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

/* A .npy file of this version, with these cells, into `to`; its length. */
static size_t
put_npy(char *to, int version, const char *head, const void *cells, size_t len)
{
	const size_t n = strlen(head);
	char *at = to;

	at += sprintf(at, "\x93NUMPY%c", version);
	*at++ = 0;
	*at++ = (char)(n & 255);
	*at++ = (char)(n >> 8);
	if (version > 1) {
		*at++ = 0;
		*at++ = 0;
	}
	memcpy(at, head, n);
	memcpy(at + n, cells, len);
	return (size_t)(at - to) + n + len;
}

#define HEAD(descr, order, shape) \
	"{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape \
	", }\n"
#define BYTES(s) (s), sizeof(s) - 1

struct npy_trial {
	const char *name, *head, *cells;
	size_t len;
	const char *out;
};

#define ONE_TO_FOUR "\1\0\2\0\3\0\4\0"
#define TYPES ", not f8, f4, i1 to i8, u1 to u8 or b1 (astype(float)?)"

/* clang-format off */
static const struct npy_trial npys[] = {
	{"i2", HEAD("'<i2'", "False", "(2, 2)"), BYTES(ONE_TO_FOUR), "V1,V2 1:1,2 2:3,4"},
	{"i2, by columns", HEAD("'<i2'", "True", "(2, 2)"), BYTES(ONE_TO_FOUR), "V1,V2 1:1,3 2:2,4"},
	{"i2, big end first", HEAD("'>i2'", "False", "(2, 2)"), BYTES(ONE_TO_FOUR), "V1,V2 1:256,512 2:768,1024"},
	{"u1", HEAD("'|u1'", "False", "(1, 3)"), BYTES("\0\177\377"), "V1,V2,V3 1:0,127,255"},
	{"i1", HEAD("'|i1'", "False", "(1, 3)"), BYTES("\0\177\377"), "V1,V2,V3 1:0,127,-1"},
	{"b1", HEAD("'|b1'", "False", "(1, 2)"), BYTES("\0\1"), "V1,V2 1:0,1"},
	{"i4", HEAD("'<i4'", "False", "(1, 2)"), BYTES("\377\377\377\377\0\0\0\200"), "V1,V2 1:-1,-2147483648"},
	{"u4", HEAD("'>u4'", "False", "(1, 2)"), BYTES("\377\377\377\377\0\0\1\0"), "V1,V2 1:4294967295,256"},
	{"i8, exact as text", HEAD("'<i8'", "False", "(1, 2)"), BYTES("\1\0\0\0\0\0\40\0\377\377\377\377\377\377\377\377"), "V1,V2 1:9007199254740993,-1"},
	{"u8, exact as text", HEAD("'>u8'", "False", "(1, 1)"), BYTES("\377\377\377\377\377\377\377\377"), "V1 1:18446744073709551615"},
	{"f4", HEAD("'<f4'", "False", "(1, 2)"), BYTES("\0\0\300\77\0\0\0\200"), "V1,V2 1:1.5,0"},
	{"f4, big end first", HEAD("'>f4'", "False", "(1, 1)"), BYTES("\77\300\0\0"), "V1 1:1.5"},
	{"f8, nan and inf", HEAD("'<f8'", "False", "(1, 2)"), BYTES("\0\0\0\0\0\0\370\177\0\0\0\0\0\0\360\377"), "V1,V2 1:NA,-inf"},
	{"f8, big end first", HEAD("'>f8'", "False", "(1, 1)"), BYTES("\77\370\0\0\0\0\0\0"), "V1 1:1.5"},
	{"one dimension", HEAD("'<i2'", "False", "(4,)"), BYTES(ONE_TO_FOUR), "V1 1:1 2:2 3:3 4:4"},
	{"one dimension, by columns", HEAD("'<i2'", "True", "(4,)"), BYTES(ONE_TO_FOUR), "V1 1:1 2:2 3:3 4:4"},
	{"Python 2", HEAD("'<i2'", "False", "(2L, 2L)"), BYTES(ONE_TO_FOUR), "V1,V2 1:1,2 2:3,4"},
	{"fields", HEAD("[('a', '<i2'), (\"b c\", '|u1')]", "False", "(2,)"), BYTES("\1\0\2\3\0\4"), "a,b c 1:1,2 2:3,4"},
	{"fields with room between them", HEAD("[('a', '|u1'), ('', '|V1'), ('b', '<i2')]", "False", "(1,)"), BYTES("\1x\2\0"), "a,b 1:1,2"},
	{"texts", HEAD("[('a', '|S3'), ('b', '<i2'), ('c', 'S1')]", "False", "(2,)"), BYTES("x\0\0\1\0y" "abc\2\0z"), "a,b,c 1:x,1,y 2:abc,2,z"},
	{"texts, the second shorter", HEAD("[('a', '|S3'), ('b', '<U2')]", "False", "(2,)"), BYTES("abc\1\1\0\0\2\1\0\0x\0\0\3\1\0\0\0\0\0\0"), "a,b 1:abc,\u0101\u0102 2:x,\u0103"},
	{"texts, bytes that are no UTF-8", HEAD("[('a', '|S3')]", "False", "(1,)"), BYTES("\xff,\t"), "a 1:\xff,\t"},
	{"characters", HEAD("[('a', '<U2'), ('b', '>U1')]", "False", "(1,)"), BYTES("\xe9\0\0\0\0\0\0\0\0\1\xf6\0"), "a,b 1:\u00e9,\U0001f600"},
	{"characters to their last byte", HEAD("[('a', '<U2')]", "False", "(1,)"), BYTES("\0\1\0\0\0\1\0\0"), "a 1:\u0100\u0100"},
	{"texts that are numbers, or missing", HEAD("[('a', '|S3')]", "False", "(3,)"), BYTES("1.5\0\0\0NA\0"), "a 1:1.5 2: 3:NA"},
	{"texts without bytes", HEAD("[('a', '|S0'), ('b', '|u1'), ('c', '<U0')]", "False", "(2,)"), BYTES("\1\2"), "a,b,c 1:,1, 2:,2,"},
	{"names of all sorts", HEAD("[('a\\\\\\'\\x41\\u03b1\\U0001F600', '|u1'), (\"'\\\"\", '|u1')]", "False", "(1,)"), BYTES("\1\2"), "a\\'A\u03b1\U0001f600,'\" 1:1,2"},

	{"a text with a null byte", HEAD("[('a', '|S3')]", "False", "(1,)"), BYTES("a\0b"), "a 1: (65) column \"a\": a null byte in a text"},
	{"no character", HEAD("[('a', '<U1')]", "False", "(1,)"), BYTES("\0\330\0\0"), "a 1: (65) column \"a\": a character that is none"},
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
};
/* clang-format on */

/* Compress a file into another, which takes its place. */
static const char *
gzipped(const char *bytes, size_t len)
{
	const char *path = scratch(1, "", 0);
	gzFile f = gzopen(path, "wb");

	if (!f || gzwrite(f, bytes, (unsigned)len) != (int)len ||
	    gzclose(f) != Z_OK)
		abort();
	return path;
}

/* A file is mapped, gzip is read: the same comes out, or the same message. */
static void
test_npy(void)
{
	for (size_t i = 0; i < sizeof(npys) / sizeof(*npys); i++) {
		const struct npy_trial *t = &npys[i];
		char bytes[1000];
		const size_t len = put_npy(
		    bytes, 1 + (int)i % 3, t->head, t->cells, t->len);
		const char *files[] = {scratch(0, bytes, len), NULL};
		struct dump got;

		read_all(&got, files, (struct kith_format){0});
		is_text(got.text, t->out, t->name);
		files[0] = gzipped(bytes, len);
		read_all(&got, files, (struct kith_format){0});
		/* A stream knows at its end only what is wrong there. */
		ok(strcmp(got.text, t->out) == 0 ||
			(strstr(t->out, "bytes behind") &&
			    strcmp(got.text,
				"V1,V2 1:1,2 0: (65) other bytes behind the "
				"array") == 0) ||
			(strcmp(t->name, "truncated") == 0 &&
			    strcmp(got.text, "V1,V2 1:1,2 0: (65) truncated") ==
				0),
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
		const size_t len = put_npy(bytes, version,
		    HEAD("[('\u00e9', '|u1')]", "False", "(1,)"), "\1", 1);
		struct dump got;

		read_all(&got, (const char *[]){scratch(0, bytes, len), NULL},
		    (struct kith_format){0});
		is_text(got.text, due[version == 3],
		    version == 3 ? "names in UTF-8" : "names in Latin-1");
	}
}

/* Cells that --na-string says, of texts and numbers in one record. */
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
	is_text(got.text, "a,b,c 1:NA,9,NA 2:1,NA,0",
	    "--na-string among texts and numbers");
}

/* A file that is cut while it is mapped. */
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
	const size_t len = put_npy(
	    bytes, 2, HEAD("'<i2'", "False", "(2, 2)"), ONE_TO_FOUR, 8);
	size_t right = 0;
	struct dump got;

	for (size_t cut = 6; cut < len; cut++) {
		const char *files[] = {scratch(0, bytes, cut), NULL};

		read_all(&got, files, (struct kith_format){0});
		right += strcmp(got.text,
			     cut < 10 ? "0: (65) not the format of NumPy (.npy)"
				      : "0: (65) truncated") == 0;
	}
	is_size(right, len - 6, "a file cut short anywhere");
	bytes[6] = 4;
	read_all(&got, (const char *[]){scratch(0, bytes, len), NULL},
	    (struct kith_format){0});
	is_text(got.text, "0: (65) version 4 of .npy (1 to 3 are known)",
	    "a later version");
	read_all(&got, (const char *[]){scratch_text(0, "a,b\n1,2\n"), NULL},
	    (struct kith_format){.form = KITH_FORM_npy});
	is_text(got.text, "0: (65) not the format of NumPy (.npy)",
	    "--format npy of a text");
}

struct trial {
	const char *name, *in[3]; /* files, the last one NULL */
	int form;
	const char *out;
};

#define MTX "%%MatrixMarket matrix "
#define LIGHT KITH_FORM_svmlight

/* clang-format off */
static const struct trial trials[] = {
	{"array", {MTX "array real general\n% x\n\n2 3\n1\n2\n3\n4.5\n-5\n6e1\n"}, 0, "V1,V2,V3 1:1,3,-5 2:2,4.5,60"},
	{"symmetric array", {MTX "Array Integer Symmetric\n3 3\n1\n2\n3\n4\n5\n6"}, 0, "V1,V2,V3 1:1,2,3 2:2,4,5 3:3,5,6"},
	{"skew-symmetric array", {MTX "array real skew-symmetric\n3 3\n1\n2\n3\n"}, 0, "V1,V2,V3 1:0,-1,-2 2:1,0,-3 3:2,3,0"},
	{"coordinate", {MTX "coordinate real general\r\n2 3 3\r\n2 3 7\r\n1 1 -1\r\n2 1 nan\r\n"}, 0, "V1,V2,V3 1:-1,0,0 2:NA,0,7"},
	{"a pattern", {MTX "coordinate pattern general\n2 2 1\n2 1\n"}, 0, "V1,V2 1:0,0 2:1,0"},
	{"symmetric", {MTX "coordinate integer symmetric\n2 2 2\n1 1 3\n2 1 4\n"}, 0, "V1,V2 1:3,4 2:4,0"},
	{"skew-symmetric", {MTX "coordinate real skew-symmetric\n2 2 1\n2 1 4\n"}, 0, "V1,V2 1:0,-4 2:4,0"},
	{"two files", {MTX "array real general\n1 2\n1\n2\n", "V1,V2\n3,4\n"}, 0, "V1,V2 1:1,2 2:3,4"},
	{"two files of other columns", {MTX "array real general\n1 2\n1\n2\n", "a,b\n3,4\n"}, 0, "V1,V2 1:1,2 1: (65) the header differs from that of /"},
	{"the second wider", {MTX "array real general\n1 1\n1\n", MTX "array real general\n1 2\n1\n2\n"}, 0, "V1 1:1 0: (65) the columns differ from those of /"},
	{"no rows", {MTX "array real general\n0 2\n"}, 0, "V1,V2 0: (65) no row"},
	{"no columns", {MTX "array real general\n2 0\n"}, 0, "0: (65) no column"},
	{"truncated array", {MTX "array real general\n2 2\n1\n2\n3\n"}, 0, "5: (65) truncated"},
	{"truncated coordinate", {MTX "coordinate real general\n2 2 2\n1 1 1\n"}, 0, "3: (65) truncated"},
	{"no size", {MTX "coordinate real general\n% x\n"}, 0, "2: (65) truncated"},
	{"too many entries", {MTX "coordinate real general\n2 2 1\n1 1 1\n2 2 2\n"}, 0, "4: (65) more entries than there should be"},
	{"twice", {MTX "coordinate real general\n2 2 2\n1 2 1\n1 2 2\n"}, 0, "0: (65) row 1, column 2: listed twice"},
	{"outside", {MTX "coordinate real general\n2 2 1\n3 1 1\n"}, 0, "3: (65) no row and column of the matrix: '3'"},
	{"row 0", {MTX "coordinate real general\n2 2 1\n0 1 1\n"}, 0, "3: (65) no row and column of the matrix: '0'"},
	{"above the diagonal", {MTX "coordinate real symmetric\n2 2 1\n1 2 1\n"}, 0, "3: (65) not below the diagonal"},
	{"no number", {MTX "array real general\n1 1\nx\n"}, 0, "3: (65) not a number: 'x'"},
	{"infinity", {MTX "array real general\n1 1\ninf\n"}, 0, "3: (65) not a number: 'inf'"},
	{"two numbers", {MTX "array real general\n1 1\n1 2\n"}, 0, "3: (65) more than an entry"},
	{"complex", {MTX "array complex general\n1 1\n1 2\n"}, 0, "1: (65) not real, integer or pattern: 'complex'"},
	{"Hermitian", {MTX "array real hermitian\n1 1\n1\n"}, 0, "1: (65) not general, symmetric or skew-symmetric: 'hermitian'"},
	{"no square", {MTX "array real symmetric\n1 2\n1\n"}, 0, "2: (65) not as many rows as columns"},
	{"half a banner", {MTX "array\n1 2\n1\n"}, 0, "1: (65) the banner ends early"},
	{"a vector", {"%%MatrixMarket vector array real general\n1\n1\n"}, 0, "1: (65) not a matrix: 'vector'"},
	{"no banner", {"1 1\n1\n"}, KITH_FORM_mtx, "1: (65) not the banner of Matrix Market"},

	{"svmlight", {"+1 1:0.5 3:2 # x:y\n-1.50 qid:7 2:1e-3\r\n# c\n0\n\n"}, LIGHT, "V1,V2,V3,label 1:0.5,0,2,1 2:0,0.001,0,-1.5 4:0,0,0,0"},
	{"nan", {"nan 1:NaN\n"}, LIGHT, "V1,label 1:NA,NA"},
	{"labels alone", {"1\n2\n"}, LIGHT, "label 1:1 2:2"},
	{"a narrow file behind a wide one", {"1 3:2\n", "0 1:1\n"}, LIGHT, "V1,V2,V3,label 1:0,0,2,1 1:1,0,0,0"},
	{"a wide file behind a narrow one", {"1 1:2\n", "0 3:1\n"}, LIGHT, "V1,label 1:2,1 0: (65) the columns differ from those of /"},
	{"index 0", {"1 1:1\n1 0:1 1:2\n"}, LIGHT, "2: (65) index 0: indices are counted from 1 (dump_svmlight_file: zero_based=False?)"},
	{"indices that do not increase", {"1 2:1 2:2\n"}, LIGHT, "1: (65) index 2: indices must increase"},
	{"an index that is too large", {"1 10000000:1\n"}, LIGHT, "1: (65) index 10000000: too large"},
	{"no index", {"1 x:1\n"}, LIGHT, "1: (65) not an index: 'x'"},
	{"no pair", {"1 2\n"}, LIGHT, "1: (65) not INDEX:VALUE: '2'"},
	{"no value", {"1 2:\n"}, LIGHT, "1: (65) not a number: ''"},
	{"infinite", {"1 2:-inf\n"}, LIGHT, "1: (65) not a number: '-inf'"},
	{"too large", {"1 2:1e999\n"}, LIGHT, "1: (65) too large for a double: '1e999'"},
	{"no label", {"1:1 2:1\n"}, LIGHT, "1: (65) no label before '1:1'"},
	{"a label that is text", {"a 2:1\n"}, LIGHT, "1: (65) not a number: 'a'"},
	{"blank line", {"1 2:1\n\n1 2:1\n"}, LIGHT, "2: (65) blank line"},
	{"nothing", {"# x\n"}, LIGHT, "0: (65) empty input"},

	{"svmlight not asked for", {"1 1:0.5 3:2\n"}, 0, "1: (65) LABEL INDEX:VALUE ... (--format svmlight?)"},
	{"with qid", {"# x\n-1 qid:2 3:2 # a,b\n"}, 0, "2: (65) LABEL INDEX:VALUE ... (--format svmlight?)"},
	{"no svmlight", {"1 1:0.5 x\n2\n"}, 0, "1 1:0.5 x 2:2"},
	{"times are none", {"12:30\n"}, 0, "12:30 0: (65) no row below the header"},
	{"insisted on", {"1 1:0.5\n2\n"}, KITH_FORM_csv, "1 1:0.5 2:2"},
	{"blanks", {"a b c\n1 2 3\n4 5 6\n"}, 0, "1: (65) cells divided by blanks (-d ' '?)"},
	{"blanks, no names", {"1 2\n3 4"}, 0, "1: (65) cells divided by blanks (-d ' '?)"},
	{"runs of blanks", {" a b\n 1  2\n"}, 0, "1: (65) cells divided by blanks (tr -s ' ' '\\t'?)"},
	{"bars", {"a|b\n1|2\n3 | -4e5\n"}, 0, "1: (65) cells divided by '|' (-d '|'?)"},
	{"one column of texts", {"a b\n1 2\n3 x\n"}, 0, "a b 2:1 2 3:3 x"},
	{"one column of a name", {"a\n1 2\n3 4\n"}, 0, "a 2:1 2 3:3 4"},
	{"one column, header alone", {"a b\n"}, 0, "a b 0: (65) no row below the header"},
	{"one column of other counts", {"a b\n1 2\n3 4 5\n"}, 0, "a b 2:1 2 3:3 4 5"},
	{"one column of quotes", {"a b\n\"1 2\"\n"}, 0, "a b 2:1 2"},
	{"one column with an empty bar", {"a|b\n1|\n"}, 0, "a|b 2:1|"},
	{"ARFF", {"@RELATION iris\n"}, 0, "0: (65) ARFF (write it as CSV?)"},
	{"ARFF with comments", {"% a\n%\n\n@relation iris\n"}, 0, "0: (65) ARFF (write it as CSV?)"},
	{"percents", {"% a\n% b\n"}, 0, "% a 2:% b"},
	{"Parquet", {"PAR1 and so on and so on"}, 0, "0: (65) Parquet (write it as CSV?)"},
	{"HDF5", {"\x89HDF\r\n\x1a\n"}, 0, "0: (65) HDF5 (write it as CSV or .npy?)"},
	{"RData", {"RDX3\nX\n"}, 0, "0: (65) RData of R (write.csv?)"},
};
/* clang-format on */

static void
test_trials(void)
{
	for (size_t i = 0; i < sizeof(trials) / sizeof(*trials); i++) {
		const struct trial *t = &trials[i];
		const char *files[3] = {NULL};
		struct dump got;
		char *path;

		for (size_t k = 0; t->in[k]; k++)
			files[k] = scratch_text(k, t->in[k]);
		read_all(&got, files, (struct kith_format){.form = t->form});
		path = strstr(got.text, scratch_dir);
		if (path) /* too random to compare */
			path[1] = '\0';
		is_text(got.text, t->out, t->name);
	}
	read_all(&(struct dump){0}, (const char *[]){scratch_text(0, ""), NULL},
	    (struct kith_format){.form = KITH_FORM_npy});
}

static void
test_sqlite(void)
{
	struct dump got;
	const char *files[] = {scratch(0, "SQLite format 3\0x", 17), NULL};

	read_all(&got, files, (struct kith_format){0});
	is_text(got.text, "0: (65) SQLite (sqlite3 -header -csv?)", "SQLite");
	files[0] = scratch(0, "X\n\0\0\0\2", 6);
	read_all(&got, files, (struct kith_format){0});
	is_text(got.text, "0: (65) rds of R (write.csv?)", "rds");
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

	ok(kith_rows_open(&t, files,
	       &(struct kith_format){.form = KITH_FORM_svmlight}, &pool,
	       &err) == 0,
	    "a narrow table");
	kith_rows_cover(&t, &due);
	is_size(t.name.n, 5, "has the columns that others name");
	is_text(t.name.name[3], "V4", "the fourth");
	is_text(t.name.name[4], "label", "and the label");
	is_size(kith_names_find(&t.name, "label"), 4, "which is found there");
	ok(kith_rows_next(&t, &err) == 1 && t.rec.n == 5, "a row");
	ok(t.rec.number[1] == 3 && t.rec.number[3] == 0 && t.rec.number[4] == 1,
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
			cell[by_column ? j * N + i : i * P + j] = sin(
			    (double)(i * P + j));
	len = put_npy(bytes, 1,
	    by_column ? HEAD("'=f8'", "True", "(50000, 3)")
		      : HEAD("'=f8'", "False", "(50000, 3)"),
	    cell, sizeof(cell));
	files[0] = gzipped(bytes, len);
	if (kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err))
		abort();
	for (size_t i = 0; kith_rows_next(&t, &err) > 0; i++)
		for (size_t j = 0; j < P; j++)
			right += t.rec.number[j] == sin((double)(i * P + j));
	is_size(right, (size_t)N * P, "cells of a long file");
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

/* How many rows there are, where that can be told before they are read. */
static void
test_rows_known(void)
{
	char bytes[300];
	const double cell[6] = {1, 2, 3, 4, 5, 6};
	const size_t len = put_npy(
	    bytes, 1, HEAD("'<f8'", "False", "(3, 2)"), cell, sizeof(cell));

	for (int zipped = 0; zipped < 2; zipped++) {
		struct kith_pool pool = {0};
		struct kith_err err;
		struct kith_rows t;
		const char *files[] = {NULL, NULL};

		files[0] = zipped ? gzipped(bytes, len)
				  : scratch(0, bytes, len);
		if (kith_rows_open(
			&t, files, &(struct kith_format){0}, &pool, &err))
			abort();
		is_size(t.rec.rows, zipped ? 0 : 3,
		    zipped ? "not known of gzip" : "known of a file");
		kith_rows_close(&t);
		kith_pool_free(&pool);
	}
}

int
main(void)
{
	test_rows_known();
	test_npy();
	test_npy_names();
	test_npy_missing();
	test_npy_cut();
	test_npy_start();
	test_trials();
	test_sqlite();
	test_missing();
	test_cover();
	test_blocks(false);
	test_blocks(true);
	return done();
}
