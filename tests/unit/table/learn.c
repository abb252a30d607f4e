/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/learn.h and parts.h: rows that are learnt from. */
#include "table/learn.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "table/fold.h"
#include "tap.h"
#include "text/out.h"

#include <math.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;

static int
parse(const char *text, struct kith_learn *l)
{
	const char *const files[] = {scratch_text(0, text), NULL};
	const struct kith_how how = {0};

	return kith_learn_read(files, &how, l, &pool, &err);
}

/* Features a and c vary, b and d do not. */
static const char table[] = "a\tb\tc\td\ty\n1\t5\t10\t0\tu\n2\t5\t30\t0\tv\n"
			    "3\t5\t20\t0\tu\n4\t5\t40\t0\tv\n";

static void
test_read(void)
{
	struct kith_learn l;

	ok(!parse(table, &l), "a table");
	ok(l.known.X.p == 2 && l.feature.n == 2 && l.known.feature.n == 4,
	    "constant features are left out");
	is_text(l.feature.name[1], "c", "by name");
	ok(l.column[0] == 0 && l.column[1] == 2 && !l.constant[0] && l.constant[1] &&
		!l.constant[2] && l.constant[3],
	    "which they are");
	ok(kith_row(&l.known.X, 3)[0] == 4 && kith_row(&l.known.X, 3)[1] == 40, "rows");
	ok(l.class.name.n == 2 && l.class.rows[1] == 2 && l.unit.p == 0, "classes, no units");
	ok(parse("a\ty\n1\tu\n1\tv\n", &l) < 0, "nothing varies");
	is_text(err.msg, "all features are constant", "said");
	ok(parse("a\ty\n1\tu\n2\tu\n", &l) < 0, "one class");
}

static void
test_scale(void)
{
	struct kith_learn l;

	ok(!parse(table, &l) && !kith_learn_scale(&l, KITH_UNIT_NONE, &pool, &err) &&
		l.unit.p == 0 && kith_row(&l.known.X, 0)[1] == 10,
	    "no scale");
	ok(!kith_learn_scale(&l, KITH_UNIT_MINMAX, &pool, &err), "ranges");
	ok(l.unit.p == 2 && l.unit.scale[0] == 3 && l.unit.center[1] == 10, "units");
	ok(kith_row(&l.known.X, 3)[0] == 1 && kith_row(&l.known.X, 0)[1] == 0, "scaled rows");
	ok(!parse("a\ty\n0\tu\n1e-150\tv\n", &l) &&
		!kith_learn_scale(&l, KITH_UNIT_MINMAX, &pool, &err),
	    "a small unit");
	ok(!parse("a\ty\n0\tu\n1e-155\tv\n", &l) &&
		kith_learn_scale(&l, KITH_UNIT_MINMAX, &pool, &err) < 0,
	    "one whose square has no inverse");
	is_text(err.msg,
	    "column \"a\": its unit, 1e-155, leaves no weight that fits a "
	    "double",
	    "said");
	is_text(err.file, l.known.file, "of the table");
	ok(!parse("a\ty\n0\tu\n1e145\tv\n", &l) &&
		!kith_learn_scale(&l, KITH_UNIT_MINMAX, &pool, &err),
	    "a large one");
	ok(!parse("a\ty\n0\tu\n1e150\tv\n", &l) &&
		kith_learn_scale(&l, KITH_UNIT_MINMAX, &pool, &err) < 0,
	    "one of which digits would be lost");
}

static void
test_enough(void)
{
	struct kith_learn l;

	ok(!parse("a\ty\n1\tu\n2\tu\n3\tv\n4\tv\n5\tv\n", &l) && !kith_learn_enough(&l, 1, 2, &err),
	    "rows enough");
	ok(kith_learn_enough(&l, 2, 2, &err) < 0, "too few of a class");
	is_text(err.msg, "class 'u': --hits 2 needs 3 rows, it has only 2", "said");
	ok(kith_learn_enough(&l, 1, 3, &err) < 0, "too few others");
	is_text(err.msg,
	    "classes other than 'v': --misses 3 exceeds their number of rows, "
	    "2",
	    "said");
}

/* The ranges of two features: whether they can be borne. */
static int
bear(const char *low, const char *high, const char *low2, const char *high2)
{
	char text[200];
	struct kith_learn l;

	snprintf(text, sizeof(text), "a\tb\ty\n%s\t%s\tu\n%s\t%s\tv\n", low, low2, high, high2);
	return parse(text, &l) ? -2 : kith_learn_bearable(&l, &err);
}

static void
test_bearable(void)
{
	ok(!bear("0", "1", "0", "9e74") && !bear("0", "9e74", "0", "1"),
	    "ranges not too far apart");
	ok(bear("0", "1", "-1e75", "1e75") == -1, "too far apart");
	is_text(err.msg,
	    "column \"b\": its range, 2e+75, is more than 1e75 times that of "
	    "column \"a\" (tabscale?)",
	    "said");
	ok(bear("0", "3e75", "0", "1") == -1, "the other way round");
	is_text(err.msg,
	    "column \"a\": its range, 3e+75, is more than 1e75 times that of "
	    "column \"b\" (tabscale?)",
	    "said");
	ok(!bear("0", "1e100", "0", "9.9e149"), "a wide range");
}

static void
test_weights(void)
{
	struct kith_learn l;
	double *all, w[2], v[2], wide[4] = {9, 9, 9, 9}, sum;
	const char *file = scratch_text(2, "feature\tweight\na\t1\nb\t7\nc\t3\n");

	if (parse(table, &l) || kith_learn_weights(&l, file, &all, &pool, &err)) {
		ok(false, "weights: %s", err.msg);
		return;
	}
	ok(all[0] == 1 && all[1] == 7 && all[2] == 3 && all[3] == 0, "of all features");
	ok(!kith_learn_from_input(&l, all, w, &err) && w[0] == 1 && w[1] == 3,
	    "of those that vary");
	ok(!kith_learn_prior(&l, file, all, w, &sum, &err) && sum == 4 && w[0] == .25 &&
		w[1] == .75,
	    "with sum 1");
	ok(!kith_learn_scale(&l, KITH_UNIT_MINMAX, &pool, &err) &&
		!kith_learn_from_input(&l, all, w, &err) && w[0] == 9 && w[1] == 2700,
	    "in units");
	ok(!kith_learn_to_input(&l, w, v, &err) && v[0] == 1 && v[1] == 3, "and back");
	kith_learn_spread(&l, v, wide);
	ok(wide[0] == 1 && wide[1] == 0 && wide[2] == 3 && wide[3] == 0, "0 of constant features");
	all[0] = all[2] = 0;
	ok(kith_learn_prior(&l, file, all, w, &sum, &err) < 0, "none is left");
	is_text(err.msg, "no weight above 0, but of constant features", "said");
	all[0] = 1e308;
	ok(kith_learn_prior(&l, file, all, w, &sum, &err) < 0 && err.file == file,
	    "too large in the units");
	w[0] = 1e-320;
	ok(kith_learn_to_input(&l, w, v, &err) == 0 && w[0] > 0 && err.file == file,
	    "a small weight");
	l.unit.scale[0] = 1e10;
	ok(kith_learn_to_input(&l, w, v, &err) < 0 && err.file == l.known.file,
	    "one that would be lost");
}

static void
test_kinds(void)
{
	struct kith_learn l;
	double *all, w[1], sum;
	const char *abs = scratch_text(2, "feature\tweight_abs\na\t1\n");
	const char *matrix = scratch_text(3, "feature1\tfeature2\tweight\na\ta\t1\n");

	ok(!parse("a\ty\n1\tu\n2\tv\n", &l) && kith_learn_weights(&l, abs, &all, &pool, &err) < 0,
	    "weights of another kind");
	is_text(err.msg,
	    "weights of absolute differences: a table \"feature weight\" is "
	    "needed",
	    "said");
	ok(kith_learn_weights(&l, matrix, &all, &pool, &err) < 0, "a matrix");
	is_text(err.msg, "a matrix of weights: a table \"feature weight\" is needed", "said");
	ok(kith_learn_prior(&l, abs, (const double[]){0}, w, &sum, &err) < 0, "none above 0");
	is_text(err.msg, "no weight above 0", "said");
}

static void
test_write(void)
{
	struct kith_learn l;
	struct kith_out out;
	char got[200] = "";
	FILE *f;

	if (parse(table, &l) || kith_learn_scale(&l, KITH_UNIT_MINMAX, &pool, &err) ||
	    kith_out_open(&out, scratch_text(2, ""), &err))
		abort();
	ok(!kith_learn_write(&l, (const double[]){9, 1800}, &out, &err) &&
		!(kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err)),
	    "write weights");
	f = fopen(scratch_path[2], "r");
	ok(f && fread(got, 1, sizeof(got) - 1, f) > 0, "and read");
	is_text(got,
	    "feature\tweight\tscaled_weight\na\t1\t1.6666666666666665\nb\t0\t0\n"
	    "c\t2\t333.3333333333333\nd\t0\t0\n",
	    "of all features, in units of the input");
	fclose(f);
}

/* Parts are dealt as of the whole table, rows that are left out too. */
static void
test_parts(void)
{
	enum { N = 9 };
	size_t all[N] = {0, 1, 0, 1, 1, 0, 1, 0, 1}, number[] = {2, 5, 6, 9};
	size_t y[4], due[N], part[4], asked[4], known[4];
	const size_t equal[] = {1, 1, 1};
	struct kith_table t = {.file = "f",
	    .X = {.n = 4},
	    .y = y,
	    .read_y = all,
	    .class = {.n = 2},
	    .number = number,
	    .read = N};
	size_t good = 0;

	for (size_t i = 0; i < 4; i++)
		y[i] = all[number[i] - 1];
	kith_fold_deal(all, N, 2, equal, 3, 7, due);
	ok(!kith_fold_deal_table(&t, 3, 7, part, &err), "deal");
	for (size_t i = 0; i < 4; i++)
		good += part[i] == due[number[i] - 1];
	is_size(good, 4, "as rows of the whole");
	t.y = t.read_y = NULL;
	kith_fold_deal(NULL, N, 1, equal, 3, 7, due);
	ok(!kith_fold_deal_table(&t, 3, 7, part, &err), "without classes");
	good = 0;
	for (size_t i = 0; i < 4; i++)
		good += part[i] == due[number[i] - 1];
	is_size(good, 4, "as one class");
	ok(!kith_fold_deal_table(&t, N, 7, part, &err), "as many parts as rows");
	ok(kith_fold_deal_table(&t, N + 1, 7, part, &err) < 0, "more");
	is_text(err.msg, "--cv 10: only 9 rows", "said");
	is_size(kith_fold_split((const size_t[]){1, 0, 1, 2}, 4, 1, known, asked), 2, "known rows");
	ok(known[0] == 1 && known[1] == 3 && asked[0] == 0 && asked[1] == 2,
	    "and the rows that are asked, in order");
}

int
main(void)
{
	test_read();
	test_scale();
	test_enough();
	test_bearable();
	test_weights();
	test_kinds();
	test_write();
	test_parts();
	kith_pool_free(&pool);
	return done();
}
