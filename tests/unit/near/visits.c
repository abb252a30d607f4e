/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/near/visits.h: which leaves are visited, and in what order. */
#include "near/visits.h"

#include "base/pool.h"
#include "base/rng.h"
#include "near/leaves.h"
#include "tap.h"

#include <math.h>

/* The leaves visited first, and those within a limit. */
static void
test_visits(struct kith_rng *r, size_t leaves, size_t grid)
{
	struct kith_pool pool = {0};
	struct kith_knn_leaves of = {.leaves = leaves};
	struct kith_prune_visit *list = kith_new(
	    &pool, leaves + KITH_VISITS_FIRST, sizeof(*list));
	float *bound = kith_new(&pool, leaves, sizeof(*bound));
	bool *in = kith_new(&pool, leaves, sizeof(*in)), good = true;
	size_t n, finite = 0, due = 0;

	of.most = kith_new(&pool, leaves, sizeof(*of.most));
	for (size_t l = 0; l < leaves; l++) {
		const size_t x = kith_rng_below(r, grid + 1);

		bound[l] = x < grid ? (float)x : INFINITY;
		finite += x < grid;
		of.most[l] = (float)(l % 3);
		due += x < grid && bound[l] <= (2 + of.most[l]) * 2;
	}
	n = kith_visits_first(&of, bound, list);
	ok(n == (finite < KITH_VISITS_FIRST ? finite : KITH_VISITS_FIRST),
	    "%zu of %zu leaves are first", n, leaves);
	for (size_t v = 0; v < n; v++) {
		good = good && list[v].bound == bound[list[v].leaf] &&
		    !in[list[v].leaf];
		good = good && (v == 0 || list[v - 1].bound <= list[v].bound);
		in[list[v].leaf] = true;
	}
	for (size_t l = 0; l < leaves && n > 0; l++)
		good = good && (in[l] || bound[l] >= list[n - 1].bound);
	ok(good, "those with the smallest bounds, in order");
	n = kith_visits_within(&of, bound, 2, 2, true, list);
	good = n == due;
	for (size_t v = 0; v < n; v++) {
		const size_t l = list[v].leaf;

		good = good && list[v].bound == bound[l] &&
		    bound[l] <= (2 + of.most[l]) * 2;
		if (v > 0)
			good = good &&
			    (list[v - 1].bound < bound[l] ||
				(list[v - 1].bound == bound[l] &&
				    list[v - 1].leaf < l));
	}
	ok(good, "%zu of %zu leaves are within a limit, in order", n, leaves);
	kith_pool_free(&pool);
}

static void
test_limit(void)
{
	const double s[] = {0, 1, 1. / 3, 1e30, 3e-30};

	ok(kith_prune_limit(3, 2, 2, true) == 10 &&
		kith_prune_limit(3, 2, 2, false) == 100,
	    "the limit of a row, and of its square");
	for (size_t i = 0; i < 5; i++) {
		const float off = (float)s[i] / 8;
		const double least = s[i] + (double)off;
		const double known = (double)kith_prune_known(s[i], off);

		ok(known >= least && known <= least * (1 + 0x1p-22),
		    "known: no less than %g, and not much more", least);
	}
}

int
main(void)
{
	struct kith_rng r;

	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, 0);
	test_visits(&r, 5, 9);
	test_visits(&r, 13, 90);
	test_visits(&r, 100, 12);
	test_visits(&r, 100, 3);
	test_limit();
	return done();
}
