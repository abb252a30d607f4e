/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/cost/sqpfw.h and immigrate.h: what runs cost. */
#include "cost/immigrate.h"
#include "cost/sqpfw.h"
#include "figures.h"

#include "la/mat.h"

static const struct kith_mat usual = {1000, 20, NULL}, most = {2000, 20, NULL},
			     large = {2001, 20, NULL};
static const struct {
	const char *name;
	struct kith_cost_sqpfw of;
	double due[FIGURES];
} fits[] = {
    {"one theta", {.X = &usual, .thetas = 1, .theta = .2, .times = 1},
	{0.02, 0.02, 0.06976786908, 0.8372144289, 4800000, 4800000}},
    {"four", {.X = &usual, .thetas = 4, .theta = .2, .times = 1},
	{0.02, 0.02, 0.1046518036, 1.255821643, 4800000, 4800000}},
    {"theta near 0", {.X = &usual, .thetas = 1, .times = 1},
	{0.02, 0.02, 0.004933333333, 0.0592, 4800000, 4800000}},
    {"theta near 1", {.X = &usual, .thetas = 1, .theta = .99, .times = 1},
	{0.02, 0.02, 0.148, 1.776, 4800000, 4800000}},
    {"a path", {.X = &usual, .theta = .5, .times = 1},
	{0.02, 0.02, 1.215864588, 29.75528137, 4800000, 4800000}},
    {"a path to validate", {.X = &usual, .asked = 300, .times = 1},
	{0.1195878854, 6.545166193, 1.215864588, 29.75528137, 9064000, 9064000}},
    {"a path from a smooth start", {.X = &usual, .smooth = true, .times = 1},
	{0.5, 1.94, 1.167271255, 29.18178137, 5565000, 5565000}},
    {"thetas from a smooth start",
	{.X = &most, .thetas = 4, .theta = .2, .smooth = true, .times = 1},
	{2, 7.76, 0.07186090515, 0.8895403307, 11380000, 11380000}},
    {"a smooth start from some rows",
	{.X = &large, .thetas = 1, .theta = .2, .smooth = true, .times = 1},
	{0.56056014, 2.0020005, 0.139605506, 1.675266072, 10370245.03, 10370245.03}},
    {"thetas to validate, three times",
	{.X = &usual, .thetas = 4, .theta = .2, .asked = 300, .times = 3},
	{0.06204890288, 0.06536990288, 0.3139554108, 3.76746493, 9064000, 9064000}},
    {"weights that are judged",
	{.X = &usual, .thetas = 1, .theta = .2, .smooth = true, .times = 1, .check = true},
	{0.02, 0.02, 0, 0, 4800000, 4800000}},
    {"a path that is judged", {.X = &usual, .times = 1, .check = true},
	{0.02, 0.02, 0, 0, 4800000, 4800000}},
};

static void
test_sqpfw(void)
{
	const struct kith_cost_sqpfw of = {
	    .X = &usual, .c = 3, .asked = 7, .threads = 2, .times = 1};
	struct kith_cost got = kith_cost_of_sqpfw(&of);

	is_sizes(&got, (size_t[]){1000, 20, 7, 3, 0, 2}, "sqpfw");
	for (size_t i = 0; i < sizeof(fits) / sizeof(*fits); i++) {
		got = kith_cost_of_sqpfw(&fits[i].of);
		is_cost(&got, fits[i].due, fits[i].name);
	}
}

/* Of n rows of p features. */
static struct kith_cost
immigrate(size_t n, size_t p, struct kith_cost_immigrate of, struct kith_immigrate_fit_how how)
{
	const struct kith_mat X = {n, p, NULL};
	const struct kith_immigrate_rows rows = {.X = &X, .c = 3};

	of.rows = &rows;
	of.how = &how;
	return kith_cost_of_immigrate(&of);
}

static const struct kith_cost_immigrate once = {.fits = 1};

static struct kith_immigrate_fit_how
how(enum kith_immigrate_fit_method method, double sigma, size_t max_iter)
{
	return (struct kith_immigrate_fit_how){.method = method,
	    .how = {.sigma = sigma, .max_iter = max_iter, .threads = 2},
	    .most = 8};
}

static void
test_fits(void)
{
	const enum kith_immigrate_fit_method full = KITH_IMMIGRATE_FIT_IMMIGRATE;
	const enum kith_immigrate_fit_method vector = KITH_IMMIGRATE_FIT_IM4E;
	const enum kith_immigrate_fit_method some = KITH_IMMIGRATE_FIT_SELECTED;
	const struct cost_case all[] = {
	    {"immigrate", immigrate(500, 20, once, how(full, 1, 1000)),
		{0.03016, 0.48128, 0, 0, 5265600, 5265600}},
	    {"im4e", immigrate(500, 20, once, how(vector, 1, 1000)),
		{0.008625, 0.138, 0, 0, 5240200, 5240200}},
	    {"selected, 8 of 20 at most", immigrate(500, 20, once, how(some, 1, 1000)),
		{0.02438524, 0.39008192, 0, 0, 5240200, 5240200}},
	    {"selected, 5 of 10", immigrate(500, 10, once, how(some, 1, 1000)),
		{0.02103375, 0.33652, 0, 0, 5120100, 5120100}},
	    {"four iterations", immigrate(500, 20, once, how(full, 1, 4)),
		{0.024128, 0.048128, 0, 0, 5265600, 5265600}},
	    {"30 of them", immigrate(500, 20, once, how(full, 1, 30)),
		{0.03016, 0.36096, 0, 0, 5265600, 5265600}},
	    {"sigma of the rows", immigrate(500, 20, once, how(full, 0, 1000)),
		{0.102544, 1.010688, 0, 0, 5265600, 5265600}},
	    {"of many rows", immigrate(1500, 20, once, how(vector, 0, 1000)),
		{0.160425, 1.8492, 0, 0, 11720200, 11720200}},
	    {"of selected features", immigrate(500, 20, once, how(some, 0, 1000)),
		{0.082909816, 0.819172032, 0, 0, 5240200, 5240200}},
	};

	is_sizes(&all[0].got, (size_t[]){500, 20, 0, 3, 0, 2}, "immigrate");
	are_costs(all, sizeof(all) / sizeof(*all));
}

static void
test_more_fits(void)
{
	const enum kith_immigrate_fit_method full = KITH_IMMIGRATE_FIT_IMMIGRATE;
	const enum kith_immigrate_fit_method vector = KITH_IMMIGRATE_FIT_IM4E;
	const enum kith_immigrate_fit_method some = KITH_IMMIGRATE_FIT_SELECTED;
	const struct cost_case all[] = {
	    {"three fits, and five of three parts of four",
		immigrate(500, 20, (struct kith_cost_immigrate){.fits = 3, .folds = 5, .parts = 4},
		    how(full, 1, 1000)),
		{0.175655, 2.80024, 0, 0, 5265600, 5265600}},
	    {"folds without parts are halves",
		immigrate(500, 20, (struct kith_cost_immigrate){.folds = 2}, how(full, 1, 1000)),
		{0.01532, 0.24256, 0, 0, 5265600, 5265600}},
	    {"learners",
		immigrate(500, 20,
		    (struct kith_cost_immigrate){.fits = 1, .learners = 10, .inner = 6},
		    how(full, 1, 1000)),
		{0.108576, 1.44384, 0, 0, 5265600, 5265600}},
	    {"learners on selected features",
		immigrate(500, 20,
		    (struct kith_cost_immigrate){.fits = 1, .learners = 10, .inner = 6},
		    how(some, 1, 1000)),
		{0.065361864, 0.89424576, 0, 0, 5240200, 5240200}},
	    {"weights that are judged",
		immigrate(500, 20, (struct kith_cost_immigrate){.fits = 1, .check = true},
		    how(full, 0, 1000)),
		{0.006032, 0.036096, 0, 0, 5265600, 5265600}},
	    {"a vector that is judged",
		immigrate(500, 20,
		    (struct kith_cost_immigrate){
			.fits = 1, .check = true, .learners = 2, .inner = 9},
		    how(vector, 0, 1000)),
		{0.001725, 0.01035, 0, 0, 5240200, 5240200}},
	};

	are_costs(all, sizeof(all) / sizeof(*all));
}

/* The bytes for each pair of n rows, beside those for each row. */
static double
pair_bytes(size_t n, enum kith_immigrate_fit_method method, bool monotone)
{
	struct kith_immigrate_fit_how with = how(method, 1, 10);
	const double own = method == KITH_IMMIGRATE_FIT_IMMIGRATE ? 64 : 10;
	struct kith_cost got;

	with.how.monotone = monotone;
	got = immigrate(n, 1, once, with);
	return (got.bytes - 24 * (double)n - own - 2e6) / (double)(n * n);
}

static void
test_pairs(void)
{
	const enum kith_immigrate_fit_method full = KITH_IMMIGRATE_FIT_IMMIGRATE;

	is_near(
	    pair_bytes(1000, full, true), 20, 1e-9, "up to 1000 rows exponentials are kept, too");
	is_near(pair_bytes(1001, full, true), 12, 1e-9, "of more, distances");
	is_near(pair_bytes(5000, full, true), 12, 1e-9, "up to 5000 rows, three times");
	is_near(pair_bytes(5001, full, true), 4, 1e-9, "of more, once");
	is_near(pair_bytes(1000, full, false), 12, 1e-9, "without steps along lines, once");
	is_near(pair_bytes(1000, KITH_IMMIGRATE_FIT_IM4E, true), 12, 1e-9, "im4e has none");
	is_near(pair_bytes(10000, full, true), 4, 1e-9, "up to 10000 rows");
	is_near(pair_bytes(10001, full, true), 0, 1e-9, "of more, not at all");
}

int
main(void)
{
	test_sqpfw();
	test_fits();
	test_more_fits();
	test_pairs();
	return done();
}
