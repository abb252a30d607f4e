/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/sieve.h"

#include "base/pool.h"
#include "la/simd.h"
#include "near/dist.h"
#include "near/kth.h"
#include "near/near.h"
#include "near/pack.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
	SLOTS = 64, /* at least, for each row */
	ROOM = 16,  /* slots to be free after lowering the limit */
	WIDE = KITH_KNN_WIDE,
	HERE = 1, /* sides that a row is looked at from */
	THERE = 2
};

void
kith_knn_sieve_room(struct kith_knn_sieve *sieve, size_t m,
    struct kith_neighbour *nn, struct kith_pool *pool)
{
	const bool fits = sizeof(struct kith_neighbour) >=
	    2 * sizeof(struct kith_candidate);
	const size_t ample = 2 * sieve->k + ROOM / 4;

	sieve->limit = kith_new(pool, m, sizeof(*sieve->limit));
	sieve->held = kith_new(pool, m, sizeof(*sieve->held));
	if (nn && fits && sieve->k >= KITH_KNN_SHARED) {
		sieve->slots = 2 * sieve->k;
		sieve->slot = (struct kith_candidate *)nn;
		return;
	}
	sieve->slots = kith_knn_widen(ample > SLOTS ? ample : SLOTS);
	sieve->slot = kith_grow(
	    pool, NULL, m, sieve->slots * sizeof(*sieve->slot));
}

void
kith_knn_sieve_clear(struct kith_knn_sieve *sieve, size_t m)
{
	for (size_t i = 0; i < m; i++) {
		sieve->limit[i] = KITH_KNN_NO_LIMIT;
		sieve->held[i] = 0;
	}
}

static float
round_up(double x)
{
	const float f = (float)x;

	return f < x ? nextafterf(f, INFINITY) : f;
}

static float
round_down(double x)
{
	return -round_up(-x);
}

/* Throw out the candidates beyond the limit. */
static void
filter(struct kith_knn_sieve *sieve, size_t i)
{
	struct kith_candidate *slot = sieve->slot + i * sieve->slots;
	const float limit = sieve->limit[i];
	uint32_t n = 0;

	for (uint32_t s = 0; s < sieve->held[i]; s++) {
		slot[n] = slot[s];
		n += slot[s].g <= limit;
	}
	sieve->held[i] = n;
}

/*
 * Lower the limit of row i to what g of its k nearest rows does not exceed,
 * given a number that k of the g + wide_j do not exceed.
 */
static void
lower(struct kith_knn_sieve *sieve, size_t i, float kth)
{
	const float to = kth + sieve->z_wide[i];

	if (to < sieve->limit[i])
		sieve->limit[i] = to;
}

/* Lower the limit by the upper bounds, `enough` of which may stay below. */
static void
select_bounds(
    struct kith_knn_sieve *sieve, size_t i, size_t enough, float *scratch)
{
	const struct kith_candidate *slot = sieve->slot + i * sieve->slots;
	const size_t n = sieve->held[i];

	for (size_t s = 0; s < n; s++)
		scratch[s] = slot[s].g + sieve->wide[slot[s].row];
	lower(sieve, i, kith_knn_kth(scratch, n, sieve->k, enough));
	filter(sieve, i);
}

/* Have p numbers brought near while others are worked on. */
static void
fetch(const double *x, size_t p)
{
	for (size_t j = 0; j < p; j += 8)
		__builtin_prefetch(x + j);
}

/* The distances of the candidates: the k nearest, in no order. */
static void
rank(const struct kith_knn_sieve *sieve, size_t i, struct kith_near *near)
{
	const struct kith_candidate *slot = sieve->slot + i * sieve->slots;
	const struct kith_knn_pack *pack = sieve->pack;

	for (size_t s = 0; s < sieve->held[i]; s++) {
		double d;

		if (s + 1 < sieve->held[i])
			fetch(kith_row(&pack->X, slot[s + 1].row), pack->X.p);
		kith_dist_rows(&pack->metric, sieve->z[i],
		    kith_row(&pack->X, slot[s].row), 1, &d);
		kith_near_push(near, slot[s].row, d);
	}
}

/* Keep the k nearest of the candidates, with g from their distances. */
static void
rank_and_keep(struct kith_knn_sieve *sieve, size_t i)
{
	struct kith_pool tmp = {0};
	struct kith_near near = {
	    .nn = kith_new(&tmp, sieve->k, sizeof(*near.nn)), .k = sieve->k};
	struct kith_candidate *slot = sieve->slot + i * sieve->slots;
	const double low = sieve->z_low[i];
	float limit;

	rank(sieve, i, &near);
	for (size_t s = 0; s < near.held; s++)
		slot[s] = (struct kith_candidate){
		    round_down(near.nn[s].d * sieve->scale - low),
		    (uint32_t)near.nn[s].row};
	sieve->held[i] = (uint32_t)near.held;
	limit = round_up(near.nn[0].d * sieve->scale - low);
	if (limit < sieve->limit[i])
		sieve->limit[i] = limit;
	kith_pool_free(&tmp);
}

/* Make room for row i, whose slots are full.  Scratch: sieve->slots floats. */
static void
shrink(struct kith_knn_sieve *sieve, size_t i, float *scratch)
{
	select_bounds(sieve, i, sieve->k + sieve->k / 8 + 1, scratch);
	if (sieve->held[i] > sieve->slots - ROOM)
		rank_and_keep(sieve, i);
}

void
kith_knn_sieve_finish(struct kith_knn_sieve *sieve, size_t i, float *scratch,
    struct kith_neighbour *nn)
{
	struct kith_near near = {.nn = nn, .k = sieve->k};

	assert(sieve->held[i] >= sieve->k);
	if (sieve->held[i] > sieve->k)
		select_bounds(sieve, i, sieve->k, scratch);
	rank(sieve, i, &near);
	kith_near_sort(&near);
}

/*
 * Keep a row of the reference for row i of the query if it is within the
 * limit, which may have been lowered since it was found.
 */
static inline void
push(struct kith_knn_sieve *sieve, size_t i, struct kith_candidate seen,
    float *scratch)
{
	if (seen.g > sieve->limit[i])
		return;
	sieve->slot[i * sieve->slots + sieve->held[i]++] = seen;
	if (sieve->held[i] == sieve->slots)
		shrink(sieve, i, scratch);
}

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
			push(sieve, t->row + i,
			    (struct kith_candidate){
				c + t->low[l], (uint32_t)(t->first + l)},
			    scratch);
		else {
			assert(t->other_low);
			push(sieve, t->other_row + l,
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
	lower(t->sieve, t->row + i,
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
sieve_scan_one(const struct kith_knn_tile *t, float *scratch)
{
	scan(t, scratch, false);
}

KITH_CLONES static void
sieve_scan_both(const struct kith_knn_tile *t, float *scratch)
{
	scan(t, scratch, true);
}

void
kith_knn_scan(const struct kith_knn_tile *tile, float *scratch)
{
	if (tile->other_low)
		sieve_scan_both(tile, scratch);
	else
		sieve_scan_one(tile, scratch);
}
