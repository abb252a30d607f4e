/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/screen.h"

#include "base/par.h"
#include "base/pool.h"
#include "base/progress.h"
#include "near/float.h"
#include "near/kth.h"
#include "near/near.h"
#include "near/pack.h"
#include "near/plain.h"
#include "near/sieve.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	COLUMNS = 2048,   /* of a tile at most, a multiple of KITH_KNN_WIDE */
	ROWS = 256,       /* of a tile */
	ROWS_LONG = 2048, /* of a tile where a product costs much */
	ROWS_SHORT = 64,  /* of a tile of a query of few rows */
	SHORT = 1024,     /* rows of a query below which there are few,
			   * and neighbours beyond which there is no room */
	LONG = 256,       /* features from which a product costs much */
	BLOCK = 1024,     /* rows of the reference in one block of a join */
	BLOCK_LONG = 2048,
	BLOCK_SMALL = 256,
	TURNS = 4 /* pairs of blocks in a round for each thread */
};

static size_t
smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Rows and columns of a tile, where there are many. */
static size_t
tile_rows(const struct kith_knn_screen *screen)
{
	return screen->pack->metric.p < LONG ? ROWS : ROWS_LONG;
}

static size_t
tile_columns(const struct kith_knn_screen *screen)
{
	return screen->pack->metric.p < LONG ? BLOCK : BLOCK_LONG;
}

/* The rows of the reference, one by one. */
static const double **
row_list(const struct kith_mat *X, struct kith_pool *pool)
{
	const double **z = kith_new(pool, X->n, sizeof(*z));

	for (size_t i = 0; i < X->n; i++)
		z[i] = kith_row(X, i);
	return z;
}

struct kith_knn_screen *
kith_knn_screen_new(const struct kith_knn_pack *pack, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct kith_knn_screen *s = kith_new(pool, 1, sizeof(*s));
	const size_t n = pack->X.n;

	s->pack = pack;
	s->scale = kith_knn_scale_new(pack, pool);
	s->X = kith_knn_float_room(&s->scale, n, pool);
	kith_knn_float_fill(&s->scale, row_list(&pack->X, &tmp), n, &s->X);
	for (size_t i = 0; i < n; i++)
		assert(isfinite(s->X.low[i]));
	kith_pool_free(&tmp);
	return s;
}

/* Put the rows self[i] out of reach in an m x n tile from row first on. */
static void
leave_out(float *C, size_t m, size_t n, const size_t *self, size_t first)
{
	for (size_t i = 0; i < m; i++)
		if (first <= self[i] && self[i] - first < n)
			C[i * n + self[i] - first] = INFINITY;
}

static struct kith_knn_sieve
sieve_new(const struct kith_knn_screen *screen, size_t k)
{
	return (struct kith_knn_sieve){.pack = screen->pack,
	    .scale = screen->scale.scale,
	    .wide = screen->X.wide,
	    .k = k};
}

/* Floats that knn_sieve and knn_scan need. */
static size_t
scratch_size(const struct kith_knn_sieve *sieve)
{
	const size_t slots = kith_knn_widen(sieve->slots);

	return slots > COLUMNS ? slots : COLUMNS;
}

/* What one thread needs to search for a block of rows. */
struct searcher {
	struct kith_pool pool;
	struct kith_knn_float Z;
	struct kith_knn_sieve sieve;
	const double **z;
	double *room;   /* packed rows */
	size_t *self;   /* rows left out */
	float *C;       /* a tile of products */
	float *scratch; /* for the sieve */
};

struct search {
	const struct kith_knn_screen *screen;
	const struct kith_knn_query *query;
	size_t rows;          /* of a block */
	struct searcher *own; /* one for each thread, made when first used */
};

static void
searcher_new(struct searcher *own, const struct search *to)
{
	const struct kith_knn_screen *screen = to->screen;
	const size_t m = to->rows, p = screen->pack->metric.p;
	struct kith_pool *pool = &own->pool;

	own->sieve = sieve_new(screen, to->query->k);
	kith_knn_sieve_room(&own->sieve, m, NULL, pool);
	own->Z = kith_knn_float_room(&screen->scale, m, pool);
	own->z = kith_new(pool, m, sizeof(*own->z));
	own->room = kith_new(pool, m, p * sizeof(*own->room));
	own->self = kith_new(pool, m, sizeof(*own->self));
	own->C = kith_new(pool, m, tile_columns(screen) * sizeof(*own->C));
	own->scratch = kith_new(
	    pool, scratch_size(&own->sieve), sizeof(*own->scratch));
	own->sieve.z = own->z;
	own->sieve.z_low = own->Z.low;
	own->sieve.z_wide = own->Z.wide;
}

/* Take in m rows of the query, from row first on. */
static void
begin_block(
    const struct search *to, struct searcher *own, size_t first, size_t m)
{
	const struct kith_knn_pack *pack = to->screen->pack;

	for (size_t i = 0; i < m; i++) {
		own->z[i] = kith_knn_pack_row(pack,
		    kith_row(to->query->Z, first + i),
		    own->room + i * pack->metric.p);
		own->self[i] = kith_knn_left_out(to->query, first + i);
	}
	kith_knn_float_fill(&to->screen->scale, own->z, m, &own->Z);
	kith_knn_sieve_clear(&own->sieve, m);
	for (size_t i = 0; i < m; i++)
		if (isinf(own->Z.low[i]))
			own->sieve.limit[i] = -INFINITY;
}

static void
end_block(const struct search *to, struct searcher *own, size_t first, size_t m)
{
	const size_t k = to->query->k;

	for (size_t i = 0; i < m; i++) {
		struct kith_neighbour *nn = to->query->nn + (first + i) * k;

		if (isinf(own->Z.low[i]))
			kith_knn_plain_row(
			    to->screen->pack, own->z[i], own->self[i], k, nn);
		else
			kith_knn_sieve_finish(&own->sieve, i, own->scratch, nn);
	}
}

static void
search_block(void *arg, size_t block, size_t thread)
{
	const struct search *to = arg;
	const struct kith_knn_float *X = &to->screen->X;
	const size_t first = block * to->rows;
	const size_t m = smaller(to->rows, to->query->Z->n - first);
	const size_t columns = tile_columns(to->screen);
	struct searcher *own = &to->own[thread];

	if (!own->C)
		searcher_new(own, to);
	begin_block(to, own, first, m);
	for (size_t j = 0; j < X->n; j += columns) {
		const struct kith_knn_tile tile = {.C = own->C,
		    .m = m,
		    .n = smaller(columns, X->n - j),
		    .low = X->low + j,
		    .first = j,
		    .wide = X->wide + j,
		    .sieve = &own->sieve};

		kith_knn_float_cross(
		    &to->screen->scale, m, own->Z.A, X, j, tile.n, own->C);
		leave_out(own->C, m, tile.n, own->self, j);
		kith_knn_scan(&tile, own->scratch);
	}
	end_block(to, own, first, m);
}

void
kith_knn_screen_search(
    const struct kith_knn_screen *screen, const struct kith_knn_query *query)
{
	struct kith_pool tmp = {0};
	const size_t m = query->Z->n;
	struct search to = {.screen = screen,
	    .query = query,
	    .rows = m < SHORT || query->k > SHORT ? ROWS_SHORT
						  : tile_rows(screen)};

	to.own = kith_new(&tmp, query->threads, sizeof(*to.own));
	kith_par_told(query->threads, (m + to.rows - 1) / to.rows, search_block,
	    &to, &(struct kith_par_phase){"neighbours", m, "rows"});
	for (size_t t = 0; t < query->threads; t++)
		kith_pool_free(&to.own[t].pool);
	kith_pool_free(&tmp);
}

struct join {
	const struct kith_knn_screen *screen;
	const struct kith_knn_query *query;
	struct kith_knn_sieve sieve; /* of all rows */
	size_t block;                /* rows of one block, at most COLUMNS */
	size_t rows;                 /* of a tile, at most block */
	size_t blocks;               /* even; the last may be empty */
	size_t round;
	float *C;                     /* threads tiles of rows x block */
	float *scratch;               /* threads x scratch_size() */
	struct kith_neighbour *found; /* threads x k, of a row */
};

/* The tile of m rows from i and n rows from j on, from one side or both. */
static void
join_tile(struct join *to, struct kith_knn_tile *tile, bool both, size_t thread)
{
	const struct kith_knn_float *X = &to->screen->X;
	const size_t p = to->screen->pack->metric.p;
	const size_t i = tile->row, j = tile->first;
	float *C = to->C + thread * to->rows * to->block;

	tile->C = C;
	tile->low = X->low + j;
	tile->wide = X->wide + j;
	tile->sieve = &to->sieve;
	tile->other_low = both ? X->low + i : NULL;
	tile->other_first = i;
	tile->other_row = j;
	kith_knn_float_cross(
	    &to->screen->scale, tile->m, X->A + i * p, X, j, tile->n, C);
	leave_out(C, tile->m, tile->n, to->query->self + i, j);
	kith_knn_scan(tile, to->scratch + thread * scratch_size(&to->sieve));
}

/* The rows of a block among themselves. */
static void
join_within(void *arg, size_t block, size_t thread)
{
	struct join *to = arg;
	const size_t first = block * to->block;
	const size_t end = smaller(to->screen->X.n, first + to->block);
	const size_t rows = smaller(to->rows, ROWS);

	for (size_t i = first; i < end; i += rows) {
		struct kith_knn_tile tile = {.row = i, .first = i};

		tile.m = tile.n = smaller(rows, end - i);
		join_tile(to, &tile, false, thread);
		tile.first = i + tile.m;
		tile.n = end - tile.first;
		join_tile(to, &tile, true, thread);
	}
}

/* The rows of block a with those of block b. */
static void
join_blocks(struct join *to, size_t a, size_t b, size_t thread)
{
	const size_t n = to->screen->X.n, i_end = (a + 1) * to->block;
	const size_t j = b * to->block, j_end = smaller(n, j + to->block);

	for (size_t i = a * to->block; i < i_end; i += to->rows) {
		struct kith_knn_tile tile = {.row = i, .first = j};

		tile.m = smaller(to->rows, i_end - i);
		tile.n = j_end - j;
		join_tile(to, &tile, true, thread);
	}
}

/*
 * A pair of one round.  As in a tournament of `blocks` players, who meet each
 * other once in blocks - 1 rounds, no block is in two pairs of a round; so
 * what threads write is apart.
 */
static void
join_pair(void *arg, size_t pair, size_t thread)
{
	struct join *to = arg;
	const size_t others = to->blocks - 1, r = to->round;
	const size_t a = pair == 0 ? others : (r + pair) % others;
	const size_t b = (r + others - pair) % others;
	const size_t low = a < b ? a : b, high = a < b ? b : a;

	if (high * to->block < to->screen->X.n)
		join_blocks(to, low, high, thread);
}

static void
join_finish(void *arg, size_t block, size_t thread)
{
	struct join *to = arg;
	const size_t end = smaller((block + 1) * to->block, to->screen->X.n);
	const size_t k = to->query->k;
	struct kith_neighbour *found = to->found + thread * k;

	for (size_t i = block * to->block; i < end; i++) {
		kith_knn_sieve_finish(&to->sieve, i,
		    to->scratch + thread * scratch_size(&to->sieve), found);
		memcpy(to->query->nn + i * k, found, k * sizeof(*found));
	}
}

/* Rows of a block such that every thread has pairs enough in a round. */
static size_t
block_rows(const struct kith_knn_screen *screen, size_t threads)
{
	size_t block = tile_columns(screen);

	while (block > BLOCK_SMALL && screen->X.n / block < 2 * threads * TURNS)
		block /= 2;
	return block;
}

void
kith_knn_screen_join(
    const struct kith_knn_screen *screen, const struct kith_knn_query *query)
{
	struct kith_pool tmp = {0};
	const size_t n = screen->X.n, threads = query->threads;
	struct join to = {.screen = screen,
	    .query = query,
	    .sieve = sieve_new(screen, query->k),
	    .block = block_rows(screen, threads)};

	to.rows = smaller(to.block, tile_rows(screen));
	to.blocks = (n + to.block - 1) / to.block;
	to.blocks += to.blocks % 2;
	to.sieve.z = row_list(&screen->pack->X, &tmp);
	to.sieve.z_low = screen->X.low;
	to.sieve.z_wide = screen->X.wide;
	kith_knn_sieve_room(&to.sieve, n, query->nn, &tmp);
	kith_knn_sieve_clear(&to.sieve, n);
	to.C = kith_grow(
	    &tmp, NULL, threads, to.rows * to.block * sizeof(*to.C));
	to.scratch = kith_new(
	    &tmp, threads, scratch_size(&to.sieve) * sizeof(*to.scratch));
	to.found = kith_new(&tmp, threads, query->k * sizeof(*to.found));
	kith_progress_phase("neighbours", to.blocks, "rounds");
	kith_par(threads, to.blocks, join_within, &to);
	for (; to.round + 1 < to.blocks; to.round++) {
		kith_progress_add(1);
		kith_par(threads, to.blocks / 2, join_pair, &to);
	}
	kith_progress_end();
	kith_par(threads, to.blocks, join_finish, &to);
	kith_pool_free(&tmp);
}
