/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/leaves.h and bound.h: leaves against what their
 * header says of them, bounds and masks of small whole numbers, which are exact,
 * against plain loops.
 */
#include "near/leaves.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/axes.h"
#include "near/bound.h"
#include "near/metric.h"
#include "near/pack.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LEAF = KITH_KNN_LEAF, COUNT = 3 };

/* Rows in a cube, wider from axis to axis; these are at 1e30. */
static struct kith_mat
cube(size_t n, size_t p, size_t far, struct kith_pool *pool)
{
	struct kith_mat X = kith_mat_new(pool, n, p);
	struct kith_rng r;

	kith_rng_seed(&r, n, KITH_RNG_SAMPLE, p);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < p; j++)
			kith_row(&X, i)[j] = (double)(j + 1) *
			    (i < far ? 1e30 : kith_rng_unit(&r));
	return X;
}

/* Whether leaf l is what it says of its rows. */
static bool
is_leaf(const struct kith_knn_leaves *of, size_t l, const float *y,
    const float *off)
{
	const size_t rest = of->rows - l * LEAF, m = rest < LEAF ? rest : LEAF;
	float most = 0;
	bool good = true;

	for (size_t i = 0; i < m; i++) {
		const size_t row = of->row[l * LEAF + i];

		most = fmaxf(most, off[row]);
		good = good && of->off[l * LEAF + i] == off[row];
	}
	good = good && of->most[l] == most;
	for (size_t c = 0; c < of->count; c++) {
		const float *v = of->y + (l * of->count + c) * LEAF;
		float low = INFINITY, high = -INFINITY;

		for (size_t i = 0; i < LEAF; i++) {
			const size_t row = of->row[l * LEAF + i];

			if (i >= m) {
				good = good && v[i] == 0;
				continue;
			}
			good = good && v[i] == y[row * of->count + c];
			low = fminf(low, v[i]);
			high = fmaxf(high, v[i]);
		}
		good = good && of->low[c * of->ld + l] == low &&
		    of->high[c * of->ld + l] == high;
	}
	return good;
}

/* How wide the rows from..to-1 of the leaves' order are on an axis. */
static float
range(const struct kith_knn_leaves *of, size_t from, size_t to, size_t c,
    float *least, float *most)
{
	*least = INFINITY;
	*most = -INFINITY;
	for (size_t i = from; i < to; i++) {
		const size_t l = i / LEAF;
		const float v = of->y[(l * of->count + c) * LEAF + i % LEAF];

		*least = fminf(*least, v);
		*most = fmaxf(*most, v);
	}
	return *most - *least;
}

/* Whether the rows from..to-1 are split at `middle` on their widest axis. */
static bool
is_split(
    const struct kith_knn_leaves *of, size_t from, size_t middle, size_t to)
{
	float widest = -1, least, most, low, high;
	size_t axis = 0;

	for (size_t c = 0; c < of->count; c++) {
		const float wide = range(of, from, to, c, &low, &high);

		if (wide > widest) {
			widest = wide;
			axis = c;
		}
	}
	range(of, from, middle, axis, &least, &low);
	range(of, middle, to, axis, &high, &most);
	return low <= high;
}

/* Stretches that are not split so, next to their middle. */
static size_t
wrong_splits(const struct kith_knn_leaves *of)
{
	size_t end[16] = {of->rows}, waiting = 1, from = 0, bad = 0;

	while (waiting > 0) {
		const size_t to = end[waiting - 1];
		const size_t leaves = (to - from + LEAF - 1) / LEAF;
		const size_t middle = from + (leaves + 1) / 2 * LEAF;

		if (leaves > 1) {
			bad += !is_split(of, from, middle, to);
			end[waiting++] = middle;
		} else {
			from = to;
			waiting--;
		}
	}
	return bad;
}

/* n rows and `far` ones; up to 512 in a stretch all are looked at. */
static void
test_leaves(size_t n, size_t p, size_t far)
{
	struct kith_pool pool = {0};
	const struct kith_metric metric = {KITH_SQUARED, p, NULL};
	struct kith_mat X = cube(n, p, 0, &pool), Z = cube(n, p, far, &pool);
	const struct kith_knn_pack pack = kith_knn_pack(&X, &metric, &pool);
	const struct kith_knn_axes *axes = kith_knn_axes_new(
	    &pack, true, &pool);
	const size_t count = kith_knn_axes_count(axes);
	const double **z = kith_new(&pool, n, sizeof(*z));
	float *y = kith_new(&pool, n, count * sizeof(*y));
	float *off = kith_new(&pool, n, sizeof(*off));
	bool *seen = kith_new(&pool, n, sizeof(*seen)), good = true;
	struct kith_knn_leaves of;

	for (size_t i = 0; i < n; i++)
		z[i] = kith_row(&Z, i);
	kith_knn_axes_fill(axes, z, n, y, off);
	of = kith_knn_leaves_new(axes, z, n, &pool);
	ok(of.rows == n - far && of.far == far && of.count == count &&
		of.leaves == (n - far + LEAF - 1) / LEAF &&
		of.ld == (of.leaves + 15) / 16 * 16,
	    "%zu rows, %zu far away, in %zu leaves", n, far, of.leaves);
	for (size_t i = 0; i < of.rows; i++) {
		good = good && of.row[i] < n && !seen[of.row[i]];
		seen[of.row[i]] = true;
	}
	for (size_t i = 0; i < far; i++)
		good = good && of.beyond[i] == i && !seen[i];
	ok(good, "each row once");
	for (size_t l = 0; l < of.leaves; l++)
		good = good && is_leaf(&of, l, y, off);
	for (size_t l = of.leaves; l < of.ld; l++)
		for (size_t c = 0; c < count; c++)
			good = good && of.low[c * of.ld + l] == 0 &&
			    of.high[c * of.ld + l] == 0;
	ok(good, "boxes and rows of leaves");
	is_size(wrong_splits(&of), 0,
	    "stretches that are not split on their widest axis");
	kith_pool_free(&pool);
}

/* Leaves of whole numbers below 8, their boxes those of their rows. */
static struct kith_knn_leaves
whole(struct kith_rng *r, size_t rows, struct kith_pool *pool)
{
	struct kith_knn_leaves of = {.rows = rows, .count = COUNT};

	of.leaves = (rows + LEAF - 1) / LEAF;
	of.ld = (of.leaves + 15) / 16 * 16;
	of.y = kith_new(pool, of.leaves * LEAF, COUNT * sizeof(*of.y));
	of.low = kith_new(pool, of.ld, COUNT * sizeof(*of.low));
	of.high = kith_new(pool, of.ld, COUNT * sizeof(*of.high));
	of.most = kith_new(pool, of.ld, sizeof(*of.most));
	for (size_t l = 0; l < of.leaves; l++) {
		of.most[l] = (float)(l % 2);
		for (size_t c = 0; c < COUNT; c++) {
			const float base = (float)kith_rng_below(r, 12);
			float *y = of.y + (l * COUNT + c) * LEAF;

			for (size_t i = 0; i < LEAF && l * LEAF + i < rows; i++)
				y[i] = base + (float)kith_rng_below(r, 8);
			of.low[c * of.ld + l] = base;
			of.high[c * of.ld + l] = base + 7;
		}
	}
	return of;
}

/* What lies between a..b and c..d on an axis, as a term of a distance. */
static float
between(float a, float b, float c, float d, bool absolute)
{
	const float t = fmaxf(0, fmaxf(c - b, a - d));

	return absolute ? t : t * t;
}

static void
test_boxes(struct kith_rng *r, size_t rows, bool absolute)
{
	struct kith_pool pool = {0};
	const struct kith_knn_leaves of = whole(r, rows, &pool);
	float *bound = kith_new(&pool, of.ld, sizeof(*bound));
	float low[COUNT], high[COUNT];
	size_t bad = 0;

	for (size_t times = 0; times < 20; times++) {
		for (size_t c = 0; c < COUNT; c++) {
			low[c] = (float)kith_rng_below(r, 20);
			high[c] = low[c] + (float)kith_rng_below(r, 5);
		}
		kith_bound_boxes(&of, low, high, absolute, bound);
		for (size_t l = 0; l < of.leaves; l++) {
			float due = 0;

			for (size_t c = 0; c < COUNT; c++)
				due += between(low[c], high[c],
				    of.low[c * of.ld + l],
				    of.high[c * of.ld + l], absolute);
			bad += bound[l] != due;
		}
	}
	is_size(bad, 0, "bounds of boxes that are wrong");
	kith_pool_free(&pool);
}

/* The rows of leaf l within the limit of row i of y; of its box alone, all. */
static uint64_t
near_enough(const struct kith_knn_leaves *of, size_t l, const float *y,
    size_t i, float limit, bool absolute, bool box)
{
	const size_t rest = of->rows - l * LEAF;
	uint64_t mask = 0;

	for (size_t j = 0; j < LEAF && j < rest; j++) {
		float s = 0;

		for (size_t c = 0; c < COUNT; c++) {
			const float v = of->y[(l * COUNT + c) * LEAF + j];
			const float x = y[c * LEAF + i];

			s += box ? between(x, x, of->low[c * of->ld + l],
				       of->high[c * of->ld + l], absolute)
				 : between(x, x, v, v, absolute);
		}
		mask |= (uint64_t)(s <= limit) << j;
	}
	return mask;
}

/* All pairs of rows of two leaves, at limits that some rows are just at. */
static void
test_pairs(struct kith_rng *r, size_t rows, bool absolute)
{
	struct kith_pool pool = {0};
	const struct kith_knn_leaves of = whole(r, rows, &pool);
	float known[LEAF];
	size_t bad = 0, sums = 0, found = 0;

	for (size_t l = 0; l < of.leaves; l++) {
		const float *y = of.y + (of.leaves - 1 - l) * COUNT * LEAF;
		const uint64_t some = l % 3 ? UINT64_MAX : 0x8000F0F00000F101;
		struct kith_bound_pairs pairs;
		size_t alive = 0;

		for (size_t i = 0; i < LEAF; i++)
			known[i] = (float)kith_rng_below(r, 6);
		kith_bound_begin(&pairs, &of, l, y, some, known, 2, absolute);
		for (size_t i = 0; i < LEAF; i++) {
			const float s = (known[i] + of.most[l]) * 2;
			const float limit = absolute ? s : s * s;
			uint64_t due = 0;

			if (some >> i & 1 &&
			    near_enough(&of, l, y, i, limit, absolute, true)) {
				alive++;
				due = near_enough(
				    &of, l, y, i, limit, absolute, false);
			}
			if (!due)
				continue;
			bad += !kith_bound_next(&pairs) || pairs.i != i ||
			    pairs.mask != due;
			found++;
		}
		bad += kith_bound_next(&pairs);
		bad += pairs.sums != (alive + 3) / 4;
		sums += pairs.sums;
	}
	ok(bad == 0, "%zu rows with pairs of %zu, in %zu sums", found, rows,
	    sums);
	kith_pool_free(&pool);
}

int
main(void)
{
	struct kith_rng r;

	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, 0);
	test_leaves(2, 2, 0);
	test_leaves(64, 5, 0);
	test_leaves(65, 5, 1);
	test_leaves(330, 3, 3);
	test_leaves(512, 4, 0);
	for (int absolute = 0; absolute < 2; absolute++) {
		test_boxes(&r, 1000, absolute);
		test_boxes(&r, 1088, absolute);
		test_pairs(&r, 128, absolute);
		test_pairs(&r, 577, absolute);
		test_pairs(&r, 1023, absolute);
	}
	return done();
}
