/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/moduli.h"

#include "la/lanes.h"
#include "la/simd.h"

/* sum += m |x - z| */
KITH_INLINE void
add_modulus(size_t p, double m, const double *x, const double *z, double *sum)
{
	size_t j;

	for (j = 0; j + 8 <= p; j += 8) {
		kith_v8d D;

		kith_lanes_diff(&D, x + j, z + j, true);
		*(kith_v8d_at *)(sum + j) += m * D;
	}
	for (; j < p; j++)
		sum[j] += m * kith_lanes_one(x[j], z[j], true);
}

KITH_CLONES static void
knife_moduli(size_t n, size_t p, const double *m, const double *x, const double *Z, double *sum)
{
	for (size_t l = 0; l < n; l++)
		if (m[l] != 0)
			add_modulus(p, m[l], x, Z + l * p, sum);
}

void
kith_knife_moduli(
    size_t n, size_t p, const double *m, const double *x, const double *Z, double *sum)
{
	knife_moduli(n, p, m, x, Z, sum);
}
