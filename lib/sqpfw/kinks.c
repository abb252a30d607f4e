/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/kinks.h"

#include "base/pool.h"
#include "la/mat.h"
#include "near/alike.h"
#include "sqpfw/targets.h"

#include <assert.h>

enum { PAIRS = 64 }; /* of a kink whose sets are listed */

/* The different pairs of a group, and their copies. */
static void
merge(struct kith_kink *kink, const struct kith_mat *X,
    const struct kith_tie *tie, const size_t *other, const double *rounding)
{
	const double *x = kith_row(X, tie->row);

	for (size_t m = 0; m < tie->count; m++) {
		const double *z = kith_row(X, other[m]);
		size_t at = 0;

		while (at < kink->n &&
		    !kith_alike(
			X->p, x, kith_row(X, kink->pair[at]), z, rounding))
			at++;
		if (at == kink->n) {
			kink->pair[kink->n++] = other[m];
			kink->copies[at] = 0;
		}
		kink->copies[at]++;
	}
}

/*
 * Let the kink be convex, and keep the pairs that no set can do without, where
 * these are a set: those without which fewer than `rank` of the rows are left.
 */
static void
reduce(struct kith_kink *kink, size_t rows)
{
	size_t sum = 0, kept = 0;

	for (size_t m = 0; m < kink->n; m++)
		if (rows - kink->copies[m] < kink->rank)
			sum += kink->copies[m];
	if (sum < kink->rank)
		return;
	for (size_t m = 0; m < kink->n; m++) {
		if (rows - kink->copies[m] >= kink->rank)
			continue;
		kink->pair[kept] = kink->pair[m];
		kink->copies[kept++] = kink->copies[m];
	}
	kink->n = kept;
	kink->convex = true;
}

struct kith_kinks
kith_kinks_find(const struct kith_mat *X, const struct kith_ties *ties,
    size_t hits, size_t misses, const double *rounding, struct kith_pool *pool)
{
	struct kith_kinks kinks = {.n = ties->n};

	kinks.kink = kith_new(pool, ties->n, sizeof(*kinks.kink));
	for (size_t g = 0; g < ties->n; g++) {
		const struct kith_tie *tie = &ties->group[g];
		struct kith_kink *kink = &kinks.kink[g];
		const size_t k = tie->miss ? misses : hits;

		assert(tie->nearer < k && k - tie->nearer <= tie->count);
		kink->row = tie->row;
		kink->miss = tie->miss;
		kink->rank = tie->miss ? tie->count + 1 - (k - tie->nearer)
				       : k - tie->nearer;
		KITH_NEW_SIZES(pool, tie->count, 1, &kink->pair, &kink->copies);
		merge(kink, X, tie, ties->other + tie->first, rounding);
		kinks.ties += kink->n - 1;
		reduce(kink, tie->count);
	}
	return kinks;
}

/* A partial set: of the first m pairs, with `sum` copies. */
struct part {
	uint64_t set;
	size_t m, sum, left; /* left: copies of the other pairs */
};

/* Whether no pair of a set can be left out. */
static bool
is_minimal(const struct kith_kink *kink, const struct part *part)
{
	for (size_t q = 0; q < part->m; q++)
		if (part->set >> q & 1 &&
		    part->sum - kink->copies[q] >= kink->rank)
			return false;
	return true;
}

size_t
kith_kinks_sets(const struct kith_kink *kink, size_t most, uint64_t **set,
    struct kith_pool *pool)
{
	struct part stack[PAIRS + 1] = {{0}};
	size_t depth = 1, n = 0;

	*set = NULL;
	if (kink->n > PAIRS)
		return 0;
	for (size_t m = 0; m < kink->n; m++)
		stack[0].left += kink->copies[m];
	*set = kith_new(pool, most, sizeof(**set));
	while (depth > 0) {
		struct part *with = &stack[depth], it = stack[--depth];

		if (it.sum >= kink->rank) {
			if (!is_minimal(kink, &it))
				continue;
			if (n == most)
				return 0;
			(*set)[n++] = it.set;
		} else if (it.sum + it.left >= kink->rank) {
			const size_t copies = kink->copies[it.m];

			it.left -= copies;
			stack[depth++] = (struct part){
			    it.set, it.m + 1, it.sum, it.left};
			it.set |= (uint64_t)1 << it.m;
			*with = (struct part){
			    it.set, it.m + 1, it.sum + copies, it.left};
			depth++;
		}
	}
	return n;
}
