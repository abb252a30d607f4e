/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/trial.h: errors, their spread, the choice, and tables. */
#include "table/trial.h"

#include "tap.h"
#include "written.h"

#include <math.h>

static const struct kith_trial_form by_k = {
    .key = {{.name = "theta"}, {.name = "k", .simple_is_large = true}}, .keys = 2};

static void
test_parts(void)
{
	static const struct {
		long double loss[4];
		double rows[4];
		size_t parts;
		bool numbers;
		double error, se;
	} due[] = {
	    /* Errors of 1/2, 0 and 1/4: mean 1/4, squares 1/16 + 1/16 + 0. */
	    {{1, 0, 1, 7}, {2, 2, 4, 0}, 4, false, .25, .14433756729740643},
	    {{1, 0, 1, 7}, {2, 2, 4, 0}, 4, true, .5, .14433756729740643},
	    {{.125, 0}, {1, 1}, 2, true, .25, .125}, /* half of .0625 over a root of .25 */
	    {{32, 0}, {1, 1}, 2, true, 4, 2},        /* half of 16 over a root of 4 */
	    {{1}, {2}, 1, false, .5, NAN},
	    {{7}, {0}, 1, false, NAN, NAN},
	    {{0, 0}, {2, 2}, 2, true, 0, 0},
	};

	for (size_t i = 0; i < sizeof(due) / sizeof(*due); i++) {
		struct kith_trial t = {0};

		kith_trial_sums(due[i].loss, due[i].rows, due[i].parts, due[i].numbers, &t);
		ok(isnan(due[i].error) ? isnan(t.error) : t.error == due[i].error,
		    "case %zu: the error of all rows: %g", i, t.error);
		ok(isnan(due[i].se) ? isnan(t.se) : fabs(t.se - due[i].se) < 1e-16,
		    "the spread of the parts: %g", t.se);
	}
}

static void
test_rows(void)
{
	static const double loss[] = {1, 0, NAN, 0, 1, 1};
	static const size_t part[] = {0, 1, 0, 1, 0, 2};
	struct kith_trial t = {0};

	kith_trial_rows(loss, part, 6, 3, false, &t);
	ok(t.n == 5 && t.errors == 3, "rows that count");
	is_near(t.error, .6, 1e-16, "their error");
	is_near(t.se, sqrt((1. + 4 + 1) / 9 / 6), 1e-16, "over the parts");
	kith_trial_rows(loss, NULL, 6, 0, false, &t);
	ok(t.n == 5 && t.errors == 3, "each row a part");
	is_near(t.error, .6, 1e-16, "the same error");
	is_near(t.se, sqrt(.6 * .4 / 4), 1e-16, "and spread: error (1 - error) / (n - 1)");
}

/* Differences, whose squares count: one by one, and in parts. */
static void
test_numbers(void)
{
	static const double x[] = {1, -3, NAN, 1, -1, -1};
	static const size_t part[] = {0, 1, 0, 1, 0, 0};
	struct kith_trial t = {0};

	/* Squares 1, 1, 1 and 9, 1: 13 in 5, their means 1 and 5. */
	kith_trial_rows(x, part, 6, 2, true, &t);
	is_size(t.n, 5, "numbers that count");
	is_near(t.error, sqrt(13. / 5), 1e-15, "the root of the mean square");
	is_near(t.se, 2 / (2 * sqrt(13. / 5)), 1e-15, "over two parts");
	kith_trial_rows(x, NULL, 2, 0, true, &t);
	is_near(t.error, sqrt(5), 1e-15, "each a part");
	is_near(t.se, 4 / (2 * sqrt(5)), 1e-15, "and its spread");
	kith_trial_rows((double[]){1e200, -1e200}, NULL, 2, 0, true, &t);
	is_near(t.error * 1e-200, 1, 1e-15, "squares beyond a double");
	ok(t.se == 0, "that are the same");
}

static void
test_choice(void)
{
	struct kith_trial t[] = {
	    {.key = {1, 3}, .error = .30, .se = .05},
	    {.key = {2, 3}, .error = .20, .se = .05},
	    {.key = {1, 1}, .error = .20, .se = .05},
	    {.key = {3, 5}, .error = .25, .se = .01},
	    {.key = {2, 5}, .error = .25, .se = .01},
	    {.key = {0, 9}, .error = NAN, .se = NAN},
	};

	is_size(kith_trial_choose(&by_k, t, 6, KITH_BEST), 2, "the last parameter counts first");
	is_size(kith_trial_choose(&by_k, t, 6, KITH_BEST_SE), 4,
	    "the simplest: largest k, then smallest theta");
	t[0].features = 1;
	for (int i = 1; i < 6; i++)
		t[i].features = 2;
	t[0].error = .25;
	is_size(kith_trial_choose(&by_k, t, 6, KITH_BEST_SE), 0, "fewest features come first");
	t[2].se = NAN;
	is_size(kith_trial_choose(&by_k, t, 6, KITH_BEST_SE), 1,
	    "with an error of unknown spread, of equal errors");
	is_size(kith_trial_choose(&by_k, t + 5, 1, KITH_BEST), 0, "an unknown error alone");
	is_size(kith_trial_choose(&by_k, t + 4, 2, KITH_BEST), 0, "unknown errors come last");
}

static void
test_write(void)
{
	struct kith_trial_form form = {
	    .key = {{.name = "theta"}, {.name = "k", .whole = true}}, .keys = 2};
	const struct kith_trial t[] = {{{.5, 3}, 10, 2, .2, NAN, 4}, {{NAN, 1}, 10, 0, 0, 0, 4}};
	struct kith_err err;
	struct kith_out out;

	if (kith_out_open(&out, scratch_text(0, ""), &err))
		abort();
	kith_trial_write(&form, t, 2, &out);
	form.regress = true;
	kith_trial_write(&form, t, 1, &out);
	is_text(written(&out, 0),
	    "theta\tk\tn\terrors\terror\tse\n0.5\t3\t10\t2\t0.2\tNA\nNA\t1\t10\t0\t0\t0\n"
	    "theta\tk\tn\trmse\tse\n0.5\t3\t10\t0.2\tNA\n",
	    "trials of classes, and of numbers");
}

int
main(void)
{
	test_write();
	test_parts();
	test_rows();
	test_numbers();
	test_choice();
	return done();
}
