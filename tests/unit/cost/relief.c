/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/cost/relief.h: what rounds of --turf, and cells, cost. */
#include "cost/relief.h"

#include "base/pool.h"
#include "tap.h"

#include <math.h>
#include <stdbool.h>

enum { N = 50, P = 9 };

enum cells { NUMBERS, NO_TEXT, TEXT, MISSING };

static struct kith_cost
cost_of_cells(size_t p, enum kith_relief_method method, double turf, enum cells cells)
{
	const bool text[P] = {[2] = cells == TEXT};
	struct kith_pool pool = {0};
	size_t y[N];
	struct kith_relief_rows rows = {
	    .X = kith_mat_new(&pool, N, p), .text = cells == NUMBERS ? NULL : text, .y = y, .c = 2};
	const struct kith_relief_how how = {
	    .method = method, .k = 5, .turf = turf, .max_iter = 10, .starts = 1};
	struct kith_cost cost;

	for (size_t i = 0; i < N; i++)
		y[i] = i % 2;
	for (size_t e = 0; e < N * p; e++)
		rows.X.v[e] = (double)(e % 7);
	if (cells == MISSING)
		rows.X.v[N] = NAN;
	cost = kith_cost_of_relief(&rows, &how);
	kith_pool_free(&pool);
	return cost;
}

static struct kith_cost
cost_of(size_t p, enum kith_relief_method method, double turf)
{
	return cost_of_cells(p, method, turf, NUMBERS);
}

/* The seconds of all rounds are those of P, P - 2, ... features. */
static void
test_rounds(enum kith_relief_method method, const char *name)
{
	const struct kith_cost all = cost_of(P, method, .25);
	double low = 0, high = 0;

	for (size_t p = P; p <= P && p > 0; p -= 2) {
		const struct kith_cost one = cost_of(p, method, 0);

		low += one.low;
		high += one.high;
	}
	ok(low > 0 && high >= low, "%s: a range", name);
	is_near(all.low, low, 1e-15, name);
	is_near(all.high, high, 1e-15, name);
	ok(cost_of(P, method, 0).bytes <= all.bytes, "%s: bytes", name);
}

/* Only texts and missing cells make a range wide. */
static void
test_cells(enum kith_relief_method method)
{
	const struct kith_cost plain = cost_of(P, method, 0);

	for (int cells = NO_TEXT; cells <= MISSING; cells++) {
		const struct kith_cost got = cost_of_cells(P, method, 0, (enum cells)cells);

		ok(got.low == plain.low, "the same at least");
		ok(cells == NO_TEXT ? got.high == plain.high : got.high > 5 * plain.high,
		    "at most %g, of numbers %g", got.high, plain.high);
	}
}

int
main(void)
{
	test_rounds(KITH_RELIEFF, "relieff");
	test_rounds(KITH_RELIEF_SURF, "surf");
	test_rounds(KITH_RELIEF_MULTISURF, "multisurf");
	ok(cost_of_cells(P, KITH_RELIEFF, 0, TEXT).high != cost_of(P, KITH_RELIEFF, 0).high,
	    "relieff of texts has a search of its own");
	test_cells(KITH_RELIEF_SURF);
	test_cells(KITH_RELIEF_MULTISURF);
	return done();
}
