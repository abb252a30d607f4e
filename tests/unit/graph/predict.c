/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/predict.h: paths whose scores are known, under nodes in
 * another order than rows.
 */
#include "graph/predict.h"

#include "base/err.h"
#include "base/pool.h"
#include "graph/claim.h"
#include "graph/dense.h"
#include "table/check.h"
#include "table/ends.h"
#include "table/predicted.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 7 };

static struct kith_pool pool;
static struct kith_err err;
static struct kith_undirected g;
static uint32_t place[N];
static struct kith_known known;
static struct kith_prop_run run;
static const struct kith_ends nodes = {.n = N, .read = N};
static const bool all[N] = {true, true, true, true, true, true, true};

/* Rows 0..4 are a path, its ends labelled; 5 and 6 are apart. */
static size_t y[N] = {
    0, KITH_NO_CLASS, KITH_NO_CLASS, KITH_NO_CLASS, 1, KITH_NO_CLASS, KITH_NO_CLASS};
static double t[N] = {10, NAN, NAN, NAN, 30, NAN, NAN};
static const struct kith_table classes = {.X = {.n = N}, .y = y, .class = {.n = 2}};
static const struct kith_table numbers = {.X = {.n = N}, .t = t};

static void
draw_path(double w)
{
	double W[N * N] = {0};

	for (size_t i = 0; i < N; i++)
		place[i] = (uint32_t)((3 * i + 2) % N);
	for (size_t i = 0; i + 1 < N; i++)
		if (i != 4)
			join(N, W, place[i], place[i + 1], w);
	g = graph_of(N, W, &pool);
}

static void
solve(const struct kith_table *rows, struct kith_prop_how how)
{
	kith_known_choose(rows, 0, 1, &known, &pool);
	kith_prop_run_pose(&g, place, &known, &how, &run, &pool);
	kith_prop_run_solve(&run, 1, &pool);
}

/* Whether no check says no. */
static bool
holds(void)
{
	for (size_t i = 0; i < run.proof.n; i++)
		if (!kith_check_ok(&run.proof.check[i]) && !kith_check_open(&run.proof.check[i]))
			return false;
	return true;
}

static void
test_classes(void)
{
	static const size_t due[N] = {0, 0, 0, 1, 1, 0, 0};
	static const bool wanted[N] = {false, true, false, true, false, true};
	struct kith_predicted p;
	size_t bad = 0;

	solve(&classes, (struct kith_prop_how){.alpha = .5});
	for (size_t i = 0; i < N; i++)
		bad += kith_prop_run_class(&run, i) != due[i] ||
		    kith_prop_run_reaches(&run, i) != (i < 5);
	is_size(bad, 0, "classes, a tie is of the first, as what none reaches");
	ok(run.common == 0 && run.share[0] == .5 && run.share[1] == .5 && holds(),
	    "shares of labels");
	kith_prop_run_gather(&run, all, true, false, &p, &pool);
	ok(p.m == N && p.nk == 1 && !p.none[4] && p.none[5] && p.none[6],
	    "nothing is said of what is not reached");
	for (size_t i = 0; i < 5; i++)
		bad += fabs(p.share[2 * i] - (1 - (double)i / 4)) > 1e-15 ||
		    fabs(p.share[2 * i + 1] - (double)i / 4) > 1e-15 || p.y[i] != due[i];
	is_size(bad, 0, "scores");
	ok(p.share[10] == .5 && p.share[13] == .5, "shares in their place");
	kith_prop_run_gather(&run, wanted, false, true, &p, &pool);
	ok(p.m == 3 && !p.share && !p.t && p.y[0] == 0 && p.y[1] == 1 && p.y[2] == 0 &&
		!p.none[0] && !p.none[2],
	    "some rows, with what most labels say");
	kith_prop_run_gather(&run, wanted, true, true, &p, &pool);
	is_near(p.share[3], .75, 1e-15, "scores of the second of them");
}

static void
test_numbers(void)
{
	struct kith_predicted p;
	struct kith_prop_how how = {.method = KITH_PROP_HARMONIC};
	const double a = .5;

	solve(&numbers, how);
	kith_prop_run_gather(&run, all, true, true, &p, &pool);
	ok(!p.y && !p.share && p.t[0] == 10 && p.t[4] == 30 && p.t[5] == 20,
	    "labels, and their mean");
	is_near(p.t[1], 15, 1e-15, "by the distance from both");
	is_near(p.t[3], 25, 1e-15, "too");
	ok(holds() && run.labels.c == 1 && run.mean == .5, "bounded");
	for (int m = KITH_PROP_NORMALIZED; m <= KITH_PROP_SPREAD; m++) {
		how = (struct kith_prop_how){.method = (enum kith_prop_method)m, .alpha = a};
		solve(&numbers, how);
		ok(run.labels.c == 2, "a column of ones");
		is_near(kith_prop_run_number(&run, 2), 20, 1e-14, "the middle is the mean");
		ok(kith_prop_run_number(&run, 1) < 17 && kith_prop_run_number(&run, 3) > 23,
		    "the others are near their label");
		ok((kith_prop_run_number(&run, 0) == 10) == (m == KITH_PROP_NORMALIZED),
		    "a label is changed by spread alone");
		ok(holds(), "bounded");
	}
}

/* Labels to the last digit, and a range of 1 to 1. */
static void
test_labels(void)
{
	struct kith_prop_how how = {.alpha = .5};

	for (size_t i = 0; i < N; i++)
		t[i] = i == 3 ? NAN : .1 + sqrt((double)i);
	for (int m = KITH_PROP_HARMONIC; m <= KITH_PROP_NORMALIZED; m++) {
		size_t same = 0;

		how.method = (enum kith_prop_method)m;
		solve(&numbers, how);
		for (size_t i = 0; i < N; i++)
			same += kith_prop_run_number(&run, i) == t[i];
		is_size(same, N - 1, "labels to the last digit");
	}
	for (size_t i = 0; i < N; i++)
		t[i] = i == 0 ? 10 : i == 4 ? 30 : NAN;
	how = (struct kith_prop_how){0};
	t[4] = 10;
	solve(&numbers, how);
	ok(kith_prop_run_number(&run, 2) == 10, "one number");
	t[4] = 30;
}

/* What a run says as a table that is to be judged. */
static struct kith_claim
claim_of(void)
{
	struct kith_claim c = {.there = kith_new(&pool, N, sizeof(bool))};
	struct kith_predicted p;

	kith_prop_run_gather(&run, all, true, false, &p, &pool);
	for (size_t i = 0; i < N; i++) {
		c.there[i] = true;
		if (p.none[i] && p.y) {
			p.y[i] = KITH_NO_CLASS;
			p.share[2 * i] = p.share[2 * i + 1] = NAN;
		} else if (p.none[i])
			p.t[i] = NAN;
	}
	c.y = p.y;
	c.t = p.t;
	c.F = p.share;
	return c;
}

static int
judge_claim(const struct kith_table *rows, struct kith_prop_how how, const struct kith_claim *c)
{
	err = (struct kith_err){0};
	kith_prop_run_pose(&g, place, &known, &how, &run, &pool);
	(void)rows;
	return kith_prop_run_claim(&run, c, "table", &nodes, 1, &pool, &err);
}

/* Claims that are as they should be, and those that are not quite. */
static void
test_claim(const struct kith_table *rows, enum kith_prop_method method)
{
	const struct kith_prop_how how = {.method = method, .alpha = .7};
	const bool fixed = method <= KITH_PROP_NORMALIZED;
	struct kith_claim c;
	double *x;

	solve(rows, how);
	c = claim_of();
	ok(!judge_claim(rows, how, &c) && holds(), "method %d: what is found is right",
	    (int)method);
	x = c.F ? c.F + 2 : c.t + 1;
	*x *= 1 + 1e-4;
	ok(!judge_claim(rows, how, &c) && !holds(), "a number that is off is not");
	*x /= 1 + 1e-4;
	if (c.y && method != KITH_PROP_POISSON) {
		c.y[3] = 0;
		ok(!judge_claim(rows, how, &c) && !holds(), "nor is another class");
		c.y[3] = 1;
	}
	c.there[4] = false;
	ok(judge_claim(rows, how, &c) == (fixed ? 0 : -1),
	    "a label that is fixed need not be there");
	if (fixed)
		ok(holds(), "and is right");
	else
		is_text(err.msg, "no row of id '5' (--all?)", "others must");
	c.there[4] = true;
	c.there[2] = false;
	ok(judge_claim(rows, how, &c) == -1 && err.status == EX_DATAERR &&
		strcmp(err.file, "table") == 0 && err.line == 0,
	    "a row that is not there");
	is_text(err.msg, "no row of id '3'", "is named");
}

int
main(void)
{
	draw_path(2);
	test_classes();
	test_numbers();
	test_labels();
	for (int m = 0; m < 4; m++)
		test_claim(&classes, (enum kith_prop_method)m);
	test_claim(&numbers, KITH_PROP_HARMONIC);
	/* Scores of poisson are divided by weights. */
	g.exponent = 5;
	test_claim(&classes, KITH_PROP_POISSON);
	kith_pool_free(&pool);
	return done();
}
