/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what lib/table writes: trials, paths, verdicts, weights, learners. */
#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "near/metric.h"
#include "scratch.h"
#include "table/check.h"
#include "table/path.h"
#include "table/table.h"
#include "table/trial.h"
#include "table/unit.h"
#include "table/weights.h"
#include "tap.h"
#include "text/out.h"

#include <math.h>
#include <string.h>

static char a[] = "a", b[] = "b", c[] = "c";
static char *const names[] = {a, b, c};
static const struct kith_names three = {.name = (char **)names, .n = 3};
static struct kith_pool pool;
static struct kith_err err;
static struct kith_out out;

static void
open_out(void)
{
	if (kith_out_open(&out, scratch_text(0, ""), &err))
		abort();
}

static const struct kith_dest *
dest(void)
{
	static struct kith_dest to;

	to = (struct kith_dest){.path = scratch_text(0, "")};
	return &to;
}

/* Close what was written, and compare it. */
static void
is_written(const char *due, const char *what)
{
	char got[1000] = "";
	FILE *f;

	ok(!(kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err)), "close");
	f = fopen(scratch_path[0], "r");
	if (!f || fread(got, 1, sizeof(got) - 1, f) == 0 || fclose(f))
		abort();
	is_text(got, due, what);
}

static void
test_trials(void)
{
	struct kith_trial_form form = {
	    .key = {{.name = "theta"}, {.name = NULL}, {.name = "k", .whole = true}}, .keys = 3};
	const struct kith_trial t[] = {
	    {{.5, 9, 3}, 10, 2, .2, .125, 4}, {{NAN, 9, 5}, 8, 1, NAN, NAN, 7}};

	open_out();
	kith_trial_header(&form, &out);
	kith_trial_write(&form, &t[0], &out);
	kith_trial_write(&form, &t[1], &out);
	is_written("theta\tk\tn\terrors\terror\tse\n"
		   "0.5\t3\t10\t2\t0.2\t0.125\n"
		   "NA\t5\t8\t1\tNA\tNA\n",
	    "of classes");
	form.regress = form.features = true;
	open_out();
	kith_trial_header(&form, &out);
	kith_trial_write(&form, &t[0], &out);
	is_written("theta\tk\tn\trmse\tse\tfeatures\n"
		   "0.5\t3\t10\t0.2\t0.125\t4\n",
	    "of numbers, with features");
}

static void
test_steps(void)
{
	const double sd[] = {2, 3, 10};
	struct kith_path_form form = {"theta", KITH_SQUARED, &three, sd};

	open_out();
	kith_path_header(&form, &out);
	kith_path_step(&form, 1, .5, (const double[]){1, 0, -2}, &out);
	kith_path_step(&form, 2, .25, (const double[]){0, 0, 0}, &out);
	kith_path_step(&form, 3, 0, (const double[]){0, 3, 0}, &out);
	is_written("step\ttheta\tfeature\tweight\tscaled_weight\n1\t0.5\ta\t1\t4\n"
		   "1\t0.5\tc\t-2\t-200\n2\t0.25\tNA\t0\t0\n3\t0\tb\t3\t27\n",
	    "a path");
	form.kind = KITH_ABSOLUTE;
	open_out();
	kith_path_header(&form, &out);
	kith_path_step(&form, 1, .5, (const double[]){0, 0, 3}, &out);
	is_written("step\ttheta\tfeature\tweight_abs\tscaled_weight\n1\t0.5\tc\t3\t30\n",
	    "of absolute differences");
}

static void
test_events(void)
{
	struct kith_texts id = {0};
	size_t number[] = {4, 9};
	const size_t other = 1;
	const double last = 2.5;
	struct kith_table t = {.X = {2, 1, NULL}, .number = number};
	struct kith_path_event e = {"leaves", NULL, 0, "in", "out", NULL, NULL};

	open_out();
	kith_path_event_header(false, NULL, &out);
	kith_path_event(1, .5, &e, false, &t, &out);
	is_written("step\ttheta\tevent\trow\twas\tbecomes\n"
		   "1\t0.5\tleaves\t4\tin\tout\n",
	    "an event at a row, by its number");
	open_out();
	kith_path_event_header(true, NULL, &out);
	kith_path_event(1, .5, &e, true, &t, &out);
	e.other = &other;
	kith_path_event(2, .5, &e, true, &t, &out);
	kith_texts_add(&id, &(struct kith_cell){"x", 1, false}, &pool);
	kith_texts_add(&id, &(struct kith_cell){"y", 1, false}, &pool);
	t.id = id;
	t.id_name = "id";
	kith_path_event(3, .5, &e, true, &t, &out);
	is_written("step\ttheta\tevent\trow\twas\tbecomes\tother\n"
		   "1\t0.5\tleaves\t4\tin\tout\tNA\n"
		   "2\t0.5\tleaves\t4\tin\tout\t9\n"
		   "3\t0.5\tleaves\tx\tin\tout\ty\n",
	    "with another row, or none");
	e.name = "bias";
	e.last = &last;
	open_out();
	kith_path_event_header(false, "gap", &out);
	kith_path_event(1, .5, &e, false, &t, &out);
	is_written("step\ttheta\tevent\trow\twas\tbecomes\tgap\n"
		   "1\t0.5\tleaves\tbias\tin\tout\t2.5\n",
	    "at what has a name, with a last column");
	open_out();
	kith_path_event_header(true, "gap", &out);
	is_written("step\ttheta\tevent\trow\twas\tbecomes\tother\tgap\n", "both columns");
}

static void
test_verdicts(void)
{
	const struct kith_check good[] = {{"one", 1, 1}, {"two", 0, .5}};
	const struct kith_check open[] = {{"one", 1, 1}, {"two", 7, NAN}};
	const struct kith_check bad[] = {{"one", 2, 1}, {"two", NAN, 1}, {"three", 0, 1}};

	ok(kith_check_write(good, 2, dest(), &out, &err) == 0, "all hold");
	is_written("check\tvalue\tlimit\tok\none\t1\t1\tyes\ntwo\t0\t0.5\tyes\n", "which is said");
	ok(kith_check_write(open, 2, dest(), &out, &err) == 0, "not decided");
	is_written("check\tvalue\tlimit\tok\none\t1\t1\tyes\ntwo\t7\tNA\tNA\n", "is no no");
	ok(kith_check_write(bad, 3, dest(), &out, &err) == 1, "some fail");
	is_written("check\tvalue\tlimit\tok\none\t2\t1\tno\ntwo\tNA\t1\tno\n"
		   "three\t0\t1\tyes\n",
	    "which is said");
	ok(kith_check_write(bad, 3, &(struct kith_dest){.path = "/nowhere/at/all"}, &out, &err) < 0,
	    "a place that is not there");
}

static void
test_weights(void)
{
	const double w[] = {1, .5, 2, 4, 5, 6, 7, 8, 9};
	const double sd[] = {2, 3, NAN};

	open_out();
	kith_weights_put(&(struct kith_metric){KITH_SQUARED, 3, w}, &three, sd, &out);
	is_written("feature\tweight\tscaled_weight\na\t1\t4\nb\t0.5\t4.5\nc\t2\t2\n", "a vector");
	open_out();
	kith_weights_put(&(struct kith_metric){KITH_ABSOLUTE, 2, w}, &three, sd, &out);
	is_written("feature\tweight_abs\tscaled_weight\na\t1\t2\nb\t0.5\t1.5\n",
	    "of absolute differences");
	open_out();
	kith_weights_put(&(struct kith_metric){KITH_SQUARED_MATRIX, 2, w}, &three, sd, &out);
	is_written("feature1\tfeature2\tweight\tscaled_weight\na\ta\t1\t4\na\tb\t0.5\t3\n"
		   "b\tb\t4\t36\n",
	    "a matrix");
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

static int
parse(const char *text, struct kith_weights *e)
{
	static struct kith_names feature;

	kith_names_index(&feature, (char **)names, 3, &pool);
	return kith_weights_read(
	    scratch_text(1, text), &feature, KITH_WEIGHTS_ENSEMBLE, e, &pool, &err);
}

/* Learners are read in any order of lines, and written in theirs. */
static void
test_learners(void)
{
	static const char head[] = "learner\talpha\tsigma\tfeature1\tfeature2\tweight_abs\n";
	char text[300];
	struct kith_weights e;

	snprintf(
	    text, sizeof(text), "%s7\t2\t.5\ta\tc\t3\n4\t1\t4\tc\tc\t5\n7\t2\t.5\tc\tc\t1\n", head);
	ok(!parse(text, &e) && e.learners == 2 && e.metric.p == 2, "learners");
	ok(e.learner[0].number == 1 && e.learner[0].alpha == 2 && e.learner[0].sigma == .5 &&
		e.learner[1].alpha == 1 && e.learner[1].sigma == 4,
	    "in the order they come");
	ok(e.column[0] == 0 && e.column[1] == 2, "of the features named");
	open_out();
	kith_weights_put_learners(&e, &three, &out);
	snprintf(text, sizeof(text),
	    "%s1\t2\t0.5\ta\ta\t0\n1\t2\t0.5\ta\tb\t3\n1\t2\t0.5\tb\tb\t1\n"
	    "2\t1\t4\ta\ta\t0\n2\t1\t4\ta\tb\t0\n2\t1\t4\tb\tb\t5\n",
	    head);
	is_written(text, "all their pairs");
	ok(!parse("# sigma\t3\nfeature\tweight\nb\t2\n", &e) && !e.learner && e.metric.p == 3 &&
		!e.column,
	    "a vector is no ensemble");
	ok(e.needs.sigma == 3 && e.metric.w[1] == 2, "but a metric");
	ok(parse("learner\talpha\tsigma\tfeature\tweight\n1\t1\t1\ta\t1\n"
		 "1\t2\t1\tb\t1\n",
	       &e) < 0 &&
		err.line == 3,
	    "two alphas of one");
	is_text(err.msg, "column \"alpha\": not the same in all rows of the learner: '2'", "said");
	ok(parse("learner\talpha\tsigma\tfeature\tweight\n1\t1\t0\ta\t1\n", &e) < 0, "no sigma");
	is_text(err.msg, "column \"sigma\": not above 0: '0'", "said");
	ok(parse("learner\talpha\tsigma\tfeature\tweight\n1\t1\t1\ta\t1\n"
		 "2\t1\t1\ta\t1\n1\t1\t1\ta\t1\n",
	       &e) < 0 &&
		err.line == 4,
	    "a feature is named twice within a learner alone");
}

/* Without one of the columns of learners a table is no ensemble. */
static void
test_one(void)
{
	struct kith_weights e;

	ok(!parse("learner\tsigma\tfeature\tweight\n1\t0\ta\t1\n", &e) && !e.learner, "no alpha");
	ok(!parse("learner\talpha\tfeature\tweight\n1\t0\ta\t1\n", &e) && !e.learner, "no sigma");
	ok(!parse("alpha\tsigma\tfeature\tweight\n2\t2\ta\t1\n", &e) && !e.learner, "no learner");
	ok(parse("learner\tsigma\tfeature\tweight\n1\t1\ta\t1\n2\t1\tb\t1\n", &e) < 0,
	    "learners without alpha");
	is_text(err.msg,
	    "column \"learner\": several of them: '1' and '2' (choose one, "
	    "with awk? knnclf --vote expected?)",
	    "are several tables");
	ok(!parse("step\tlearner\talpha\tsigma\tfeature\tweight\n"
		  "1\t1\t1\t1\ta\t1\n1\t2\t1\t1\ta\t1\n",
	       &e) &&
		e.learners == 2,
	    "learners, whatever the step");
}

/* Rooms for learners and entries grow. */
static void
test_many(void)
{
	enum { N = 40 };
	char text[4000] = "learner\talpha\tsigma\tfeature\tweight\n";
	struct kith_weights e;
	size_t good = 0;

	for (size_t h = 1; h <= N; h++)
		sprintf(text + strlen(text), "%zu\t%zu\t%zu\tb\t%zu\n", h, h + 1, 2 * h, 3 * h);
	ok(!parse(text, &e) && e.learners == N, "many learners");
	for (size_t h = 0; h < e.learners; h++)
		good += e.learner[h].alpha == (double)h + 2 &&
		    e.learner[h].sigma == 2 * (double)h + 2 &&
		    e.learner[h].metric.w[1] == 3 * (double)h + 3 &&
		    e.learner[h].metric.w[0] == 0 && e.learner[h].number == h + 1;
	is_size(good, N, "each with its own");
}

/* What weights need, read and written. */
static void
test_needs(void)
{
	static char f[] = "f", *name[] = {f};
	struct kith_names feature;
	struct kith_weights w;
	char got[200] = "";
	FILE *file;

	kith_names_index(&feature, name, 1, &pool);
	ok(!kith_weights_read(scratch_text(0,
				  "# sample\t20\n# scale\tzscore\n# sigma\t.5\n"
				  "feature\tweight\nf\t1\n"),
	       &feature, 0, &w, &pool, &err),
	    "weights that were learnt from scaled rows");
	ok(w.needs.scale == KITH_UNIT_ZSCORE && w.needs.sigma == .5 && w.needs.unknowns == 1 &&
		strcmp(w.needs.unknown, "sample") == 0,
	    "say so");
	ok(!kith_out_open(&out, scratch_text(1, ""), &err), "open");
	kith_needs_put(&w.needs, &out);
	kith_needs_put(&(struct kith_needs){0}, &out);
	kith_out_header(&out, (const char *const[]){"a"}, 1);
	ok(!(kith_out_close(&out, &err) || kith_atomic_settle(NULL, &err)), "write");
	file = fopen(scratch_path[1], "r");
	if (!file || fread(got, 1, sizeof(got) - 1, file) == 0 || fclose(file))
		abort();
	is_text(got, "# sigma\t0.5\n# scale\tzscore\na\n", "what there is");
}

int
main(void)
{
	test_trials();
	test_steps();
	test_events();
	test_verdicts();
	test_weights();
	test_deviations();
	test_learners();
	test_one();
	test_many();
	test_needs();
	kith_pool_free(&pool);
	return done();
}
