/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/table/table.h: classes, weights, texts, missing cells, and what is said of them.
 * knnclf.t and lists.t have roles of columns, and tables read by the columns of another.
 */
#include "table/table.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "tap.h"
#include "wrong.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;

/* Read this text as a table; file 1 stands for the query. */
static int
parse(int which, const char *text, const struct kith_how *how, const struct kith_table *ref,
    struct kith_table *t)
{
	const char *const files[] = {scratch_text((size_t)which, text), NULL};

	return kith_table_read(files, how, ref, t, &pool, &err);
}

/* The table is refused with this line and message. */
static void
refuse(const char *text, const struct kith_how *how, const char *due)
{
	struct kith_table t;

	is_text(parse(0, text, how, NULL, &t) < 0 ? wrong(&err) : "read", due, due);
}

/* Classes that are numbers: small ones, large ones, and what lies between. */
static void
test_number_classes(void)
{
	static const char *const due[] = {
	    "-1", "0", "1", "1.5", "100", "2", "63", "63.5", "64", "65"};
	static const size_t y[] = {1, 2, 5, 6, 8, 9, 4, 0, 3, 7, 8, 1, 6, 3};
	struct kith_how how = {.format = {.form = KITH_FORM_SVMLIGHT}, .target = "label"};
	struct kith_table t;
	size_t good = 0;

	ok(!parse(0,
	       "0 1:1\n1 1:2\n2 1:3\n63 1:4\n64 1:5\n65 1:6\n100 1:7\n"
	       "-1 1:8\n1.5 1:9\n63.5 1:1\n64 1:2\n0 1:3\n63 1:4\n1.5 1:5\n",
	       &how, NULL, &t),
	    "numbers are classes");
	ok(t.class.n == 10 && t.X.n == 14, "each of its own");
	for (size_t i = 0; i < 10; i++)
		is_text(t.class.name[i], due[i], "in byte order");
	for (size_t i = 0; i < 14; i++)
		good += t.y[i] == y[i];
	is_size(good, 14, "of their rows");
}

/* Weights of rows, and where the header is. */
static void
test_row_weights(void)
{
	struct kith_how how = {.instance_weight = "w"};
	struct kith_table t;

	ok(!parse(0, "# note\t1\na\tw\ty\n1\t0\tu\n2\t2.5\tv\n", &how, NULL, &t) && t.X.p == 1 &&
		t.weight[0] == 0 && t.weight[1] == 2.5,
	    "weights of rows");
	ok(t.head == 2 && strcmp(t.file, scratch_path[0]) == 0, "the line of the header");
	refuse("a,w,y\n1,0,u\n2,0,v\n", &how, "0: column \"w\": all weights are 0");
	refuse("a,w,y\n1,-1,u\n", &how, "2: column \"w\": negative: '-1'");
	how.target = "w";
	refuse("a,w,y\n1,1,u\n", &how, "usage 0: column \"w\": target and weight of rows");
	how = (struct kith_how){.id = "i"};
	refuse("a,i,y\n1,,u\n", &how, "2: column \"i\": missing: ''");
}

/* Features that are numbers or texts, by each --na. */
static void
test_texts(void)
{
	struct kith_how how = {.texts = true};
	struct kith_table t;

	ok(!parse(0, "a,b,y\n1,x,u\n2,z,v\n3,x,u\n", &how, NULL, &t), "texts and numbers");
	ok(!t.text[0] && t.text[1] && kith_row(&t.X, 1)[0] == 2 && kith_row(&t.X, 0)[1] == 0 &&
		kith_row(&t.X, 1)[1] == 1 && kith_row(&t.X, 2)[1] == 0,
	    "texts are numbered as they come");
	refuse("a,b,y\n1,,u\n2,z,v\n", &how,
	    "2: column \"b\": missing: '' (--na omit, mean or model?)");
	refuse(
	    "a,b,y\n1,x,u\nw,z,v\n", &how, "3: column \"a\": not a number: 'w' (--id, -x '!COL'?)");
	how.na = KITH_NA_MEAN;
	refuse("a,b,y\n1,x,u\n2,,v\n", &how, "3: column \"b\": missing: '' (--na omit or model?)");
	refuse("a,b,y\n1,NA,u\n2,x,v\n", &how,
	    "3: column \"b\": text, with missing cells before it: 'x' (--na omit "
	    "or model?)");
	ok(!parse(0, "a,b,y\nNA,3,u\n2,5,v\n", &how, NULL, &t) && kith_row(&t.X, 0)[0] == 2,
	    "of numbers there is one");
	how.na = KITH_NA_OMIT;
	ok(!parse(0, "a,b,y\n1,,u\n2,x,v\n,z,v\n", &how, NULL, &t) && t.X.n == 1 &&
		t.number[0] == 2 && kith_row(&t.X, 0)[0] == 2,
	    "rows are left out");
	how.na = KITH_NA_MODEL;
	ok(!parse(0, "a,b,y\n,x,u\n2,NA,v\n", &how, NULL, &t) && isnan(kith_row(&t.X, 0)[0]) &&
		isnan(kith_row(&t.X, 1)[1]),
	    "or stay");
}

static void
test_mistakes(void)
{
	struct kith_how how = {0};

	refuse("a,b\n1,\n", &how,
	    "2: column \"b\": missing: '' (leave the row out? --na is for features)");
	refuse("a,b\n?,x\n", &how, "2: column \"a\": missing: '?' (--na omit or mean?)");
	refuse("a,b\nx,y\n", &how,
	    "2: column \"a\": not a number: 'x' (--id, -x '!COL', tabscale "
	    "--onehot?)");
	refuse("a,(bias)\n1,x\n", &how, "1: column \"(bias)\": a reserved name");
	refuse("a\n1\n", &how, "1: no column beside the target (-d?)");
	how.keep[3] = "a";
	refuse("a,b\n1,2\n", &how, "1: no column beside the target and those left out");
	how = (struct kith_how){.target = "z"};
	refuse("a,b\n1,2\n", &how, "1: column \"z\": not found");
	how = (struct kith_how){.id = "z"};
	refuse("a,b\n1,2\n", &how, "1: column \"z\": not found");
	how = (struct kith_how){.feature = "a,b"};
	refuse(
	    "a,b\n1,2\n", &how, "usage 0: column \"b\" cannot be a feature: it has another role");
	how = (struct kith_how){.task = KITH_REGRESS};
	refuse("a,b\n1,x\n", &how, "2: column \"b\": not a number: 'x'");
}

static void
test_missing(void)
{
	const char text[] = "a,b,y\n1,2,x\n,8,w\n3,?,w\n5,6,x\n";
	struct kith_how how = {.na = KITH_NA_OMIT};
	struct kith_table t, query;

	ok(!parse(0, text, &how, NULL, &t) && t.X.n == 2, "rows left out");
	ok(kith_table_number(&t, 0) == 1 && kith_table_number(&t, 1) == 4,
	    "the others keep their numbers");
	ok(t.read == 4 && t.read_y[1] == 0 && t.read_y[3] == 1, "classes of all rows");
	how.na = KITH_NA_MEAN;
	ok(!parse(0, text, &how, NULL, &t) && t.X.n == 4, "means");
	ok(kith_row(&t.X, 1)[0] == 3, "of the column");
	is_near(kith_row(&t.X, 2)[1], 16 / 3.0, 1e-15, "of the other");
	ok(!parse(1, "a,b\n,0\n100,?\n", &how, &t, &query), "a query");
	ok(kith_row(&query.X, 0)[0] == 3, "gets those of the reference");
	refuse("a,y\n,x\nNA,y\n", &how, "0: column \"a\": no number in it to take the mean of");
	how.na = KITH_NA_OMIT;
	refuse("a,y\n,x\nNA,y\n", &how, "0: every row has a missing cell");
	refuse("a,y\n,x\n", &how, "0: every row has a missing cell");
}

/* Many classes, and more rows than fit the first room. */
static void
test_growth(void)
{
	enum { N = 30000 };
	static char rows[16 * N];
	char *to = rows + sprintf(rows, "a,y\n");
	struct kith_how how = {0};
	struct kith_table t;
	size_t good = 0;

	for (size_t i = 0; i < N; i++)
		to += sprintf(to, "%zu,c%05zu\n", i, (i * 7919) % N);
	ok(!parse(0, rows, &how, NULL, &t), "many rows");
	is_size(t.class.n, N, "each of a class of its own");
	for (size_t i = 0; i < N; i++)
		good += kith_row(&t.X, i)[0] == (double)i && t.y[i] == (i * 7919) % N;
	is_size(good, N, "all as written");
}

enum { P = 20, ROWS = 1000 }; /* enough for several threads */

static char text[8 * P * (ROWS + 1)];

/* The number in column j of row i. */
static double
number(size_t i, size_t j)
{
	return (double)(i * P + j) / 4 - 30;
}

/* Have `odd` in column i modulo P of row i: of one row, or of all (ROWS). */
static void
write_text(const char *odd, size_t row)
{
	char *to = text;

	for (size_t j = 0; j < P; j++)
		to += sprintf(to, "c%zu%c", j, j + 1 < P ? ',' : '\n');
	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < P; j++) {
			if (i % P == j && (row == ROWS || row == i))
				to += sprintf(to, "%s", odd);
			else
				to += sprintf(to, "%g", number(i, j));
			*to++ = j + 1 < P ? ',' : '\n';
		}
	*to = '\0';
}

/* How many numbers of these columns are wrong. */
static size_t
count_wrong(const struct kith_table *t, const size_t *from)
{
	size_t wrong = 0;

	for (size_t i = 0; i < t->X.n; i++)
		for (size_t j = 0; j < t->X.p; j++) {
			const double x = kith_row(&t->X, i)[j];
			const bool right = from[j] == i % P ? isnan(x) : x == number(i, from[j]);

			wrong += !right;
		}
	return wrong;
}

/* All numbers arrive, wherever one is missing, of columns in a row or not. */
static void
test_places(void)
{
	static const struct {
		const char *list;
		size_t from[P];
	} some[] = {{"1:8", {0, 1, 2, 3, 4, 5, 6, 7}},
	    {"4:14", {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}}, {"3,1,2,4", {2, 0, 1, 3}},
	    {"20", {19}}, {"2,4:10,3", {1, 3, 4, 5, 6, 7, 8, 9, 2}}};
	struct kith_how how = {.no_target = true, .na = KITH_NA_MODEL};
	struct kith_table t;

	for (how.format.threads = 1; how.format.threads <= 2; how.format.threads++)
		for (size_t s = 0; s < sizeof(some) / sizeof(*some); s++) {
			how.feature = some[s].list;
			write_text("NA", ROWS);
			ok(!parse(0, text, &how, NULL, &t) && t.X.n == ROWS &&
				count_wrong(&t, some[s].from) == 0,
			    "features %s, on %zu threads", some[s].list, how.format.threads);
		}
	how.feature = NULL;
	how.format.threads = 2;
	for (size_t i = 0; i < P; i++) {
		char due[80];

		write_text("inf", ROWS - P + i);
		snprintf(due, sizeof(due), "%zu: column \"c%zu\": not a finite number: 'inf'",
		    ROWS - P + i + 2, i);
		refuse(text, &how, due);
	}
}

/* Classes of these names, in their order. */
static struct kith_names
names(char *const *name, size_t n)
{
	struct kith_names out = {0};

	for (size_t i = 0; i < n; i++)
		kith_names_add(&out, name[i], &pool);
	return out;
}

static char a[] = "a", b[] = "b", c[] = "c", d[] = "d";

static void
test_classes(void)
{
	enum { N = 6 };
	char *const all[] = {a, b, c, d};
	size_t y[N] = {3, 1, 3, 1, 1, 3};
	const struct kith_table t = {.X = {.n = N}, .y = y, .class = names(all, 4), .file = "f"};
	struct kith_classes got;

	ok(kith_classes_number(&t, &got, &pool, &err) == 0 && got.name.n == 2,
	    "two of four classes have rows");
	is_text(got.name.name[0], "b", "the first");
	is_text(got.name.name[1], "d", "the second");
	ok(got.rows[0] == 3 && got.rows[1] == 3, "three rows each");
	for (size_t i = 0; i < N; i++)
		ok(got.y[i] == (y[i] == 3), "row %zu", i);
	for (size_t i = 0; i < N; i++)
		y[i] = 1;
	ok(kith_classes_number(&t, &got, &pool, &err) == -1 &&
		strcmp(err.msg, "one class only: 'b'") == 0,
	    "one class: %s", err.msg);
	y[N - 1] = 0;
	ok(kith_classes_several(&t, &err) == 0, "the last row is another");
}

int
main(void)
{
	test_number_classes();
	test_row_weights();
	test_texts();
	test_mistakes();
	test_missing();
	test_growth();
	test_places();
	test_classes();
	kith_pool_free(&pool);
	return done();
}
