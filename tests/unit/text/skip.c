/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of kith_rows_skip(), and of what text/rows.h says of columns. */
#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "scratch.h"
#include "tap.h"
#include "text/rows.h"
#include "zipped.h"

#include <stdint.h>
#include <string.h>

enum { ROWS = 30000, LEAST = 7 };

/* Version 1 of .npy, and the length of the header. */
static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
static struct kith_err err;
static char bytes[ROWS * 16 + 200];

/* An array whose rows are i and -i from `first` on; its bytes. */
static size_t
put_npy(size_t first, size_t rows, bool by_column)
{
	char *to = bytes + 10;

	memset(bytes, ' ', 128);
	memcpy(bytes, magic, sizeof(magic));
	to += sprintf(to, "{'descr': '<f8', 'fortran_order': %s, 'shape': (%zu, 2), }",
	    by_column ? "True" : "False", rows);
	*to = ' ';
	bytes[127] = '\n';
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < 2; j++) {
			const double x = (double)(first + i);
			const double cell = j ? -x : x;

			memcpy(bytes + 128 + sizeof(cell) * (by_column ? j * rows + i : 2 * i + j),
			    &cell, sizeof(cell));
		}
	return 128 + 2 * rows * sizeof(double);
}

static size_t
put_text(size_t first, size_t rows)
{
	char *to = bytes + sprintf(bytes, "V1,V2\n");

	for (size_t i = first; i < first + rows; i++)
		to += sprintf(to, "%zu,-%zu\n", i, i);
	return (size_t)(to - bytes);
}

enum { TEXT, NPY, NPY_COLUMNS, GZIP, GZIP_COLUMNS, KINDS };
static const char *const kind_name[] = {
    "text", ".npy", ".npy by columns", ".npy, gzip", ".npy by columns, gzip"};

static const char *
write_rows(size_t file, int kind, size_t first, size_t rows)
{
	const size_t len = kind == TEXT
	    ? put_text(first, rows)
	    : put_npy(first, rows, kind == NPY_COLUMNS || kind == GZIP_COLUMNS);

	return kind < GZIP ? scratch(file, bytes, len) : zipped(file, bytes, len);
}

/* Pass over rows and read rows, in turn, of two files: wrong ones. */
static size_t
walk(const char *const *files, size_t all, size_t most, struct kith_rng *rng)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	size_t at = 0, wrong = 0, passed;

	if (kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err))
		return 1;
	while (at < all) {
		const size_t n = kith_rng_below(rng, most);
		const size_t due = all - at < n ? all - at : n;
		const double *x;

		wrong += kith_rows_skip(&t, n, &passed, &err) != 0 || passed != due;
		at += due;
		wrong += t.n != at;
		if (at == all)
			break;
		wrong += kith_rows_next(&t, &err) != 1;
		x = t.rec.number;
		wrong += strtod(kith_rec_cell(&t.rec, 0)->s, NULL) != (double)at ||
		    strtod(kith_rec_cell(&t.rec, 1)->s, NULL) != -(double)at ||
		    (x && x[1] != -(double)at);
		at++;
	}
	wrong += kith_rows_next(&t, &err) != 0;
	wrong += kith_rows_skip(&t, 3, &passed, &err) != 0 || passed != 0;
	kith_rows_close(&t);
	kith_pool_free(&pool);
	return wrong;
}

static void
test_walks(void)
{
	struct kith_rng rng;

	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	for (int kind = 0; kind < KINDS; kind++) {
		const char *const files[] = {
		    write_rows(0, kind, 0, ROWS), write_rows(1, kind, ROWS, LEAST), NULL};
		size_t wrong = 0;

		for (size_t most = 2; most < ROWS; most *= 6)
			wrong += walk(files, ROWS + LEAST, most, &rng);
		is_size(wrong, 0, kind_name[kind]);
	}
	for (int kind = 0; kind < KINDS; kind++) {
		const char *const files[] = {
		    write_rows(0, kind, 0, LEAST), write_rows(1, TEXT, LEAST, LEAST), NULL};
		size_t wrong = 0;

		for (int i = 0; i < 20; i++)
			wrong += walk(files, (size_t)2 * LEAST, 5, &rng);
		is_size(wrong, 0, kind_name[kind]);
	}
}

/* Rows that have to be read are looked at; the first may be held. */
static void
test_read(void)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	const char *files[] = {scratch_text(0, "a,b\n1,2\n3\n4,5\n"), NULL};
	size_t passed = 9;

	ok(!kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err) &&
		kith_rows_skip(&t, 3, &passed, &err) < 0 && passed == 1,
	    "a bad row is an error");
	is_size(err.line, 3, "at its line");
	kith_rows_close(&t);
	files[0] = scratch_text(0, "1,2\n3,4\n5,6\n");
	ok(!kith_rows_open(&t, files, &(struct kith_format){.no_header = true}, &pool, &err) &&
		!kith_rows_skip(&t, 1, &passed, &err) && passed == 1 &&
		kith_rows_next(&t, &err) == 1 && t.n == 2 &&
		strcmp(kith_rec_cell(&t.rec, 0)->s, "3") == 0,
	    "without a header the first record is a row");
	kith_rows_close(&t);
	files[0] = scratch_text(0, "a,b\n");
	ok(!kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err) &&
		kith_rows_skip(&t, 1, &passed, &err) < 0 && passed == 0,
	    "no row at all");
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

/* The hint that a table of this text gives, else "x". */
static const char *
hint(const char *text, struct kith_format format)
{
	struct kith_pool pool = {0};
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
	test_walks();
	test_read();
	test_columns();
	return done();
}
