/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/sqpfw.h against tests/golden/sqpfw: the minima and paths
 * of sqpfw.py.
 */
#include "sqpfw/golden_set.h"
#include "tap.h"

static void
test_solve(const struct golden *t, size_t row, size_t *certified)
{
	const double theta = golden_number(t, row, "theta");
	const double objective = golden_number(t, row, "objective");
	struct kith_pool pool = {0};
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	struct set set;
	bool good, proved;

	read_set(t, row, &set, &pool);
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	good = kith_sqpfw_solve(s, theta);
	kith_sqpfw_at(s, &now);
	proved = is_minimum(&set, now.w, theta);
	*certified += proved;
	ok(good && now.objective <= objective + 9e-10 && off(&set, s) < 1e-12,
	    "%s, k %s, theta %g: %.12g, due %.12g", golden_cell(t, row, "data"),
	    golden_cell(t, row, "k"), theta, now.objective, objective);
	ok(proved, "certified");
	kith_pool_free(&pool);
}

static void
test_solves(void)
{
	struct kith_pool pool = {0};
	const struct golden t = golden_read("sqpfw/solves.tsv", &pool);
	size_t certified = 0;

	for (size_t i = 0; i < t.rows; i++)
		test_solve(&t, i, &certified);
	is_size(t.rows, 36, "references");
	is_size(certified, 36, "certified");
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
