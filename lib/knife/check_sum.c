/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/check_sum.h"

#include "knife/check_loss.h"
#include "la/lanes.h"
#include "la/simd.h"

#include <math.h>

double
kith_check_knife_value(
    struct kith_check_knife_point *s, size_t k, const double *f, const double *alpha, double b)
{
	const double *y = s->of->Y + k * s->n;
	double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		long double d1;

		sum += (double)kith_check_knife_row(s->of, i, y[i], f[i], &d1, &s->d2[i]);
		sum += s->of->lambda1 * alpha[i] * (f[i] - b);
		s->d1[i] = (double)d1;
	}
	return sum;
}

double
kith_check_knife_residual(struct kith_check_knife_point *s, const double *alpha)
{
	const double two = 2 * s->of->lambda1;
	double most = 0, size = 0, sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		s->r[i] = s->d1[i] + two * alpha[i];
		most = fmax(most, fabs(s->r[i]));
		size = fmax(size, fmax(fabs(s->d1[i]), fabs(two * alpha[i])));
		sum += s->d1[i];
		if (isnan(s->r[i]))
			return NAN;
	}
	if (s->of->intercept)
		most = fmax(most, fabs(sum) / (double)s->n);
	return size > 0 ? most / size : 0;
}

/* sum_j += m (x_j - z_j)^2, or |x_j - z_j|, or x_j z_j */
KITH_CLONES static void
check_pair(enum kith_knife_kernel kernel, size_t p, double m, const double *x, const double *z,
    double *sum)
{
	const bool absolute = kernel == KITH_KNIFE_LAPLACIAN;
	size_t j = 0;

	for (; j + 8 <= p; j += 8) {
		kith_v8d D;

		kith_lanes_diff(&D, x + j, z + j, absolute);
		if (kernel == KITH_KNIFE_GAUSSIAN)
			D = m * D * D;
		else if (absolute)
			D = m * D;
		else
			D = m * *kith_lanes_at(x + j) * *kith_lanes_at(z + j);
		*(kith_v8d_at *)(sum + j) += D;
	}
	for (; j < p; j++) {
		const double d = x[j] - z[j];

		sum[j] += kernel == KITH_KNIFE_GAUSSIAN ? m * d * d
		    : absolute                          ? m * fabs(d)
							: m * x[j] * z[j];
	}
}

void
kith_check_knife_pair(enum kith_knife_kernel kernel, size_t p, double m, const double *x,
    const double *z, double *sum)
{
	check_pair(kernel, p, m, x, z, sum);
}
