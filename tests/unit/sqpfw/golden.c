/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/sqpfw.h against tests/golden/sqpfw: the minima and paths of sqpfw.py; the judge
 * of lib/sqpfw/check.h certifies minima, and nothing that is nearly one.
 */
#include "golden.h"
#include "sqpfw/data.h"
#include "tap.h"

#include <assert.h>
#include <stdio.h>

/* The set that a row of a table names, with its k, for hits and misses. */
static void
read_set(const struct golden *t, size_t row, struct set *set, struct kith_pool *pool)
{
	const size_t k = golden_count(t, row, "k");
	char name[64];
	double *class;

	*set = (struct set){.how = {k, k, .threads = 1}};
	snprintf(name, sizeof(name), "sqpfw/%s.csv", golden_cell(t, row, "data"));
	set->X = golden_data(name, &class, pool);
	assert(set->X.n > 0 && set->X.n <= ROWS && set->X.p <= FEATURES);
	for (size_t i = 0; i < set->X.n; i++) {
		set->y[i] = (size_t) class[i];
		if (set->y[i] >= set->c)
			set->c = set->y[i] + 1;
	}
	standardise(&set->X);
	set_prior(set);
}

/* Which checks say no, as bits. */
static unsigned
failures(const struct set *set, const double *w)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw_judge *judge = judge_of(set, &pool);
	struct kith_sqpfw_verdict verdict;
	struct kith_check check[KITH_CHECK_SQPFW];
	unsigned bits = 0;

	kith_sqpfw_judge(judge, w, set->theta, NULL, &verdict, NULL);
	kith_sqpfw_judge_free(judge);
	kith_check_sqpfw(&verdict, check);
	for (unsigned c = 0; c < KITH_CHECK_SQPFW; c++)
		bits |= kith_check_ok(&check[c]) ? 0 : 1U << c;
	kith_pool_free(&pool);
	return bits;
}

enum { SIMPLEX = 1, RESIDUAL = 4 };

/* What is nearly a minimum. */
static void
test_judge(struct set *set, double *w)
{
	size_t a = 0, b = 0; /* two weights above 0, b the largest */
	unsigned got;

	for (size_t j = 0; j < set->X.p; j++)
		b = w[j] > w[b] ? j : b;
	for (size_t j = 0; j < set->X.p; j++)
		if (j != b && w[j] > 0)
			a = j;
	is_size(failures(set, w), 0, "the reference is a minimum");
	w[b] += 1e-6;
	ok(failures(set, w) & SIMPLEX, "a sum of 1 + 1e-6");
	w[a] -= 1e-6;
	got = failures(set, w);
	ok((got & (SIMPLEX | RESIDUAL)) == RESIDUAL, "1e-6 moved from one to another");
	w[b] -= 1e-6;
	w[a] += 1e-6;
	set->how.hits++;
	ok(failures(set, w) != 0, "other targets");
	set->how.hits--;
	set->theta = 0;
	ok(failures(set, w) & RESIDUAL, "another theta");
}

static void
test_solve(const struct golden *t, size_t row)
{
	const double theta = golden_number(t, row, "theta");
	const double objective = golden_number(t, row, "objective");
	struct kith_pool pool = {0};
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	struct set set;

	read_set(t, row, &set, &pool);
	s = solve(&set, theta, &now, &pool);
	ok(solved && now.objective <= objective + 9e-10 && off(&set, s) < 1e-12,
	    "%s, k %s, theta %g: %.12g, due %.12g", golden_cell(t, row, "data"),
	    golden_cell(t, row, "k"), theta, now.objective, objective);
	ok(is_minimum(&set, now.w, theta), "certified");
	set.theta = theta;
	test_judge(&set, golden_numbers(t, row, "weights", set.X.p, &pool));
	kith_pool_free(&pool);
}

static void
test_solves(void)
{
	struct kith_pool pool = {0};
	const struct golden t = golden_read("sqpfw/solves.tsv", &pool);

	for (size_t i = 0; i < t.rows; i++)
		test_solve(&t, i);
	is_size(t.rows, 36, "references");
	kith_pool_free(&pool);
}

/* How far a path is from the reference. */
struct apart {
	double numbers, jumps;
	size_t unproved;
};

/* Compare a breakpoint; `after` and `at` are what the last one came to. */
static void
compare(const struct set *set, struct kith_sqpfw *s, const double *before, double *after,
    double *at, const struct golden *t, size_t row, struct apart *apart)
{
	const double theta = golden_number(t, row, "theta");
	const double objective = golden_number(t, row, "objective");
	const double jump = golden_number(t, row, "jump");
	struct kith_sqpfw_now now;

	kith_sqpfw_at(s, &now);
	apart->numbers = fmax(apart->numbers, fabs(now.theta - theta) / fmax(theta, 1));
	apart->numbers = fmax(apart->numbers, fabs(now.objective - objective));
	apart->numbers = fmax(apart->numbers, off(set, s));
	apart->jumps = fmax(apart->jumps, fabs(distance(before, now.w, set->X.p) - jump));
	apart->unproved += !is_minimum(set, now.w, now.theta);
	for (size_t f = 0; f < set->X.p; f++)
		after[f] = (after[f] + before[f]) / 2;
	apart->unproved += !is_minimum(set, after, (*at + now.theta) / 2);
	memcpy(after, now.w, set->X.p * sizeof(*after));
	*at = now.theta;
}

/* Follow a path along the reference, whose first line is the start: the line
 * after its last. */
static size_t
test_path(const struct golden *t, size_t row)
{
	struct kith_pool pool = {0};
	const char *name = golden_cell(t, row, "data");
	const char *k = golden_cell(t, row, "k");
	double before[FEATURES], after[FEATURES], at = 0;
	struct apart apart = {0};
	enum kith_sqpfw_step step = KITH_SQPFW_BREAKPOINT;
	struct kith_sqpfw *s;
	struct set set;

	read_set(t, row, &set, &pool);
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	memcpy(before, set.prior, sizeof(before));
	memcpy(after, set.prior, sizeof(after));
	for (; row < t->rows && golden_is(t, row, "data", name) && golden_is(t, row, "k", k);
	     row++) {
		compare(&set, s, before, after, &at, t, row, &apart);
		step = kith_sqpfw_next(s, INFINITY, before);
	}
	ok(step == KITH_SQPFW_END, "%s, k %s: to the end, %g", name, k, at);
	ok(apart.numbers < 9e-11 && apart.jumps < 9e-6,
	    "theta, objective off by %.1e, jumps by %.1e", apart.numbers, apart.jumps);
	is_size(apart.unproved, 0, "not certified, at a breakpoint or between two");
	kith_pool_free(&pool);
	return row;
}

int
main(void)
{
	struct kith_pool pool = {0};
	const struct golden paths = golden_read("sqpfw/paths.tsv", &pool);
	size_t row = 0, count = 0;

	test_solves();
	for (; row < paths.rows; count++)
		row = test_path(&paths, row);
	is_size(count, 4, "paths");
	kith_pool_free(&pool);
	return done();
}
