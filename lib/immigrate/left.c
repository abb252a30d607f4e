/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/left.h"

#include "la/lanes.h"
#include "la/simd.h"
#include "la/vec.h"

#include <math.h>
#include <stdint.h>

KITH_CLONES static double
left_least(size_t n, const double *d)
{
	kith_v8d most = (kith_v8d){0} + INFINITY;
	double least = INFINITY;
	size_t k;

	for (k = 0; k + 8 <= n; k += 8) {
		const kith_v8d v = *(const kith_v8d_at *)(d + k);
		const kith_v8i less = (v < most) & (v >= 0);

		most = (kith_v8d)(((kith_v8i)v & less) | ((kith_v8i)most & ~less));
	}
	for (; k < n; k++)
		least = d[k] >= 0 && d[k] < least ? d[k] : least;
	for (k = 0; k < 8; k++)
		least = kith_lesser(least, most[k]);
	return least;
}

KITH_CLONES static void
left_shift(size_t n, const double *d, double least, double sigma, double *z)
{
	size_t k;

	for (k = 0; k + 8 <= n; k += 8) {
		const kith_v8i v = (kith_v8i) * (const kith_v8d_at *)(d + k);

		*(kith_v8d_at *)(z + k) = (least - (kith_v8d)(v & INT64_MAX)) / sigma;
	}
	for (; k < n; k++)
		z[k] = (least - fabs(d[k])) / sigma;
}

KITH_CLONES static void
left_total(size_t n, const double *d, const double *e, double *sum, double *gone)
{
	kith_v8d a = {0}, b = {0};
	size_t k;

	for (k = 0; k + 8 <= n; k += 8) {
		const kith_v8i left = *(const kith_v8d_at *)(d + k) < 0;
		const kith_v8i v = (kith_v8i) * (const kith_v8d_at *)(e + k);

		a += (kith_v8d)(v & ~left);
		b += (kith_v8d)(v & left);
	}
	*sum += kith_lanes_sum(&a);
	*gone += kith_lanes_sum(&b);
	for (; k < n; k++)
		*(d[k] < 0 ? gone : sum) += e[k];
}

double
kith_immigrate_left_least(size_t n, const double *d)
{
	return left_least(n, d);
}

void
kith_immigrate_left_shift(size_t n, const double *d, double least, double sigma, double *z)
{
	left_shift(n, d, least, sigma, z);
}

void
kith_immigrate_left_total(size_t n, const double *d, const double *e, double *sum, double *gone)
{
	left_total(n, d, e, sum, gone);
}
