/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/line.h"

#include "base/par.h"
#include "base/pool.h"
#include "immigrate/rows.h"
#include "immigrate/soft.h"
#include "la/simd.h"
#include "la/vec.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define TILE ((size_t)KITH_IMMIGRATE_TILE)

/* A pair is left out where exp(-d/sigma) is so far below a row's largest. */
#define LEAVE 10.0

/*
 * Factors of fewer rows are not worth it; nor is it where a smaller share than
 * this was left out, and the next draws leave none out.
 */
enum { ROWS = 16, REST = 4 };
#define LEFT .3

struct kith_immigrate_line
kith_immigrate_line_new(struct kith_immigrate_soft *soft, struct kith_pool *pool)
{
	const size_t pairs = kith_immigrate_tile_pairs(soft->data);
	struct kith_immigrate_line line = {.soft = soft};

	KITH_NEW_REALS(pool, pairs, TILE * TILE, &line.from, &line.to);
	KITH_NEW_REALS(pool, soft->data->n, 1, &line.hit.from, &line.hit.to, &line.hit.most,
	    &line.miss.from, &line.miss.to, &line.miss.most);
	line.want = kith_new(pool, pairs, sizeof(*line.want));
	return line;
}

static void
swap(double **a, double **b)
{
	double *spare = *a;

	*a = *b;
	*b = spare;
}

/* The distances of rows i.. to their nearest hits, or misses, at both ends. */
static void
find_near(const struct kith_immigrate_line *line, size_t i, size_t n,
    const struct kith_immigrate_side *side, size_t thread, const struct kith_immigrate_near *near)
{
	const struct kith_immigrate_soft *soft = line->soft;
	size_t row[KITH_IMMIGRATE_TILE] = {0};

	for (size_t k = 0; k < n; k++)
		row[k] = i + k;
	kith_immigrate_tile_pairs_of(soft->data, &soft->metric, n, row, side->nearest + i,
	    &soft->room[thread].tile, near->to + i);
	memcpy(near->from + i, side->least + i, n * sizeof(*near->from));
}

static void
find_near_tile(void *to, size_t block, size_t thread)
{
	const struct kith_immigrate_line *line = to;
	const struct kith_immigrate_soft *soft = line->soft;
	const size_t n = kith_immigrate_tile_rows(soft->data, block);

	find_near(line, block * TILE, n, &soft->hit, thread, &line->hit);
	find_near(line, block * TILE, n, &soft->miss, thread, &line->miss);
}

static void
draw_tile(void *to, size_t block, size_t thread)
{
	const struct kith_immigrate_line *line = to;
	struct kith_immigrate_soft *soft = line->soft;
	double *d = line->to + block * TILE * TILE;
	size_t I, J;

	kith_immigrate_tile_pair(soft->data, block, &I, &J);
	if (line->some)
		kith_immigrate_tile_first(soft->data, &soft->metric, I, J, d);
	else
		kith_immigrate_tile(soft->data, &soft->metric, I, J, &soft->room[thread].tile, d);
}

/* Whether too few pairs were left out for it to pay. */
static bool
is_full(const struct kith_immigrate_line *line)
{
	const size_t all = kith_immigrate_tile_pairs(line->soft->data) * TILE * TILE;
	size_t left = 0;

	for (size_t k = 0; k < all; k++)
		left += line->from[k] < 0;
	return (double)left < LEFT * (double)all;
}

void
kith_immigrate_line_draw(struct kith_immigrate_line *line, bool some)
{
	struct kith_immigrate_soft *soft = line->soft;
	const size_t threads = soft->threads;

	swap(&line->from, &soft->store);
	line->from_some = soft->some;
	if (line->from_some && is_full(line))
		line->full = REST;
	line->some = some && line->full == 0 && soft->metric.r >= ROWS;
	if (some && line->full > 0)
		line->full--;
	if (line->some)
		kith_par(threads, soft->data->tiles, find_near_tile, line);
	kith_par(threads, kith_immigrate_tile_pairs(soft->data), draw_tile, line);
}

/* Up to where the pairs of a row are needed at g. */
static void
find_most(const struct kith_immigrate_line *line, const struct kith_immigrate_side *side,
    const struct kith_immigrate_near *near)
{
	const size_t n = line->soft->data->n;
	const double above = (LEAVE + log((double)n)) * line->soft->sigma;

	for (size_t i = 0; i < n; i++)
		near->most[i] = line->some && side->sum[i] > 0
		    ? near->from[i] + line->g * (near->to[i] - near->from[i]) + above
		    : INFINITY;
}

/*
 * The pairs of a tile that are needed, and of which there are bounds at V, into
 * at; whether there are some at W.  a: distances at W, or their bounds; b: at V.
 */
static bool
list(const struct kith_immigrate_line *line, size_t I, size_t J, const double *a, const double *b,
    bool of_to, uint16_t *at, size_t *n)
{
	const struct kith_immigrate_data *data = line->soft->data;
	const size_t rows = kith_immigrate_tile_rows(data, I);
	const size_t columns = kith_immigrate_tile_rows(data, J);
	bool want = false;

	*n = 0;
	for (size_t k = 0; k < rows; k++) {
		const size_t i = I * TILE + k, j0 = J * TILE;

		for (size_t l = I == J ? k + 1 : 0; l < columns; l++) {
			const size_t to = k * TILE + l;
			const double x = fabs(a[to]), z = fabs(b[to]);
			const double *most = data->y[i] == data->y[j0 + l] ? line->hit.most
									   : line->miss.most;

			if (x + line->g * (z - x) > kith_larger(most[i], most[j0 + l]))
				continue;
			at[*n] = (uint16_t)to;
			*n += (of_to ? b : a)[to] < 0;
			want |= a[to] < 0;
		}
	}
	return want;
}

/* Distances at W, or V itself, where W has no part. */
static const double *
at_start(const struct kith_immigrate_line *line, size_t block)
{
	return (line->g == 1 ? line->to : line->from) + block * TILE * TILE;
}

static void
reach_tile(void *to, size_t block, size_t thread)
{
	const struct kith_immigrate_line *line = to;
	const struct kith_immigrate_soft *soft = line->soft;
	double *d = line->to + block * TILE * TILE;
	uint16_t at[KITH_IMMIGRATE_TILE * KITH_IMMIGRATE_TILE];
	size_t I, J, n;
	bool want;

	kith_immigrate_tile_pair(soft->data, block, &I, &J);
	want = list(line, I, J, at_start(line, block), d, true, at, &n);
	line->want[block] = want && line->g != 1;
	if (n > 0)
		kith_immigrate_tile_some(
		    soft->data, &soft->metric, I, J, n, at, &soft->room[thread].tile, d);
}

bool
kith_immigrate_line_reach(struct kith_immigrate_line *line, double g)
{
	const size_t pairs = kith_immigrate_tile_pairs(line->soft->data);
	bool want = false;

	line->g = g;
	if (!line->some && (!line->from_some || g == 1))
		return false;
	find_most(line, &line->soft->hit, &line->hit);
	find_most(line, &line->soft->miss, &line->miss);
	kith_par(line->soft->threads, pairs, reach_tile, line);
	for (size_t t = 0; t < pairs; t++)
		want |= line->want[t] != 0;
	return want;
}

struct mend {
	const struct kith_immigrate_line *line;
	const struct kith_immigrate_metric *from;
};

static void
mend_tile(void *to, size_t block, size_t thread)
{
	const struct mend *mend = to;
	const struct kith_immigrate_line *line = mend->line;
	const struct kith_immigrate_soft *soft = line->soft;
	double *d = line->from + block * TILE * TILE;
	uint16_t at[KITH_IMMIGRATE_TILE * KITH_IMMIGRATE_TILE];
	size_t I, J, n;

	if (!line->want[block])
		return;
	kith_immigrate_tile_pair(soft->data, block, &I, &J);
	list(line, I, J, d, line->to + block * TILE * TILE, false, at, &n);
	kith_immigrate_tile_some(soft->data, mend->from, I, J, n, at, &soft->room[thread].tile, d);
}

void
kith_immigrate_line_mend(struct kith_immigrate_line *line, const struct kith_immigrate_metric *from)
{
	struct mend mend = {line, from};

	kith_par(
	    line->soft->threads, kith_immigrate_tile_pairs(line->soft->data), mend_tile, &mend);
}

struct step {
	const struct kith_immigrate_line *line;
	double g, norm;
};

/* d = (a + g (b - a)) / norm */
KITH_CLONES static void
line_blend(const double *a, const double *b, double g, double norm, double *d)
{
	for (size_t k = 0; k < TILE * TILE; k += 8)
		*(kith_v8d *)(d +
		    k) = (*(const kith_v8d *)(a + k) +
			     g * (*(const kith_v8d *)(b + k) - *(const kith_v8d *)(a + k))) /
		    norm;
}

/* The same of |a| and |b|, negative where one of them is. */
KITH_CLONES static void
line_blend_some(const double *a, const double *b, double g, double norm, double *d)
{
	for (size_t k = 0; k < TILE * TILE; k += 8) {
		const kith_v8i x = (kith_v8i) * (const kith_v8d *)(a + k);
		const kith_v8i z = (kith_v8i) * (const kith_v8d *)(b + k);
		const kith_v8d from = (kith_v8d)(x & INT64_MAX);
		const kith_v8d to = (kith_v8d)(z & INT64_MAX);
		const kith_v8d at = (from + g * (to - from)) / norm;

		*(kith_v8d *)(d + k) = (kith_v8d)((kith_v8i)at | ((x | z) & INT64_MIN));
	}
}

static void
go_tile(void *to, size_t block, size_t thread)
{
	const struct step *step = to;
	const struct kith_immigrate_line *line = step->line;
	const size_t at = block * TILE * TILE;
	const double *a = line->from + at, *b = line->to + at;
	double *d = line->soft->store + at;

	(void)thread;
	if (line->some || line->from_some)
		line_blend_some(at_start(line, block), b, step->g, step->norm, d);
	else
		line_blend(a, b, step->g, step->norm, d);
}

void
kith_immigrate_line_go(struct kith_immigrate_line *line, double g, double norm)
{
	struct kith_immigrate_soft *soft = line->soft;
	struct step step = {line, g, norm};

	kith_par(soft->threads, kith_immigrate_tile_pairs(soft->data), go_tile, &step);
	soft->some = line->some || (line->from_some && g < 1);
	kith_immigrate_soft_again(soft);
}
