/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/soft.h"

#include "base/par.h"
#include "base/pool.h"
#include "immigrate/rows.h"
#include "immigrate/soften.h"
#include "la/simd.h"
#include "la/transpose.h"
#include "la/vexp.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define TILE ((size_t)KITH_IMMIGRATE_TILE)

/* Up to so many rows the exponentials are kept: they fit a cache. */
enum { KEPT = 1000 };

struct kith_immigrate_soft
kith_immigrate_soft_new(const struct kith_immigrate_data *data, double sigma, bool stored,
    size_t threads, struct kith_pool *pool)
{
	struct kith_immigrate_soft soft = {.data = data, .sigma = sigma, .threads = threads};
	const size_t n = data->n;

	assert(sigma >= 0);
	if (stored)
		soft.store = kith_new(
		    pool, kith_immigrate_tile_pairs(data), TILE * TILE * sizeof(*soft.store));
	KITH_NEW_REALS(pool, n, 1, &soft.hit.least, &soft.hit.most, &soft.hit.sum, &soft.hit.mean);
	KITH_NEW_REALS(
	    pool, n, 1, &soft.miss.least, &soft.miss.most, &soft.miss.sum, &soft.miss.mean);
	KITH_NEW_REALS(pool, n, 1, &soft.hit.gone, &soft.miss.gone);
	KITH_NEW_SIZES(pool, n, 1, &soft.hit.nearest, &soft.miss.nearest);
	if (stored && n <= KEPT)
		soft.kept = kith_new(pool, n, n * sizeof(*soft.kept));
	soft.room = kith_new(pool, threads, sizeof(*soft.room));
	for (size_t t = 0; t < threads; t++) {
		struct kith_immigrate_soft_room *room = soft.room + t;

		room->tile = kith_immigrate_tile_room_new(data, pool);
		room->d = kith_new(pool, TILE * TILE, sizeof(*room->d));
		room->strip = kith_new(pool, n, TILE * sizeof(*room->strip));
		room->z = kith_new(pool, n, sizeof(*room->z));
		room->e = kith_new(pool, n, KITH_IMMIGRATE_SOFTEN_ROWS * sizeof(*room->e));
	}
	return soft;
}

static size_t
place(const struct kith_immigrate_data *data, size_t I, size_t J)
{
	return I * data->tiles - I * (I + 1) / 2 + J;
}

/* The distances of tiles I <= J, from the store or anew. */
static const double *
tile(const struct kith_immigrate_soft *soft, size_t I, size_t J, size_t thread)
{
	struct kith_immigrate_soft_room *room = soft->room + thread;

	if (soft->store)
		return soft->store + place(soft->data, I, J) * TILE * TILE;
	kith_immigrate_tile(soft->data, &soft->metric, I, J, &room->tile, room->d);
	return room->d;
}

static void
store_tile(void *to, size_t block, size_t thread)
{
	struct kith_immigrate_soft *soft = to;
	size_t I, J;

	kith_immigrate_tile_pair(soft->data, block, &I, &J);
	kith_immigrate_tile(soft->data, &soft->metric, I, J, &soft->room[thread].tile,
	    soft->store + block * TILE * TILE);
}

/* The distances of the rows of tile I to all rows, into the strip. */
static void
gather(const struct kith_immigrate_soft *soft, size_t I, size_t thread)
{
	const struct kith_immigrate_data *data = soft->data;
	const size_t rows = kith_immigrate_tile_rows(data, I), n = data->n;
	double *strip = soft->room[thread].strip;

	for (size_t J = 0; J < data->tiles; J++) {
		const size_t columns = kith_immigrate_tile_rows(data, J);
		const double *d = J < I ? tile(soft, J, I, thread) : tile(soft, I, J, thread);

		if (J < I)
			kith_transpose(columns, rows, d, TILE, strip + J * TILE, n);
		for (size_t i = 0; i < rows && J >= I; i++)
			memcpy(strip + i * n + J * TILE, d + i * TILE, columns * sizeof(*d));
	}
}

static void
soften_tile(void *to, size_t block, size_t thread)
{
	struct kith_immigrate_soft *soft = to;

	gather(soft, block, thread);
	kith_immigrate_soften(soft, block, thread);
}

void
kith_immigrate_soft(struct kith_immigrate_soft *soft)
{
	if (soft->store)
		kith_par(soft->threads, kith_immigrate_tile_pairs(soft->data), store_tile, soft);
	soft->some = false;
	kith_immigrate_soft_again(soft);
}

void
kith_immigrate_soft_again(struct kith_immigrate_soft *soft)
{
	kith_par(soft->threads, soft->data->tiles, soften_tile, soft);
}

/* A range of columns. */
struct range {
	size_t from, to;
};

/* The mean distance of a row to those of two ranges of columns, inf of none. */
static double
expected(const struct kith_immigrate_soft *soft, const double *d, const struct range range[2],
    struct kith_immigrate_soft_room *room)
{
	double least = INFINITY, sum = 0, above = 0;

	for (size_t r = 0; r < 2; r++)
		for (size_t j = range[r].from; j < range[r].to; j++)
			least = d[j] < least ? d[j] : least;
	for (size_t r = 0; r < 2; r++) {
		const size_t n = range[r].to - range[r].from;
		const double *at = d + range[r].from;

		kith_immigrate_soften_shift(n, at, least, soft->sigma, room->z);
		kith_vexp(n, room->z, room->e);
		for (size_t k = 0; k < n; k++) {
			sum += room->e[k];
			above += room->e[k] * (at[k] - least);
		}
	}
	return sum > 0 ? least + above / sum : INFINITY;
}

struct votes {
	struct kith_immigrate_soft *soft;
	double *V; /* n x c */
};

static void
vote_tile(void *to, size_t block, size_t thread)
{
	const struct votes *votes = to;
	const struct kith_immigrate_soft *soft = votes->soft;
	const struct kith_immigrate_data *data = soft->data;
	struct kith_immigrate_soft_room *room = soft->room + thread;
	const size_t rows = kith_immigrate_tile_rows(data, block);

	gather(soft, block, thread);
	for (size_t k = 0; k < rows; k++) {
		const size_t i = block * TILE + k;
		double *V = votes->V + data->row[i] * data->c;

		for (size_t h = 0; h < data->c; h++) {
			const size_t from = data->start[h];
			const size_t end = data->start[h + 1];
			const bool own = h == data->y[i];

			V[h] = expected(soft, room->strip + k * data->n,
			    (const struct range[]){{from, own ? i : end}, {own ? i + 1 : end, end}},
			    room);
		}
	}
}

void
kith_immigrate_soft_votes(struct kith_immigrate_soft *soft, double *V)
{
	struct votes votes = {soft, V};

	kith_par(soft->threads, soft->data->tiles, vote_tile, &votes);
}

/* z = (least - d)/sigma with a least for each. */
KITH_CLONES static void
soft_shift_each(size_t n, const double *d, const double *least, double sigma, double *z)
{
	size_t k;

	for (k = 0; k + 8 <= n; k += 8)
		*(kith_v8d_at *)(z + k) = (*(const kith_v8d_at *)(least + k) -
					      *(const kith_v8d_at *)(d + k)) /
		    sigma;
	for (; k < n; k++)
		z[k] = (least[k] - d[k]) / sigma;
}

/* c = w a / sum + w' b / sum' */
KITH_CLONES static void
soft_mix(size_t n, const double *a, double w, double sum, const double *b, const double *ws,
    const double *sums, double *c)
{
	size_t k;

	for (k = 0; k + 8 <= n; k += 8)
		*(kith_v8d_at *)(c + k) = *(const kith_v8d_at *)(a + k) * w / sum +
		    *(const kith_v8d_at *)(b + k) * *(const kith_v8d_at *)(ws + k) /
			*(const kith_v8d_at *)(sums + k);
	for (; k < n; k++)
		c[k] = a[k] * w / sum + b[k] * ws[k] / sums[k];
}

/* What c of a tile is made of: the distances, or the weights that were kept. */
struct origin {
	const double *d; /* TILE x TILE; or */
	const double *e; /* TILE x n, of the rows of I, and */
	const double *t; /* TILE x TILE: of those of J, transposed */
};

/* c of row i = I TILE + k and n rows from l on of tile J, hits all or misses all. */
static void
row_c(const struct kith_immigrate_soft *soft, const struct kith_immigrate_side *side,
    const struct origin *from, size_t i, size_t j, size_t n, double *c)
{
	double a[KITH_IMMIGRATE_TILE], b[KITH_IMMIGRATE_TILE];
	const double *weight = soft->data->weight, *of_i = a, *of_j = b;
	const size_t at = i % TILE * TILE + j % TILE;

	if (from->e) {
		of_i = from->e + i % TILE * soft->data->n + j;
		of_j = from->t + at;
	} else {
		kith_immigrate_soften_shift(n, from->d + at, side->least[i], soft->sigma, a);
		soft_shift_each(n, from->d + at, side->least + j, soft->sigma, b);
		kith_vexp(n, a, a);
		kith_vexp(n, b, b);
	}
	soft_mix(n, of_i, weight[i], side->sum[i], of_j, weight + j, side->sum + j, c);
}

static size_t
limit(size_t j, size_t from, size_t to)
{
	if (j < from)
		return from;
	return j > to ? to : j;
}

/* A tile where what is left out is so far away that it counts as 0. */
static const double *
count(const struct kith_immigrate_soft *soft, const double *d, size_t thread)
{
	double *to = soft->room[thread].d;

	if (!soft->some)
		return d;
	for (size_t k = 0; k < TILE * TILE; k++)
		to[k] = d[k] < 0 ? INFINITY : d[k];
	return to;
}

static struct origin
origin(const struct kith_immigrate_soft *soft, size_t I, size_t J, size_t thread)
{
	const struct kith_immigrate_data *data = soft->data;
	const size_t n = data->n;
	double *t = soft->room[thread].d;

	if (!soft->kept || soft->some)
		return (struct origin){.d = count(soft, tile(soft, I, J, thread), thread)};
	kith_transpose(kith_immigrate_tile_rows(data, J), kith_immigrate_tile_rows(data, I),
	    soft->kept + J * TILE * n + I * TILE, n, t, TILE);
	return (struct origin){.e = soft->kept + I * TILE * n, .t = t};
}

void
kith_immigrate_soft_c(
    const struct kith_immigrate_soft *soft, size_t I, size_t J, size_t thread, double *c)
{
	const struct kith_immigrate_data *data = soft->data;
	const struct origin of = origin(soft, I, J, thread);
	const size_t rows = kith_immigrate_tile_rows(data, I);
	const size_t end = J * TILE + kith_immigrate_tile_rows(data, J);

	memset(c, 0, TILE * TILE * sizeof(*c));
	for (size_t k = 0; k < rows; k++, c += TILE) {
		const size_t i = I * TILE + k, *own = data->start + data->y[i];
		const size_t from = I == J ? i + 1 : J * TILE;
		const size_t hit = limit(own[0], from, end);
		const size_t miss = limit(own[1], from, end);

		row_c(soft, &soft->miss, &of, i, from, hit - from, c + (from - J * TILE));
		row_c(soft, &soft->hit, &of, i, hit, miss - hit, c + (hit - J * TILE));
		row_c(soft, &soft->miss, &of, i, miss, end - miss, c + (miss - J * TILE));
		for (size_t j = 0; j < TILE; j++) {
			const size_t at = J * TILE + j;

			if (at < hit || at >= miss)
				c[j] = c[j] == 0 ? 0 : -c[j];
		}
	}
}
