/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/absolute.h"

#include "la/simd.h"

#include <stdint.h>
#include <string.h>

enum {
	LANES = 16, /* of a vector */
	GROUP = 4   /* rows of A that a strip is compared with at a time */
};

size_t
kith_strips_size(size_t n, size_t p)
{
	return (n + KITH_STRIP - 1) / KITH_STRIP * KITH_STRIP * p;
}

void
kith_strips_put(float *B, size_t i, size_t p, const float *row)
{
	float *to = B + i / KITH_STRIP * KITH_STRIP * p + i % KITH_STRIP;

	for (size_t a = 0; a < p; a++)
		to[a * KITH_STRIP] = row[a];
}

/* sum += |x - z| */
KITH_INLINE void
add(kith_v16f *sum, const float *x, float z)
{
	const kith_v16f D = *(const kith_v16f_at *)x - z;

	*sum += (kith_v16f)((kith_v16i)D & INT32_MAX);
}

/* The sums for `rows` <= GROUP rows of A and one strip. */
KITH_INLINE void
compare(size_t rows, size_t p, const float *A, const float *strip,
    float d[][KITH_STRIP])
{
	kith_v16f sum[GROUP][2] = {{{0}}};

	for (size_t a = 0; a < p; a++)
		for (size_t q = 0; q < rows; q++) {
			const float *x = strip + a * KITH_STRIP;

			add(&sum[q][0], x, A[q * p + a]);
			add(&sum[q][1], x + LANES, A[q * p + a]);
		}
	for (size_t q = 0; q < rows; q++) {
		*(kith_v16f_at *)d[q] = sum[q][0];
		*(kith_v16f_at *)(d[q] + LANES) = sum[q][1];
	}
}

KITH_CLONES static void
absolute_compare_group(
    size_t p, const float *A, const float *strip, float d[][KITH_STRIP])
{
	compare(GROUP, p, A, strip, d);
}

KITH_CLONES static void
absolute_compare_one(
    size_t p, const float *A, const float *strip, float d[][KITH_STRIP])
{
	compare(1, p, A, strip, d);
}

void
kith_absolute_cross(
    size_t m, size_t n, size_t p, const float *A, const float *B, float *C)
{
	float d[GROUP][KITH_STRIP];

	for (size_t j = 0; j < n; j += KITH_STRIP) {
		const size_t width = n - j < KITH_STRIP ? n - j : KITH_STRIP;
		size_t rows;

		for (size_t i = 0; i < m; i += rows) {
			rows = m - i < GROUP ? 1 : GROUP;
			if (rows == 1)
				absolute_compare_one(
				    p, A + i * p, B + j * p, d);
			else
				absolute_compare_group(
				    p, A + i * p, B + j * p, d);
			for (size_t q = 0; q < rows; q++)
				memcpy(C + (i + q) * n + j, d[q],
				    width * sizeof(*C));
		}
	}
}
