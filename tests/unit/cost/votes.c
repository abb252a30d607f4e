/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/cost/near.h, vote.h and relief.h: what searches and runs cost. */
#include "cost/near.h"
#include "cost/relief.h"
#include "cost/vote.h"
#include "figures.h"

#include "base/pool.h"
#include "la/mat.h"
#include "vote/votes.h"

#define NEAR(...) near((struct kith_cost_near){__VA_ARGS__})

static struct kith_cost
near(struct kith_cost_near of)
{
	struct kith_cost cost = {0};

	kith_cost_near(&of, &cost);
	return cost;
}

static void
test_near(void)
{
	const enum kith_metric_kind absolute = KITH_ABSOLUTE;
	const enum kith_metric_kind matrix = KITH_SQUARED_MATRIX;
	const enum kith_metric_kind other = KITH_ABSOLUTE_MATRIX;
	const struct {
		const char *name;
		struct kith_cost got;
		double due[FIGURES];
	} all[] = {
	    {"a tree", NEAR(.n = 5000, .p = 3, .m = 4000, .k = 5), {0}},
	    {"a tree of weighted rows",
		NEAR(.n = 5000, .p = 3, .m = 4000, .k = 5, .weighted = true),
		{0}},
	    {"a tree that is of no use",
		NEAR(.n = 200, .p = 8, .m = 200, .k = 5), {0}},
	    {"a screen", NEAR(.n = 5000, .p = 30, .m = 4000, .k = 5), {0}},
	    {"of 9 features", NEAR(.n = 5000, .p = 9, .m = 4000, .k = 5), {0}},
	    {"a join",
		NEAR(.n = 5000, .p = 30, .m = 5000, .k = 5, .join = true), {0}},
	    {"a screen of |D|",
		NEAR(.n = 5000, .p = 30, .m = 4000, .k = 5, .kind = absolute),
		{0}},
	    {"a matrix",
		NEAR(.n = 5000, .p = 3, .m = 4000, .k = 5, .kind = matrix),
		{0}},
	    {"a matrix of |D|",
		NEAR(.n = 5000, .p = 3, .m = 4000, .k = 5, .kind = other), {0}},
	    {"one query", NEAR(.n = 5000, .p = 30, .m = 1, .k = 5), {0}},
	    {"five queries", NEAR(.n = 5000, .p = 30, .m = 5, .k = 5), {0}},
	    {"six queries", NEAR(.n = 5000, .p = 30, .m = 6, .k = 5), {0}},
	    {"a tree of |D|",
		NEAR(.n = 5000, .p = 3, .m = 4000, .k = 5, .kind = absolute),
		{0}},
	    {"k of an eighth of the rows",
		NEAR(.n = 800, .p = 30, .m = 800, .k = 100), {0}},
	    {"of more", NEAR(.n = 800, .p = 30, .m = 800, .k = 101), {0}},
	    {"63 rows", NEAR(.n = 63, .p = 30, .m = 800, .k = 5), {0}},
	    {"64 rows", NEAR(.n = 64, .p = 30, .m = 800, .k = 5), {0}},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		is_cost(&all[i].got, all[i].due, all[i].name);
}

static void
test_within(void)
{
	double x[120] = {0}, one[1] = {0};
	const struct kith_metric line = {KITH_SQUARED, 1, NULL};
	struct kith_mat X = {120, 1, x}, Z = {1, 1, one}, none = {0, 1, one};

	for (size_t i = 0; i < 120; i++)
		x[i] = (double)i;
	is_size(kith_cost_count_within(&line, &X, &Z, 2), 3, "0, 1, 2");
	is_size(kith_cost_count_within(&line, &X, &Z, .5), 1, "0");
	*one = -9;
	is_size(kith_cost_count_within(&line, &X, &Z, 2), 1, "none: one");
	is_size(kith_cost_count_within(&line, &X, &none, 2), 1, "no row: one");
	/* 0, 2, 4, 7, ...: the first of 50 has two, the others have three. */
	is_size(kith_cost_count_within(&line, &X, &X, 1), 3, "149 / 50");
	X.n = Z.n = 2;
	Z.v = x;
	is_size(kith_cost_count_within(&line, &X, &Z, .5), 1, "each itself");
	x[1] = 0;
	is_size(kith_cost_count_within(&line, &X, &Z, 0), 2, "and the other");
	X.n = 3;
	Z.n = 3;
	is_size(kith_cost_count_within(&line, &X, &Z, 0), 2, "5 / 3");
	is_near(kith_cost_neighbours(3, 5), 15 * 16., 0, "bytes of neighbours");
}

enum { N = 400, P = 20 };

static const size_t some[] = {3, 9, 5}, unlimited[] = {KITH_ALL_WITHIN};
static const size_t many[] = {1000};
static const double near_or_far[] = {.5, 2, 1};

/*
 * Eight rows of sixteen are at 0, the others far from all.  What is not said of
 * how: a majority of 3, 9 and 5.
 */
static struct kith_cost
vote(struct kith_cost_vote of, struct kith_predict_how how,
    enum kith_metric_kind kind)
{
	struct kith_pool pool = {0};
	const struct kith_metric metric = {kind, P, NULL};
	size_t y[N] = {0};
	const struct kith_sample known = {
	    .X = kith_mat_new(&pool, N, P), .y = how.share ? y : NULL, .c = 3};
	struct kith_cost got;

	for (size_t i = 0; i < N; i++)
		known.X.v[i * P] = i / 8 % 2 ? 10. * (double)i : 0;
	how.metric = &metric;
	how.vote = how.vote ? how.vote : &kith_vote_majority;
	how.k = how.k ? how.k : some;
	how.nk = how.nk ? how.nk : 3;
	of.known = &known;
	of.how = &how;
	got = kith_cost_of_vote(&of);
	kith_pool_free(&pool);
	return got;
}

#define HOW(...) ((struct kith_predict_how){__VA_ARGS__})

static struct kith_cost
loo(struct kith_predict_how how)
{
	return vote((struct kith_cost_vote){.times = 1}, how, KITH_SQUARED);
}

static void
test_votes(void)
{
	static const struct kith_predict_near given = {.first = 0};
	const struct kith_cost_vote asked = {.asked = 70, .asked_times = 2};
	const struct kith_cost_vote both = {
	    .asked = 70, .asked_times = 2, .times = 3};
	const struct kith_cost_vote parts = {.times = 3, .parts = 5};
	const struct {
		const char *name;
		struct kith_cost got;
		double due[FIGURES];
	} all[] = {
	    {"each from the others", loo(HOW(.threads = 2)), {0}},
	    {"shares", loo(HOW(.share = true)), {0}},
	    {"five parts", vote(parts, HOW(.nk = 1), KITH_SQUARED), {0}},
	    {"other rows", vote(asked, HOW(.nk = 1), KITH_SQUARED), {0}},
	    {"both", vote(both, HOW(.nk = 1), KITH_SQUARED), {0}},
	    {"a kernel", loo(HOW(.vote = &kith_vote_nnk)), {0}},
	    {"a kernel of other rows, and its bandwidth",
		vote(asked, HOW(.vote = &kith_vote_nnk), KITH_SQUARED), {0}},
	    {"all rows vote",
		loo(HOW(.vote = &kith_vote_expected, .learners = 4)), {0}},
	    {"by a matrix",
		vote(both, HOW(.vote = &kith_vote_expected, .learners = 1),
		    KITH_ABSOLUTE_MATRIX),
		{0}},
	    {"by a matrix of squares",
		vote(both, HOW(.vote = &kith_vote_expected, .learners = 1),
		    KITH_SQUARED_MATRIX),
		{0}},
	    {"within a radius",
		loo(HOW(.k = unlimited, .radius = near_or_far, .nk = 3)), {0}},
	    {"9 at most", loo(HOW(.radius = near_or_far)), {0}},
	    {"as many as there are",
		loo(HOW(.k = many, .nk = 1, .radius = near_or_far)), {0}},
	    {"neighbours are known", loo(HOW(.near = &given)), {0}},
	    {"and within a radius",
		loo(HOW(.near = &given, .k = unlimited, .radius = near_or_far,
		    .nk = 1)),
		{0}},
	    {"nothing is asked",
		vote((struct kith_cost_vote){.times = 0}, HOW(.nk = 1),
		    KITH_SQUARED),
		{0}},
	};

	is_sizes(&all[0].got, (size_t[]){N, P, 0, 0, 9, 2}, "numbers");
	is_sizes(&all[1].got, (size_t[]){N, P, 0, 3, 9, 0}, "classes");
	is_sizes(&all[3].got, (size_t[]){N, P, 70, 0, 3, 0}, "other rows");
	is_sizes(&all[7].got, (size_t[]){N, P, 0, 0, 0, 0}, "all rows vote");
	is_sizes(&all[10].got, (size_t[]){N, P, 0, 0, 101, 0}, "a radius");
	is_sizes(&all[12].got, (size_t[]){N, P, 0, 0, N, 0}, "k above n");
	is_sizes(&all[14].got, (size_t[]){N, P, 0, 0, 1, 0}, "known ones");
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		is_cost(&all[i].got, all[i].due, all[i].name);
}

static struct kith_cost
relief(size_t n, size_t p, struct kith_relief_how how)
{
	struct kith_pool pool = {0};
	size_t y[1] = {0};
	const struct kith_relief_rows rows = {
	    .X = kith_mat_new(&pool, n, p), .y = y, .c = 3};
	struct kith_cost got;

	how.max_iter = how.max_iter ? how.max_iter : 1000;
	how.starts = how.starts ? how.starts : 1;
	got = kith_cost_of_relief(&rows, &how);
	kith_pool_free(&pool);
	return got;
}

#define RELIEF(n, p, m, ...) \
	relief(n, p, \
	    (struct kith_relief_how){.method = KITH_RELIEF_##m, __VA_ARGS__})

static void
test_relief(void)
{
	const struct kith_relief_how how = {.method = KITH_RELIEFF, .k = 4};
	const struct {
		const char *name;
		struct kith_cost got;
		double due[FIGURES];
	} all[] = {
	    {"relieff", relief(500, 20, how), {0}},
	    {"relieff by a tree", relief(500, 8, how), {0}},
	    {"mulrel", RELIEF(500, 20, MULREL, .samples = 90), {0}},
	    {"two iterations", RELIEF(500, 20, MULREL, .max_iter = 2), {0}},
	    {"simba", RELIEF(500, 20, SIMBA, .starts = 3, .max_iter = 7), {0}},
	    {"irelief", RELIEF(500, 20, IRELIEF, .starts = 3), {0}},
	    {"30 iterations", RELIEF(500, 20, IRELIEF, .max_iter = 30), {0}},
	    {"nca", RELIEF(500, 20, NCA, .starts = 3), {0}},
	    {"nca of rank 5",
		RELIEF(500, 20, NCA, .starts = 3, .rank = 5, .threads = 2),
		{0}},
	    {"nca of a rank above p", RELIEF(500, 4, NCA, .rank = 5), {0}},
	    {"lfe", RELIEF(500, 20, LFE, .samples = 90), {0}},
	    {"lfe of few rows", RELIEF(15, 20, LFE, .threads = 1), {0}},
	    {"surf", RELIEF(500, 20, SURF, .samples = 90), {0}},
	    {"multisurf", RELIEF(500, 20, MULTISURF, .threads = 1), {0}},
	    {"rounds", RELIEF(500, 20, SURF, .turf = .3), {0}},
	    {"rounds of one feature", RELIEF(500, 4, SURF, .turf = .1), {0}},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		is_cost(&all[i].got, all[i].due, all[i].name);
	is_sizes(&all[0].got, (size_t[]){500, 20, 0, 3, 4, 0}, "relieff");
	is_sizes(&all[2].got, (size_t[]){500, 20, 90, 3, 0, 0}, "mulrel");
	is_sizes(&all[8].got, (size_t[]){500, 20, 0, 3, 0, 2}, "nca");
}

int
main(void)
{
	test_near();
	test_within();
	test_votes();
	test_relief();
	return done();
}
