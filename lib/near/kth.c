/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/kth.h"

#include "la/simd.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* How many of v[0..n-1] are <= x; n is a multiple of KITH_KNN_WIDE. */
KITH_CLONES static size_t
kth_count(const float *v, size_t n, float x)
{
	kith_v16i s = {0};
	int32_t sum = 0;

	for (size_t i = 0; i < n; i += KITH_KNN_WIDE)
		s -= *(const kith_v16f_at *)(v + i) <= x;
	for (size_t l = 0; l < KITH_KNN_WIDE; l++)
		sum += s[l];
	return (size_t)sum;
}

/* The least of v[0..n-1]; n as above. */
KITH_CLONES static float
kth_minimum(const float *v, size_t n)
{
	kith_v16f least = *(const kith_v16f_at *)v;
	float all = INFINITY;

	for (size_t i = KITH_KNN_WIDE; i < n; i += KITH_KNN_WIDE) {
		const kith_v16f x = *(const kith_v16f_at *)(v + i);
		const kith_v16i less = x < least;

		least = (kith_v16f)(((kith_v16i)x & less) |
		    ((kith_v16i)least & ~less));
	}
	for (size_t l = 0; l < KITH_KNN_WIDE; l++)
		all = least[l] < all ? least[l] : all;
	return all;
}

/* Whole numbers in the order of the floats they stand for, and back. */
static int32_t
to_order(float x)
{
	int32_t b;

	memcpy(&b, &x, sizeof(b));
	return b < 0 ? b ^ INT32_MAX : b;
}

static float
from_order(int32_t b)
{
	float x;

	b = b < 0 ? b ^ INT32_MAX : b;
	memcpy(&x, &b, sizeof(x));
	return x;
}

float
kith_knn_kth(float *v, size_t n, size_t k, size_t enough)
{
	const size_t wide = kith_knn_widen(n);
	int64_t low, high = to_order(FLT_MAX);

	for (size_t i = n; i < wide; i++)
		v[i] = INFINITY;
	low = to_order(kth_minimum(v, wide)) - (int64_t)1;
	assert(1 <= k && k <= enough && k <= n &&
	    kth_count(v, wide, FLT_MAX) >= k);
	/* At least k are <= high, fewer than k are <= low. */
	while (high - low > 1) {
		const int64_t middle = low + (high - low) / 2;
		const size_t c = kth_count(
		    v, wide, from_order((int32_t)middle));

		if (c < k)
			low = middle;
		else
			high = middle;
		if (k <= c && c <= enough)
			break;
	}
	return from_order((int32_t)high);
}
