/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/graph/known.h: the labels that are known, and numbers of 0..1. */
#include "graph/known.h"

#include "base/pool.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 7 };

static struct kith_pool pool;
static size_t y[N] = {1, KITH_NO_CLASS, 2, 1, 2, 0, KITH_NO_CLASS};
static double u[N] = {3, NAN, 7, 4, 11, 5, NAN};
static const struct kith_table classes = {.X = {.n = N}, .y = y, .class = {.n = 3}};
static const struct kith_table numbers = {.X = {.n = N}, .t = u};

static void
test_classes(void)
{
	struct kith_known known;
	double share[3];

	kith_known_choose(&classes, 0, 1, &known, &pool);
	ok(known.count == 5 && known.given[0] && !known.given[1] && known.given[5] &&
		!known.given[6],
	    "all labels that there are");
	ok(memcmp(known.labels.y, y, sizeof(y)) == 0 && !known.labels.u && known.labels.c == 3,
	    "as they are");
	ok(kith_known_shares(&known, share) == 1 && share[0] == .2 && share[1] == .4 &&
		share[2] == .4,
	    "their shares; the first of equal ones");
	kith_known_choose(&classes, .5, 1, &known, &pool);
	ok(known.count == 3 && known.labels.y[5] == 0 && known.labels.y[1] == KITH_NO_CLASS &&
		(known.labels.y[0] == 1) + (known.labels.y[3] == 1) == 1 &&
		(known.labels.y[2] == 2) + (known.labels.y[4] == 2) == 1,
	    "half of each class");
	kith_known_choose(&classes, 1, 1, &known, &pool);
	is_size(known.count, 5, "all of them");
}

static void
test_numbers(void)
{
	struct kith_known known;

	kith_known_choose(&numbers, 0, 1, &known, &pool);
	ok(known.count == 5 && known.least == 3 && known.most == 11 && known.labels.c == 1 &&
		!known.labels.y,
	    "the range of numbers");
	ok(known.labels.u[0] == 0 && isnan(known.labels.u[1]) && known.labels.u[2] == .5 &&
		known.labels.u[3] == .125 && known.labels.u[4] == 1 && known.labels.u[5] == .25,
	    "becomes 0..1");
	is_near(kith_known_mean(&known), .375, 1e-16, "their mean");
	ok(kith_known_number(&known, .5) == 7 && kith_known_number(&known, .25) == 5 &&
		kith_known_number(&known, 0) == 3 && kith_known_number(&known, 1) == 11,
	    "and back");
	ok(kith_known_number(&known, -1e-9) == 3 && kith_known_number(&known, 1.0000001) == 11,
	    "within the range");
	ok(kith_known_unit(&known, 19) == 2 && kith_known_unit(&known, 1) == -.25,
	    "what is claimed may be beyond it");
	kith_known_choose(&numbers, .2, 1, &known, &pool);
	ok(known.count == 1 && known.least == known.most, "one number");
	for (size_t i = 0; i < N; i++)
		if (known.given[i])
			ok(known.labels.u[i] == 0 && kith_known_number(&known, 0) == u[i] &&
				kith_known_unit(&known, u[i] + 2) == 2,
			    "is its own unit");
}

/* A range that overflows. */
static void
test_huge(void)
{
	double v[] = {-1.5e308, 1.5e308, 0, .75e308};
	const struct kith_table t = {.X = {.n = 4}, .t = v};
	struct kith_known known;

	kith_known_choose(&t, 0, 1, &known, &pool);
	ok(known.labels.u[0] == 0 && known.labels.u[1] == 1 && known.labels.u[2] == .5 &&
		known.labels.u[3] == .75,
	    "from -1.5e308 to 1.5e308");
	ok(kith_known_number(&known, .75) == .75e308, "and back");
}

int
main(void)
{
	test_classes();
	test_numbers();
	test_huge();
	kith_pool_free(&pool);
	return done();
}
