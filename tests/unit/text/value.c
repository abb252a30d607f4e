/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/text/value.h: numbers of cells, and what is said of others. */
#include "text/value.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "tap.h"
#include "text/rows.h"

#include <string.h>

static struct kith_err err;

/* Have a row of the cell x and another, on the second line of a file. */
static void
open_cell(const char *x, struct kith_rows *t, struct kith_pool *pool)
{
	char text[100];
	const char *files[2] = {NULL};

	snprintf(text, sizeof(text), "a\tb\n%s\t1\n", x);
	files[0] = scratch_text(0, text);
	if (kith_rows_open(t, files, &(struct kith_format){0}, pool, &err) ||
	    kith_rows_next(t, &err) != 1)
		abort();
}

static void
is_value(const char *cell, double due)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	double x = -7;

	open_cell(cell, &t, &pool);
	ok(kith_value(&t, 0, &x, " (hint)", &err) == KITH_VALUE_OK, "'%s'",
	    cell);
	is_near(x, due, 0, "is a number");
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

static void
is_bad(const char *cell, const char *due)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	double x;

	open_cell(cell, &t, &pool);
	ok(kith_value(&t, 0, &x, " (hint)", &err) == KITH_VALUE_BAD &&
		err.line == 2 && err.status == EX_DATAERR,
	    "'%s' is none", cell);
	is_text(err.msg, due, "which is said");
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

/* Of a table of one column it may be the delimiter that is wrong. */
static void
test_delimiter(void)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	const char *const files[] = {scratch_text(0, "a\nx\n"), NULL};
	double x;

	if (kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err) ||
	    kith_rows_next(&t, &err) != 1)
		abort();
	ok(kith_value(&t, 0, &x, " (hint)", &err) == KITH_VALUE_BAD, "a text");
	is_text(err.msg, "column \"a\": not a number: 'x' (-d?)", "why");
	ok(kith_value(&t, 0, &x, "", &err) == KITH_VALUE_BAD, "a text");
	is_text(err.msg, "column \"a\": not a number: 'x'",
	    "where no hint is wanted there is none");
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

/* What cells mean that are no numbers. */
static void
test_meant(void)
{
	static const struct {
		const char *cell;
		bool meant;
	} all[] = {{"1", true}, {"1e999", true}, {"inf", true},
	    {"-Infinity", true}, {"+INF", true}, {"++inf", false},
	    {"infinit", false}, {"1,5", true}, {"-12,5", true}, {",5", true},
	    {"1,", false}, {"1,-5", false}, {"a,5", false}, {"1,5,3", false},
	    {"1,a", false}, {"a", false}, {"a,b", false}, {"", false}};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const struct kith_cell c = {
		    all[i].cell, strlen(all[i].cell), false};
		double x;

		ok(kith_value_meant(&c, kith_parse_real(c.s, c.len, &x)) ==
			all[i].meant,
		    "'%s' was %s a number", all[i].cell,
		    all[i].meant ? "meant as" : "not meant as");
	}
}

static void
test_missing(void)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	double x = 3;

	open_cell("NA", &t, &pool);
	ok(kith_value(&t, 0, &x, "", &err) == KITH_VALUE_MISSING, "missing");
	ok(kith_value_due(&t, 0, &x, &err) == -1, "where a number is due");
	is_text(err.msg, "column \"a\": missing: 'NA'", "said");
	ok(kith_value_missing(&t, 0, " (hint)", &err) == -1, "with a hint");
	is_text(err.msg, "column \"a\": missing: 'NA' (hint)", "said");
	kith_rows_close(&t);
	open_cell("-1", &t, &pool);
	ok(kith_value_size(&t, 0, &x, &err) == -1, "below 0");
	is_text(err.msg, "column \"a\": negative: '-1'", "said");
	ok(kith_value_size(&t, 1, &x, &err) == 0 && x <= 1 && x >= 1, "above");
	kith_rows_close(&t);
	open_cell("0", &t, &pool);
	ok(kith_value_size(&t, 0, &x, &err) == 0 && x <= 0, "0 itself");
	kith_rows_close(&t);
	open_cell("x", &t, &pool);
	ok(kith_value_due(&t, 0, &x, &err) == -1, "a text");
	is_text(err.msg, "column \"a\": not a number: 'x'", "without a hint");
	kith_rows_close(&t);
	kith_pool_free(&pool);
}

/* Numbers that no text stands for. */
static void
test_numbers(void)
{
	struct kith_pool pool = {0};
	struct kith_rows t;
	const char *const files[] = {
	    scratch_text(
		0, "%%MatrixMarket matrix array real general\n1 2\n4\nNA\n"),
	    NULL};
	struct kith_rec rec;
	double x, number[] = {HUGE_VAL, -HUGE_VAL};

	ok(!kith_rows_open(&t, files, &(struct kith_format){0}, &pool, &err) &&
		kith_rows_next(&t, &err) == 1 &&
		kith_value(&t, 0, &x, "", &err) == KITH_VALUE_OK && x >= 4 &&
		kith_value(&t, 1, &x, "", &err) == KITH_VALUE_MISSING,
	    "numbers");
	t.rec.number = number;
	ok(kith_value(&t, 0, &x, "", &err) == KITH_VALUE_BAD, "infinity");
	is_text(err.msg, "column \"V1\": not a finite number: 'inf'", "said");
	ok(kith_value(&t, 1, &x, "", &err) == KITH_VALUE_BAD, "below");
	is_text(err.msg, "column \"V2\": not a finite number: '-inf'", "said");
	kith_rows_close(&t);
	ok(!kith_rec_open(&rec, files[0], 0, KITH_FORM_auto, &err) &&
		kith_rec_next(&rec, &err) == 1 &&
		kith_rec_next(&rec, &err) == 0,
	    "a record, and the end");
	kith_rec_close(&rec);
	kith_pool_free(&pool);
}

int
main(void)
{
	test_delimiter();
	is_value("1.5", 1.5);
	is_value("-0", 0);
	is_value("1e-400", 0);
	is_bad("x", "column \"a\": not a number: 'x' (hint)");
	is_bad("a,b", "column \"a\": not a number: 'a,b' (hint)");
	is_bad("1,5", "column \"a\": not a number: '1,5' (decimal comma?)");
	is_bad("1,5,2", "column \"a\": not a number: '1,5,2' (hint)");
	is_bad("1e999", "column \"a\": too large for a double: '1e999'");
	is_bad("-inf", "column \"a\": not a finite number: '-inf'");
	test_meant();
	test_missing();
	test_numbers();
	return done();
}
