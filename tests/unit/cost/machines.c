/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/cost/wsvm.h, machine.h, ratio.h and knife.h: what runs cost. */
#include "cost/knife.h"
#include "cost/machine.h"
#include "cost/ratio.h"
#include "cost/wsvm.h"
#include "figures.h"

#include "machine/machine.h"
#include "table/table.h"

static const double from[] = {1, 0, 2, 0, 4}, to[] = {2, 3, 2, 0, 0};
static const struct {
	const char *name;
	struct kith_cost_wsvm of;
	double due[FIGURES];
} paths[] = {
    {"a path from 0",
	{.n = 1000, .p = 20, .variables = 1000, .cache = 1000000000, .threads = 2, .times = 1},
	{0, 0, 0.01297789619, 0.3244474048, 5275455.512, 15877871.57}},
    {"paths of a cache that is full",
	{.n = 1000,
	    .p = 20,
	    .asked = 300,
	    .variables = 2000,
	    .cache = 1000000,
	    .times = 3,
	    .columns = 7},
	{0, 0, 0.1470607726, 3.676519315, 1636470.588, 7073543.124}},
    {"a kernel that is held as a whole",
	{.n = 30, .p = 400, .variables = 30, .cache = 1000000000, .times = 1},
	{0, 0, 5.980094005e-05, 0.001495023501, 108970.5882, 126564}},
    {"from weights to weights",
	{.n = 5, .p = 3, .variables = 5, .from = from, .to = to, .cache = 1000000000, .times = 1},
	{0, 0, 1.047268371e-07, 2.618170927e-06, 1040.132785, 1379.696155}},
    {"one variable",
	{.n = 5, .p = 3, .variables = 1, .from = from, .to = to, .cache = 1000000000, .times = 1},
	{0, 0, 3.384725778e-08, 8.461814445e-07, 327.4226722, 447.4763227}},
    {"no variable", {.n = 5, .p = 3, .from = from, .to = to, .cache = 1000, .times = 1},
	{0, 0, 0, 0, 120, 120}},
    {"from nowhere is from 0",
	{.n = 5, .p = 3, .variables = 5, .to = to, .cache = 1000000000, .times = 1},
	{0, 0, 1.749089129e-07, 4.372722822e-06, 1105.294118, 1379.696155}},
    {"to anywhere", {.n = 5, .p = 3, .variables = 5, .from = from, .cache = 1000000000, .times = 1},
	{0, 0, 1.749089129e-07, 4.372722822e-06, 1105.294118, 1379.696155}},
    {"coefficients that are judged",
	{.n = 1000, .p = 20, .variables = 1000, .cache = 1000000, .times = 2, .check = true},
	{0.003862238721, 0.028, 0, 0, 0, 0}},
};

static void
test_wsvm(void)
{
	const struct kith_cost_wsvm part = {
	    .n = 50, .p = 3, .asked = 7, .rows = 80, .classes = 4, .times = 1, .threads = 2};
	const struct kith_cost_wsvm whole = {.n = 50, .times = 1};
	struct kith_cost got;

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		got = kith_cost_of_wsvm(&paths[i].of);
		is_cost(&got, paths[i].due, paths[i].name);
	}
	got = kith_cost_of_wsvm(&part);
	is_sizes(&got, (size_t[]){80, 3, 7, 4, 0, 2}, "paths of some rows");
	got = kith_cost_of_wsvm(&whole);
	is_sizes(&got, (size_t[]){50, 0, 0, 0, 0, 0}, "a path of all");
}

static void
test_machine(void)
{
	const double weight[9] = {1};
	struct kith_machine m = {.task = KITH_MACHINE_CLASSIFY,
	    .metric = {KITH_SQUARED, 3, weight},
	    .X = {100, 3, NULL},
	    .class = {.n = 4}};
	struct kith_cost got = kith_cost_of_machine(&m, 50, 2);

	is_cost(&got, (const double[FIGURES]){4.725e-05, 4.725e-05, 3e-05, 3e-05, 2000, 2000},
	    "a machine of four classes");
	is_sizes(&got, (size_t[]){100, 3, 50, 4, 0, 2}, "a machine");
	m.metric.kind = KITH_SQUARED_MATRIX;
	got = kith_cost_of_machine(&m, 50, 2);
	is_cost(&got, (const double[FIGURES]){5.175e-05, 5.175e-05, 3e-05, 3e-05, 2000, 2000},
	    "a matrix of weights");
}

static void
test_ratio(void)
{
	const struct kith_mat train = {300, 7, NULL}, test = {200, 7, NULL};
	const struct kith_ratio_how usual = {.centres = 100, .threads = 2};
	const struct kith_ratio_how few = {
	    .centres = 1000, .sigmas = 2, .lambdas = 3, .threads = 1};
	struct kith_cost got = kith_cost_of_ratio(&train, &test, &usual);

	is_cost(&got, (const double[FIGURES]){0.08928, 0.08928, 0, 0, 1908000, 1908000},
	    "9 x 9 candidates");
	is_sizes(&got, (size_t[]){300, 7, 200, 0, 0, 2}, "a ratio");
	got = kith_cost_of_ratio(&train, &test, &few);
	is_cost(&got, (const double[FIGURES]){0.0428, 0.0428, 0, 0, 2308000, 2308000},
	    "2 x 3, and no more centres than rows");
}

static struct kith_cost
knife(size_t n, struct kith_cost_knife of, struct kith_knife_fit_how how)
{
	const struct kith_table t = {.X = {n + 5, 20, NULL}};
	size_t y[1] = {0};
	const struct kith_knife_rows rows = {
	    .t = &t, .class = {.n = 2}, .y = of.asked ? y : NULL, .n = n};

	of.rows = &rows;
	of.how = &how;
	return kith_cost_of_knife(&of);
}

static void
test_knife(void)
{
	static const struct kith_knife_fit_how line = {
	    .like = {.kernel = KITH_KNIFE_LINEAR, .threads = 2}, .how = {.max_iter = 1000}};
	static const struct kith_knife_fit_how bell = {
	    .like = {.kernel = KITH_KNIFE_GAUSSIAN}, .how = {.max_iter = 1000}};
	static const struct kith_knife_fit_how short_ = {
	    .like = {.kernel = KITH_KNIFE_GAUSSIAN, .loss = KITH_KNIFE_HUBERHINGE},
	    .how = {.max_iter = 5},
	    .restarts = 2};
	static const struct kith_knife_fit_how alternate = {
	    .like = {.kernel = KITH_KNIFE_GAUSSIAN}, .how = {.max_iter = 1000, .alternate = true}};
	const struct cost_case all[] = {
	    {"linear", knife(500, (struct kith_cost_knife){.k = 1}, line),
		{0.0099, 0.0747, 0, 0, 1320000, 1320000}},
	    {"linear, of many rows", knife(4000, (struct kith_cost_knife){.k = 1}, line),
		{0.0792, 0.5976, 0, 0, 3560000, 3560000}},
	    {"gaussian, with rows to validate on",
		knife(500, (struct kith_cost_knife){.k = 3, .asked = 40}, bell),
		{0.12429, 0.93453, 0, 0, 6520000, 6520000}},
	    {"few iterations from three starts",
		knife(500, (struct kith_cost_knife){.k = 1}, short_),
		{0.07875, 0.43875, 0, 0, 6520000, 6520000}},
	    {"parts", knife(500, (struct kith_cost_knife){.k = 1, .parts = 5}, bell),
		{0.16445, 1.24085, 0, 0, 6520000, 6520000}},
	    {"the most rows whose K is held", knife(3000, (struct kith_cost_knife){.k = 1}, bell),
		{3.96, 29.88, 0, 0, 190120000, 190120000}},
	    {"K is not held", knife(3001, (struct kith_cost_knife){.k = 1}, bell),
		{3.071046341, 23.17244057, 0, 0, 32306432, 32306432}},
	    {"Algorithm 1 holds it", knife(3001, (struct kith_cost_knife){.k = 1}, alternate),
		{3.9636311, 29.9073983, 0, 0, 190245460.8, 190245460.8}},
	    {"judged", knife(500, (struct kith_cost_knife){.k = 2, .check = true}, bell),
		{0.0225, 0.0225, 0, 0, 6520000, 6520000}},
	};

	are_costs(all, sizeof(all) / sizeof(*all));
	is_sizes(&all[2].got, (size_t[]){505, 20, 40, 2, 0, 0}, "classes");
	is_sizes(&all[0].got, (size_t[]){505, 20, 0, 0, 0, 2}, "numbers");
}

int
main(void)
{
	test_wsvm();
	test_machine();
	test_ratio();
	test_knife();
	return done();
}
