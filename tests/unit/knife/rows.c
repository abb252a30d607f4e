/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/knife/rows.h and of lib/knife/start.h, by hand. */
#include "knife/rows.h"

#include "base/err.h"
#include "knife/start.h"
#include "knife/table.h"
#include "scratch.h"
#include "table/unit.h"
#include "tap.h"

static struct kith_err err;

/* The rows of n numbers, with weights or NULL; -1: constant. */
static int
numbers_of(size_t n, double *t, double *weight, struct kith_knife_rows *rows)
{
	struct kith_table *table = kith_new(&pool, 1, sizeof(*table));

	*table = table_of(n, 1);
	table->t = t;
	table->weight = weight;
	return kith_knife_rows(table, rows, &pool, &err);
}

static void
test_numbers(void)
{
	double t[] = {1, 2, 6, 9}, weight[] = {0, 2, 1, 1}, big[] = {1.5e308, 1.2e308, .9e308};
	double Y[4], mean[1], v[4] = {-1, -1, -1, -1};
	const size_t some[] = {2, 0};
	struct kith_knife_rows rows;

	ok(numbers_of(4, t, NULL, &rows) == 0 && rows.c == 1 && !rows.y && !rows.learn &&
		rows.n == 4,
	    "all rows are learnt from");
	kith_knife_rows_targets(&rows, NULL, 4, Y, mean, v);
	ok(*mean == 4.5 && Y[0] == -3.5 && Y[1] == -2.5 && Y[2] == 1.5 && Y[3] == 4.5 && v[0] == -1,
	    "targets less their mean");
	kith_knife_rows_targets(&rows, some, 2, Y, mean, v);
	ok(*mean == 3.5 && Y[0] == 2.5 && Y[1] == -2.5, "of two rows");
	ok(numbers_of(4, t, weight, &rows) == 0 && rows.n == 3 && rows.learn[0] == 1 &&
		rows.learn[1] == 2 && rows.learn[2] == 3,
	    "rows of weight 0 are not learnt from");
	kith_knife_rows_targets(&rows, rows.learn, 3, Y, mean, v);
	ok(*mean == 4.75 && Y[0] == -2.75 && Y[1] == 1.25 && Y[2] == 4.25 && v[0] == 2 &&
		v[1] == 1 && v[2] == 1,
	    "the mean is that by the weights");
	ok(numbers_of(3, big, NULL, &rows) == 0, "large numbers");
	kith_knife_rows_targets(&rows, NULL, 3, Y, mean, NULL);
	is_near(*mean, 1.2e308, 1e-15, "whose sum is no double");
}

/* Whether these are refused, as they should. */
static void
refused(size_t n, double *t, double *weight, bool due, const char *what)
{
	struct kith_knife_rows rows;
	const int got = numbers_of(n, t, weight, &rows);

	is_size(got < 0, due, what);
	if (due)
		is_text(err.msg, "column \"y\": the target is constant", what);
}

static void
test_constant(void)
{
	double same[] = {3, 3, 3}, first[] = {5, 7, 7}, last[] = {7, 7, 5};
	double weight[] = {0, 1, 1}, some[] = {1, 0, 1}, behind[] = {1, 2, 0};

	refused(3, same, NULL, true, "one number");
	refused(1, first, NULL, true, "one row");
	refused(3, first, NULL, false, "the first is another");
	refused(3, last, NULL, false, "the last is another");
	refused(3, first, weight, true, "the first has no weight");
	refused(3, last, weight, false, "it had no weight before");
	refused(3, last, behind, true, "the last has no weight");
	refused(3, first, some, false, "the first of those with a weight");
	refused(3, last, some, false, "the last of them");
}

static void
test_classes(void)
{
	size_t y[] = {2, 0, 1, 2, 0};
	double none[] = {1, 2, 0, 3, 1}, Y[15], mean[3] = {7, 7, 7}, v[5];
	const size_t some[] = {3, 1};
	struct kith_table t = table_of(5, 1);
	struct kith_knife_rows rows;
	bool right = true;

	t.y = y;
	ok(kith_knife_rows(&t, &rows, &pool, &err) == 0 && rows.c == 3 && rows.class.n == 3 &&
		rows.n == 5,
	    "three classes have three columns");
	kith_knife_rows_targets(&rows, NULL, 5, Y, mean, v);
	for (size_t i = 0; i < 5; i++)
		for (size_t o = 0; o < 3; o++)
			right = right && Y[o * 5 + i] == (y[i] == o);
	ok(right && *mean == 0, "1 for its class, else 0");
	t.weight = none;
	ok(kith_knife_rows(&t, &rows, &pool, &err) == 0 && rows.c == 1 && rows.class.n == 2 &&
		rows.n == 4,
	    "a class of weight 0 is none");
	is_text(rows.class.name[1], "c", "the second is the third");
	ok(rows.y[0] == 1 && rows.y[1] == 0 && rows.y[2] == 2 && rows.y[3] == 1 && rows.y[4] == 0,
	    "the rows are numbered by those left");
	kith_knife_rows_targets(&rows, some, 2, Y, mean, v);
	ok(Y[0] == 1 && Y[1] == -1 && *mean == 0 && v[0] == 3 && v[1] == 2, "1 and -1");
	none[0] = none[3] = 0;
	ok(kith_knife_rows(&t, &rows, &pool, &err) == -1, "one class is left");
}

static void
test_words(void)
{
	ok(!kith_knife_start_is_file(NULL) && !kith_knife_start_is_file("2") &&
		kith_knife_start_is_file("w.tsv"),
	    "what is no number is a file");
	ok(kith_knife_start_is_good(NULL) && kith_knife_start_is_good("0") &&
		kith_knife_start_is_good("1") && kith_knife_start_is_good(".25") &&
		kith_knife_start_is_good("w.tsv"),
	    "numbers of [0, 1] and files are good");
	ok(!kith_knife_start_is_good("1.001") && !kith_knife_start_is_good("-1e-9") &&
		!kith_knife_start_is_good("7"),
	    "other numbers are not");
}

/* Three weights from a start, or the message. */
static const char *
start(const char *from, const struct kith_knife_start *what, double *due)
{
	double *w;

	if (kith_knife_start(from, what, &w, &pool, &err))
		return err.msg;
	return largest(3, w, due) <= 1e-15 ? "as due" : "others";
}

static void
test_start(void)
{
	double center[3] = {0}, scale[] = {2, .5, 1};
	const struct kith_table t = table_of(1, 3);
	struct kith_unit unit = {0}, scaled = {3, center, scale, KITH_UNIT_NONE};
	struct kith_knife_start what = {&t.feature, KITH_SQUARED, &unit};
	double half[] = {.5, .5, .5}, some[] = {.25, .25, .25};
	double file[] = {.125, 0, 1}, by[] = {.5, 0, 1}, root[] = {.25, 0, 1};
	const char *path = scratch_text(0, "feature\tweight\nw\t1\nu\t.125\n");
	char due[99];

	is_text(start(NULL, &what, half), "as due", "a half each");
	is_text(start(".25", &what, some), "as due", "a number for all");
	is_text(start(path, &what, file), "as due", "those of a file");
	what.unit = &scaled;
	is_text(start(path, &what, by), "as due", "times the scale squared");
	what.kind = KITH_ABSOLUTE;
	is_text(
	    start(path, &what, by), "this --kernel needs a table \"feature weight_abs\"", "a kind");
	path = scratch_text(1, "feature\tweight_abs\nw\t1\nu\t.125\n");
	is_text(start(path, &what, root), "as due", "times the scale");
	what.kind = KITH_SQUARED;
	is_text(start(path, &what, root), "this --kernel needs a table \"feature weight\"",
	    "the other kind");
	scale[2] = 1.1;
	what.kind = KITH_ABSOLUTE;
	snprintf(due, sizeof(due), "feature \"w\": a start of %g is above 1", 1.1);
	is_text(start(path, &what, root), due, "above 1");
	scale[2] = 1 + 0x1p-50;
	is_text(start(path, &what, root), "as due", "but for rounding");
	what.unit = &unit;
	path = scratch_text(2, "feature\tweight_abs\nw\t1.00000000000001\n");
	is_text(start(path, &what, root), "feature \"w\": a start of 1 is above 1", "not scaled");
	is_text(start(scratch_text(3, "feature\tweight_abs\nx\t1\n"), &what, root),
	    "column \"feature\": not among the features: 'x'", "another feature");
}

/* A weight alone is scaled as well. */
static void
test_alone(void)
{
	double center = 0, scale = .5, *w;
	const struct kith_table t = table_of(1, 1);
	struct kith_unit scaled = {1, &center, &scale, KITH_UNIT_ZSCORE};
	const struct kith_knife_start what = {&t.feature, KITH_SQUARED, &scaled};
	char text[99];

	snprintf(text, sizeof(text), "feature\tweight\n%s\t2\n", t.feature.name[0]);
	ok(kith_knife_start(scratch_text(0, text), &what, &w, &pool, &err) == 0 && *w == .5,
	    "2 for the input is .5 for the half of it");
}

int
main(void)
{
	test_alone();
	test_numbers();
	test_constant();
	test_classes();
	test_words();
	test_start();
	kith_pool_free(&pool);
	return done();
}
