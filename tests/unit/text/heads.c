/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of text/rows.h: what a file of numbers says of itself before its numbers, and whether the
 * file keeps it: headers of .npy against the size and the bytes of the file, shapes of Matrix
 * Market, and indices of svmlight.
 */
#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "npy.h"
#include "scratch.h"
#include "tap.h"
#include "text/rows.h"
#include "zipped.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { CELLS = 64 };

static struct kith_err err;

/* The cells of a file as numbers, in x, and the number of rows; what is wrong, or "". */
static const char *
read_numbers(const char *file, int form, double *x, size_t *rows)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	const struct kith_format format = {.form = form};
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

#define NO "the header is not that of .npy"
#define FIELDS(f) "{'descr': [" f "], 'fortran_order': False, 'shape': (3,)}"
#define SHAPE(s) "{'descr': '<i2', 'fortran_order': True, 'shape': " s "}"
#define TYPES ", not f8, f4, i1 to i8, u1 to u8 or b1 (astype(float)?)"

/* clang-format off */
static const char *const wrong_heads[][2] = {
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
	{FIELDS("('', '|V1048576'), ('a', '|S268435456'), "), "records of too many bytes"},
	{FIELDS("('a', '|S268435456')"), "truncated"},
	{"{'descr': '', 'fortran_order': True, 'shape': (1, 2)}", "cells of type ''" TYPES},
	{"{'descr': '!i2', 'fortran_order': True, 'shape': (1, 2)}", "cells of type '!i2'" TYPES},
	{"{'descr': 'O', 'fortran_order': True, 'shape': (1, 2)}", "objects of Python, not numbers (astype(float)?)"},
};
/* clang-format on */

static void
test_wrong_heads(void)
{
	char bytes[1000];
	double x[CELLS];
	size_t rows;

	for (size_t i = 0; i < sizeof(wrong_heads) / sizeof(*wrong_heads); i++) {
		const char *head = wrong_heads[i][0];
		const size_t len = put_npy(bytes, 1 + (int)i % 3, head, "", 0);

		is_text(read_numbers(scratch(0, bytes, len), 0, x, &rows), wrong_heads[i][1], head);
	}
}

/* Heads that other programs may write, and where their cells lie. */
static void
test_layout(void)
{
	static const double number[] = {1, 2, 3, 4, 5, 6};
	char bytes[1000],
	    cells[] = "\1"
		      "12345678"
		      "xy"
		      "\2\0"
		      "abcd"
		      "\7\0\0\0";
	double x[CELLS];
	size_t rows, len;

	len = put_npy(bytes, 1, "  {\"shape\":\n(3L,2L,),\t'descr':'=f8' , 'fortran_order':False}",
	    number, sizeof(number));
	is_text(read_numbers(scratch(0, bytes, len), 0, x, &rows), "", "blanks, and another order");
	ok(rows == 3 && memcmp(x, number, sizeof(number)) == 0, "by rows");
	len = put_npy(bytes, 2, HEAD("'=f8'", "True", "(3, 2)"), number, sizeof(number));
	is_text(read_numbers(scratch(0, bytes, len), 0, x, &rows), "", "in the order of Fortran");
	ok(rows == 3 && x[0] == 1 && x[1] == 4 && x[2] == 2 && x[3] == 5 && x[5] == 6,
	    "by columns");
	len = put_npy(bytes, 3,
	    "{'descr': [('a', '|u1'), ('b', '<f8'), ('', '|V2'), ('c', '<i2'), ('', '|V4'), ('d', "
	    "'<u4')], 'fortran_order': False, 'shape': (1,)}",
	    (memcpy(cells + 1, &(double){-2.5}, 8), cells), 21);
	is_text(read_numbers(scratch(0, bytes, len), 0, x, &rows), "", "fields and padding");
	ok(rows == 1 && x[0] == 1 && x[1] == -2.5 && x[2] == 2 && x[3] == 7,
	    "each field where it lies: %g %g %g %g", x[0], x[1], x[2], x[3]);
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
		double due[CELLS], x[CELLS] = {0};
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
		read = change == 0 ? n : !zip || fortran ? 0 : change > 0 ? n : rows;
		wrong += strcmp(why, message) != 0 || rows != read || (change < 0 && rows == n) ||
		    memcmp(x, due, rows * p * sizeof(*x)) != 0;
		files++;
	}
	is_size(wrong, 0, "files of every type and length");
	ok(files == 720, "%zu files", files);
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
	{MTX "array real general\n-1 1\n1\n", "not rows and columns of a matrix", 2},
	{MTX "coordinate real general\n1 1\n1 1 1\n", "not rows, columns and entries of a matrix", 2},
	{MTX "array real general\n1 1 1\n1\n", "more than the size of a matrix", 2},
	{MTX "coordinate real general\n1 1 1 1\n1 1 1\n", "more than the size of a matrix", 2},
	{MTX "array real general\n9999999999999999999 9\n1\n", "too many rows", 2},
	{MTX "array real general\n99999999999999999999 1\n1\n", "not rows and columns of a matrix", 2},
	{MTX "array real general\n5000000000 9\n1\n", "truncated", 3},
	{MTX "coordinate real general\n5000000000 3 1\n1 1 1\n", "too many rows", 2},
	{MTX "coordinate real general\n4294967296 3 1\n1 1 1\n", "too many rows", 2},
	{MTX "coordinate real general\n2 3 5000000000\n1 1 1\n", "truncated", 3},
	{MTX "coordinate real general\n2 10000001 1\n1 1 1\n", "10000001 columns, where 10000000 are the most", 0},
	{MTX "array real symmetric\n5000000000 5000000000\n1\n", "5000000000 columns, where 10000000 are the most", 0},
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
	double x[CELLS];
	size_t rows;

	for (size_t i = 0; i < sizeof(matrices) / sizeof(*matrices); i++) {
		is_text(read_numbers(scratch_text(0, matrices[i].text), KITH_FORM_AUTO, x, &rows),
		    matrices[i].why, matrices[i].why);
		is_size(err.line, matrices[i].line, "at the line");
	}
	is_text(read_numbers(scratch_text(0,
				 "%%MatrixMarket MATRIX Array REAL General\n"
				 "% a comment\n\n \t\n2 2\n1\n\n% b\nNA\n3\n 4\t\n\n%\n"),
		    KITH_FORM_AUTO, x, &rows),
	    "", "comments, blank lines and any case");
	ok(x[0] == 1 && isnan(x[2]) && x[1] == 3 && x[3] == 4, "numbers");
}

/* Small matrices of each symmetry and size: each entry where it is to be, and one too many. */
static void
test_shapes(void)
{
	static const char *const shape[] = {"general", "symmetric", "skew-symmetric"};
	size_t wrong = 0, rows;

	for (size_t s = 0; s < 3; s++)
		for (size_t n = 1 + (s == 2); n <= 6; n++) {
			char text[1000];
			double x[CELLS] = {0}, due[CELLS] = {0}, k = 0;
			char *to = text +
			    sprintf(text, "%sarray real %s\n%zu %zu\n", MTX, shape[s], n, n);

			for (size_t j = 0; j < n; j++)
				for (size_t i = s == 0 ? 0 : j + (s == 2); i < n; i++) {
					to += sprintf(to, "%g\n", ++k);
					due[i * n + j] = k;
					if (s == 1)
						due[j * n + i] = k;
					if (s == 2)
						due[j * n + i] = -k;
				}
			wrong += strcmp(read_numbers(scratch_text(0, text), 0, x, &rows), "") != 0;
			wrong += memcmp(x, due, n * n * sizeof(*x)) != 0;
			sprintf(to, "7\n");
			wrong += strcmp(read_numbers(scratch_text(0, text), 0, x, &rows),
				     "more entries than there should be") != 0;
		}
	is_size(wrong, 0, "entries of all shapes");
}

/* Indices that are too large, at their line. */
static void
test_indices(void)
{
	static const char *const large[][2] = {
	    {"1 1:1\n1 10000000:1\n", "index 10000000: too large"},
	    {"1 1:1\n1 5000000000:1\n", "index 5000000000: too large"},
	    {"1 1:1\n1 18446744073709551615:1\n", "index 18446744073709551615: too large"},
	    {"1 1:1\n1 18446744073709551616:1\n", "not an index: '18446744073709551616'"},
	    {"1 1:1\n1 -1:1\n", "not an index: '-1'"}};
	double x[CELLS];
	size_t rows;

	for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++) {
		is_text(read_numbers(scratch_text(0, large[i][0]), KITH_FORM_SVMLIGHT, x, &rows),
		    large[i][1], large[i][1]);
		is_size(err.line, 2, "at its line");
	}
	is_text(read_numbers(scratch_text(0, "1 300000:2\n"), KITH_FORM_SVMLIGHT, x, &rows), "",
	    "a large index that may be");
	is_size(rows, 1, "a row");
}

int
main(void)
{
	test_wrong_heads();
	test_layout();
	test_files();
	test_matrices();
	test_shapes();
	test_indices();
	return done();
}
