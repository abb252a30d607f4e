#include "near/scan.h"

#include "la/simd.h"
#include "near/kth.h"
#include "near/sieve.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WIDE = KITH_KNN_WIDE, HERE = 1, THERE = 2 };

/* Push what a mask of HERE and THERE bits, a byte each, says of columns j.. */
static void
push_mask(const struct kith_knn_tile *t, size_t i, size_t j, uint64_t mask,
    float *scratch)
{
	struct kith_knn_sieve *sieve = t->sieve;

	while (mask) {
		const int bit = __builtin_ctzll(mask);
		const size_t l = j + (size_t)bit / 8;
		const float c = t->C[i * t->n + l];

		mask &= mask - 1;
		if (bit % 8 == 0)
			kith_knn_sieve_push(sieve, t->row + i,
			    (struct kith_candidate){
				c + t->low[l], (uint32_t)(t->first + l)},
			    scratch);
		else {
			assert(t->other_low);
			kith_knn_sieve_push(sieve, t->other_row + l,
			    (struct kith_candidate){c + t->other_low[i],
				(uint32_t)(t->other_first + i)},
			    scratch);
		}
	}
}

/* Columns from..n-1 of row i, one by one. */
static void
scan_rest(const struct kith_knn_tile *t, size_t i, size_t from, float *scratch)
{
	for (size_t j = from; j < t->n; j++) {
		const float c = t->C[i * t->n + j];
		uint64_t mask = 0;

		if (c + t->low[j] <= t->sieve->limit[t->row + i])
			mask |= HERE;
		if (t->other_low &&
		    c + t->other_low[i] <= t->sieve->limit[t->other_row + j])
			mask |= THERE;
		push_mask(t, i, j, mask, scratch);
	}
}

/*
 * A limit for row i, of which nothing is known, from the upper bounds of this
 * tile: so few rows are pushed in vain.
 */
static void
first_limit(const struct kith_knn_tile *t, size_t i, float *scratch)
{
	const float *row = t->C + i * t->n;
	const size_t k = t->sieve->k;

	if (t->n < t->sieve->slots)
		return;
	for (size_t j = 0; j < t->n; j++)
		scratch[j] = row[j] + t->low[j] + t->wide[j];
	kith_knn_sieve_limit(t->sieve, t->row + i,
	    kith_knn_kth(scratch, t->n, k, k + k / 8 + 1));
}

KITH_INLINE const kith_v16f_at *
at(const float *v)
{
	return (const kith_v16f_at *)v;
}

/* Sixteen columns at a time; both: look from both sides. */
KITH_INLINE void
scan(const struct kith_knn_tile *t, float *scratch, bool both)
{
	const float *low = t->low, *limit = t->sieve->limit + t->row;
	const float *other_limit = t->sieve->limit + t->other_row;

	for (size_t i = 0; i < t->m; i++) {
		const float *row = t->C + i * t->n;
		const float other_low = both ? t->other_low[i] : 0;
		size_t j;

		if (limit[i] == KITH_KNN_NO_LIMIT)
			first_limit(t, i, scratch);
		for (j = 0; j + WIDE <= t->n; j += WIDE) {
			const kith_v16f c = *at(row + j);
			kith_v16i hit = (c + *at(low + j) <= limit[i]) & HERE;
			kith_v16b bytes;
			uint64_t mask[2];

			if (both)
				hit |= (c + other_low <= *at(other_limit + j)) &
				    THERE;
			bytes = __builtin_convertvector(hit, kith_v16b);
			memcpy(mask, &bytes, sizeof(mask));
			if (!(mask[0] | mask[1]))
				continue;
			push_mask(t, i, j, mask[0], scratch);
			push_mask(t, i, j + WIDE / 2, mask[1], scratch);
		}
		scan_rest(t, i, j, scratch);
	}
}

KITH_CLONES static void
scan_one(const struct kith_knn_tile *t, float *scratch)
{
	scan(t, scratch, false);
}

KITH_CLONES static void
scan_both(const struct kith_knn_tile *t, float *scratch)
{
	scan(t, scratch, true);
}

void
kith_knn_scan(const struct kith_knn_tile *tile, float *scratch)
{
	if (tile->other_low)
		scan_both(tile, scratch);
	else
		scan_one(tile, scratch);
}
