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
	test_choice();
	return done();
}
