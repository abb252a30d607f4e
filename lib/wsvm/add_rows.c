/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/add_rows.h"

#include "la/simd.h"

/* u += a x, and v += b x unless v is NULL. */
KITH_CLONES static void
add_rows_one(
    size_t n, const double *x, double a, double b, double *u, double *v)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		const kith_v8d k = *(const kith_v8d_at *)(x + i);

		*(kith_v8d_at *)(u + i) += a * k;
		if (v)
			*(kith_v8d_at *)(v + i) += b * k;
	}
	for (; i < n; i++) {
		u[i] += a * x[i];
		if (v)
			v[i] += b * x[i];
	}
}

void
kith_wsvm_add_row(
    size_t n, const double *x, double a, double b, double *u, double *v)
{
	add_rows_one(n, x, a, b, u, v);
}

/* u += a_0 x_0, then a_1 x_1, to a_3 x_3. */
KITH_CLONES static void
add_rows_four(size_t n, const double *const x[KITH_WSVM_FOUR],
    const double a[KITH_WSVM_FOUR], double *u)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		kith_v8d sum = *(const kith_v8d_at *)(u + i);

#pragma GCC unroll 4
		for (size_t q = 0; q < KITH_WSVM_FOUR; q++)
			sum += a[q] * *(const kith_v8d_at *)(x[q] + i);
		*(kith_v8d_at *)(u + i) = sum;
	}
	for (; i < n; i++)
		for (size_t q = 0; q < KITH_WSVM_FOUR; q++)
			u[i] += a[q] * x[q][i];
}

void
kith_wsvm_add_four(size_t n, const double *const x[KITH_WSVM_FOUR],
    const double a[KITH_WSVM_FOUR], double *u)
{
	add_rows_four(n, x, a, u);
}
