/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests by hand of lib/immigrate/votes.h, which rows are looked at once more, and
 * of the parts that lib/immigrate/sum.h cuts its sums into.
 */
#include "immigrate/votes.h"

#include "immigrate/data.h"
#include "immigrate/rows.h"
#include "immigrate/soft.h"
#include "immigrate/sum.h"
#include "near/metric.h"
#include "tap.h"

/* Whether the first of four rows counts as wrong, with what it is from classes. */
static bool
wrong(double own, double other)
{
	double x[] = {0, 1, 10, 11};
	size_t y[] = {0, 0, 1, 1};
	const double w = 1;
	const struct kith_mat X = {4, 1, x};
	const struct kith_immigrate_rows rows = {&X, y, 2, NULL};
	const struct kith_metric metric = {KITH_ABSOLUTE, 1, &w};
	const double V[] = {own, other, 1, 10, 10, 1, 11, 1};
	bool got[4];

	kith_immigrate_wrong(&rows, &metric, 1, V, 1, got);
	ok(!got[1] && !got[2] && !got[3], "the others are not");
	return got[0];
}

static void
test_votes(void)
{
	ok(!wrong(1, 2) && wrong(2, 1), "the nearer class");
	ok(wrong(1, 1 - 1.1e-9) && !wrong(1, 1 - .9e-9), "but rows decide what may be rounding");
	ok(wrong(1e6, 1e6 - 1.1e-3) && !wrong(1e6, 1e6 - .9e-3), "relative to distances");
	ok(wrong(1.1e-12, 0) && !wrong(.9e-12, 0), "or to their terms");
	ok(!wrong(1, 1) && !wrong(0, 0), "ties are looked at");
}

/* The parts of a vector of ld numbers, of n rows. */
static struct kith_immigrate_sum
cut(size_t n, size_t ld, size_t threads)
{
	const struct kith_immigrate_data data = {.n = n,
	    .p = ld,
	    .ld = ld,
	    .total = 3 * (double)n,
	    .tiles = (n + KITH_IMMIGRATE_TILE - 1) / KITH_IMMIGRATE_TILE};
	const struct kith_immigrate_soft soft = {.data = &data, .threads = threads};
	const struct kith_immigrate_sum sum = kith_immigrate_sum_new(&soft, false, false, &pool);

	kith_pool_free(&pool);
	return sum;
}

static void
test_parts(void)
{
	struct kith_immigrate_sum sum = cut(2048, 8, 2);

	ok(sum.len == 16 && sum.parts == 16 && sum.once == 16, "2^21 products each");
	is_near(sum.least, 3e-12, 1e-25, "of the mean weight of a row");
	is_size(cut(2040, 8, 2).parts, 15, "or more");
	is_size(cut(4095, 8, 2).parts, 63, "many");
	is_size(cut(10240, 8, 2).parts, 64, "64 at most");
	is_size(cut(64, 1 << 12, 1).parts, 1, "no more than pairs of tiles");
	is_size(cut(65, 1 << 14, 1).parts, 3, "three of these");
	is_size(cut(10, 8, 1).parts, 1, "one at least");
	sum = cut(640, (1 << 16) + 8, 3);
	ok(sum.parts == 55 && sum.once == 55, "55 sums of 2^17");
	sum = cut(704, (1 << 16) + 8, 3);
	ok(sum.parts == 64 && sum.once == 3, "64 are too many, but for one a thread");
}

int
main(void)
{
	test_votes();
	test_parts();
	return done();
}
