/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what lib/table writes: trials, paths, verdicts, weights; and of deviations. */
#include "written.h"
#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "near/metric.h"
#include "table/check.h"
#include "table/path.h"
#include "table/table.h"
#include "table/trial.h"
#include "table/weights.h"
#include "tap.h"

#include <math.h>

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

/* Closes what was written, compares it, and opens another. */
static void
is_written(const char *due, const char *what)
{
	is_text(written(&out, 0), due, what);
	open_out();
}

static void
test_trials(void)
{
	struct kith_trial_form form = {
	    .key = {{.name = "theta"}, {.name = NULL}, {.name = "k", .whole = true}}, .keys = 3};
	const struct kith_trial t[] = {
	    {{.5, 9, 3}, 10, 2, .2, .125, 4}, {{NAN, 9, 5}, 8, 1, NAN, NAN, 7}};

	kith_trial_header(&form, &out);
	kith_trial_write(&form, &t[0], &out);
	kith_trial_write(&form, &t[1], &out);
	is_written("theta\tk\tn\terrors\terror\tse\n0.5\t3\t10\t2\t0.2\t0.125\n"
		   "NA\t5\t8\t1\tNA\tNA\n",
	    "trials of classes");
	form.regress = form.features = true;
	kith_trial_header(&form, &out);
	kith_trial_write(&form, &t[0], &out);
	is_written("theta\tk\tn\trmse\tse\tfeatures\n0.5\t3\t10\t0.2\t0.125\t4\n",
	    "of numbers, with features");
}

static void
test_steps(void)
{
	const double sd[] = {2, 3, 10};
	struct kith_path_form form = {"theta", KITH_SQUARED, &three, sd};

	kith_path_header(&form, &out);
	kith_path_step(&form, 1, .5, (const double[]){1, 0, -2}, &out);
	kith_path_step(&form, 2, .25, (const double[]){0, 0, 0}, &out);
	is_written("step\ttheta\tfeature\tweight\tscaled_weight\n1\t0.5\ta\t1\t4\n"
		   "1\t0.5\tc\t-2\t-200\n2\t0.25\tNA\t0\t0\n",
	    "a path");
	form.kind = KITH_ABSOLUTE;
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

	kith_path_event_header(true, NULL, &out);
	kith_path_event(1, .5, &e, true, &t, &out);
	e.other = &other;
	kith_path_event(2, .5, &e, true, &t, &out);
	kith_texts_add(&id, &(struct kith_cell){"x", 1, false}, &pool);
	kith_texts_add(&id, &(struct kith_cell){"y", 1, false}, &pool);
	t.id = id;
	t.id_name = "id";
	kith_path_event(3, .5, &e, true, &t, &out);
	is_written("step\ttheta\tevent\trow\twas\tbecomes\tother\n1\t0.5\tleaves\t4\tin\tout\tNA\n"
		   "2\t0.5\tleaves\t4\tin\tout\t9\n3\t0.5\tleaves\tx\tin\tout\ty\n",
	    "events at rows, by their numbers or ids");
	e.name = "bias";
	e.last = &last;
	kith_path_event_header(false, "gap", &out);
	kith_path_event(1, .5, &e, false, &t, &out);
	is_written("step\ttheta\tevent\trow\twas\tbecomes\tgap\n"
		   "1\t0.5\tleaves\tbias\tin\tout\t2.5\n",
	    "at what has a name, with a last column");
}

static void
test_verdicts(void)
{
	static const struct {
		struct kith_check check[2];
		int fails;
		const char *due;
	} cases[] = {
	    {{{"one", 1, 1}, {"two", 0, .5}}, 0, "one\t1\t1\tyes\ntwo\t0\t0.5\tyes\n"},
	    {{{"one", 1, 1}, {"two", 7, NAN}}, 0, "one\t1\t1\tyes\ntwo\t7\tNA\tNA\n"},
	    {{{"one", 2, 1}, {"two", 0, 1}}, 1, "one\t2\t1\tno\ntwo\t0\t1\tyes\n"},
	    {{{"one", 0, 1}, {"two", NAN, 1}}, 1, "one\t0\t1\tyes\ntwo\tNA\t1\tno\n"},
	};
	char due[200];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct kith_dest to = {.path = scratch_text(0, "")};

		ok(kith_check_write(cases[i].check, 2, &to, &out, &err) == cases[i].fails,
		    "verdict %zu", i);
		snprintf(due, sizeof(due), "check\tvalue\tlimit\tok\n%s", cases[i].due);
		is_text(written(&out, 0), due, "its table");
	}
}

static void
test_weights(void)
{
	const double w[] = {1, .5, 2, 4, 5, 6, 7, 8, 9}, sd[] = {2, 3, NAN};

	open_out();
	kith_weights_put(&(struct kith_metric){KITH_SQUARED, 3, w}, &three, sd, &out);
	is_written("feature\tweight\tscaled_weight\na\t1\t4\nb\t0.5\t4.5\nc\t2\t2\n", "a vector");
	kith_weights_put(&(struct kith_metric){KITH_ABSOLUTE, 2, w}, &three, sd, &out);
	is_written("feature\tweight_abs\tscaled_weight\na\t1\t2\nb\t0.5\t1.5\n",
	    "of absolute differences");
	kith_weights_put(&(struct kith_metric){KITH_SQUARED_MATRIX, 2, w}, &three, sd, &out);
	is_text(written(&out, 0),
	    "feature1\tfeature2\tweight\tscaled_weight\na\ta\t1\t4\na\tb\t0.5\t3\nb\tb\t4\t36\n",
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

int
main(void)
{
	open_out();
	test_trials();
	test_steps();
	test_events();
	test_verdicts();
	test_weights();
	test_deviations();
	kith_pool_free(&pool);
	return done();
}
