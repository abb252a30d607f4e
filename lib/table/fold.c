/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/fold.h"

#include "base/pool.h"
#include "base/rng.h"
#include "base/sort.h"

#include <assert.h>
#include <stdbool.h>

/* The rows in the order in which they are dealt. */
static void
shuffle(const size_t *y, size_t n, size_t c, uint64_t seed, size_t *order)
{
	struct kith_pool tmp = {0};
	size_t *start = kith_new(&tmp, c + 1, sizeof(*start));

	kith_sort_by_class(c > 1 ? y : NULL, n, c, order, start);
	for (size_t h = 0; h < c; h++) {
		struct kith_rng rng;

		kith_rng_seed(&rng, seed, KITH_RNG_FOLD, h);
		kith_rng_shuffle(&rng, order + start[h], start[h + 1] - start[h]);
	}
	kith_pool_free(&tmp);
}

/* The sum of the shares; whether they are all equal goes to *equal. */
static size_t
add_shares(const size_t *shares, size_t parts, bool *equal)
{
	size_t sum = 0;

	*equal = true;
	for (size_t i = 0; i < parts; i++) {
		assert(1 <= shares[i] && shares[i] <= KITH_FOLD_SHARES - sum);
		sum += shares[i];
		if (shares[i] != shares[0])
			*equal = false;
	}
	return sum;
}

void
kith_fold_deal(const size_t *y, size_t n, size_t c, const size_t *shares, size_t parts,
    uint64_t seed, size_t *part)
{
	struct kith_pool tmp = {0};
	size_t *order = kith_new(&tmp, n, sizeof(*order));
	int64_t *lack = kith_new(&tmp, parts, sizeof(*lack));
	bool equal;
	const size_t sum = add_shares(shares, parts, &equal);

	assert(parts > 0 && c > 0 && n <= (uint64_t)INT64_MAX / sum);
	shuffle(y, n, y ? c : 1, seed, order);
	for (size_t t = 0; t < n; t++) {
		size_t best = 0;

		if (equal) {
			part[order[t]] = t % parts;
			continue;
		}
		for (size_t i = 0; i < parts; i++) {
			lack[i] += (int64_t)shares[i];
			if (lack[i] > lack[best])
				best = i;
		}
		lack[best] -= (int64_t)sum;
		part[order[t]] = best;
	}
	kith_pool_free(&tmp);
}
