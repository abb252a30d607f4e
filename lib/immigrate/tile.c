/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/tile.h"

#include "base/pool.h"
#include "immigrate/rows.h"
#include "la/blas.h"
#include "la/lanes.h"
#include "la/simd.h"

#include <string.h>

#define TILE ((size_t)KITH_IMMIGRATE_TILE)

enum {
	BLOCK = KITH_IMMIGRATE_BLOCK,
	CHUNK = 32,    /* columns of a quadratic form at a time */
	FEATURES = 256 /* of a vector metric, at a time: two tiles fit L2 */
};

struct kith_immigrate_tile_room
kith_immigrate_tile_room_new(const struct kith_immigrate_data *data, struct kith_pool *pool)
{
	struct kith_immigrate_tile_room room;

	KITH_NEW_REALS(pool, BLOCK, data->ld, &room.B, &room.Y);
	return room;
}

KITH_CLONES static void
immigrate_diff(size_t ld, const double *x, const double *z, double *D)
{
	for (size_t j = 0; j < ld; j += 8) {
		kith_v8d v;

		kith_lanes_diff(&v, x + j, z + j, true);
		*(kith_v8d *)(D + j) = v;
	}
}

void
kith_immigrate_diff(size_t ld, const double *x, const double *z, double *D)
{
	immigrate_diff(ld, x, z, D);
}

/* D of row i and the rows of tile J, from one of them on, a multiple of 8. */
KITH_CLONES static void
immigrate_diffs(const struct kith_immigrate_data *data, size_t i, size_t J, size_t from, double *D)
{
	const double *x = data->X + i * data->ld;
	const double *of = data->columns + J * data->p * TILE;

	for (size_t f = 0; f < data->p; f++)
		for (size_t j = f * TILE + from; j < (f + 1) * TILE; j += 8) {
			const kith_v8d v = x[f] - *(const kith_v8d *)(of + j);

			*(kith_v8d *)(D + j) = (kith_v8d)((kith_v8i)v & INT64_MAX);
		}
}

void
kith_immigrate_diffs(const struct kith_immigrate_data *data, size_t i, size_t J, double *D)
{
	immigrate_diffs(data, i, J, 0, D);
}

/*
 * d_j = D' W D for the columns of D from one on, four vectors of them at a time: in
 * variables, for the compiler keeps arrays in memory.  What stands above the
 * diagonal of W is twice that of the metric; all of it may be 0.
 */
KITH_CLONES static void
tile_quadratic(size_t p, const double *W, bool diagonal, const double *D, size_t from, double *d)
{
	for (size_t j = from; j < TILE; j += CHUNK) {
		kith_v8d a = {0}, b = {0}, c = {0}, e = {0};

		for (size_t f = 0; f < p; f++) {
			const kith_v8d *Df = kith_simd_at(D, f * TILE + j);
			double w = W[f * p + f];
			kith_v8d s = w * Df[0], t = w * Df[1];
			kith_v8d u = w * Df[2], v = w * Df[3];

			for (size_t g = diagonal ? p : f + 1; g < p; g++) {
				const kith_v8d *Dg = kith_simd_at(D, g * TILE + j);

				w = W[f * p + g];
				s += w * Dg[0];
				t += w * Dg[1];
				u += w * Dg[2];
				v += w * Dg[3];
			}
			a += s * Df[0];
			b += t * Df[1];
			c += u * Df[2];
			e += v * Df[3];
		}
		*(kith_v8d *)(d + j) = a;
		*(kith_v8d *)(d + j + 8) = b;
		*(kith_v8d *)(d + j + 16) = c;
		*(kith_v8d *)(d + j + 24) = e;
	}
}

/* Twice what stands above the diagonal of W; whether that is nothing. */
static bool
double_up(size_t p, const double *W, double *to)
{
	bool diagonal = true;

	for (size_t f = 0; f < p; f++)
		for (size_t g = f; g < p; g++) {
			to[f * p + g] = (g > f ? 2 : 1) * W[f * p + g];
			diagonal = diagonal && (g == f || W[f * p + g] == 0);
		}
	return diagonal;
}

/* Of I = J, for the columns behind each row, but for whole chunks. */
static void
tile_small(const struct kith_immigrate_data *data, const double *W, size_t I, size_t J, double *D,
    double *d)
{
	const size_t rows = kith_immigrate_tile_rows(data, I);
	double twice[KITH_IMMIGRATE_SMALL * KITH_IMMIGRATE_SMALL];
	const bool diagonal = double_up(data->p, W, twice);

	for (size_t i = 0; i < rows; i++) {
		const size_t from = I == J ? i / CHUNK * CHUNK : 0;

		immigrate_diffs(data, I * TILE + i, J, from, D);
		tile_quadratic(data->p, twice, diagonal, D, from, d + i * TILE);
	}
}

/* d_k = sum_i sign_i Y_ki^2 for n rows of Y, r a multiple of 8. */
KITH_CLONES static void
tile_norms(size_t n, size_t r, const double *Y, const double *sign, double *d)
{
	for (size_t k = 0; k < n; k++) {
		kith_v8d sum = {0};

		for (size_t i = 0; i < r; i += 8) {
			const kith_v8d v = *(const kith_v8d *)(Y + k * r + i);

			sum += v * v * *(const kith_v8d *)(sign + i);
		}
		d[k] = kith_lanes_sum(&sum);
	}
}

/* The pairs of rows of a tile that wait for BLAS, and where they go. */
struct block {
	size_t n, to[KITH_IMMIGRATE_BLOCK];
};

static void
flush(const struct kith_immigrate_data *data, const struct kith_immigrate_metric *metric,
    struct block *block, struct kith_immigrate_tile_room *room, double *d)
{
	double got[KITH_IMMIGRATE_BLOCK];

	kith_blas_rows(block->n, metric->r, data->p, room->B, data->ld, metric->R, data->ld,
	    room->Y, metric->r);
	tile_norms(block->n, metric->r, room->Y, metric->sign, got);
	for (size_t k = 0; k < block->n; k++)
		d[block->to[k]] = got[k];
	block->n = 0;
}

/* One more pair, whose D stands in its place; where BLOCK wait they are done. */
static void
take(const struct kith_immigrate_data *data, const struct kith_immigrate_metric *metric, size_t to,
    struct block *block, struct kith_immigrate_tile_room *room, double *d)
{
	block->to[block->n++] = to;
	if (block->n == BLOCK)
		flush(data, metric, block, room, d);
}

static void
tile_factor(const struct kith_immigrate_data *data, const struct kith_immigrate_metric *metric,
    size_t I, size_t J, struct kith_immigrate_tile_room *room, double *d)
{
	const size_t rows = kith_immigrate_tile_rows(data, I);
	const size_t columns = kith_immigrate_tile_rows(data, J);
	const size_t ld = data->ld;
	struct block block = {0};

	for (size_t i = 0; i < rows; i++)
		for (size_t j = I == J ? i + 1 : 0; j < columns; j++) {
			kith_immigrate_diff(ld, data->X + (I * TILE + i) * ld,
			    data->X + (J * TILE + j) * ld, room->B + block.n * ld);
			take(data, metric, i * TILE + j, &block, room, d);
		}
	if (block.n > 0)
		flush(data, metric, &block, room, d);
}

/* The lower half of a tile of the same rows, and the diagonal. */
static void
mirror(double *d)
{
	for (size_t i = 0; i < TILE; i++) {
		d[i * TILE + i] = 0;
		for (size_t j = 0; j < i; j++)
			d[i * TILE + j] = d[j * TILE + i];
	}
}

KITH_CLONES static void
tile_vector(const struct kith_immigrate_data *data, const struct kith_immigrate_metric *metric,
    size_t I, size_t J, double *d)
{
	const size_t rows = kith_immigrate_tile_rows(data, I);
	const size_t columns = kith_immigrate_tile_rows(data, J);

	memset(d, 0, TILE * TILE * sizeof(*d));
	for (size_t f = 0; f < data->ld; f += FEATURES) {
		const size_t left = data->ld - f;
		const size_t p = left < FEATURES ? left : FEATURES;

		for (size_t i = 0; i < rows; i++) {
			const double *x = data->X + (I * TILE + i) * data->ld;

			for (size_t j = I == J ? i + 1 : 0; j < columns; j++)
				d[i * TILE + j] += kith_lanes_vector(p, metric->w + f, x + f,
				    data->X + (J * TILE + j) * data->ld + f, !metric->squared);
		}
	}
}

void
kith_immigrate_tile(const struct kith_immigrate_data *data,
    const struct kith_immigrate_metric *metric, size_t I, size_t J,
    struct kith_immigrate_tile_room *room, double *d)
{
	if (metric->W)
		tile_small(data, metric->W, I, J, room->B, d);
	else if (metric->w)
		tile_vector(data, metric, I, J, d);
	else if (metric->r == 0)
		memset(d, 0, TILE * TILE * sizeof(*d));
	else
		tile_factor(data, metric, I, J, room, d);
	if (I == J)
		mirror(d);
}

/* -(r'D)^2 of row x and n rows z, ld apart. */
KITH_CLONES static void
tile_first(size_t ld, size_t n, const double *r, const double *x, const double *z, double *d)
{
	for (size_t k = 0; k < n; k++, z += ld) {
		kith_v8d sum = {0};
		double first;

		for (size_t j = 0; j < ld; j += 8) {
			kith_v8d v;

			kith_lanes_diff(&v, x + j, z + j, true);
			sum += v * *kith_simd_at(r, j);
		}
		first = kith_lanes_sum(&sum);
		d[k] = -(first * first);
	}
}

void
kith_immigrate_tile_first(const struct kith_immigrate_data *data,
    const struct kith_immigrate_metric *metric, size_t I, size_t J, double *d)
{
	const size_t rows = kith_immigrate_tile_rows(data, I), ld = data->ld;
	const size_t columns = kith_immigrate_tile_rows(data, J);

	for (size_t i = 0; i < rows; i++) {
		const size_t j = I == J ? i + 1 : 0;

		tile_first(ld, columns - j, metric->R, data->X + (I * TILE + i) * ld,
		    data->X + (J * TILE + j) * ld, d + i * TILE + j);
	}
	if (I == J)
		mirror(d);
}

void
kith_immigrate_tile_some(const struct kith_immigrate_data *data,
    const struct kith_immigrate_metric *metric, size_t I, size_t J, size_t n, const uint16_t *at,
    struct kith_immigrate_tile_room *room, double *d)
{
	const size_t ld = data->ld;
	struct block block = {0};

	for (size_t k = 0; k < n; k++) {
		const double *x = data->X + (I * TILE + at[k] / TILE) * ld;
		const double *z = data->X + (J * TILE + at[k] % TILE) * ld;

		kith_immigrate_diff(ld, x, z, room->B + block.n * ld);
		take(data, metric, at[k], &block, room, d);
	}
	if (block.n > 0)
		flush(data, metric, &block, room, d);
	if (I == J)
		mirror(d);
}

void
kith_immigrate_tile_pairs_of(const struct kith_immigrate_data *data,
    const struct kith_immigrate_metric *metric, size_t n, const size_t *i, const size_t *j,
    struct kith_immigrate_tile_room *room, double *d)
{
	const size_t ld = data->ld;
	struct block block = {0};

	for (size_t k = 0; k < n; k++) {
		kith_immigrate_diff(
		    ld, data->X + i[k] * ld, data->X + j[k] * ld, room->B + block.n * ld);
		take(data, metric, k, &block, room, d);
	}
	if (block.n > 0)
		flush(data, metric, &block, room, d);
}
