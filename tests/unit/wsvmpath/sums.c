/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvmpath/measure.h: sums, costs of queries, errors of some rows,
 * and changes that are known already, by hand.
 */
#include "base/pool.h"
#include "tap.h"
#include "wsvmpath/drawn.h"

#include <stdlib.h>

static struct kith_pool pool;
static struct kith_svm_intervals list;

static struct kith_svm_measure *
begin(const struct kith_svm_test *how)
{
	list = (struct kith_svm_intervals){.pool = &pool};
	return kith_svm_measure_new(how, &list, &pool);
}

static bool
is(size_t k, double from, double to, size_t errors, double value)
{
	return k < list.n && list.v[k].from == from && list.v[k].to == to &&
	    list.v[k].errors == errors && fabs(list.v[k].value - value) < 1e-15;
}

/* Rows that are known to become wrong and right. */
static void
test_changes(void)
{
	static const double y[] = {1, -1, 1}, cost[] = {1, 2, 5};
	const struct kith_svm_test how = {.measure = KITH_SVM_ERROR, .m = 3, .y = y, .cost = cost};
	struct kith_svm_change c[] = {
	    {0, 1, 2, true}, {.25, 0, 1, true}, {.5, 1, 0, false}, {.75, 2, 5, true}};
	const struct kith_svm_changes changes = {.v = c, .n = 4};
	struct kith_svm_measure *v = begin(&how);
	double weight = 0;

	is_size(kith_svm_measure_count(v, &weight), 3, "rows that count");
	ok(weight == 8, "and their costs");
	kith_svm_measure_changes(v, &changes);
	ok(list.n == 3, "the last interval is open");
	kith_svm_measure_end(v);
	ok(list.n == 4 && is(0, 0, .25, 1, 2. / 8) && is(1, .25, .5, 2, 3. / 8) &&
		is(2, .5, .75, 1, 1. / 8) && is(3, .75, 1, 2, 6. / 8),
	    "intervals between the changes");
	ok(list.v[3].sum == 6 && list.v[0].theta == .125, "their sums and middles");
	kith_svm_measure_end(v);
	ok(list.n == 4, "an end that is known is not told again");
	v = begin(&how);
	kith_svm_measure_end(v);
	ok(list.n == 0, "nor is one of no path");
	kith_svm_measure_changes(v, &(struct kith_svm_changes){.v = c, .n = 0});
	kith_svm_measure_end(v);
	ok(list.n == 1 && is(0, 0, 1, 0, 0), "no change: one interval");
	kith_pool_free(&pool);
}

static void
test_errors(void)
{
	static const double y[] = {1, -1, 1, 0};
	static const double f0[][4] = {{1, 1, -1, 3}, {1, 1, -2, 3}};
	static const double f1[][4] = {{0}, {0, -4. / 3, 4, 0}};
	const struct kith_svm_test how = {.measure = KITH_SVM_ERROR, .m = 4, .y = y, .sums = true};
	struct kith_svm_measure *v = begin(&how);
	double weight = 0;

	is_size(kith_svm_measure_count(v, &weight), 3, "a class 0: no row");
	ok(weight == 3, "nor is it weighed");
	kith_svm_measure_piece(v, 0, .25, f0[0], f1[0]);
	kith_svm_measure_piece(v, .25, 1, f0[1], f1[1]);
	kith_svm_measure_end(v);
	ok(list.n == 3 && is(0, 0, .5, 2, 2. / 3) && is(1, .5, .75, 1, 1. / 3),
	    "intervals of errors");
	ok(is(2, .75, 1, 0, 0) && list.v[0].se == 0, "sums have no error");
	kith_pool_free(&pool);
}

static void
test_squares(void)
{
	static const double y[] = {1, 3, NAN}, cost[] = {2, 1, 4};
	static const double f0[] = {0, 1, 9}, f1[] = {1, 2, 9};
	struct kith_svm_test how = {
	    .measure = KITH_SVM_SQUARED, .m = 3, .y = y, .cost = cost, .sums = true};
	struct kith_svm_measure *v = begin(&how);
	double weight = 0;

	/* 2 (1 - t)^2 + (2 - 2 t)^2 = 6 (t - 1)^2 */
	is_size(kith_svm_measure_count(v, &weight), 2, "targets that are there");
	ok(weight == 3, "and their costs");
	kith_svm_measure_piece(v, .5, .5, f0, f1);
	ok(list.n == 0, "a piece of no length has none");
	kith_svm_measure_piece(v, .25, .5, f0, f1);
	ok(list.n == 1 && list.v[0].from == .25 && list.v[0].to == .5, "a piece is an interval");
	is_near((double)list.v[0].lowest, 1, 1e-15, "the parabola's place,");
	is_near((double)list.v[0].least, 0, 1e-15, "its least,");
	is_near((double)list.v[0].curve, 6, 1e-15, "and its curve");
	how.sums = false;
	v = begin(&how);
	kith_svm_measure_piece(v, .25, .5, f0, f1);
	is_near(list.v[0].value_from, .75 * sqrt(2), 1e-15, "at its beginning");
	is_near(list.v[0].value_to, .5 * sqrt(2), 1e-15, "at its end");
	ok(list.v[0].theta == .5 && list.v[0].value == list.v[0].value_to,
	    "the least is beyond: at the end");
	/* losses .25 and 1 of mean .5: 2 / 16 + 1 / 4, over 3 (2 - 1) */
	is_near(list.v[0].se, sqrt(.375 / 3) / sqrt(2), 1e-14, "its error");
	kith_svm_measure_piece(v, .75, 1.5, f0, f1);
	ok(list.v[1].theta == 1 && list.v[1].value == 0, "the least is within");
	kith_svm_measure_piece(v, 1.5, 2, f0, f1);
	ok(list.v[2].theta == 1.5, "the least is before: at the beginning");
	kith_svm_measure_piece(v, 0, 1, f0, (double[]){0, 0, 0});
	ok(list.v[3].theta == 0, "all are equal: the first");
	kith_pool_free(&pool);
}

/* Queries of costs 3 and 1; the order of the first changes at .5. */
static void
test_queries(void)
{
	static const double y[] = {1, 0, 1, 0}, cost[] = {3, 1};
	static const size_t query[] = {0, 0, 1, 1};
	static const double f0[] = {0, 1, 0, 1}, f1[] = {2, 0, 0, 0};
	struct kith_svm_test how = {.measure = KITH_SVM_NDCG,
	    .m = 4,
	    .y = y,
	    .query = query,
	    .query_cost = cost,
	    .queries = 2,
	    .k = 1};
	struct kith_svm_measure *v = begin(&how);
	double weight = 0;

	is_size(kith_svm_measure_count(v, &weight), 2, "two queries");
	ok(weight == 4, "and their costs");
	kith_svm_measure_piece(v, 0, 1, f0, f1);
	kith_svm_measure_end(v);
	ok(list.n == 2 && is(0, 0, .5, 0, 0) && is(1, .5, 1, 0, .75),
	    "NDCG by the costs of the queries");
	ok(list.v[1].sum == 3, "its sum");
	/* (3 (1 - .75)^2 + .75^2) / (4 (2 - 1)) */
	is_near(list.v[1].se, sqrt(.75 / 4), 1e-15, "and its error");
	how.query_cost = NULL;
	v = begin(&how);
	ok(kith_svm_measure_count(v, &weight) == 2 && weight == 2, "without costs each is 1");
	kith_svm_measure_piece(v, 0, 1, f0, f1);
	kith_svm_measure_end(v);
	ok(list.n == 2 && is(1, .5, 1, 0, .5), "and as much as the other");
	kith_pool_free(&pool);
}

/*
 * Scores that jump between two pieces, behind the others: the order is that of
 * the second piece, where they cross.
 */
static void
test_jump(void)
{
	static const double y[] = {1, 0};
	static const size_t query[] = {0, 0};
	static const double f0[] = {99, 5}, none[] = {0, 0};
	static const struct {
		double f0[2], f1[2], cross;
	} jump[] = {
	    {{2, 5}, {4, 0}, .75},
	    {{-20, -2}, {40, 16}, .75},
	    {{20, 30}, {-20, -36}, .625},
	};
	const struct kith_svm_test how = {
	    .measure = KITH_SVM_NDCG, .m = 2, .y = y, .query = query, .queries = 1, .k = 1};

	for (size_t k = 0; k < 3; k++) {
		struct kith_svm_measure *v = begin(&how);

		kith_svm_measure_piece(v, 0, .5, f0, none);
		kith_svm_measure_piece(v, .5, 1, jump[k].f0, jump[k].f1);
		kith_svm_measure_end(v);
		ok(list.n == 3 && is(0, 0, .5, 0, 1) && is(1, .5, jump[k].cross, 0, 0) &&
			is(2, jump[k].cross, 1, 0, 1),
		    "scores that jump, and cross at %g", jump[k].cross);
		kith_pool_free(&pool);
	}
}

int
main(void)
{
	test_changes();
	test_errors();
	test_squares();
	test_queries();
	test_jump();
	return done();
}
