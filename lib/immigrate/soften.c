/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. Of each row, the least distance to its hits, and to its misses; then
 *    e_j = exp((least - d_j)/sigma) for all other rows j.     soften_row()
 * 2. The sums of e_j over hits and over misses: of ROWS rows of one class side by
 *    side, for each sum adds its terms one after another.     find_sums()
 * 3. Where pairs are left out, the same with bounds of what they would add; and
 *    the nearest rows, if they are asked for.                 look_at()
 */
#include "immigrate/soften.h"

#include "immigrate/left.h"
#include "immigrate/rows.h"
#include "immigrate/sides.h"
#include "la/simd.h"
#include "la/vec.h"
#include "la/vexp.h"

#include <math.h>

#define TILE ((size_t)KITH_IMMIGRATE_TILE)

enum { ROWS = KITH_IMMIGRATE_SOFTEN_ROWS };

KITH_CLONES static void
soften_shift(size_t n, const double *d, double least, double sigma, double *z)
{
	size_t k;

	for (k = 0; k + 8 <= n; k += 8)
		*(kith_v8d_at *)(z + k) = (least - *(const kith_v8d_at *)(d + k)) / sigma;
	for (; k < n; k++)
		z[k] = (least - d[k]) / sigma;
}

void
kith_immigrate_soften_shift(size_t n, const double *d, double least, double sigma, double *z)
{
	soften_shift(n, d, least, sigma, z);
}

/* The least and the largest of n distances, and of what they were. */
KITH_CLONES static void
soften_range(size_t n, const double *d, double *least, double *most)
{
	size_t k = 0;

	if (n >= 8) {
		kith_v8d a = *(const kith_v8d_at *)d, b = a;

		for (k = 8; k + 8 <= n; k += 8) {
			const kith_v8d v = *(const kith_v8d_at *)(d + k);
			const kith_v8i less = v<a, more = v> b;

			a = (kith_v8d)(((kith_v8i)v & less) | ((kith_v8i)a & ~less));
			b = (kith_v8d)(((kith_v8i)v & more) | ((kith_v8i)b & ~more));
		}
		for (size_t l = 0; l < 8; l++) {
			*least = kith_lesser(*least, a[l]);
			*most = kith_larger(*most, b[l]);
		}
	}
	for (; k < n; k++) {
		*least = kith_lesser(*least, d[k]);
		*most = kith_larger(*most, d[k]);
	}
}

/* A range of columns. */
struct range {
	size_t from, to;
};

/* A row, and its class: the columns of its hits, and of itself. */
struct row {
	size_t i;
	struct range own;
	const double *d;
};

/* The least and the largest of a row's distances to one side. */
static void
find_range(
    const struct row *row, struct kith_immigrate_side *side, struct range one, struct range two)
{
	double least = INFINITY, most = -INFINITY;

	soften_range(one.to - one.from, row->d + one.from, &least, &most);
	soften_range(two.to - two.from, row->d + two.from, &least, &most);
	side->least[row->i] = least;
	side->most[row->i] = most;
}

static double
over(double mean, double sum)
{
	return sum > 0 ? mean / sum : 0;
}

/* -sum_j e_j z_j over sum_j e_j of a row's hits, and of its misses. */
static void
find_means(
    struct kith_immigrate_soft *soft, const struct row *row, const double *z, const double *e)
{
	double sum[2] = {0}, mean[2] = {0};

	for (size_t j = 0; j < soft->data->n; j++) {
		const size_t hit = j >= row->own.from && j < row->own.to;

		if (j == row->i)
			continue;
		sum[hit] += e[j];
		mean[hit] -= e[j] * z[j];
	}
	soft->miss.mean[row->i] = over(mean[0], sum[0]);
	soft->hit.mean[row->i] = over(mean[1], sum[1]);
}

/* e (n): the weights of all rows for this one, the sums of which are not 1 yet. */
static void
soften_row(struct kith_immigrate_soft *soft, const struct row *row, double *z, double *e)
{
	const size_t n = soft->data->n, i = row->i;
	const struct range own = row->own;
	const double *d = row->d, sigma = soft->sigma;
	double least;

	find_range(row, &soft->hit, (struct range){own.from, i}, (struct range){i + 1, own.to});
	least = soft->hit.least[i];
	soften_shift(own.to - own.from, d + own.from, least, sigma, z + own.from);
	find_range(row, &soft->miss, (struct range){0, own.from}, (struct range){own.to, n});
	least = soft->miss.least[i];
	soften_shift(own.from, d, least, sigma, z);
	soften_shift(n - own.to, d + own.to, least, sigma, z + own.to);
	kith_vexp(n, z, e);
	e[i] = 0;
	if (soft->mean)
		find_means(soft, row, z, e);
}

/* Add columns of ROWS rows to their sums, in their order. */
static void
add_up(struct range of, const double *const row[ROWS], double sum[ROWS])
{
	const double *e = row[0], *f = row[1], *g = row[2], *h = row[3];
	double a = sum[0], b = sum[1], c = sum[2], d = sum[3];

	for (size_t j = of.from; j < of.to; j++) {
		a += e[j];
		b += f[j];
		c += g[j];
		d += h[j];
	}
	sum[0] = a;
	sum[1] = b;
	sum[2] = c;
	sum[3] = d;
}

/* Of 1 to ROWS rows of one class, the last of which stands in for those that
 * lack: the rows behind it may be another thread's. */
static void
find_sums(struct kith_immigrate_soft *soft, const struct row *first, size_t rows, const double *e)
{
	const size_t n = soft->data->n;
	const struct range own = first->own;
	const double *row[ROWS];
	double hit[ROWS] = {0}, miss[ROWS] = {0};

	for (size_t k = 0; k < ROWS; k++)
		row[k] = e + (k < rows ? k : rows - 1) * n;
	add_up((struct range){0, own.from}, row, miss);
	add_up(own, row, hit);
	add_up((struct range){own.to, n}, row, miss);
	for (size_t k = 0; k < rows; k++) {
		soft->hit.sum[first->i + k] = hit[k];
		soft->miss.sum[first->i + k] = miss[k];
	}
}

/* One side of a row where pairs are left out. */
static void
soften_some(const struct kith_immigrate_soft *soft, const struct row *row,
    const struct range range[2], struct kith_immigrate_side *side,
    struct kith_immigrate_soft_room *room)
{
	double least = INFINITY, sum = 0, gone = 0;

	for (size_t r = 0; r < 2; r++)
		least = kith_lesser(least,
		    kith_immigrate_left_least(range[r].to - range[r].from, row->d + range[r].from));
	for (size_t r = 0; r < 2; r++) {
		const size_t n = range[r].to - range[r].from;
		const double *at = row->d + range[r].from;

		kith_immigrate_left_shift(n, at, least, soft->sigma, room->z);
		kith_vexp(n, room->z, room->e);
		kith_immigrate_left_total(n, at, room->e, &sum, &gone);
	}
	side->least[row->i] = least;
	side->sum[row->i] = sum;
	side->gone[row->i] = gone;
}

/* The row nearest to a row, of two ranges. */
static void
find_nearest(const struct row *row, const struct range range[2], struct kith_immigrate_side *side)
{
	for (size_t r = 0; r < 2; r++)
		for (size_t j = range[r].from; j < range[r].to; j++)
			if (row->d[j] == side->least[row->i]) {
				side->nearest[row->i] = j;
				return;
			}
}

/* What is asked for beside the sums, or in place of them where pairs are left out. */
static void
look_at(
    struct kith_immigrate_soft *soft, const struct row *row, struct kith_immigrate_soft_room *room)
{
	const struct range own = row->own;
	const struct range hit[2] = {{own.from, row->i}, {row->i + 1, own.to}};
	const struct range miss[2] = {{0, own.from}, {own.to, soft->data->n}};

	if (soft->some) {
		soften_some(soft, row, hit, &soft->hit, room);
		soften_some(soft, row, miss, &soft->miss, room);
	}
	if (soft->nearest) {
		find_nearest(row, hit, &soft->hit);
		find_nearest(row, miss, &soft->miss);
	}
}

static size_t
lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

void
kith_immigrate_soften(struct kith_immigrate_soft *soft, size_t I, size_t thread)
{
	const struct kith_immigrate_data *data = soft->data;
	struct kith_immigrate_soft_room *room = soft->room + thread;
	const size_t n = data->n, end = I * TILE + kith_immigrate_tile_rows(data, I);
	const double *d = room->strip;

	for (size_t i = I * TILE, rows; i < end; i += rows, d += rows * n) {
		const size_t *own = data->start + data->y[i];
		struct row row = {i, {own[0], own[1]}, d};
		double *e = soft->kept ? soft->kept + i * n : room->e;

		rows = lesser(ROWS, lesser(end, own[1]) - i);
		for (size_t k = 0; k < rows && !soft->some; k++) {
			row.i = i + k;
			row.d = d + k * n;
			soften_row(soft, &row, room->z, e + k * n);
		}
		row = (struct row){i, {own[0], own[1]}, d};
		if (!soft->some)
			find_sums(soft, &row, rows, e);
		for (size_t k = 0; k < rows; k++, row.i++, row.d += n)
			look_at(soft, &row, room);
	}
}
