/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For each block of rows of the query and each tile of its products with the
 * reference:
 *
 * 1. Pass over the rows of the reference with g + low_i > scale limit
 *    (near/sieve.h).
 * 2. Measure the others, sixteen together where they are many, and offer them.
 */
#include "near/within_tiles.h"

#include "la/simd.h"
#include "near/prune_leaf.h"
#include "near/screen.h"
#include "near/within.h"

#include <math.h>
#include <string.h>

enum {
	TILE = 64,      /* rows of a tile, at most KITH_KNN_LEAF, */
	COLUMNS = 1024, /* its columns, a multiple of KITH_STRIP, */
	WIDE = 16,      /* those that are compared at once, */
	MANY = 6        /* and how many are worth all distances of these */
};

/*
 * What columns j..j+15 of a tile whose first column is row `first` of the
 * reference have for row i of the block: a mask of a byte each.
 */
static void
offer_bytes(const struct kith_within *job, struct kith_within_worker *own,
    size_t i, size_t first, const uint64_t *mask)
{
	const int count = __builtin_popcountll(mask[0]) +
	    __builtin_popcountll(mask[1]);

	if (count >= MANY) {
		kith_within_offer_rows(job, own, i, first, first + WIDE);
		return;
	}
	for (size_t h = 0; h < 2; h++)
		for (uint64_t m = mask[h]; m; m &= m - 1)
			kith_within_offer_row(job, own, i,
			    first + h * WIDE / 2 +
				(size_t)__builtin_ctzll(m) / 8);
}

/* Columns first..first+n-1 for the m rows of the block, from the tile C. */
KITH_CLONES static void
within_scan(const struct kith_within *job, struct kith_within_worker *own,
    size_t m, size_t first, size_t n)
{
	const float *low = job->screen->X.low + first;

	for (size_t i = 0; i < m; i++) {
		const float *C = own->C + i * n, limit = own->limit[i];
		size_t j;

		for (j = 0; j + WIDE <= n; j += WIDE) {
			const kith_v16f g = *(const kith_v16f_at *)(C + j) +
			    *(const kith_v16f_at *)(low + j);
			const kith_v16b hit = __builtin_convertvector(
			    (g <= limit) & 1, kith_v16b);
			uint64_t mask[2];

			memcpy(mask, &hit, sizeof(mask));
			if (mask[0] | mask[1])
				offer_bytes(job, own, i, first + j, mask);
		}
		for (; j < n; j++)
			if (C[j] + low[j] <= limit)
				kith_within_offer_row(job, own, i, first + j);
	}
}

/* No less than scale limit - low_i; of a row far away, below all. */
static float
tile_limit(const struct kith_within *job, float low)
{
	const double limit = job->found->limit * job->screen->scale.scale;

	if (isinf(low))
		return -INFINITY;
	return nextafterf(kith_prune_known(limit, -low), INFINITY);
}

static void
tile_block(void *arg, size_t block, size_t thread)
{
	const struct kith_within *job = arg;
	const struct kith_knn_screen *screen = job->screen;
	const size_t first = block * TILE, n = screen->X.n;
	const size_t left = job->found->query.Z->n - first;
	const size_t m = left < TILE ? left : TILE;
	struct kith_within_worker *own = kith_within_worker(job, thread, TILE);

	if (!own->C) {
		own->Z = kith_knn_float_room(&screen->scale, TILE, &own->pool);
		own->C = kith_new(&own->pool, TILE, COLUMNS * sizeof(*own->C));
	}
	kith_within_take(job, own, first, m);
	kith_knn_float_fill(&screen->scale, own->z, m, &own->Z);
	for (size_t i = 0; i < m; i++) {
		own->limit[i] = tile_limit(job, own->Z.low[i]);
		if (isinf(own->Z.low[i]))
			kith_within_offer_all(job, own, i, i + 1);
	}
	for (size_t j = 0; j < n; j += COLUMNS) {
		const size_t columns = COLUMNS < n - j ? COLUMNS : n - j;

		kith_knn_float_cross(&screen->scale, m, own->Z.A, &screen->X, j,
		    columns, own->C);
		within_scan(job, own, m, j, columns);
	}
	kith_found_keep(job->found, block, m, own->row, own->list);
}

void
kith_within_tiles(
    const struct kith_knn_screen *screen, struct kith_found *found)
{
	struct kith_within job = {
	    .found = found, .pack = screen->pack, .screen = screen};

	kith_within_work(
	    &job, (found->query.Z->n + TILE - 1) / TILE, tile_block);
}
