/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/say: weights of relief as they are printed, and what is told. */
#include "say/relief.h"
#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "near/metric.h"
#include "printed.h"
#include "relief/problem.h"
#include "relief/resample.h"
#include "said.h"
#include "say/sqpfw.h"
#include "sqpfw/certificate.h"
#include "sqpfw/check.h"
#include "sqpfw/sqpfw.h"
#include "table/table.h"
#include "table/unit.h"
#include "tap.h"

#include <math.h>

enum { P = 4 };

static char a[] = "a", b[] = "b", c[] = "c", d[] = "d";
static char *const names[] = {a, b, c, d};
static const struct kith_table table = {.file = "f",
    .X = {9, P, NULL},
    .feature = {.name = (char **)names, .n = P}};
static struct kith_pool pool;

/* Print these weights so, and compare. */
static void
prints(const struct kith_relief_print *print, const double *w,
    const size_t *round, const char *due, const char *what)
{
	const struct kith_relief found = {.round = (size_t *)round};
	struct kith_out out;
	struct kith_err err;
	double v[P];

	memcpy(v, w, sizeof(v));
	ok(!kith_relief_print(print, &found, v, &pool, &out, &err), "print");
	is_text(printed(&out), due, what);
}

static void
test_print(void)
{
	static const double w[P] = {.5, -1, 2, .5};
	static const size_t round[P] = {1, 3, 2, 3};
	double center[P] = {0}, scale[P] = {1, 1, 2, .5};
	const struct kith_unit unit = {P, center, scale};
	const struct kith_relief_how plain = {.method = KITH_RELIEF};
	const struct kith_relief_how many = {.method = KITH_RELIEFF};
	struct kith_relief_print print = {.table = &table, .how = &plain};

	prints(&print, w, NULL,
	    "feature\tweight\na\t0.5\nb\t-1\nc\t2\nd\t0.5\n", "as they are");
	print.rank = true;
	prints(&print, w, NULL,
	    "feature\tweight\trank\na\t0.5\t2\nb\t-1\t4\nc\t2\t1\nd\t0.5\t3\n",
	    "ranks, of equal weights the first first");
	prints(&print, w, round,
	    "feature\tweight\trank\na\t0.5\t4\nb\t-1\t2\nc\t2\t3\nd\t0.5\t1\n",
	    "ranks by rounds, the last first");
	print.rank = false;
	print.clip = true;
	print.how = &many;
	prints(&print, w, NULL,
	    "feature\tweight_abs\na\t0.5\nb\t0\nc\t2\nd\t0.5\n", "clipped");
	print.drop = 50;
	prints(&print, w, NULL,
	    "feature\tweight_abs\na\t0.5\nb\t0\nc\t2\nd\t0\n",
	    "without the smallest");
	print.drop = 0;
	print.unit = &unit;
	prints(&print, w, NULL,
	    "feature\tweight_abs\na\t0.5\nb\t0\nc\t1\nd\t1\n",
	    "in units of the input");
	print.how = &plain;
	prints(&print, w, NULL, "feature\tweight\na\t0.5\nb\t0\nc\t0.5\nd\t2\n",
	    "of squares");
}

static void
test_spread(void)
{
	static const double w[P] = {.5, -1, 2, .5};
	double center[P] = {0}, scale[P] = {1, 1, 2, .5};
	double se[P] = {1, 2, 3, 4}, top[P] = {.25, 0, 1, .5},
	       p[P] = {.1, .2, .3, .4};
	const struct kith_unit unit = {P, center, scale};
	const struct kith_relief_how how = {.method = KITH_RELIEFF};
	struct kith_relief_spread spread = {.se = se, .top = top, .p = p};
	struct kith_relief_print print = {
	    .table = &table, .how = &how, .spread = &spread, .rank = true};

	prints(&print, w, NULL,
	    "feature\tweight_abs\trank\tse\ttop\tp\na\t0.5\t2\t1\t0.25\t0.1\n"
	    "b\t-1\t4\t2\t0\t0.2\nc\t2\t1\t3\t1\t0.3\nd\t0.5\t3\t4\t0.5\t0.4\n",
	    "ranks and spread");
	print.rank = false;
	spread.p = NULL;
	print.unit = &unit;
	prints(&print, w, NULL,
	    "feature\tweight_abs\tse\ttop\na\t0.5\t1\t0.25\nb\t-1\t2\t0\n"
	    "c\t1\t1.5\t1\nd\t1\t8\t0.5\n",
	    "in units of the input");
	spread = (struct kith_relief_spread){.p = p};
	print.unit = NULL;
	prints(&print, w, NULL,
	    "feature\tweight_abs\tp\na\t0.5\t0.1\nb\t-1\t0.2\nc\t2\t0.3\n"
	    "d\t0.5\t0.4\n",
	    "shares alone");
}

static void
test_tell(void)
{
	struct kith_relief_how how = {
	    .method = KITH_RELIEF_IRELIEF, .seed = 3, .threads = 2};
	struct kith_relief got = {
	    .converged = true, .best = 2, .objective = .5};
	static const char
	    rows[] = "note: 9 rows, 4 features\nlog: rows 9\nlog: features 4\n"
		     "log: seed 3\nlog: threads 2\n";
	char due[400];

	kith_relief_tell(&table, &how, &got);
	is_text(said(), rows, "rows");
	got.iterations = 7;
	got.circle = 1;
	kith_relief_tell(&table, &how, &got);
	snprintf(due, sizeof(due),
	    "%snote: 7 iterations\nlog: iterations 7\nlog: converged yes\n",
	    rows);
	is_text(said(), due, "iterations");
	got.converged = false;
	got.circle = 2;
	how.method = KITH_RELIEF_NCA;
	kith_relief_tell(&table, &how, &got);
	snprintf(due, sizeof(due),
	    "%snote: 7 iterations, not converged\nlog: iterations 7\n"
	    "log: converged no\nlog: circle 2\n"
	    "note: start 2 is the best: objective 0.5\nlog: start 2\n"
	    "log: objective 0.5\n",
	    rows);
	is_text(said(), due, "a circle, and starts");
	got.iterations = 0;
	how.method = KITH_RELIEF_SIMBA;
	kith_relief_tell(&table, &how, &got);
	ok(strstr(said(), "note: 0 iterations, not converged\n"),
	    "none, and not converged");
	got.converged = true;
	kith_relief_tell(&table, &how, &got);
	ok(strstr(said(), "note: start 2 is the best: errors 0.5\n"), "errors");
}

static void
test_warn(void)
{
	struct kith_relief got = {.iterations = 7};
	struct kith_relief_how how = {.method = KITH_RELIEF};
	const double w[P] = {-1, 0, 0, 1e-9};

	kith_relief_warn(&got);
	is_text(said(),
	    "warning: not converged after 7 iterations (--max-iter)\n", "most");
	got.circle = 3;
	kith_relief_warn(&got);
	is_text(said(),
	    "warning: not converged after 7 iterations: the weights repeat in "
	    "a cycle of 3\n",
	    "a cycle");
	got.stuck = true;
	kith_relief_warn(&got);
	is_text(said(),
	    "warning: not converged after 7 iterations: no step is better, but "
	    "derivatives exceed --tol (tabscale?)\n",
	    "stuck");
	kith_relief_warn_none(P, &how, w);
	is_text(said(), "", "one is positive");
	kith_relief_warn_none(P - 1, &how, w);
	is_text(said(), "warning: no feature has a positive weight\n", "none");
	how.method = KITH_RELIEF_LFE;
	kith_relief_warn_none(2, &how, w);
	is_text(said(), "", "of a matrix, on its diagonal");
	ok(kith_relief_kind(&how) == KITH_SQUARED_MATRIX, "a matrix");
	how.method = KITH_RELIEF_SURF;
	ok(kith_relief_kind(&how) == KITH_ABSOLUTE, "differences");
	how.method = KITH_RELIEF_MULREL;
	ok(kith_relief_kind(&how) == KITH_SQUARED, "squares");
}

/* Why a solution of sqpfw is not certified: the first reason is said. */
static void
test_doubts(void)
{
	struct kith_sqpfw_now now = {
	    .theta = .5, .iterations = 7, .positive = 3, .limited = true};
	struct kith_sqpfw_verdict v = {.simplex = .25,
	    .objective = 2,
	    .seen = {.ties = 4, .residual = NAN, .open = 5, .concave = 6}};

	kith_say_sqpfw_solution(&now, &v, false);
	ok(strstr(said(),
	       "note: theta 0.5: objective 2, 7 iterations, 4 ties, 3 "
	       "features, residual "),
	    "a solution");
	kith_say_sqpfw_doubt(&now, &v);
	is_text(said(),
	    "warning: not certified as a minimum: stopped after 7 "
	    "iterations\n",
	    "limited");
	now.limited = false;
	kith_say_sqpfw_doubt(&now, &v);
	is_text(said(),
	    "warning: not certified as a minimum: squares of the data "
	    "overflow\n",
	    "no residual");
	v.seen.residual = 1;
	kith_say_sqpfw_solution(&now, &v, false);
	ok(strstr(said(), "residual 1, not certified\n"), "not certified");
	kith_say_sqpfw_solution(&now, &v, true);
	ok(strstr(said(), "residual 1\n"), "certified");
	kith_say_sqpfw_doubt(&now, &v);
	ok(strstr(said(), "not certified as a minimum: residual 1, limit "),
	    "a residual");
	v.seen.residual = 0;
	kith_say_sqpfw_doubt(&now, &v);
	ok(strstr(said(), ": 5 concave kinks, with too many choices to try"),
	    "kinks");
	v.seen.open = 0;
	kith_say_sqpfw_doubt(&now, &v);
	ok(strstr(said(), "the weights sum to 1 but for 0.25\n"), "the sum");
	v.certified = true;
	kith_say_sqpfw_doubt(&now, &v);
	ok(strstr(said(), "for the path: 6 concave kinks at theta 0\n"),
	    "the path");
	kith_say_sqpfw_log(&now, &v);
	is_text(said(),
	    "log: objective 2\nlog: positive 3\nlog: ties 4\nlog: concave 6\n"
	    "log: residual 0\n",
	    "logged");
}

int
main(void)
{
	test_print();
	test_spread();
	test_tell();
	test_warn();
	test_doubts();
	kith_pool_free(&pool);
	return done();
}
