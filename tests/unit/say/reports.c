/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/say: how fits of immigrate ended, word by word. */
#include "base/ends.h"
#include "base/err.h"
#include "base/pool.h"
#include "immigrate/boost.h"
#include "immigrate/cv.h"
#include "immigrate/fit.h"
#include "immigrate/sigma.h"
#include "said.h"
#include "say/immigrate.h"
#include "table/needs.h"
#include "table/table.h"
#include "table/trial.h"
#include "tap.h"

#include <math.h>
#include <setjmp.h>

static struct kith_pool pool;
static jmp_buf back;

/* Stand in place of those of cli. */
struct kith_run kith_run;

_Noreturn void
kith_misuse(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	said_add("misuse", fmt, ap);
	va_end(ap);
	longjmp(back, 1);
}

/* How a fit ended, under these rules: what is warned of. */
static const char *
ends(enum kith_immigrate_end end, bool vector, struct kith_immigrate_how how)
{
	const struct kith_immigrate_fit fit = {.end = end, .iterations = 7, .C = .5, .F = -2};
	static char text[4000];
	const char *at;

	ok(kith_say_immigrate_end(vector, &how, &fit, false) == 1, "no proof");
	snprintf(text, sizeof(text), "%s", said());
	at = strstr(text, "warning: ");
	return at ? at : text;
}

static void
test_ends(void)
{
	const struct kith_immigrate_how paper = {.tol = 1e-9};
	const struct kith_immigrate_how monotone = {.monotone = true, .tol = 1e-9};
	const struct kith_immigrate_how package = {.package = true};

	is_text(ends(KITH_IMMIGRATE_CYCLE, false, paper),
	    "warning: no fixed point: after 7 iterations two matrices "
	    "alternate; printing that of lower F (--rules monotone?)\n",
	    "a cycle");
	is_text(ends(KITH_IMMIGRATE_CYCLE, true, paper),
	    "warning: im4e: no fixed point: after 7 iterations two vectors "
	    "alternate; printing that of lower F (a larger --sigma?)\n",
	    "of vectors");
	is_text(ends(KITH_IMMIGRATE_KEPT, false, monotone),
	    "warning: no further step after 7 iterations: none lowers F, or no "
	    "weight is left\n",
	    "no step");
	is_text(ends(KITH_IMMIGRATE_KEPT, true, monotone),
	    "warning: im4e: no further step after 7 iterations: no eigenvalue "
	    "of Sigma is negative, or no weight reaches the threshold\n",
	    "no eigenvalue");
	is_text(ends(KITH_IMMIGRATE_LIMIT, false, paper),
	    "warning: no convergence in 7 iterations (--rules monotone?)\n", "the limit");
	is_text(ends(KITH_IMMIGRATE_LIMIT, false, monotone),
	    "warning: no convergence in 7 iterations (--max-iter?)\n", "of monotone steps");
	is_text(ends(KITH_IMMIGRATE_LIMIT, false, package),
	    "warning: no convergence in 7 iterations (--max-iter?)\n", "of the package");
	is_text(ends(KITH_IMMIGRATE_LIMIT, true, paper),
	    "warning: im4e: no convergence in 7 iterations (--max-iter?)\n", "of vectors");
	is_text(ends(KITH_IMMIGRATE_LIMIT, false, (struct kith_immigrate_how){.tol = 0}),
	    "warning: no convergence in 7 iterations (--max-iter?)\n", "that is wanted");
	is_text(ends(KITH_IMMIGRATE_CONVERGED, false, package),
	    "warning: ended by the rule of the package after 7 iterations, but "
	    "the weights are not proved to be a fixed point (--check; "
	    "--tol?)\n",
	    "not proved");
	is_text(ends(KITH_IMMIGRATE_CONVERGED, false, monotone),
	    "warning: converged after 7 iterations, but the weights are not "
	    "proved to be a fixed point (--check; tabscale?)\n",
	    "of monotone steps");
	is_text(ends(KITH_IMMIGRATE_CONVERGED, false,
		    (struct kith_immigrate_how){.monotone = true, .threshold = .1}),
	    "warning: converged after 7 iterations, but the weights are not "
	    "proved to be a fixed point (--check; --threshold?)\n",
	    "with a threshold");
}

static void
test_end(void)
{
	struct kith_immigrate_fit fit = {
	    .end = KITH_IMMIGRATE_CONVERGED, .iterations = 7, .C = .5, .F = -2, .no_cost = true};
	const struct kith_immigrate_how how = {.tol = 1};

	ok(kith_say_immigrate_end(true, &how, &fit, true) == 0, "proved");
	is_text(said(),
	    "note: im4e: converged after 7 iterations, C = 0.5, F = -2\n"
	    "log: end converged\nlog: iterations 7\nlog: objective 0.5\n"
	    "log: F -2\nwarning: im4e: a cost is not a number, since "
	    "exp(-d/sigma) vanished; going on (a larger --sigma?)\n",
	    "but for a cost");
	fit.no_cost = false;
	fit.end = KITH_IMMIGRATE_CYCLE;
	ok(kith_say_immigrate_end(false, &how, &fit, true) == 0 && !strstr(said(), "warning"),
	    "a cycle that is proved");
	fit.end = KITH_IMMIGRATE_KEPT;
	ok(kith_say_immigrate_end(false, &how, &fit, true) == 0 &&
		strstr(said(), "warning: no further step"),
	    "no further step is said all the same");
}

/* Whether it ends with a wrong call. */
static bool
misuses(const char *sigmas, const char *range)
{
	struct kith_reals list;
	struct kith_boost_how how;

	if (setjmp(back))
		return true;
	if (sigmas)
		kith_say_immigrate_sigmas(sigmas, &list, &pool);
	if (range)
		kith_say_immigrate_range(range, &how);
	return false;
}

static void
test_sigmas(void)
{
	struct kith_reals list = {0};
	struct kith_boost_how how = {.most = 9, .least = 9};
	struct kith_immigrate_sigma s = {2, .5, 4, .25, 0};

	kith_say_immigrate_sigmas("auto", &list, &pool);
	ok(list.n == 1 && list.v[0] == 0, "auto");
	kith_say_immigrate_sigmas("1,.5", &list, &pool);
	ok(list.n == 2 && list.v[1] == .5, "a list");
	kith_say_immigrate_range("4:0.5", &how);
	ok(how.most == 4 && how.least == .5, "a range");
	kith_say_immigrate_range("auto", &how);
	ok(how.most == 0 && how.least == 0, "auto");
	ok(misuses("1,0", NULL), "no sigma");
	is_text(said(), "misuse: bad --sigma: '1,0' (auto, or distinct numbers above 0)\n", "said");
	ok(misuses(NULL, "1:4"), "no range");
	is_text(said(),
	    "misuse: bad --sigma-range: '1:4' (auto, or two numbers above 0, "
	    "the larger first: 4:0.2)\n",
	    "said");
	ok(kith_say_immigrate_sigma(&s) == 2 && !*said(), "a sigma as given");
	s.rows = 30;
	ok(kith_say_immigrate_sigma(&s) == 2, "one of the rows");
	is_text(said(),
	    "note: sigma 2 is 4 times the median distance to the nearest row "
	    "of another class (error 0.25 on 30 rows)\nlog: sigma 2\n",
	    "noted");
	s.unit = 0;
	kith_say_immigrate_sigma(&s);
	is_text(said(),
	    "warning: rows of different classes do not differ: sigma is 1\n"
	    "log: sigma 2\n",
	    "where these say nothing");
}

static void
test_samples(void)
{
	struct kith_needs needs = {.file = "w", .sample = 9, .seed = 2};
	struct kith_table t = {.X = {.n = 9}};
	struct kith_err err;
	size_t sample = 9;

	kith_say_immigrate_other(&needs, 9, 2);
	is_text(said(), "", "the same sample");
	kith_say_immigrate_other(&needs, 9, 3);
	is_text(said(),
	    "warning: w was found on a sample of the rows (--sample 9 --seed "
	    "2?)\n",
	    "another seed");
	kith_say_immigrate_other(&needs, 0, 2);
	ok(strstr(said(), "(--sample 9 --seed 2?)"), "none here");
	needs.sample = 0;
	kith_say_immigrate_other(&needs, 0, 3);
	is_text(said(), "", "none at all");
	kith_say_immigrate_other(&needs, 9, 2);
	is_text(said(), "warning: w was found on all rows, not on a sample\n", "none there");
	ok(kith_say_immigrate_sample(&t, &sample, 1, &pool, &err) == 0 && sample == 0 && !*said(),
	    "as many as there are");
	ok(kith_say_immigrate_sample(&t, &sample, 1, &pool, &err) == 0 && sample == 0 && !*said(),
	    "all");
}

static void
test_cv(void)
{
	struct kith_immigrate_fit_how fit = {.how = {.tol = 1}};
	const struct kith_trial t[] = {{.key = {0}, .errors = 3, .n = 9, .error = .5, .se = .1},
	    {.key = {.5}, .errors = 2, .n = 9, .error = .25, .se = .1}};
	struct kith_immigrate_cv_ends all = {20, 0, 0, 3};

	ok(kith_say_immigrate_cv(&fit, t, 2, 0, &all) == 0, "trials");
	is_text(said(),
	    "note: sigma auto: 3 of 9 rows wrong\n"
	    "note: sigma 0.5: 2 of 9 rows wrong\n"
	    "warning: of 20 fits 0 ended in a 2-cycle, 0 without a further "
	    "step, 3 without convergence (--rules monotone?)\n",
	    "and how they ended");
	fit.how.tol = 0;
	ok(kith_say_immigrate_cv(&fit, t, 2, KITH_BEST, &all) == 1, "the best");
	ok(!strstr(said(), "warning"), "the limit is a way to end");
	all.cycles = 2;
	fit.how.monotone = true;
	kith_say_immigrate_cv(&fit, t, 1, 0, &all);
	ok(strstr(said(),
	       "2 ended in a 2-cycle, 0 without a further step, 0 without "
	       "convergence\n"),
	    "without a hint");
	ok(kith_say_immigrate_cv(&fit, t, 1, KITH_BEST, &all) == 0 && !strstr(said(), "log: sigma"),
	    "an auto sigma is not logged with the choice");
}

int
main(void)
{
	test_ends();
	test_end();
	test_sigmas();
	test_samples();
	test_cv();
	kith_pool_free(&pool);
	return done();
}
