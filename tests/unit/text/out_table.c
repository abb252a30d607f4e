/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/text/out.h: tables as TSV and CSV, and their digits. */
#include "text/out.h"

#include "base/err.h"
#include "scratch.h"
#include "tap.h"
#include "text/cell.h"

#include <math.h>
#include <string.h>

static char text[4000];
static struct kith_err err;

/* The first file of the test, as it is now. */
static const char *
slurp(void)
{
	FILE *f = fopen(scratch_path[0], "rb");

	if (!f)
		abort();
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void
begin(struct kith_out *o, enum kith_style style, size_t digits)
{
	const struct kith_dest to = {scratch_text(0, ""), style, digits};

	if (kith_out_open_table(o, &to, &err))
		abort();
}

/* Close the file, and check what it holds. */
static void
holds(struct kith_out *o, const char *due, const char *name)
{
	ok(!(kith_out_close(o, &err) || kith_atomic_settle(NULL, &err)), "%s: closed", name);
	is_text(slurp(), due, name);
}

static const char *const names[] = {"# a", "b,c", "d\te", "f\"g", "h;i", "x"};

/* A row of every kind of cell. */
static void
write_row(struct kith_out *o, const char *s)
{
	const struct kith_cell missing = {"?", 1, false}, odd = {"NA", 2, true};
	const struct kith_cell empty = {"", 0, false}, number = {"1.50", 4, false};

	kith_out_put(o, "%s\t%zu\t%g\t", s, (size_t)7, 1.0 / 3);
	kith_out_verbatim(o, &missing);
	kith_out_next(o);
	kith_out_verbatim(o, &odd);
	kith_out_put(o, "\t%G\n", NAN);
	kith_out_put(o, "%g\t%g\t%G\t", INFINITY, -INFINITY, -0.0);
	kith_out_verbatim(o, &number);
	kith_out_next(o);
	kith_out_verbatim(o, &empty);
	kith_out_next(o);
	kith_out_missing(o);
	kith_out_row(o);
}

static void
test_styles(void)
{
	struct kith_out o;

	begin(&o, KITH_STYLE_TSV, 0);
	kith_out_header(&o, names, 6);
	write_row(&o, "a,b");
	holds(&o,
	    "\"# a\"\tb,c\t\"d\te\"\t\"f\"\"g\"\th;i\tx\n"
	    "a,b\t7\t0.3333333333333333\t?\t\"NA\"\tNA\n"
	    "inf\t-inf\t0\t1.50\t\tNA\n",
	    "TSV");
	begin(&o, KITH_STYLE_CSV, 0);
	kith_out_note(&o, "sigma", 1.0 / 3);
	kith_out_header(&o, names, 6);
	write_row(&o, "a,b");
	holds(&o,
	    "# sigma\t0.3333333333333333\n"
	    "\"# a\",\"b,c\",\"d\te\",\"f\"\"g\",h;i,x\n"
	    "\"a,b\",7,0.3333333333333333,?,\"NA\",NA\n"
	    "inf,-inf,0,1.50,,NA\n",
	    "CSV");
}

/* Tables of one column, and of no row. */
static void
test_small(void)
{
	static const char *const one[] = {"a;b"};
	struct kith_out o;

	for (int style = 0; style < 2; style++) {
		begin(&o, (enum kith_style)style, 0);
		kith_out_header(&o, one, 1);
		holds(&o, "\"a;b\"\n", "no row");
		begin(&o, (enum kith_style)style, 0);
		kith_out_header(&o, one, 1);
		kith_out_put(&o, "%s\n", "a\tb,c");
		holds(&o, "\"a;b\"\n\"a\tb,c\"\n", "one column");
	}
	begin(&o, KITH_STYLE_CSV, 0);
	kith_out_put(&o, "%s\n%s\n", " a", "b ");
	holds(&o, "\" a\"\n\"b \"\n", "blanks");
}

static void
test_digits(void)
{
	static const char *const one[] = {"x"};
	struct kith_out o;

	for (int style = 0; style < 2; style++) {
		begin(&o, (enum kith_style)style, 3);
		kith_out_header(&o, one, 1);
		kith_out_put(&o, "%g\n%zu\n%G\n%g\n%s\n", 2.0 / 3, (size_t)123456, 123456.0,
		    -INFINITY, "0.12345");
		holds(&o, "x\n0.667\n123456\n123000\n-inf\n0.12345\n",
		    "digits of numbers, not of counts and texts");
	}
}

/* A text in memory, longer than the buffer, has the bytes of the file. */
static void
test_memory(void)
{
	static const char *const one[] = {"x"};
	static char due[2 * KITH_OUT_ROOM];
	struct kith_out o;
	size_t n = 2, length;
	char *got;

	memcpy(due, "x\n", n);
	kith_out_open_memory(&o);
	kith_out_header(&o, one, 1);
	kith_out_memory(&o, &length);
	is_size(length, n, "bytes in memory: the header");
	while (n < KITH_OUT_ROOM + 100) {
		kith_out_put(&o, "%s\n", "a\"b");
		memcpy(due + n, "\"a\"\"b\"\n", 7);
		n += 7;
	}
	got = kith_out_memory(&o, &length);
	is_size(length, n, "bytes in memory: all");
	ok(memcmp(got, due, n) == 0, "the text in memory");
	kith_pool_free(&o.pool);
}

int
main(void)
{
	test_styles();
	test_memory();
	test_small();
	test_digits();
	return done();
}
