/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/knn.h by hand, and of its parts: the list of the nearest,
 * the bound of the k-th of some numbers.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/heap.h"
#include "near/knn.h"
#include "near/metric.h"
#include "tap.h"

#include <float.h>
#include <math.h>

static void
test_near(void)
{
	struct kith_rng r;
	bool good = true;

	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, 0);
	for (size_t k = 1; k <= 40; k++) {
		struct kith_neighbour nn[40];
		struct kith_heap heap = {nn, k, 0};
		size_t seen[3] = {0}, due = 0;

		for (size_t row = 0; row < 100; row++) {
			const uint64_t d = kith_rng_below(&r, 3);

			seen[d]++;
			if (kith_heap_accepts(&heap, (double)d))
				kith_heap_push(&heap, row, (double)d);
		}
		kith_heap_sort(&heap);
		good = good && heap.held == k;
		for (size_t i = 0; i < k; i++) {
			while (seen[due] == 0)
				due++;
			seen[due]--;
			good = good && nn[i].d == (double)due;
			if (i > 0)
				good = good && kith_neighbour_before(&nn[i - 1], &nn[i]);
		}
	}
	ok(good, "the first k, in order, of many ties");
}

/* How many of n numbers are <= x. */
static size_t
count(const float *v, size_t n, float x)
{
	size_t c = 0;

	for (size_t i = 0; i < n; i++)
		c += v[i] <= x;
	return c;
}

static void
test_kth(void)
{
	const float scale[] = {1, 1e-38F, 1e37F, 1e-45F};
	struct kith_rng r;
	bool holds = true, tight = true;

	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, 0);
	for (int times = 0; times < 2000; times++) {
		float v[112];
		const size_t n = 1 + kith_rng_below(&r, 100);
		const size_t k = 1 + kith_rng_below(&r, n);
		const size_t enough = k + kith_rng_below(&r, 10);
		const bool grid = times % 2;
		const float s = scale[times / 2 % 4];
		size_t below = 0;
		float x;

		for (size_t i = 0; i < n; i++)
			v[i] = s *
			    (grid ? (float)kith_rng_below(&r, 4) - 2
				  : (float)kith_rng_unit(&r) - 0.5F);
		x = kith_knn_kth(v, n, k, enough);
		holds = holds && count(v, n, x) >= k;
		for (size_t i = 0; i < n; i++)
			below += v[i] < x;
		tight = tight && below <= enough;
	}
	ok(holds, "k numbers do not exceed the bound");
	ok(tight, "and about as many are below it");

	float far[16] = {FLT_MAX, -FLT_MAX, INFINITY, 0, 1e30F};
	ok(kith_knn_kth(far, 5, 4, 4) == FLT_MAX, "the largest finite number");
	ok(kith_knn_kth(far, 5, 1, 1) < 0, "and one below all but the smallest");
}

/*
 * The bound is one that k numbers do not exceed, and no more than `enough`, or
 * else the k-th smallest itself: for every k, whole vectors or not, the
 * smallest number at each place.
 */
static void
test_kth_borders(void)
{
	static const size_t size[] = {1, 2, 15, 16, 17, 31, 32, 33, 48};
	size_t wrong = 0;

	for (size_t h = 0; h < sizeof(size) / sizeof(*size); h++)
		for (size_t k = 1; k <= size[h]; k++)
			for (size_t turn = 0; turn < size[h]; turn++) {
				const size_t n = size[h];
				float v[48], x;

				/* -1 once, 0 twice, 1 twice, ... */
				for (size_t i = 0; i < n; i++)
					v[(i + turn) % n] = floorf(((float)i - 1) / 2);
				x = kith_knn_kth(v, n, k, k);
				if (k % 2 == 0 && k < n)
					wrong += x != (float)k / 2 - 1;
				else
					wrong += count(v, n, x) != k;
				x = kith_knn_kth(v, n, k, n);
				wrong += count(v, n, x) < k;
			}
	is_size(wrong, 0, "exact where many are equal");
	is_size(kith_knn_widen(0), 0, "no vector");
	is_size(kith_knn_widen(16), 16, "one");
	is_size(kith_knn_widen(17), 32, "two");
}

/* Values by hand: the corners of a square and its centre. */
static void
test_by_hand(void)
{
	double corners[] = {0, 0, 2, 0, 0, 2, 2, 2, 1, 1};
	double z[] = {0.25, 0.5}, w[] = {1, 0}, W[] = {0, 1, 1, 0};
	const struct kith_mat X = {5, 2, corners}, Z = {1, 2, z};
	struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	struct kith_pool pool = {0};
	struct kith_neighbour nn[5];

	kith_knn_search(kith_knn_new(&X, &metric, X.n, &pool), &Z, NULL, 3, 1, nn);
	ok(nn[0].row == 0 && nn[0].d == 0.3125, "nearest corner");
	ok(nn[1].row == 4 && nn[2].row == 2, "then centre and corner above");
	metric.kind = KITH_ABSOLUTE;
	kith_knn_search(kith_knn_new(&X, &metric, X.n, &pool), &Z, NULL, 1, 1, nn);
	ok(nn[0].row == 0 && nn[0].d == 0.75, "sum of absolute differences");
	metric.kind = KITH_SQUARED;
	metric.w = w;
	kith_knn_search(kith_knn_new(&X, &metric, X.n, &pool), &Z, NULL, 2, 1, nn);
	ok(nn[1].row == 2 && nn[1].d == 0.0625, "weight 0 does not count");
	metric.kind = KITH_SQUARED_MATRIX;
	metric.w = W;
	kith_knn_search(kith_knn_new(&X, &metric, X.n, &pool), &Z, NULL, 5, 1, nn);
	ok(nn[0].row == 1 && nn[0].d == -1.75, "a distance below 0");
	ok(nn[1].row == 2 && nn[1].d == -0.75, "and another");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_by_hand();
	test_near();
	test_kth();
	test_kth_borders();
	return done();
}
