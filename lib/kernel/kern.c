/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/kern.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/sort.h"
#include "la/kernels.h"
#include "la/mat.h"
#include "la/vec.h"
#include "near/metric.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { SPACED = 200 }; /* rows that tell about the coupling of all */

/* Terms of x'diag(w)x = 1 below this one become 0: no cosine depends on them. */
#define NOTHING 0x1p-480

int
kith_kern_check(enum kith_kern_kind kind, const struct kith_metric *metric, const char *file,
    size_t line, struct kith_err *err)
{
	const bool absolute = metric->kind == KITH_ABSOLUTE || metric->kind == KITH_ABSOLUTE_MATRIX;
	const char *why = NULL;

	if (kind == KITH_KERN_LAPLACIAN) {
		if (metric->kind != KITH_ABSOLUTE)
			why = "the laplacian kernel takes a vector of weights of |D| (weight_abs)";
	} else if (absolute)
		why = "weights of |D| (weight_abs) give no kernel: it takes those of D^2 (weight)";
	else if (metric->kind == KITH_SQUARED_MATRIX && kind != KITH_KERN_GAUSSIAN)
		why = "a matrix of weights is for the gaussian kernel alone";
	else if (metric->kind == KITH_SQUARED_MATRIX && !kith_semi_definite(metric->p, metric->w))
		why = "the matrix of weights is not positive semidefinite: it gives no kernel";
	return why ? kith_fail_at(err, EX_DATAERR, file, line, "%s", why) : 0;
}

size_t
kith_kern_unit_rows(struct kith_mat *X, const struct kith_metric *metric)
{
	const double *w = metric->w;

	assert(X->n == 0 || (metric->kind == KITH_SQUARED && metric->p == X->p));
	for (size_t i = 0; i < X->n; i++) {
		double *x = kith_row(X, i), most = 0, sum = 0;

		for (size_t j = 0; j < X->p; j++)
			most = fmax(most, (w ? sqrt(w[j]) : 1) * fabs(x[j]));
		if (most == 0)
			return i;
		for (size_t j = 0; j < X->p; j++) {
			const double a = w ? w[j] : 1;

			x[j] = a == 0 ? 0 : scalbn(x[j], -ilogb(most));
			if (a * x[j] * x[j] < NOTHING)
				x[j] = 0;
			sum += a * x[j] * x[j];
		}
		sum = sqrt(sum);
		for (size_t j = 0; j < X->p; j++)
			x[j] /= sum;
	}
	return X->n;
}

void
kith_kern_of_dist(const struct kith_kern *kern, size_t n, const double *d, double shift, double *K)
{
	const double sigma = kern->sigma;
	const double gamma = kern->gamma > 0 ? kern->gamma : 0.5 / sigma / sigma;

	assert(kern->kind != KITH_KERN_LINEAR);
	assert(kern->kind != KITH_KERN_POLYNOMIAL);
	assert(kern->kind != KITH_KERN_LAPLACIAN || kern->gamma > 0);
	if (kern->kind == KITH_KERN_COSINE) {
		for (size_t i = 0; i < n; i++)
			K[i] = d[i] < 4 ? 1 - d[i] / 4 : 0;
		return;
	}
	if (isinf(shift)) { /* all are as far */
		for (size_t i = 0; i < n; i++)
			K[i] = 1;
		return;
	}
	if (kern->gamma > 0 || (gamma >= DBL_MIN && gamma <= DBL_MAX))
		kith_la_kernels_at_level()->vexp(n, d, shift, -gamma, K);
	else {
		for (size_t i = 0; i < n; i++)
			K[i] = -((d[i] - shift) / sigma / sigma / 2);
		kith_vexp(n, K, K);
	}
}

void
kith_kern_rows(const struct kith_kern *kern, const double *z, const double *X, size_t n, double *K)
{
	const struct kith_la_kernels *la = kith_la_kernels_at_level();
	const struct kith_metric *metric = kern->metric;
	const double *w = metric->w;
	struct kith_pool tmp = {0};

	if (kern->kind != KITH_KERN_LINEAR && kern->kind != KITH_KERN_POLYNOMIAL) {
		kith_dist_rows(metric, z, X, n, K);
		kith_kern_of_dist(kern, n, K, 0, K);
		return;
	}
	assert(metric->kind == KITH_SQUARED || metric->kind == KITH_SQUARED_MATRIX);
	if (metric->kind == KITH_SQUARED_MATRIX) {
		double *Wz = kith_new(&tmp, metric->p, sizeof(*Wz));

		la->products(metric->p, NULL, z, w, metric->p, Wz);
		z = Wz;
		w = NULL;
	}
	la->products(metric->p, w, z, X, n, K);
	if (kern->kind == KITH_KERN_POLYNOMIAL)
		la->powers(n, kern->gamma, kern->coef0, kern->degree, K);
	kith_pool_free(&tmp);
}

double
kith_kern_pair(const struct kith_kern *kern, const double *z, const double *x)
{
	double K;

	kith_kern_rows(kern, z, x, 1, &K);
	return K;
}

void
kith_kern_gram(const struct kith_kern *kern, const double *X, size_t n, size_t ld, double *K)
{
	for (size_t i = 0; i < n; i++) {
		const double *z = X + i * kern->metric->p;

		kith_kern_rows(kern, z, z, n - i, K + i * ld + i);
	}
	kith_mirror(n, ld, K);
}

void
kith_kern_products(
    const struct kith_metric *metric, const double *X, size_t n, size_t ld, double *K)
{
	const struct kith_kern linear = {.kind = KITH_KERN_LINEAR, .metric = metric};

	kith_kern_gram(&linear, X, n, ld, K);
}

/* ---- gamma ---- */

double
kith_gamma_auto(const struct kith_mat *X, const struct kith_metric *metric)
{
	struct kith_pool tmp = {0};
	double *mean = kith_new(&tmp, X->p, sizeof(*mean)), v = 0;

	for (size_t j = 0; j < X->p; j++)
		kith_mat_mean(X, j, &mean[j]);
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
