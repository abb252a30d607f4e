/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/gamma.h"

#include "base/pool.h"
#include "base/sort.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "near/metric.h"

#include <math.h>

enum { SPACED = 200 }; /* rows that tell about the coupling of all */

double
kith_gamma_auto(const struct kith_mat *X, const struct kith_metric *metric)
{
	struct kith_pool tmp = {0};
	double *mean = kith_new(&tmp, X->p, sizeof(*mean)), v = 0;

	for (size_t j = 0; j < X->p; j++) {
		long double sum = 0;

		for (size_t i = 0; i < X->n; i++)
			sum += kith_row(X, i)[j];
		mean[j] = (double)(sum / (long double)X->n);
	}
	for (size_t i = 0; i < X->n && X->n > 1 && metric->kind != KITH_ABSOLUTE; i++)
		v += kith_dist(metric, kith_row(X, i), mean) / (double)(X->n - 1);
	for (size_t j = 0; j < X->p && X->n > 1 && metric->kind == KITH_ABSOLUTE; j++) {
		long double sum = 0;

		for (size_t i = 0; i < X->n; i++) {
			const long double d = (long double)kith_row(X, i)[j] - mean[j];

			sum += d * d;
		}
		v += (metric->w ? metric->w[j] : 1) * (double)sqrtl(sum / (long double)(X->n - 1));
	}
	kith_pool_free(&tmp);
	return v > 1e-300 ? 1 / v : 1;
}

double
kith_gamma_coupling(
    const struct kith_kern *kern, const struct kith_mat *X, const struct kith_mat *Z)
{
	const size_t m = Z->n < SPACED ? Z->n : SPACED;
	struct kith_pool tmp = {0};
	double *d = kith_new(&tmp, X->n, sizeof(*d)), *least = kith_new(&tmp, m, sizeof(*least)), K;

	for (size_t k = 0; k < m; k++) {
		kith_dist_rows(kern->metric, kith_row(Z, k * Z->n / m), X->v, X->n, d);
		least[k] = INFINITY;
		for (size_t i = 0; i < X->n; i++)
			if (d[i] > 0)
				least[k] = fmin(least[k], d[i]);
	}
	kith_sort_reals(least, m);
	K = m > 0 && isfinite(least[m / 2]) ? exp(-kern->gamma * least[m / 2]) : INFINITY;
	kith_pool_free(&tmp);
	return K;
}
