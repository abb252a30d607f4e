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
	const struct cost_case all[] = {
	    {"a tree", NEAR(.n = 5000, .p = 3, .m = 4000, .k = 5),
		{0.003947795126, 0.006006950517, 0, 0, 360000, 360000}},
	    {"a tree of weighted rows",
		NEAR(.n = 5000, .p = 3, .m = 4000, .k = 5, .weighted = true),
		{0.003947795126, 0.006006950517, 0, 0, 480000, 480000}},
	    {"a tree that is of no use", NEAR(.n = 200, .p = 8, .m = 200, .k = 5),
		{0.0001835526143, 0.0002742192809, 0, 0, 30400, 30400}},
	    {"a screen", NEAR(.n = 5000, .p = 30, .m = 4000, .k = 5),
		{0.01245738411, 0.03375738411, 0, 0, 4720000, 4720000}},
	    {"of 9 features", NEAR(.n = 5000, .p = 9, .m = 4000, .k = 5),
		{0.01020074442, 0.02551574442, 0, 0, 4300000, 4300000}},
	    {"a join", NEAR(.n = 5000, .p = 30, .m = 5000, .k = 5, .join = true),
		{0.01113423014, 0.02444673014, 0, 0, 5120000, 5120000}},
	    {"a screen of |D|", NEAR(.n = 5000, .p = 30, .m = 4000, .k = 5, .kind = absolute),
		{0.01710738411, 0.05235738411, 0, 0, 4720000, 4720000}},
	    {"a matrix", NEAR(.n = 5000, .p = 3, .m = 4000, .k = 5, .kind = matrix),
		{0.009555990228, 0.1138609902, 0, 0, 4180000, 4180000}},
	    {"a matrix of |D|", NEAR(.n = 5000, .p = 3, .m = 4000, .k = 5, .kind = other),
		{0.077033985, 0.077033985, 0, 0, 0, 0}},
	    {"one query", NEAR(.n = 5000, .p = 30, .m = 1, .k = 5),
		{4.025849625e-05, 4.025849625e-05, 0, 0, 0, 0}},
	    {"five queries", NEAR(.n = 5000, .p = 30, .m = 5, .k = 5),
		{0.0002012924813, 0.0002012924813, 0, 0, 0, 0}},
	    {"six queries", NEAR(.n = 5000, .p = 30, .m = 6, .k = 5),
		{1.868607617e-05, 5.063607617e-05, 0, 0, 4720000, 4720000}},
	    {"a tree of |D|", NEAR(.n = 5000, .p = 3, .m = 4000, .k = 5, .kind = absolute),
		{0.003947795126, 0.006006950517, 0, 0, 360000, 360000}},
	    {"k of an eighth of the rows", NEAR(.n = 800, .p = 30, .m = 800, .k = 100),
		{0.007042538753, 0.007724138753, 0, 0, 4115200, 4115200}},
	    {"of more", NEAR(.n = 800, .p = 30, .m = 800, .k = 101),
		{0.01590263935, 0.01590263935, 0, 0, 0, 0}},
	    {"63 rows", NEAR(.n = 63, .p = 30, .m = 800, .k = 5),
		{0.0006099970001, 0.0006099970001, 0, 0, 0, 0}},
	    {"64 rows", NEAR(.n = 64, .p = 30, .m = 800, .k = 5),
		{0.0004252351089, 0.0004797631089, 0, 0, 4009216, 4009216}},
	};

	are_costs(all, sizeof(all) / sizeof(*all));
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

static const size_t some[] = {3, 9, 5},
		    unlimited[] = {KITH_ALL_WITHIN, KITH_ALL_WITHIN, KITH_ALL_WITHIN};
static const size_t many[] = {1000};
static const double near_or_far[] = {.5, 2, 1};

/*
 * Eight rows of sixteen are at 0, the others far from all.  What is not said of
 * how: a majority of 3, 9 and 5.
 */
static struct kith_cost
vote(struct kith_cost_vote of, struct kith_predict_how how, enum kith_metric_kind kind)
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
	const struct kith_cost_vote asked = {.asked = 70, .asked_times = 2};
	const struct kith_cost_vote both = {.asked = 70, .asked_times = 2, .times = 3};
	const struct kith_cost_vote parts = {.times = 3, .parts = 5};
	const struct cost_case all[] = {
	    {"each from the others", loo(HOW(.threads = 2)),
		{0.000544920027, 0.000618720027, 0.00016, 0.00016, 4176000, 4176000}},
	    {"shares", loo(HOW(.share = true)),
		{0.000544920027, 0.000618720027, 0.00016, 0.00016, 4204800, 4204800}},
	    {"five parts", vote(parts, HOW(.nk = 1), KITH_SQUARED),
		{0.0007559954322, 0.001110235432, 0.00016, 0.00016, 4043520, 4043520}},
	    {"other rows", vote(asked, HOW(.nk = 1), KITH_SQUARED),
		{9.516315064e-05, 0.0001468231506, 2.8e-05, 2.8e-05, 4046080, 4046080}},
	    {"both", vote(both, HOW(.nk = 1), KITH_SQUARED),
		{0.000837047299, 0.001110107299, 2.8e-05, 2.8e-05, 8126080, 8126080}},
	    {"a kernel", loo(HOW(.vote = &kith_vote_nnk)),
		{0.001439160027, 0.001512960027, 0.00016, 0.00016, 4176000, 4176000}},
	    {"a kernel of other rows, and its bandwidth",
		vote(asked, HOW(.vote = &kith_vote_nnk), KITH_SQUARED),
		{0.001651356063, 0.001998216063, 2.8e-05, 2.8e-05, 4055040, 4055040}},
	};

	is_sizes(&all[0].got, (size_t[]){N, P, 0, 0, 9, 2}, "numbers");
	is_sizes(&all[1].got, (size_t[]){N, P, 0, 3, 9, 0}, "classes");
	is_sizes(&all[3].got, (size_t[]){N, P, 70, 0, 3, 0}, "other rows");
	are_costs(all, sizeof(all) / sizeof(*all));
}

static void
test_voters(void)
{
	static const struct kith_predict_near given = {.first = 0};
	const struct kith_cost_vote both = {.asked = 70, .asked_times = 2, .times = 3};
	const struct cost_case all[] = {
	    {"all rows vote", loo(HOW(.vote = &kith_vote_expected, .learners = 4)),
		{0.006784, 0.006784, 0.00016, 0.00016, 83200, 83200}},
	    {"by a matrix",
		vote(both, HOW(.vote = &kith_vote_expected, .learners = 1), KITH_ABSOLUTE_MATRIX),
		{0.03216, 0.03216, 2.8e-05, 2.8e-05, 131360, 131360}},
	    {"by a matrix of squares",
		vote(both, HOW(.vote = &kith_vote_expected, .learners = 1), KITH_SQUARED_MATRIX),
		{0.03216, 0.03216, 2.8e-05, 2.8e-05, 131360, 131360}},
	    {"within a radius", loo(HOW(.k = unlimited, .radius = near_or_far, .nk = 3)),
		{0.00024, 0.00024, 0.00016, 0.00016, 665600, 665600}},
	    {"9 at most", loo(HOW(.radius = near_or_far)),
		{0.000544920027, 0.000618720027, 0.00016, 0.00016, 4176000, 4176000}},
	    {"as many as there are", loo(HOW(.k = many, .nk = 1, .radius = near_or_far)),
		{0.02863186696, 0.02863186696, 0.00016, 0.00016, 2566400, 2566400}},
	    {"neighbours are known", loo(HOW(.near = &given)),
		{0, 0, 0.00016, 0.00016, 76800, 76800}},
	    {"and within a radius",
		loo(HOW(.near = &given, .k = unlimited, .radius = near_or_far, .nk = 1)),
		{0, 0, 0.00016, 0.00016, 12800, 12800}},
	    {"nothing is asked",
		vote((struct kith_cost_vote){.times = 0}, HOW(.nk = 1), KITH_SQUARED),
		{0, 0, 0.00016, 0.00016, 6400, 6400}},
	};

	is_sizes(&all[0].got, (size_t[]){N, P, 0, 0, 0, 0}, "all rows vote");
	is_sizes(&all[3].got, (size_t[]){N, P, 0, 0, 101, 0}, "a radius");
	is_sizes(&all[5].got, (size_t[]){N, P, 0, 0, N, 0}, "k above n");
	is_sizes(&all[7].got, (size_t[]){N, P, 0, 0, 1, 0}, "known ones");
	are_costs(all, sizeof(all) / sizeof(*all));
}

static struct kith_cost
relief(size_t n, size_t p, struct kith_relief_how how)
{
	struct kith_pool pool = {0};
	size_t y[1] = {0};
	const struct kith_relief_rows rows = {.X = kith_mat_new(&pool, n, p), .y = y, .c = 3};
	struct kith_cost got;

	how.max_iter = how.max_iter ? how.max_iter : 1000;
	how.starts = how.starts ? how.starts : 1;
	got = kith_cost_of_relief(&rows, &how);
	kith_pool_free(&pool);
	return got;
}

#define RELIEF(n, p, m, ...) \
	relief(n, p, (struct kith_relief_how){.method = KITH_RELIEF_##m, __VA_ARGS__})

static void
test_relief(void)
{
	const struct kith_relief_how how = {.method = KITH_RELIEFF, .k = 4};
	const struct cost_case all[] = {
	    {"relieff", relief(500, 20, how),
		{0.001671932196, 0.002018807196, 0, 0, 4244000, 4244000}},
	    {"relieff by a tree", relief(500, 8, how),
		{0.002866811274, 0.01547257843, 0, 0, 172000, 172000}},
	    {"mulrel", RELIEF(500, 20, MULREL, .samples = 90),
		{0.0007100779259, 0.2117384753, 0, 0, 4212000, 4212000}},
	    {"two iterations", RELIEF(500, 20, MULREL, .max_iter = 2),
		{0.002089177503, 0.002550427503, 0, 0, 4212000, 4212000}},
	    {"simba", RELIEF(500, 20, SIMBA, .starts = 3, .max_iter = 7),
		{0.06005, 0.06005, 0, 0, 160000, 160000}},
	    {"irelief", RELIEF(500, 20, IRELIEF, .starts = 3),
		{0.02145, 0.1702, 0, 0, 160000, 160000}},
	    {"30 iterations", RELIEF(500, 20, IRELIEF, .max_iter = 30),
		{0.02145, 0.1277, 0, 0, 160000, 160000}},
	    {"nca", RELIEF(500, 20, NCA, .starts = 3), {0.2552, 2.5502, 0, 0, 160000, 160000}},
	    {"nca of rank 5", RELIEF(500, 20, NCA, .starts = 3, .rank = 5, .threads = 2),
		{0.0197, 0.2927, 0, 0, 2023200, 2023200}},
	    {"nca of a rank above p", RELIEF(500, 4, NCA, .rank = 5),
		{0.00624, 0.09304, 0, 0, 746688, 746688}},
	    {"lfe", RELIEF(500, 20, LFE, .samples = 90),
		{0.0003874659753, 0.0004289784753, 0, 0, 4250400, 4250400}},
	    {"lfe of few rows", RELIEF(15, 20, LFE, .threads = 1),
		{3.714e-05, 3.714e-05, 0, 0, 16400, 16400}},
	    {"surf", RELIEF(500, 20, SURF, .samples = 90),
		{0.00137, 0.00137, 0, 0, 240000, 240000}},
	    {"multisurf", RELIEF(500, 20, MULTISURF, .threads = 1),
		{0.00475, 0.00475, 0, 0, 240000, 240000}},
	    {"rounds", RELIEF(500, 20, SURF, .turf = .3), {0.02194, 0.02194, 0, 0, 240000, 240000}},
	    {"rounds of one feature", RELIEF(500, 4, SURF, .turf = .1),
		{0.01735, 0.01735, 0, 0, 48000, 48000}},
	};

	are_costs(all, sizeof(all) / sizeof(*all));
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
	test_voters();
	test_relief();
	return done();
}
