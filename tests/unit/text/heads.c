/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the heads of text/npy_head.c and text/mtx.c: each part, cut or odd. */
#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "tap.h"
#include "text/npy_head.h"
#include "text/rows.h"

#include <math.h>
#include <string.h>

static struct kith_err err;

/* Parse a header of .npy; what is wrong, or "". */
static const char *
parse(const char *text, struct kith_npy_head *head, struct kith_pool *pool)
{
	*head = (struct kith_npy_head){0};
	err = (struct kith_err){0};
	return kith_npy_head_parse(text, 1, "f", head, pool, &err) ? err.msg
								   : "";
}

#define NO "the header is not that of .npy"
#define FIELDS(f) "{'descr': [" f "], 'fortran_order': False, 'shape': (3,)}"
#define SHAPE(s) "{'descr': '<i2', 'fortran_order': True, 'shape': " s "}"

/* clang-format off */
static const char *const odd[][2] = {
	{"", NO},
	{"{}", NO},
	{"{'descr'", NO},
	{"{'descr': 3", NO},
	{"{descr: '<i2'", NO},
	{"{'descr': '<i2', 'descr': '<i2', 'fortran_order': True, 'shape': (1, 2)}", NO},
	{"{'descr': '<i2', 'fortran_order': True, 'fortran_order': True, 'shape': (1, 2)}", NO},
	{"{'descr': '<i2', 'fortran_order': True, 'shape': (1, 2), 'shape': (1, 2)}", NO},
	{"{'descr': '<i2', 'fortran_order': Perhaps, 'shape': (1, 2)}", NO},
	{"{'descr': '<i2', 'fortran_order': True}", NO},
	{"{'descr': '<i2', 'shape': (1, 2)}", NO},
	{"{'fortran_order': True, 'shape': (1, 2)}", NO},
	{"{'descr': '<i2', 'fortran_order': True, 'shape': (1, 2), 'x': 1}", NO},
	{SHAPE("1, 2"), NO},
	{SHAPE("(x)"), NO},
	{SHAPE("(-1, 2)"), NO},
	{SHAPE("(1, 2"), NO},
	{SHAPE("(99999999999999999999, 2)"), NO},
	{SHAPE("(18446744073709551616, 2)"), NO},
	{SHAPE("(1, 9223372036854775808)"), NO},
	{SHAPE("(4611686018427387904, 2)"), NO},
	{FIELDS("('', '|V1048577'), ('a', '<i2')"), NO},
	{FIELDS("('', '|V'), ('a', '<i2')"), NO},
	{FIELDS("('', '|V1')"), "records without fields"},
	{FIELDS(""), "records without fields"},
	{FIELDS("('a', '<i2'"), "fields of several cells each"},
	{FIELDS("('a' '<i2')"), "fields that are no plain columns"},
	{FIELDS("('a',)"), "fields that are no plain columns"},
	{FIELDS("'a'"), "fields that are no plain columns"},
	{FIELDS("('a', '|S1x')"), NO},
	{FIELDS("('a', '|U268435457')"), NO},
	{FIELDS("('a', '|U67108865')"), "records of too many bytes"},
	{"{'descr': '', 'fortran_order': True, 'shape': (1, 2)}", "cells of type '', not f8, f4, i1 to i8, u1 to u8 or b1 (astype(float)?)"},
	{"{'descr': '!i2', 'fortran_order': True, 'shape': (1, 2)}", "cells of type '!i2', not f8, f4, i1 to i8, u1 to u8 or b1 (astype(float)?)"},
	{"{'descr': 'O', 'fortran_order': True, 'shape': (1, 2)}", "objects of Python, not numbers (astype(float)?)"},
};
/* clang-format on */

static void
test_odd(void)
{
	struct kith_pool pool = {0};
	struct kith_npy_head head;

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		is_text(parse(odd[i][0], &head, &pool), odd[i][1], odd[i][0]);
	kith_pool_free(&pool);
}

static void
test_layout(void)
{
	struct kith_pool pool = {0};
	struct kith_npy_head h;

	is_text(parse(SHAPE("(3, 5)"), &h, &pool), "", "by columns");
	ok(h.rows == 3 && h.p == 5 && h.bytes == 30 && h.step == 2 &&
		h.by_column,
	    "rows, columns, bytes");
	kith_npy_head_columns(&h, &pool);
	ok(h.column[0].at == 0 && h.column[4].at == 24 &&
		h.column[4].size == 2 && h.column[0].plain == 0,
	    "where each column lies");
	is_text(parse("  {\"shape\":\n(3L,5L,),\t'descr':'=f8' , "
		      "'fortran_order':False}",
		    &h, &pool),
	    "", "by rows, in another order");
	kith_npy_head_columns(&h, &pool);
	ok(h.rows == 3 && h.p == 5 && h.step == 40 && h.bytes == 120 &&
		!h.by_column && h.column[2].at == 16,
	    "rows, columns, bytes");
	ok(h.column[0].plain == 5 && h.column[3].plain == 2 &&
		h.column[4].plain == 1,
	    "doubles as they stand");
	is_text(
	    parse(FIELDS("('a', '=f8'), ('', '|V3'), ('b', '=f8'), ('c', "
			 "'=f8'), ('d', '=f4'), ('e', '|S5'), ('f', '<U2')"),
		&h, &pool),
	    "", "fields");
	kith_npy_head_columns(&h, &pool);
	ok(h.p == 6 && h.step == 8 + 3 + 8 + 8 + 4 + 5 + 8 && h.texts == 2 &&
		h.bytes == 3 * h.step,
	    "bytes of a record");
	ok(h.column[1].at == 11 && h.column[3].at == 27 &&
		h.column[4].at == 31 && h.column[5].at == 36 &&
		h.column[5].size == 8,
	    "where each lies");
	ok(h.column[0].plain == 1 && h.column[1].plain == 2 &&
		h.column[2].plain == 1 && h.column[3].plain == 0 &&
		h.column[4].plain == 0,
	    "doubles one behind the other");
	is_text(parse(FIELDS("('', '|V1048576'), ('a', '|S268435456'), "), &h,
		    &pool),
	    "records of too many bytes", "all bytes count");
	is_text(parse(FIELDS("('a', '|S268435456')"), &h, &pool), "",
	    "as many as there may be");
	kith_pool_free(&pool);
}

/* The first row of a file as numbers, or what is wrong with it. */
static const char *
read_mtx(const char *text, double *x, size_t *line)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	const char *const files[] = {scratch_text(0, text), NULL};
	const struct kith_format format = {.form = KITH_FORM_mtx};
	int got = kith_rows_open(&t, files, &format, &pool, &err);

	*line = err.line;
	if (got == 0) {
		while ((got = kith_rows_next(&t, &err)) > 0)
			for (size_t j = 0; j < t.rec.n; j++)
				*x++ = t.rec.number[j];
		kith_rows_close(&t);
	}
	*line = err.line;
	kith_pool_free(&pool);
	return got < 0 ? err.msg : "";
}

#define MTX "%%MatrixMarket matrix "

/* clang-format off */
static const struct { const char *text, *why; size_t line; } matrices[] = {
	{MTX "band real general\n1 1\n1\n", "neither array nor coordinate: 'band'", 1},
	{MTX "array pattern general\n1 1\n", "an array of a pattern", 1},
	{MTX "array real\n1 1\n1\n", "the banner ends early", 1},
	{"%%MatrixMarket\n1 1\n1\n", "not a matrix: ''", 1},
	{MTX "array real general\n1\n1\n", "not rows and columns of a matrix", 2},
	{MTX "array real general\n1 x\n1\n", "not rows and columns of a matrix", 2},
	{MTX "coordinate real general\n1 1\n1 1 1\n", "not rows, columns and entries of a matrix", 2},
	{MTX "array real general\n1 1 1\n1\n", "more than the size of a matrix", 2},
	{MTX "coordinate real general\n1 1 1 1\n1 1 1\n", "more than the size of a matrix", 2},
	{MTX "array real general\n9999999999999999999 9\n1\n", "too many rows", 2},
	{MTX "array real general\n1 1\n1e999\n", "too large for a double: '1e999'", 3},
	{MTX "array real general\n1 1\n% x\n\n", "truncated", 4},
	{MTX "coordinate real general\n2 2 1\n1 3 1\n", "no row and column of the matrix: '3'", 3},
	{MTX "coordinate real general\n2 2 1\n1 0 1\n", "no row and column of the matrix: '0'", 3},
	{MTX "coordinate real general\n2 2 1\n1\n", "no row and column of the matrix: ''", 3},
	{MTX "coordinate real general\n2 2 1\n1 1\n", "not a number: ''", 3},
	{MTX "coordinate real general\n2 2 1\n1 1 1 1\n", "more than an entry", 3},
	{MTX "coordinate pattern general\n2 2 1\n1 1 1\n", "more than an entry", 3},
	{MTX "coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "not below the diagonal", 3},
	{"", "empty input", 0},
};
/* clang-format on */

static void
test_matrices(void)
{
	double x[16];
	size_t line;

	for (size_t i = 0; i < sizeof(matrices) / sizeof(*matrices); i++) {
		is_text(read_mtx(matrices[i].text, x, &line), matrices[i].why,
		    matrices[i].why);
		is_size(line, matrices[i].line, "at the line");
	}
	is_text(
	    read_mtx("%%MatrixMarket MATRIX Array REAL General\n"
		     "% a comment\n\n \t\n2 2\n1\n\n% b\nNA\n3\n 4\t\n\n%\n",
		x, &line),
	    "", "comments, blank lines and any case");
	ok(x[0] == 1 && isnan(x[2]) && x[1] == 3 && x[3] == 4, "numbers");
}

/* All shapes of small matrices, against where each entry is to be. */
static void
test_shapes(void)
{
	static const char *const shape[] = {
	    "general", "symmetric", "skew-symmetric"};
	size_t wrong = 0, line;

	for (size_t s = 0; s < 3; s++)
		for (size_t n = 1 + (s == 2); n <= 6; n++) {
			char text[1000];
			double x[36] = {0}, due[36] = {0}, k = 0;
			char *to = text +
			    sprintf(text, "%sarray real %s\n%zu %zu\n", MTX,
				shape[s], n, n);

			for (size_t j = 0; j < n; j++)
				for (size_t i = s == 0 ? 0 : j + (s == 2);
				     i < n; i++) {
					to += sprintf(to, "%g\n", ++k);
					due[i * n + j] = k;
					if (s == 1)
						due[j * n + i] = k;
					if (s == 2)
						due[j * n + i] = -k;
				}
			wrong += strcmp(read_mtx(text, x, &line), "") != 0;
			for (size_t i = 0; i < n * n; i++)
				wrong += x[i] != due[i];
			sprintf(to, "7\n");
			wrong += strcmp(read_mtx(text, x, &line),
				     "more entries than there should be") != 0;
		}
	is_size(wrong, 0, "entries of all shapes");
}

int
main(void)
{
	test_odd();
	test_layout();
	test_matrices();
	test_shapes();
	return done();
}
