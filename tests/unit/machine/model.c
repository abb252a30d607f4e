/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of model files (machine/machine.h): units, bounds, and what is wrong. */
#include "machine/model.h"
#include "base/err.h"
#include "base/pool.h"
#include "machine/machine.h"
#include "scratch.h"
#include "table/predicted.h"
#include "tap.h"
#include "text/out.h"

#include <math.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_err err;

#define START "# version\t1\n# task\tregress\n# kernel\tlinear\n"
#define TABLE "# rows\t1\n(id)\t(coef)\ta\tb\nr\t3\t1\t0.5\n"
#define UNITS "# center\t1\t2\n# scale\t2\t0\n"

static int
parse(const char *text, struct kith_machine *m)
{
	return kith_model_read(scratch_text(0, text), m, &pool, &err);
}

static void
refuse(const char *text, size_t line, const char *message)
{
	struct kith_machine m;

	ok(parse(text, &m) < 0 && err.status == EX_DATAERR, "refused");
	is_size(err.line, line, "at the line");
	is_text(err.msg, message, "with the message");
}

static void
test_units(void)
{
	static const char text[] = START "# C\t2\n# target\ty\n# columns\ta\tb\ty\n# bias\t1\n"
					 "# means\t4\t5\n" UNITS TABLE;
	double z[] = {5, 7, -1, 2}, f[2];
	const struct kith_origin from = {.file = "rows"};
	struct kith_mat Z = {2, 2, z};
	struct kith_machine m;
	struct kith_out out;
	char got[400] = "";
	FILE *file;

	ok(!parse(text, &m), "a model with units");
	ok(*m.C == 2 && strcmp(m.target, "y") == 0 && m.column.n == 3 && m.mean[1] == 5 &&
		m.unit.p == 2 && m.unit.center[1] == 2 && m.unit.scale[0] == 2,
	    "has all that it says");
	ok(!kith_machine_scale(&m, &Z, &from, &err) && z[0] == 2 && z[1] == 0 && z[2] == -1 &&
		z[3] == 0,
	    "rows in its units");
	kith_machine_score(&m, &Z, 1, f);
	ok(f[0] == 7 && f[1] == -2, "and their outputs");
	z[0] = 1e308;
	z[1] = -1e308;
	m.unit.scale[0] = .1;
	ok(kith_machine_scale(&m, &Z, &from, &err) < 0 && strstr(err.msg, "\"a\""),
	    "what does not fit");
	m.unit.scale[0] = 2;
	ok(!kith_out_open(&out, scratch_text(1, ""), &err) && !kith_model_write(&m, &out, &err) &&
		!(kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err)),
	    "written");
	file = fopen(scratch_path[1], "r");
	if (!file || fread(got, 1, sizeof(got) - 1, file) == 0 || fclose(file))
		abort();
	is_text(got, text, "as it was read");
	m.unit.center = NULL;
	z[0] = 3;
	ok(!kith_machine_scale(&m, &Z, &from, &err) && z[0] == 3, "no units");
}

/* The features that stay keep their names, means and units. */
static void
test_packed(void)
{
	struct kith_machine m;

	ok(!parse(START "# bias\t0\n# weights\t0\t2\t0\t1\n# means\t1\t2\t3\t4\n"
			"# center\t5\t6\t7\t8\n# scale\t1\t2\t3\t4\n# rows\t1\n"
			"(id)\t(coef)\ta\tb\tc\td\nr\t1\t9\t10\t11\t12\n",
	       &m),
	    "weights, some of them 0");
	ok(m.X.p == 2 && m.feature.n == 2 && strcmp(m.feature.name[0], "b") == 0 &&
		strcmp(m.feature.name[1], "d") == 0,
	    "features that count");
	ok(m.mean[0] == 2 && m.mean[1] == 4 && m.unit.p == 2 && m.unit.center[0] == 6 &&
		m.unit.center[1] == 8 && m.unit.scale[1] == 4,
	    "with their means and units");
	ok(kith_row(&m.X, 0)[0] == 10 && kith_row(&m.X, 0)[1] == 12 && m.metric.w[0] == 2,
	    "numbers and weights");
	ok(!parse(START "# bias\t0\n# weights\t0\t0\n" TABLE, &m) && m.X.p == 1,
	    "one stays where none counts");
}

static void
test_mistakes(void)
{
	static const char null[] = START "# bias\t\0\n";
	struct kith_machine m;

	refuse(START "# C\t-1\n# bias\t0\n" TABLE, 4, "key \"C\": below 0");
	refuse(START "# target\ta\\x\n# bias\t0\n" TABLE, 4,
	    "key \"target\": a backslash too many: 'a\\x'");
	refuse(START "# bias\t0\n# center\t1\t2\n" TABLE, 5,
	    "key \"center\": center and scale belong together");
	refuse(START "# bias\t0\n# scale\t1\t2\n" TABLE, 5,
	    "key \"scale\": center and scale belong together");
	refuse(START "# bias\t0\n# center\t1\n# scale\t1\t2\n" TABLE, 5,
	    "key \"center\": 1 values where 2 are due");
	refuse(START "# bias\t0\n# center\t1\t2\n# scale\t1\t2\t3\n" TABLE, 6,
	    "key \"scale\": 3 values where 2 are due");
	refuse(
	    START "# bias\t0\n# center\t1\t2\n# scale\t1\t-2\n" TABLE, 6, "key \"scale\": below 0");
	refuse(START "# bias\t0\n# means\t1\n" TABLE, 5, "key \"means\": 1 values where 2 are due");
	refuse(START "# bias\t0\n# weights\t1\t2\t3\n" TABLE, 5,
	    "key \"weights\": neither one for each feature nor one for each "
	    "pair");
	refuse(
	    START "# bias\t0\n# weights\t1\t2\t3\t1\n" TABLE, 5, "key \"weights\": not symmetric");
	refuse(START "# bias\t0\n# weights\t1\t-2\n" TABLE, 5, "key \"weights\": below 0");
	refuse(START "# bias\t0\t1\n" TABLE, 4, "key \"bias\": 2 values where 1 are due");
	refuse(START "# bias\t0\n# bias\t1\n" TABLE, 5, "key \"bias\": given twice");
	refuse(START "# bias\t0\n# size\t1\n" TABLE, 5, "key \"size\": unknown");
	refuse(START "# bias\n" TABLE, 4, "key \"bias\": 0 values where 1 are due");
	refuse(START "# target\ta\tb\n# bias\t0\n" TABLE, 4,
	    "key \"target\": 2 values where 1 are due");
	ok(!parse("\xEF\xBB\xBF" START "# bias\t0\n" TABLE, &m) && m.X.n == 1 && !m.C,
	    "a byte order mark before it");
	ok(!parse(START "# C\t0\n# bias\t0\n" TABLE, &m) && *m.C <= 0, "a weight of 0");
	ok(kith_model_read(scratch(0, null, sizeof(null) - 1), &m, &pool, &err) < 0 &&
		err.line == 4,
	    "a null byte");
	is_text(err.msg, "null byte: not a text file", "said");
}

/* More rows than there is room for at first. */
static void
test_growth(void)
{
	enum { N = 500 };
	char text[N * 32], *to = text;
	struct kith_machine m;
	size_t good = 0;

	to += sprintf(to, "%s# bias\t0\n# rows\t%d\n(id)\t(coef)\ta\n", START, N);
	for (int i = 0; i < N; i++)
		to += sprintf(to, "r%d\t%d\t%d\n", i, i + 1, 2 * i);
	ok(!parse(text, &m) && m.X.n == N, "many rows");
	for (size_t i = 0; i < m.X.n; i++)
		good += m.coef[i] == (double)i + 1 && kith_row(&m.X, i)[0] == 2 * (double)i &&
		    strtoul(kith_texts_at(&m.id, i).s + 1, NULL, 10) == i;
	is_size(good, N, "each as it stands there");
	to[-1] = '\0';
	ok(parse(text, &m) < 0, "without the last line end");
	is_text(err.msg, "no line end at its end: not the whole model", "said");
}

/* An output that is no number: its row is told. */
static void
test_no_number(void)
{
	double z[] = {0, 0, 1, 1, 1e200, 1e200};
	const struct kith_mat Z = {3, 2, z};
	struct kith_predicted p;
	struct kith_machine m;
	size_t row = 99;

	ok(!parse("# version\t1\n# task\tclassify\n# kernel\tlinear\n"
		  "# classes\tu\tv\tw\n# bias\t1\t2\t3\n# rows\t2\n"
		  "(id)\t(coef:u)\t(coef:v)\t(coef:w)\ta\tb\n"
		  "r\t0\t0\t1\t1e200\t1\ns\t0\t0\t-1\t1\t1e200\n",
	       &m),
	    "a model of three classes");
	ok(kith_machine_predict(&m, &Z, KITH_MACHINE_CLASS, 1, &p, &row, &pool) < 0 && row == 2,
	    "infinity less infinity, in row 2: %zu", row);
}

int
main(void)
{
	test_units();
	test_packed();
	test_mistakes();
	test_growth();
	test_no_number();
	kith_pool_free(&pool);
	return done();
}
