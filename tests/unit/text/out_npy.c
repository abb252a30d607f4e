/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/text/out_npy.h: the bytes of small tables, and what reads them. */
#include "text/out_npy.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "scratch.h"
#include "tap.h"
#include "text/cell.h"
#include "text/out.h"
#include "text/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct kith_err err;

static void
begin(struct kith_out *o, const char *const *name, size_t n, size_t digits)
{
	const struct kith_dest to = {
	    scratch_text(0, ""), KITH_STYLE_NPY, digits};

	if (kith_out_open_table(o, &to, &err))
		abort();
	kith_out_header(o, name, n);
}

/* Close the file, and check its version, its dict and its cells. */
static void
holds(struct kith_out *o, int version, const char *head, const char *cells,
    size_t len, const char *name)
{
	static char text[1 << 20];
	const size_t before = version == 1 ? 10 : 12;
	size_t size, room, start;
	FILE *f;

	ok(!kith_out_close_alone(o, NULL, &err), "%s: closed", name);
	f = fopen(scratch_path[0], "rb");
	if (!f)
		abort();
	size = fread(text, 1, sizeof(text), f);
	fclose(f);
	ok(size > before && memcmp(text, "\x93NUMPY", 6) == 0 &&
		text[6] == version && text[7] == 0,
	    "%s: version %d", name, version);
	room = (unsigned char)text[8] + (size_t)256 * (unsigned char)text[9];
	if (version > 1)
		room += (size_t)65536 * (unsigned char)text[10];
	start = before + room;
	ok(start % 64 == 0 && start <= size && text[start - 1] == '\n',
	    "%s: cells start on a multiple of 64 bytes", name);
	for (size_t i = before + strlen(head); i + 1 < start; i++)
		if (text[i] != ' ')
			room = 0;
	ok(room && memcmp(text + before, head, strlen(head)) == 0, "%s: %s",
	    name, head);
	ok(size - start == len && memcmp(text + start, cells, len) == 0,
	    "%s: %zu bytes of cells", name, len);
}

#define HEAD(fields, rows) \
	"{'descr': [" fields "], 'fortran_order': False, 'shape': (" rows \
	",), }"
#define BYTES(s) s, sizeof(s) - 1
#define ONE "\0\0\0\0\0\0\360?"
#define NOT "\0\0\0\0\0\0\370\177"

static void
test_bytes(void)
{
	static const char *const two[] = {"a", "b"}, *const one[] = {"x"};
	static const char *const odd[] = {"it's\n\x01\\", "\xC3\xA9", "\xE9"};
	struct kith_out o;

	begin(&o, two, 2, 0);
	kith_out_put(&o, "%g\t%s\n%G\t%s\n", 1.0, "abc", NAN, "");
	holds(&o, 1, HEAD("('a', '<f8'), ('b', '|S3')", "2"),
	    BYTES(ONE "abc" NOT "\0\0\0"), "a number and a text");
	ok(o.vague && !o.other, "an empty text reads as missing");

	begin(&o, two, 2, 0);
	holds(&o, 1, HEAD("('a', '<f8'), ('b', '<f8')", "0"), "", 0, "no row");
	begin(&o, one, 1, 0);
	kith_out_put(&o, "%s\n%s\n", "", "");
	holds(&o, 1, HEAD("('x', '|S1')", "2"), BYTES("\0\0"), "empty texts");
	begin(&o, one, 1, 0);
	kith_out_put(&o, "%s\n%G\n", "1", NAN);
	holds(&o, 1, HEAD("('x', '<f8')", "2"), BYTES(ONE NOT),
	    "a text that is a number");
	ok(!o.vague, "a missing cell is one");
	begin(&o, one, 1, 0);
	kith_out_put(&o, "%s\n%zu\n%G\n%s\n", "01", (size_t)7, NAN, "-007");
	holds(&o, 1, HEAD("('x', '|S4')", "4"),
	    BYTES("01\0\0"
		  "7\0\0\0"
		  "\0\0\0\0"
		  "-007"),
	    "zeros first");
	begin(&o, one, 1, 0);
	kith_out_put(&o, "%s\n", "9007199254740993");
	holds(&o, 1, HEAD("('x', '|S16')", "1"), BYTES("9007199254740993"),
	    "an integer that is no double");
	begin(&o, one, 1, 3);
	kith_out_put(&o, "%g\n%zu\n", 1.0004, (size_t)1);
	holds(&o, 1, HEAD("('x', '<f8')", "2"), BYTES(ONE ONE), "--digits");
	begin(&o, odd, 3, 0);
	kith_out_put(&o, "%g\t%g\t%g\n", 1.0, 1.0, 1.0);
	holds(&o, 3,
	    HEAD("('it\\'s\\n\\x01\\\\', '<f8'), ('\xC3\xA9', '<f8'), "
		 "('\xEF\xBF\xBD', '<f8')",
		"1"),
	    BYTES(ONE ONE ONE), "names");
	ok(o.other, "what is no UTF-8 is noticed");
}

/* What cannot be said, or not so. */
static void
test_wrong(void)
{
	static const char *const same[] = {"a", "a"}, *const one[] = {"x"};
	struct kith_out o;

	begin(&o, same, 2, 0);
	ok(kith_out_close_alone(&o, NULL, &err) < 0 && err.status == EX_DATAERR,
	    "a name twice");
	is_text(err.msg, "column \"a\": the output would have this name twice",
	    "which is said");
	begin(&o, one, 1, 0);
	kith_out_put(&o, "%g\n", NAN);
	ok(kith_out_close_alone(&o, NULL, &err) < 0 &&
		err.status == EX_SOFTWARE,
	    "NaN is our mistake");
	begin(&o, one, 1, 0);
	kith_out_note(&o, "sigma", 2);
	ok(o.unsaid && strcmp(o.unsaid, "sigma") == 0, "a note is left out");
	kith_out_drop(&o);
}

/* Many columns: the header is longer than version 1 can say. */
static void
test_wide(void)
{
	enum { P = 5000 };
	static char name[P][8], *names[P];
	struct kith_pool pool = {0};
	char *head = kith_new(&pool, P, 32), *at = head, *cells;
	struct kith_out o;

	at += sprintf(at, "{'descr': [");
	for (size_t j = 0; j < P; j++) {
		sprintf(name[j], "c%zu", j);
		names[j] = name[j];
		at += sprintf(at, "%s('c%zu', '<f8')", j ? ", " : "", j);
	}
	sprintf(at, "], 'fortran_order': False, 'shape': (1,), }");
	cells = kith_new(&pool, P, 8);
	begin(&o, (const char *const *)names, P, 0);
	for (size_t j = 0; j < P; j++) {
		if (j)
			kith_out_next(&o);
		kith_out_real(&o, 0);
	}
	kith_out_row(&o);
	holds(&o, 2, head, cells, P * sizeof(double), "5000 columns");
	kith_pool_free(&pool);
}

/* A cell of any kind: its text as it is to be read, "" where it is missing. */
static void
draw(struct kith_rng *rng, struct kith_out *o, bool text, char due[32])
{
	static const char bytes[] = "a1 \"\\'\t\n,;.\xC3\xA9\xFF-";
	const uint64_t kind = kith_rng_below(rng, 8);
	size_t len = 0;

	*due = '\0';
	if (kind == 0) {
		kith_out_missing(o);
	} else if (!text) {
		const double x = ldexp(kith_rng_unit(rng) - .5,
		    (int)kith_rng_below(rng, 2000) - 1000);

		kith_format_real(due, x);
		kith_out_real(o, x);
	} else {
		due[len++] = 'x'; /* not missing, and no number */
		for (size_t n = kith_rng_below(rng, 20); n > 0; n--)
			due[len++] = bytes[kith_rng_below(
			    rng, sizeof(bytes) - 1)];
		due[len] = '\0';
		kith_out_cell(o, due);
	}
}

/* Tables at random read back as they are. */
static void
test_back(void)
{
	enum { P = 5, N = 40 };
	static const char *const names[P] = {"a", "b", "c", "d", "e"};
	size_t wrong = 0;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		static char due[N][P][32];
		const char *files[] = {NULL, NULL};
		struct kith_pool pool = {0};
		struct kith_rng rng;
		struct kith_rows t;
		struct kith_out o;
		size_t n, i = 0;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		n = 1 + kith_rng_below(&rng, N);
		begin(&o, names, P, 0);
		for (size_t r = 0; r < n; r++) {
			for (size_t c = 0; c < P; c++) {
				if (c)
					kith_out_next(&o);
				draw(&rng, &o, (seed >> c) % 2, due[r][c]);
			}
			kith_out_row(&o);
		}
		if (kith_out_close_alone(&o, NULL, &err))
			abort();
		files[0] = scratch_path[0];
		if (kith_rows_open(
			&t, files, &(struct kith_format){0}, &pool, &err))
			abort();
		for (; kith_rows_next(&t, &err) > 0; i++)
			for (size_t c = 0; c < P; c++) {
				const struct kith_cell *cell = kith_rec_cell(
				    &t.rec, c);

				wrong += *due[i][c]
				    ? strcmp(cell->s, due[i][c]) != 0
				    : !kith_cell_missing(cell);
			}
		wrong += i != n;
		kith_rows_close(&t);
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "cells of 200 tables that read back otherwise");
}

int
main(void)
{
	test_bytes();
	test_wrong();
	test_wide();
	test_back();
	return done();
}
