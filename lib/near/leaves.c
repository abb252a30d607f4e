/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/leaves.h"

#include "base/pool.h"
#include "near/axes.h"

#include <math.h>
#include <string.h>

enum {
	LEAF = KITH_KNN_LEAF,
	DEEP = 64,   /* splits on the way to a leaf */
	LOOKED = 512 /* places that a range is found from, at most about */
};

/* Rows on their way into leaves. */
struct plant {
	size_t count;
	const float *y; /* n x count */
	uint32_t *row;  /* places to rows */
};

static float
at(const struct plant *p, size_t place, size_t c)
{
	return p->y[(size_t)p->row[place] * p->count + c];
}

/*
 * The coordinate with the widest range among the places begin..end-1, of many
 * some, equally spaced.
 */
static size_t
widest(const struct plant *p, size_t begin, size_t end)
{
	float low[KITH_KNN_AXES], high[KITH_KNN_AXES];
	const size_t step = (end - begin) / LOOKED + 1;
	size_t best = 0;

	for (size_t c = 0; c < p->count; c++)
		low[c] = high[c] = at(p, begin, c);
	for (size_t i = begin; i < end; i += step) {
		const float *y = p->y + (size_t)p->row[i] * p->count;

		for (size_t c = 0; c < p->count; c++) {
			low[c] = y[c] < low[c] ? y[c] : low[c];
			high[c] = y[c] > high[c] ? y[c] : high[c];
		}
	}
	for (size_t c = 1; c < p->count; c++)
		if (high[c] - low[c] > high[best] - low[best])
			best = c;
	return best;
}

static void
swap(struct plant *p, size_t a, size_t b)
{
	const uint32_t row = p->row[a];

	p->row[a] = p->row[b];
	p->row[b] = row;
}

/* A pivot of three places, brought to the middle one. */
static float
pivot(struct plant *p, size_t a, size_t c, size_t axis)
{
	const size_t b = a + (c - a) / 2;

	if (at(p, b, axis) < at(p, a, axis))
		swap(p, a, b);
	if (at(p, c, axis) < at(p, a, axis))
		swap(p, a, c);
	if (at(p, c, axis) < at(p, b, axis))
		swap(p, b, c);
	return at(p, b, axis);
}

/*
 * Let no row before place k be larger on the axis than one from there on: the
 * selection of Hoare, which halves a stretch of equal numbers, too.
 */
static void
split(struct plant *p, size_t begin, size_t end, size_t k, size_t axis)
{
	size_t low = begin, high = end - 1;

	while (low < high) {
		const float x = pivot(p, low, high, axis);
		size_t i = low, j = high;

		for (;;) {
			while (at(p, i, axis) < x)
				i++;
			while (at(p, j, axis) > x)
				j--;
			if (i >= j)
				break;
			swap(p, i++, j--);
		}
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
}

/* Order the places so that each LEAF of them is a leaf. */
static void
arrange(struct plant *p, size_t rows)
{
	size_t begin = 0, waiting = 0, end[DEEP];

	end[waiting++] = rows;
	while (waiting > 0) {
		const size_t stop = end[waiting - 1];
		const size_t leaves = (stop - begin + LEAF - 1) / LEAF;
		const size_t middle = begin + (leaves + 1) / 2 * LEAF;

		if (leaves <= 1) {
			begin = stop;
			waiting--;
			continue;
		}
		split(p, begin, stop, middle, widest(p, begin, stop));
		end[waiting++] = middle;
	}
}

/* Fill in leaf l, and its box. */
static void
fill(struct kith_knn_leaves *to, const struct plant *p, const float *off,
    size_t l)
{
	const size_t first = l * LEAF, rest = to->rows - first;
	const size_t m = rest < LEAF ? rest : LEAF;
	float *y = to->y + l * to->count * LEAF;

	for (size_t i = 0; i < m; i++) {
		to->row[first + i] = p->row[first + i];
		to->off[first + i] = off[p->row[first + i]];
		to->most[l] = fmaxf(to->most[l], to->off[first + i]);
	}
	for (size_t c = 0; c < to->count; c++) {
		float low = INFINITY, high = -INFINITY;

		for (size_t i = 0; i < m; i++) {
			const float v = at(p, first + i, c);

			y[c * LEAF + i] = v;
			low = fminf(low, v);
			high = fmaxf(high, v);
		}
		to->low[c * to->ld + l] = low;
		to->high[c * to->ld + l] = high;
	}
}

struct kith_knn_leaves
kith_knn_leaves_new(const struct kith_knn_axes *axes, const double *const *z,
    size_t n, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct kith_knn_leaves to = {.count = kith_knn_axes_count(axes)};
	float *y = kith_grow(&tmp, NULL, n, to.count * sizeof(*y));
	float *off = kith_new(&tmp, n, sizeof(*off));
	struct plant plant = {
	    to.count, y, kith_new(&tmp, n, sizeof(*plant.row))};

	to.beyond = kith_new(pool, n, sizeof(*to.beyond));
	kith_knn_axes_fill(axes, z, n, y, off);
	for (size_t i = 0; i < n; i++)
		if (isinf(off[i]))
			to.beyond[to.far++] = (uint32_t)i;
		else
			plant.row[to.rows++] = (uint32_t)i;
	to.leaves = (to.rows + LEAF - 1) / LEAF;
	to.ld = (to.leaves + 15) / 16 * 16;
	to.row = kith_new(pool, to.leaves * LEAF, sizeof(*to.row));
	to.off = kith_new(pool, to.leaves * LEAF, sizeof(*to.off));
	to.y = kith_new(pool, to.leaves, to.count * LEAF * sizeof(*to.y));
	to.low = kith_new(pool, to.ld, to.count * sizeof(*to.low));
	to.high = kith_new(pool, to.ld, to.count * sizeof(*to.high));
	to.most = kith_new(pool, to.ld, sizeof(*to.most));
	arrange(&plant, to.rows);
	for (size_t l = 0; l < to.leaves; l++)
		fill(&to, &plant, off, l);
	kith_pool_free(&tmp);
	return to;
}
