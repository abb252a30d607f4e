/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/sum.h"

#include "base/par.h"
#include "base/pool.h"
#include "immigrate/rows.h"
#include "immigrate/soft.h"
#include "immigrate/wait.h"
#include "la/lanes.h"
#include "la/simd.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define TILE ((size_t)KITH_IMMIGRATE_TILE)

enum {
	BLOCK = KITH_IMMIGRATE_BLOCK,
	FEATURES = 256, /* of a vector, at a time */
	/* Not a power of two: features so far apart would share few sets of
	 * the cache. */
	WAIT_LD = BLOCK + 8,
	PARTS = 64
};

/* Products of a part, at least. */
#define WORK 0x1p21

/* Numbers of all parts' sums that may be held at once. */
#define HELD 0x1p23

/* Pairs of few features that wait to be added. */
struct wait {
	size_t n;
	double *D; /* p x BLOCK, WAIT_LD apart */
	double *c; /* BLOCK */
};

/* One thread's, and one part's. */
struct kith_immigrate_sum_room {
	struct kith_immigrate_wait wait;
	struct wait small;
	double *c;          /* TILE x TILE */
	double *D;          /* small: p x TILE */
	double *lanes;      /* small: p x p x 8 */
	double *sum;        /* part: len */
	double trace, size; /* part */
};

static struct wait
wait_new(const struct kith_immigrate_data *data, struct kith_pool *pool)
{
	struct wait wait = {0};

	wait.D = kith_new(pool, WAIT_LD, data->ld * sizeof(*wait.D));
	wait.c = kith_new(pool, BLOCK, sizeof(*wait.c));
	return wait;
}

static bool
is_small(const struct kith_immigrate_data *data)
{
	return data->columns;
}

static void
choose_parts(struct kith_immigrate_sum *sum)
{
	const struct kith_immigrate_data *data = sum->soft->data;
	const size_t pairs = kith_immigrate_tile_pairs(data);
	const double n = (double)data->n;
	double parts = n * n / 2 * (double)sum->len / WORK;

	parts = parts > PARTS ? PARTS : parts;
	parts = parts > (double)pairs ? (double)pairs : parts;
	sum->parts = parts < 1 ? 1 : (size_t)parts;
	sum->once = sum->parts;
	if ((double)sum->len * (double)sum->parts > HELD && sum->once > sum->soft->threads)
		sum->once = sum->soft->threads;
}

struct kith_immigrate_sum
kith_immigrate_sum_new(
    const struct kith_immigrate_soft *soft, bool matrix, bool floats, struct kith_pool *pool)
{
	const struct kith_immigrate_data *data = soft->data;
	const size_t p = data->p, threads = soft->threads;
	struct kith_immigrate_sum sum = {.soft = soft, .matrix = matrix, .floats = floats};
	size_t rooms;

	sum.least = 1e-12 * (data->total / (double)data->n);
	sum.len = matrix ? p * p : 2 * data->ld;
	choose_parts(&sum);
	sum.total = kith_new(pool, sum.len, sizeof(*sum.total));
	rooms = sum.once > threads ? sum.once : threads;
	sum.room = kith_new(pool, rooms, sizeof(*sum.room));
	for (size_t k = 0; k < rooms; k++) {
		struct kith_immigrate_sum_room *room = sum.room + k;

		if (k < sum.once)
			room->sum = kith_new(pool, sum.len, sizeof(*room->sum));
		if (k >= threads)
			continue;
		room->c = kith_new(pool, TILE * TILE, sizeof(*room->c));
		if (!matrix)
			continue;
		if (!is_small(data)) {
			room->wait = kith_immigrate_wait_new(data, floats, pool);
			continue;
		}
		room->small = wait_new(data, pool);
		room->D = kith_new(pool, p, TILE * sizeof(*room->D));
		room->lanes = kith_new(pool, p * p, 8 * sizeof(*room->lanes));
	}
	return sum;
}

/* Add a tile's pairs, by BLAS. */
static void
add_matrix(const struct kith_immigrate_sum *sum, size_t I, size_t J,
    struct kith_immigrate_sum_room *room, struct kith_immigrate_sum_room *part)
{
	const struct kith_immigrate_data *data = sum->soft->data;
	const size_t ld = data->ld, rows = kith_immigrate_tile_rows(data, I);

	for (size_t at = 0; at < rows * TILE; at++) {
		const double c = room->c[at];
		double square;

		if (!(fabs(c) > sum->least))
			continue;
		square = kith_immigrate_wait_add(&room->wait, data,
		    data->X + (I * TILE + at / TILE) * ld, data->X + (J * TILE + at % TILE) * ld, c,
		    sum->floats, part->sum);
		part->trace += c > 0 ? square : -square;
		part->size += square;
	}
}

/* to[l] += sum_k t_k E_lk for four rows of E, n / 8 vectors each. */
KITH_INLINE void
add_four(size_t n, const kith_v8d *t, const double *E, size_t ld, kith_v8d *to)
{
	kith_v8d a = to[0], b = to[1], c = to[2], d = to[3];

	for (size_t k = 0; k < n; k += 8) {
		const kith_v8d v = t[k / 8];

		a += v * *kith_simd_at(E, k);
		b += v * *kith_simd_at(E, ld + k);
		c += v * *kith_simd_at(E, 2 * ld + k);
		d += v * *kith_simd_at(E, 3 * ld + k);
	}
	to[0] = a;
	to[1] = b;
	to[2] = c;
	to[3] = d;
}

/*
 * lanes += sum_k c_k D_k D_k' for n pairs, a multiple of 8: D is p x n with
 * rows ld apart.  Returns sum_k |c_k| D_k'D_k.
 */
KITH_CLONES static double
sum_add_small(size_t p, size_t n, const double *D, size_t ld, const double *c, double *lanes)
{
	kith_v8d t[KITH_IMMIGRATE_BLOCK / 8], size = {0};

	for (size_t f = 0; f < p; f++, D += ld) {
		kith_v8d *to = (kith_v8d *)lanes + f * p;
		size_t g;

		for (size_t k = 0; k < n / 8; k++) {
			const kith_v8d v = *kith_simd_at(D, k * 8);

			t[k] = v * *kith_simd_at(c, k * 8);
			size += v * (kith_v8d)((kith_v8i)t[k] & INT64_MAX);
		}
		for (g = f; g + 4 <= p; g += 4)
			add_four(n, t, D + (g - f) * ld, ld, to + g);
		for (; g < p; g++)
			for (size_t k = 0; k < n; k += 8)
				to[g] += t[k / 8] * *kith_simd_at(D, (g - f) * ld + k);
	}
	return kith_lanes_sum(&size);
}

static void
flush_small(const struct kith_immigrate_data *data, struct kith_immigrate_sum_room *room,
    struct kith_immigrate_sum_room *part)
{
	struct wait *wait = &room->small;

	while (wait->n % 8 != 0)
		wait->c[wait->n++] = 0; /* what stands in D is finite */
	part->size += sum_add_small(data->p, wait->n, wait->D, WAIT_LD, wait->c, room->lanes);
	wait->n = 0;
}

/* Which of a row's pairs with a tile count. */
static size_t
list(const struct kith_immigrate_sum *sum, const double *c, size_t at[TILE])
{
	size_t n = 0;

	for (size_t j = 0; j < TILE; j++) {
		at[n] = j;
		n += fabs(c[j]) > sum->least;
	}
	return n;
}

/* Let n of a row's pairs with a tile wait. */
static void
wait_for(const struct kith_immigrate_data *data, size_t i, size_t J, const double *c, size_t n,
    const size_t *at, struct wait *wait)
{
	const double *x = data->X + i * data->ld;
	const double *of = data->columns + J * data->p * TILE;
	double *to = wait->D + wait->n;

	for (size_t f = 0; f < data->p; f++, of += TILE, to += WAIT_LD)
		for (size_t k = 0; k < n; k++)
			to[k] = fabs(x[f] - of[at[k]]);
	for (size_t k = 0; k < n; k++)
		wait->c[wait->n + k] = c[at[k]];
	wait->n += n;
}

/* Add a row's pairs with a tile: all of them, or those that count. */
static void
add_row(const struct kith_immigrate_sum *sum, size_t i, size_t J, const double *c,
    struct kith_immigrate_sum_room *room, struct kith_immigrate_sum_room *part)
{
	const struct kith_immigrate_data *data = sum->soft->data;
	struct wait *wait = &room->small;
	size_t at[TILE], count = list(sum, c, at);

	if (count > TILE / 2) {
		kith_immigrate_diffs(data, i, J, room->D);
		part->size += sum_add_small(data->p, TILE, room->D, TILE, c, room->lanes);
		return;
	}
	for (size_t k = 0, n; k < count; k += n) {
		n = BLOCK - wait->n < count - k ? BLOCK - wait->n : count - k;
		wait_for(data, i, J, c, n, at + k, wait);
		if (wait->n == BLOCK)
			flush_small(data, room, part);
	}
}

/* Add a tile's pairs to a vector, some features at a time. */
KITH_CLONES static void
sum_add_vector(
    const struct kith_immigrate_sum *sum, size_t I, size_t J, const double *c, double *to)
{
	const struct kith_immigrate_data *data = sum->soft->data;
	const size_t rows = kith_immigrate_tile_rows(data, I), ld = data->ld;

	for (size_t f = 0; f < ld; f += FEATURES) {
		const size_t end = f + FEATURES < ld ? f + FEATURES : ld;

		for (size_t at = 0; at < rows * TILE; at++) {
			const double v = fabs(c[at]), *x, *z;
			double *u = c[at] > 0 ? to : to + ld;

			if (!(v > sum->least))
				continue;
			x = data->X + (I * TILE + at / TILE) * ld;
			z = data->X + (J * TILE + at % TILE) * ld;
			for (size_t j = f; j < end; j += 8) {
				kith_v8d D;

				kith_lanes_diff(&D, x + j, z + j, true);
				*(kith_v8d *)(u + j) += v * D;
			}
		}
	}
}

/* What waits and what is in lanes goes into the part's sum. */
static void
finish(const struct kith_immigrate_sum *sum, struct kith_immigrate_sum_room *room,
    struct kith_immigrate_sum_room *part)
{
	const struct kith_immigrate_data *data = sum->soft->data;
	const size_t p = data->p;

	if (!is_small(data)) {
		kith_immigrate_wait_end(&room->wait, data, sum->floats, part->sum);
		return;
	}
	flush_small(data, room, part);
	for (size_t f = 0; f < p; f++) {
		for (size_t g = f; g < p; g++)
			part->sum[f * p + g] = kith_lanes_total(room->lanes + (f * p + g) * 8);
		part->trace += part->sum[f * p + f];
	}
	memset(room->lanes, 0, p * p * 8 * sizeof(*room->lanes));
}

static void
sum_part(void *to, size_t block, size_t thread)
{
	const struct kith_immigrate_sum *sum = to;
	const struct kith_immigrate_data *data = sum->soft->data;
	const size_t pairs = kith_immigrate_tile_pairs(data);
	const size_t k = sum->base + block;
	struct kith_immigrate_sum_room *room = sum->room + thread;
	struct kith_immigrate_sum_room *part = sum->room + block;
	size_t I, J;

	memset(part->sum, 0, sum->len * sizeof(*part->sum));
	part->trace = part->size = 0;
	for (size_t t = k * pairs / sum->parts; t < (k + 1) * pairs / sum->parts; t++) {
		kith_immigrate_tile_pair(data, t, &I, &J);
		kith_immigrate_soft_c(sum->soft, I, J, thread, room->c);
		if (!sum->matrix)
			sum_add_vector(sum, I, J, room->c, part->sum);
		else if (!is_small(data))
			add_matrix(sum, I, J, room, part);
		for (size_t i = 0;
		     i < kith_immigrate_tile_rows(data, I) && sum->matrix && is_small(data); i++)
			add_row(sum, I * TILE + i, J, room->c + i * TILE, room, part);
	}
	if (sum->matrix)
		finish(sum, room, part);
}

void
kith_immigrate_sum(struct kith_immigrate_sum *sum)
{
	memset(sum->total, 0, sum->len * sizeof(*sum->total));
	sum->trace = sum->size = 0;
	for (sum->base = 0; sum->base < sum->parts; sum->base += sum->once) {
		const size_t left = sum->parts - sum->base;
		const size_t n = left < sum->once ? left : sum->once;

		kith_par(sum->soft->threads, n, sum_part, sum);
		for (size_t k = 0; k < n; k++) {
			for (size_t l = 0; l < sum->len; l++)
				sum->total[l] += sum->room[k].sum[l];
			sum->trace += sum->room[k].trace;
			sum->size += sum->room[k].size;
		}
	}
	for (size_t l = 0; l < sum->len && !sum->matrix; l++)
		sum->size += sum->total[l];
}

size_t
kith_immigrate_sum_rows(struct kith_immigrate_sum *sum, size_t most, double *Z, double *sign)
{
	const struct kith_immigrate_data *data = sum->soft->data;
	const size_t ld = data->ld;
	double *c = sum->room[0].c;
	size_t n = 0, I, J;

	sum->trace = sum->size = 0;
	for (size_t t = 0; t < kith_immigrate_tile_pairs(data); t++) {
		kith_immigrate_tile_pair(data, t, &I, &J);
		kith_immigrate_soft_c(sum->soft, I, J, 0, c);
		for (size_t at = 0; at < kith_immigrate_tile_rows(data, I) * TILE; at++) {
			double square;

			if (!(fabs(c[at]) > sum->least))
				continue;
			if (n == most)
				return most + 1;
			sign[n] = c[at] > 0 ? 1 : -1;
			square = kith_immigrate_wait_scaled(ld,
			    data->X + (I * TILE + at / TILE) * ld,
			    data->X + (J * TILE + at % TILE) * ld, sqrt(fabs(c[at])), Z + n * ld);
			sum->trace += sign[n] * square;
			sum->size += square;
			n++;
		}
	}
	return n;
}
