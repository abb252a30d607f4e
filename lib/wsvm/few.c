/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The terms of a distance come together as near/dist.h has them, features j and
 * j + 2 first.
 */
#include "wsvm/few.h"

#include "kernel/kern.h"
#include "la/mat.h"
#include "la/simd.h"
#include "near/metric.h"

bool
kith_wsvm_is_few(const struct kith_kern *kern, const struct kith_mat *X)
{
	return kern->kind == KITH_KERN_GAUSSIAN && X->p >= 1 &&
	    X->p <= KITH_WSVM_FEW && kern->metric->kind == KITH_SQUARED &&
	    !kern->metric->w;
}

KITH_CLONES static void
wsvm_few_distances(double *const column[KITH_WSVM_FEW],
    const double z[KITH_WSVM_FEW], size_t from, size_t n, double *d)
{
	const double *x0 = column[0] + from, *x1 = column[1] + from;
	const double *x2 = column[2] + from, *x3 = column[3] + from;
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		const kith_v8d a = *(const kith_v8d_at *)(x0 + i) - z[0];
		const kith_v8d b = *(const kith_v8d_at *)(x1 + i) - z[1];
		const kith_v8d c = *(const kith_v8d_at *)(x2 + i) - z[2];
		const kith_v8d e = *(const kith_v8d_at *)(x3 + i) - z[3];

		*(kith_v8d_at *)(d + i) = (a * a + c * c) + (b * b + e * e);
	}
	for (; i < n; i++) {
		const double a = x0[i] - z[0], b = x1[i] - z[1];
		const double c = x2[i] - z[2], e = x3[i] - z[3];

		d[i] = (a * a + c * c) + (b * b + e * e);
	}
}

void
kith_wsvm_few_distances(double *const column[KITH_WSVM_FEW],
    const double z[KITH_WSVM_FEW], size_t from, size_t n, double *d)
{
	wsvm_few_distances(column, z, from, n, d);
}
