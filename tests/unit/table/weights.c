/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/weights.h: what is read of tables of weights, as text, or the error; deviations. */
#include "table/weights.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "dump.h"
#include "table/table.h"
#include "table/unit.h"
#include "tap.h"
#include "written.h"

#include <math.h>

static char a[] = "a", b[] = "b", c[] = "c d";
static char *feature[] = {a, b, c};
static struct kith_names features;
static struct kith_pool pool;
static struct kith_err err;

/* The kind of weights, w or W, their features and numbers. */
static void
add_metric(struct dump *d, const struct kith_metric *m, const size_t *column)
{
	const bool matrix = m->kind == KITH_SQUARED_MATRIX || m->kind == KITH_ABSOLUTE_MATRIX;
	const bool absolute = m->kind == KITH_ABSOLUTE || m->kind == KITH_ABSOLUTE_MATRIX;

	add(d, "%s%s", absolute ? "|" : "", matrix ? "W" : "w");
	for (size_t j = 0; column && j < m->p; j++)
		add(d, "%s%zu", j ? "," : " of ", column[j]);
	for (size_t j = 0; j < (matrix ? m->p * m->p : m->p); j++)
		add(d, " %g", m->w[j]);
}

static const char *
weights_of(const struct kith_weights *w)
{
	static struct dump d;

	d.len = 0;
	for (size_t h = 0; h < w->learners; h++) {
		const struct kith_learner *l = &w->learner[h];

		add(&d, "%s%zu: %g %g ", h ? "; " : "", l->number, l->alpha, l->sigma);
		add_metric(&d, &l->metric, w->column);
	}
	if (!w->learner)
		add_metric(&d, &w->metric, w->column);
	if (w->needs.sigma > 0)
		add(&d, ", sigma %g", w->needs.sigma);
	if (w->needs.k > 0)
		add(&d, ", k %zu", w->needs.k);
	if (w->needs.scale == KITH_UNIT_ZSCORE)
		add(&d, ", zscore");
	if (w->needs.unknowns > 0)
		add(&d, ", %zu unknown, %s", w->needs.unknowns, w->needs.unknown);
	if (w->needs.negatives > 0)
		add(&d, ", %zu below 0", w->needs.negatives);
	return d.text;
}

static void
reads(const char *text, unsigned how, const char *due)
{
	struct kith_weights w;
	const bool failed = kith_weights_read(
				scratch_text(0, text), &features, (int)how, &w, &pool, &err) != 0;

	is_text(failed ? wrong(&err) : weights_of(&w), due, due);
}

static void
test_reading(void)
{
	reads("feature\tweight\nc d\t2\na\t0.5\n", 0, "w 0.5 0 2");
	reads("x,weight_abs,feature\n9,1,b\n", 0, "|w 0 1 0");
	reads("step,feature,weight\n3,a,1\n3,b,1\n", 0, "w 1 1 0");
	reads("feature1\tfeature2\tweight_abs\nc d\ta\t-1\na\ta\t2\n", 0, "|W of 0,2 2 -1 -1 0");
	reads("feature2\tfeature1\tweight\nb\tb\t0\n", 0, "W of 1 0");
	/* Negative weights of a vector are read as 0 where the reader asks for that. */
	reads("feature\tweight\nc d\t-2\na\t0.5\nb\t-1e-9\n", KITH_WEIGHTS_CLIP,
	    "w 0.5 0 0, 2 below 0");
	reads("feature1\tfeature2\tweight\na\ta\t-2\n", KITH_WEIGHTS_CLIP,
	    "2: column \"weight\": negative on the diagonal: '-2'");
	/* What comments say that the weights need. */
	reads(
	    "# sigma\t.5\n# sigma 4\n# x_y\t\n# z\t1\n# theta\t0\n# k\t7\nfeature\tweight\na\t1\n",
	    0, "w 1 0 0, sigma 0.5, k 7, 2 unknown, x_y");
	reads("# scale\tzscore\nfeature\tweight\na\t1\n", 0, "w 1 0 0, zscore");
}

static void
test_mistakes(void)
{
	static const struct {
		const char *text, *due;
	} bad[] = {
	    {"name\tweight\na\t1\n", "1: column \"feature\": not found"},
	    {"feature1\tweight\na\t1\n", "1: column \"feature2\": not found"},
	    {"feature2\tweight\na\t1\n", "1: column \"feature1\": not found"},
	    {"feature\tw\na\t1\n", "1: column \"weight\": not found"},
	    {"feature\tweight\tweight_abs\na\t1\t1\n",
		"1: columns \"weight\" and \"weight_abs\": one too many"},
	    {"feature\tweight\na\t1\nx\t1\n", "3: column \"feature\": not among the features: 'x'"},
	    {"feature\tweight\nb\t1\na\t1\nb\t1\na\t1\n",
		"4: column \"feature\": named twice: 'b'"},
	    {"feature\tweight\na\t-1\n", "2: column \"weight\": negative: '-1'"},
	    {"feature\tweight\na\tx\n", "2: column \"weight\": not a number: 'x'"},
	    {"feature\tweight\na\t\n", "2: column \"weight\": missing: ''"},
	    {"feature1\tfeature2\tweight\na\tb\t1\nb\ta\t1\n", "3: pair named twice: 'b', 'a'"},
	    {"step\tfeature\tweight\n1\ta\t1\n2\ta\t1\n",
		"3: column \"step\": several of them: '1' and '2' (choose one, with awk?)"},
	    {"learner\tfeature\tweight\n1\ta\t1\n2\ta\t1\n",
		"3: column \"learner\": several of them: '1' and '2' (choose one, with awk? "
		"knnclf --vote expected?)"},
	    {"feature\tweight\n", "0: no row below the header"},
	    {"", "0: empty input"},
	    {"# \n# sigma\t-0\nfeature\tweight\na\t1\n", "2: sigma: not a number above 0: '-0'"},
	    {"# k\t0\nfeature\tweight\na\t1\n", "1: k: not a count from 1: '0'"},
	    {"# k\t1.5\nfeature\tweight\na\t1\n", "1: k: not a count from 1: '1.5'"},
	    {"# k\t1\n# k\t3\nfeature\tweight\na\t1\n", "2: k: named twice"},
	    {"# sigma\t1\n# sigma\t1\nfeature\tweight\na\t1\n", "2: sigma: named twice"},
	    {"feature\tweight\n# sigma\t1\na\t1\n",
		"2: column \"feature\": not among the features: '# sigma'"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		reads(bad[i].text, 0, bad[i].due);
}

/* Both orders of a pair, and any sign, for starts and for what is judged. */
static void
test_full(void)
{
	static const char
	    text[] = "feature1,feature2,weight_abs\nc d,a,3\na,a,-1\na,c d,4\nb,a,5\n";
	struct kith_weights w, vector;
	struct kith_out out;
	double W[9], v[9];

	reads(text, 0, "3: column \"weight_abs\": negative on the diagonal: '-1'");
	reads(text, KITH_WEIGHTS_SYMMETRIC, "0: not symmetric: 'a', 'c d'");
	if (kith_weights_read(
		scratch_text(0, text), &features, KITH_WEIGHTS_FULL, &w, &pool, &err) ||
	    kith_out_open_table(&out, &(struct kith_dest){.path = scratch_text(1, "")}, &err))
		abort();
	kith_weights_spread(&w, W, 3);
	ok(W[0] == -1 && W[1] == 5 && W[2] == 4 && W[3] == 5 && W[6] == 3 && W[4] == 0 &&
		W[5] == 0 && W[7] == 0 && W[8] == 0,
	    "each has its own; one alone stands for both");
	if (kith_weights_read(
		scratch_text(0, "feature,weight\nb,2\n"), &features, 0, &vector, &pool, &err))
		abort();
	kith_weights_spread(&vector, v, 3);
	ok(v[0] == 0 && v[1] == 2 && v[2] == 0, "a vector");
	kith_weights_put(&(struct kith_metric){KITH_ABSOLUTE_MATRIX, 3, W}, &features,
	    (const double[]){1, 2, .5}, &out);
	is_text(written(&out, 1),
	    "feature1\tfeature2\tweight_abs\tscaled_weight\na\ta\t-1\t-1\na\tb\t5\t10\n"
	    "a\tc d\t4\t2\nb\tb\t0\t0\nb\tc d\t0\t0\nc d\tc d\t0\t0\n",
	    "the upper triangle");
}

static void
test_drop(void)
{
	static const struct {
		double share, due[5];
	} cases[] = {{0, {3, 1, 0, 1, 2}}, {.399, {3, 1, 0, 1, 2}}, {.4, {3, 1, 0, 0, 2}},
	    {.6, {3, 0, 0, 0, 2}}};
	double got[5];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t same = 0;

		kith_weights_drop(5, cases[0].due, cases[i].share, got);
		for (size_t j = 0; j < 5; j++)
			same += got[j] == cases[i].due[j];
		ok(same == 5, "%g of the weights dropped", cases[i].share);
	}
}

/* Learners are read in any order of lines, and written in theirs. */
static void
test_learners(void)
{
#define HEAD "learner\talpha\tsigma\tfeature1\tfeature2\tweight_abs\n"
	static const char text[] = HEAD
	    "7\t2\t.5\ta\tc d\t3\n4\t1\t4\tc d\tc d\t5\n7\t2\t.5\tc d\tc d\t1\n";
	struct kith_weights e;
	struct kith_out out;

	reads(text, KITH_WEIGHTS_ENSEMBLE, "1: 2 0.5 |W of 0,2 0 3 3 1; 2: 1 4 |W of 0,2 0 0 0 5");
	if (kith_weights_read(
		scratch_text(0, text), &features, KITH_WEIGHTS_ENSEMBLE, &e, &pool, &err) ||
	    kith_out_open(&out, scratch_text(1, ""), &err))
		abort();
	kith_weights_put_learners(&e, &features, &out);
	is_text(written(&out, 1),
	    HEAD "1\t2\t0.5\ta\ta\t0\n1\t2\t0.5\ta\tb\t3\n1\t2\t0.5\tb\tb\t1\n"
		 "2\t1\t4\ta\ta\t0\n2\t1\t4\ta\tb\t0\n2\t1\t4\tb\tb\t5\n",
	    "all their pairs");
	reads("learner\talpha\tsigma\tfeature\tweight\n1\t1\t1\ta\t1\n1\t2\t1\tb\t1\n",
	    KITH_WEIGHTS_ENSEMBLE,
	    "3: column \"alpha\": not the same in all rows of the learner: '2'");
	reads("learner\talpha\tsigma\tfeature\tweight\n1\t1\t0\ta\t1\n", KITH_WEIGHTS_ENSEMBLE,
	    "2: column \"sigma\": not above 0: '0'");
	reads("learner\talpha\tsigma\tfeature\tweight\n1\t1\t1\ta\t1\n2\t1\t1\ta\t1\n"
	      "1\t1\t1\ta\t1\n",
	    KITH_WEIGHTS_ENSEMBLE, "4: column \"feature\": named twice: 'a'");
	reads("step\tlearner\talpha\tsigma\tfeature\tweight\n1\t1\t1\t1\ta\t1\n"
	      "1\t2\t1\t1\ta\t1\n",
	    KITH_WEIGHTS_ENSEMBLE, "1: 1 1 w 1 0 0; 2: 1 1 w 1 0 0");
	/* Without one of the columns of learners a table is no ensemble. */
	reads("learner\tsigma\tfeature\tweight\n1\t0\ta\t1\n", KITH_WEIGHTS_ENSEMBLE, "w 1 0 0");
	reads("learner\talpha\tfeature\tweight\n1\t0\ta\t1\n", KITH_WEIGHTS_ENSEMBLE, "w 1 0 0");
	reads("alpha\tsigma\tfeature\tweight\n2\t2\ta\t1\n", KITH_WEIGHTS_ENSEMBLE, "w 1 0 0");
	reads("# sigma\t3\nfeature\tweight\nb\t2\n", KITH_WEIGHTS_ENSEMBLE, "w 0 2 0, sigma 3");
}

/* Rooms for learners and entries grow. */
static void
test_many(void)
{
	enum { MANY = 40 };
	char text[4000] = "learner\talpha\tsigma\tfeature\tweight\n";
	struct dump due = {.len = 0};

	for (size_t h = 1; h <= MANY; h++) {
		sprintf(text + strlen(text), "%zu\t%zu\t%zu\tb\t%zu\n", h, h + 1, 2 * h, 3 * h);
		add(&due, "%s%zu: %zu %zu w 0 %zu 0", h > 1 ? "; " : "", h, h + 1, 2 * h, 3 * h);
	}
	reads(text, KITH_WEIGHTS_ENSEMBLE, due.text);
}

/* A row of weight 2 is two rows, but for n / (n - 1). */
static void
test_deviations(void)
{
	double x[] = {1, 5, 0, 4, 5, 1, 4, 5, 2, 1e3, 7, 3, 9, 5, NAN};
	double twice[] = {1, 5, 1, 4, 5, 2, 4, 5, 2, 9, 5, 5, 9, 5, 5};
	const double weight[] = {1, 3, 3, 0, 6}, units[] = {1e-200, 3e-200, 3e-200, 0, 6e-200};
	bool text[] = {false, false, true};
	struct kith_table t = {.X = {5, 3, x}, .weight = (double *)weight};
	const double *sd = kith_weights_deviations(&t, &pool);

	/* mean (1 + 24 + 54) / 13, squares 1 + 96 + 486, 4 rows that count */
	is_near(sd[0], sqrt(4. / 3 * (583. / 13 - 79. * 79 / 169)), 1e-14, "of weighted rows");
	ok(sd[1] == 0, "0 of a feature that is constant where weights are not 0");
	is_near(
	    sd[2], sqrt(3. / 2 * (15. / 7 - 9. * 9 / 49)), 1e-14, "of the cells that are known");
	t.weight = (double *)units;
	is_near(
	    kith_weights_deviations(&t, &pool)[0], sd[0], 1e-14, "whatever the unit of weights");
	t = (struct kith_table){.X = {5, 3, twice}, .text = text};
	sd = kith_weights_deviations(&t, &pool);
	is_near(sd[0], sqrt((1 + 16 + 16 + 81 + 81 - 27. * 27 / 5) / 4), 1e-14, "of rows alike");
	ok(isnan(sd[2]), "not of a text");
	t.X.n = 1;
	ok(kith_weights_deviations(&t, &pool)[0] == 0, "0 of one row");
	x[0] = 1.7e308;
	x[3] = -1.7e308;
	t = (struct kith_table){.X = {2, 3, x}};
	ok(isinf(kith_weights_deviations(&t, &pool)[0]), "too large for a double");
}

int
main(void)
{
	kith_names_index(&features, feature, 3, &pool);
	test_reading();
	test_mistakes();
	test_full();
	test_drop();
	test_learners();
	test_many();
	test_deviations();
	kith_pool_free(&pool);
	return done();
}
