/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of model files (machine/model.h): units, bounds, and what is wrong. */
#include "machine/model.h"

#include "base/err.h"
#include "base/pool.h"
#include "machine/machine.h"
#include "table/table.h"
#include "tap.h"
#include "written.h"

#include <math.h>

static struct kith_pool pool;
static struct kith_err err;

#define START "# version\t1\n# task\tregress\n# kernel\tlinear\n"
#define TABLE "# rows\t1\n(id)\t(coef)\ta\tb\nr\t3\t1\t0.5\n"

static int
parse(const char *text, struct kith_machine *m)
{
	return kith_model_read(scratch_text(0, text), m, &pool, &err);
}

static void
test_units(void)
{
	static const char text[] = START "# C\t2\n# target\ty\n# columns\ta\tb\ty\n# bias\t1\n"
					 "# means\t4\t5\n# center\t1\t2\n# scale\t2\t0\n" TABLE;
	double z[] = {5, 7, -1, 2}, f[2];
	struct kith_machine m;
	const struct kith_origin from = {
	    .file = "rows", .metric = &m.metric, .feature = &m.feature};
	struct kith_mat Z = {2, 2, z};
	struct kith_out out;

	ok(!parse(text, &m), "a model with units");
	ok(*m.C == 2 && strcmp(m.target, "y") == 0 && m.column.n == 3 && m.mean[1] == 5 &&
		m.unit.p == 2 && m.unit.center[1] == 2 && m.unit.scale[0] == 2,
	    "has all that it says");
	ok(!kith_unit_apply(&m.unit, &Z, &from, &err) && z[0] == 2 && z[1] == 0 && z[2] == -1 &&
		z[3] == 0,
	    "rows in its units");
	kith_machine_score(&m, &Z, 1, f);
	ok(f[0] == 7 && f[1] == -2, "and their outputs");
	z[0] = 1e308;
	z[1] = -1e308;
	m.unit.scale[0] = .1;
	ok(kith_unit_apply(&m.unit, &Z, &from, &err) < 0 && strstr(err.msg, "\"a\""),
	    "what does not fit");
	m.unit.scale[0] = 2;
	ok(!kith_out_open(&out, scratch_text(1, ""), &err) && !kith_model_write(&m, &out, &err),
	    "written");
	is_text(written(&out, 1), text, "as it was read");
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
	ok(!parse("\xEF\xBB\xBF" START "# bias\t0\n" TABLE, &m) && m.X.n == 1 && !m.C,
	    "a byte order mark before it");
}

static const char
    good[] = "# version\t1\n# task\tclassify\n# kernel\tgaussian\n# gamma\t0.5\n"
	     "# classes\ta\tb\n# bias\t1\n# rows\t2\n(id)\t(coef)\tu\tv\n1\t2\t3\t4\n2\t3\t4\t5\n";

static const struct {
	const char *from, *to, *due; /* what stands in the place of a part of the text */
} bad[] = {
    {good, "", "0: empty input"},
    {good, "a\tb\n1\t2\n", "1: not a model (--save-model writes one)"},
    {"# version\t1\n", "\t1\n", "1: not a model (--save-model writes one)"},
    {"version\t1", "version\t2", "1: key \"version\": unknown: '2'"},
    {"# gamma", "# gama", "4: key \"gama\": unknown"},
    {"# gamma\t0.5", "# task\trank", "4: key \"task\": given twice"},
    {"# gamma\t0.5", "# gamma", "4: key \"gamma\": 0 values where 1 are due"},
    {"0.5", "0.5\t1", "4: key \"gamma\": 2 values where 1 are due"},
    {"0.5", "inf", "4: key \"gamma\": not a finite number: 'inf'"},
    {"0.5", "0", "4: key \"gamma\": not above 0: '0'"},
    {"# gamma\t0.5\n", "", "7: key \"gamma\": not found"},
    {"gaussian", "linear", "4: key \"gamma\": too much beside the other keys"},
    {"gaussian", "cosine", "3: key \"kernel\": unknown: 'cosine'"},
    {"gaussian", "\"\"", "3: key \"kernel\": unknown: ''"},
    {"gaussian", "polynomial", "8: key \"degree\": not found"},
    {"gaussian", "polynomial\n# coef0\t1\n# degree\t0",
	"5: key \"degree\": not a whole number from 1: '0'"},
    {"gaussian", "polynomial\n# degree\t2\n# coef0\t-1", "5: key \"coef0\": below 0: '-1'"},
    {"classify", "classes", "2: key \"task\": unknown: 'classes'"},
    {"classify", "regress", "5: key \"classes\": too much beside the other keys"},
    {"a\tb\n", "b\ta\n", "5: key \"classes\": not in byte order: 'a'"},
    {"a\tb\n", "a\ta\n", "5: key \"classes\": given twice: 'a'"},
    {"a\tb\n", "a\tb\\\n", "5: key \"classes\": a backslash too many: 'b\\'"},
    {"a\tb\n", "a\tb\tc\n", "6: key \"bias\": 1 values where 3 are due"},
    {"a\tb\n", "a\tb\tc\td\n# multi\tone\n", "7: key \"bias\": 1 values where 6 are due"},
    {"a\tb\n# bias\t1", "a\tb\tc\n# multi\trest\n# bias\t1\t1\t1",
	"9: column 2 is not \"(coef:a)\""},
    {"a\tb\n# bias\t1", "a\tb\tc\n# multi\tall\n# bias\t1\t1\t1",
	"6: key \"multi\": unknown: 'all'"},
    {"# rows", "# multi\tone\n# rows", "7: key \"multi\": too much beside the other keys"},
    {"# rows\t2", "# rows\tx", "7: key \"rows\": not a whole number from 0: 'x'"},
    {"# rows", "# C\t-1\n# rows", "7: key \"C\": below 0: '-1'"},
    {"# rows", "# target\ta\\x\n# rows", "7: key \"target\": a backslash too many: 'a\\x'"},
    {"# rows", "# center\t1\t2\n# rows", "9: key \"scale\": not found"},
    {"# rows", "# scale\t1\t2\n# rows", "7: key \"scale\": too much beside the other keys"},
    {"# rows", "# center\t1\n# scale\t1\t2\n# rows", "7: key \"center\": 1 values where 2 are due"},
    {"# rows", "# center\t1\t2\n# scale\t1\t2\t3\n# rows",
	"8: key \"scale\": 3 values where 2 are due"},
    {"# rows", "# center\t1\t2\n# scale\t1\t-2\n# rows", "8: key \"scale\": below 0: '-2'"},
    {"# rows", "# means\t1\n# rows", "7: key \"means\": 1 values where 2 are due"},
    {"# rows", "# weights\t1\t2\t3\n# rows", "7: key \"weights\": 3 values where 2 are due"},
    {"# rows", "# probA\t-1\n# rows", "9: key \"probB\": not found"},
    {"# rows", "# probB\t-1\t2\n# probA\t-1\n# rows", "7: key \"probB\": 2 values where 1 are due"},
    {"# rows", "# weights\t1\t-2\n# rows", "7: key \"weights\": below 0: '-2'"},
    {"# rows", "# weights\t1\t1\t2\t1\n# rows", "7: key \"weights\": not symmetric"},
    {"# rows", "# weights\t1\t2\t2\t1\n# rows",
	"7: the matrix of weights is not positive semidefinite: it gives no kernel"},
    {"(id)", "id", "8: column 1 is not \"(id)\""},
    {"(coef)\tu\tv\n", "\n", "8: column 2 is not \"(coef)\""},
    {"\tu\tv\n1\t2\t3\t4\n", "\n1\t2\n", "8: no feature column"},
    {"u\tv", "u\tu", "8: column \"u\": two of that name"},
    {"3\t4\n", "3\t4\t5\n", "9: 5 cells where the header has 4"},
    {"3\t4\n", "3\t\n", "9: cell 4: not a finite number: ''"},
    {"2\t3\t4\t5\n", "", "0: 1 rows where key \"rows\" says 2: not the whole model"},
    {"4\t5\n", "4\t5\n3\t3\t4\t5\n", "11: more rows than key \"rows\" says: 2"},
    {"4\t5\n", "4\t5", "0: no line end at its end: not the whole model"},
    {"2\t3\t4\t5\n", "2\t\"3\t4\t5\n", "10: quoted cell without end"},
};

static void
test_mistakes(void)
{
	static const char null[] = START "# bias\t\0\n";
	struct kith_machine m;
	bool never = true;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const char *at = strstr(good, bad[i].from);
		char text[1000];

		snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - good), good, bad[i].to,
		    at + strlen(bad[i].from));
		is_text(parse(text, &m) ? wrong(&err) : "read", bad[i].due, bad[i].due);
	}
	for (size_t len = 0; len + 1 < sizeof(good); len++)
		never = never && kith_model_read(scratch(0, good, len), &m, &pool, &err) < 0 &&
		    err.status == EX_DATAERR;
	ok(never, "no part of a model is one");
	ok(!parse(good, &m), "but all of it");
	ok(kith_model_read(scratch(0, null, sizeof(null) - 1), &m, &pool, &err) < 0, "a null byte");
	is_text(wrong(&err), "4: null byte: not a text file", "said");
	ok(kith_model_read("/nowhere", &m, &pool, &err) < 0 && err.status == EX_NOINPUT, "no file");
}

/* More rows than there is room for at first. */
static void
test_growth(void)
{
	enum { N = 500 };
	char text[N * 32], *to = text;
	struct kith_machine m;
	size_t good_rows = 0;

	to += sprintf(to, "%s# bias\t0\n# rows\t%d\n(id)\t(coef)\ta\n", START, N);
	for (int i = 0; i < N; i++)
		to += sprintf(to, "r%d\t%d\t%d\n", i, i + 1, 2 * i);
	ok(!parse(text, &m) && m.X.n == N, "many rows");
	for (size_t i = 0; i < m.X.n; i++)
		good_rows += m.coef[i] == (double)i + 1 && kith_row(&m.X, i)[0] == 2 * (double)i &&
		    strtoul(m.id.cell[i].s + 1, NULL, 10) == i;
	is_size(good_rows, N, "each as it stands there");
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
