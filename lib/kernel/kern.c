/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/kern.h"

#include "base/err.h"
#include "base/pool.h"
#include "la/mat.h"
#include "la/simd.h"
#include "la/vec.h"
#include "la/vexp.h"
#include "near/metric.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>

/* Terms of x'diag(w)x = 1 below this one become 0: no cosine depends on them. */
#define NOTHING 0x1p-480

int
kith_kern_check(enum kith_kern_kind kind, const struct kith_metric *metric, struct kith_err *err)
{
	if (kind == KITH_KERN_LAPLACIAN) {
		if (metric->kind == KITH_ABSOLUTE)
			return 0;
		return kith_fail(err, EX_DATAERR,
		    "the laplacian kernel takes a vector of weights of |D| "
		    "(weight_abs)");
	}
	switch (metric->kind) {
	case KITH_SQUARED:
		return 0;
	case KITH_ABSOLUTE:
	case KITH_ABSOLUTE_MATRIX:
		return kith_fail(err, EX_DATAERR,
		    "weights of |D| (weight_abs) give no kernel: it takes "
		    "those of D^2 (weight)");
	case KITH_SQUARED_MATRIX:
		break;
	}
	if (kind != KITH_KERN_GAUSSIAN)
		return kith_fail(
		    err, EX_DATAERR, "a matrix of weights is for the gaussian kernel alone");
	if (!kith_semi_definite(metric->p, metric->w))
		return kith_fail(err, EX_DATAERR,
		    "the matrix of weights is not positive semidefinite: it "
		    "gives no kernel");
	return 0;
}

/* The exponent of the largest sqrt(w_j) |x_j|; INT_MIN where all are 0. */
static int
size_of(const double *x, const double *w, size_t p)
{
	int most = INT_MIN;

	for (size_t j = 0; j < p; j++) {
		int e;

		if (x[j] == 0 || (w && w[j] == 0))
			continue;
		e = ilogb(x[j]) + (w ? ilogb(w[j]) / 2 : 0);
		most = e > most ? e : most;
	}
	return most;
}

int
kith_kern_unit_rows(struct kith_mat *X, const struct kith_metric *metric, size_t *row)
{
	const double *w = metric->w;

	assert(metric->kind == KITH_SQUARED && metric->p == X->p);
	for (size_t i = 0; i < X->n; i++) {
		double *x = kith_row(X, i), sum = 0;
		const int size = size_of(x, w, X->p);

		if (size == INT_MIN) {
			*row = i;
			return -1;
		}
		for (size_t j = 0; j < X->p; j++) {
			const double a = w ? w[j] : 1;

			x[j] = a == 0 ? 0 : scalbn(x[j], -size);
			if (a * x[j] * x[j] < NOTHING)
				x[j] = 0;
			sum += a * x[j] * x[j];
		}
		sum = sqrt(sum);
		for (size_t j = 0; j < X->p; j++)
			x[j] /= sum;
	}
	return 0;
}

/* y = a (x - shift) */
KITH_CLONES static void
kern_scale(size_t n, const double *x, double shift, double a, double *y)
{
	size_t i;

	for (i = 0; i + 8 <= n; i += 8)
		*(kith_v8d_at *)(y + i) = (*(const kith_v8d_at *)(x + i) - shift) * a;
	for (; i < n; i++)
		y[i] = (x[i] - shift) * a;
}

void
kith_kern_of_dist(const struct kith_kern *kern, size_t n, const double *d, double shift, double *K)
{
	const double sigma = kern->sigma, a = 0.5 / sigma / sigma;

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
	if (kern->gamma > 0)
		kern_scale(n, d, shift, -kern->gamma, K);
	else if (a >= DBL_MIN && a <= DBL_MAX)
		kern_scale(n, d, shift, -a, K);
	else
		for (size_t i = 0; i < n; i++)
			K[i] = -((d[i] - shift) / sigma / sigma / 2);
	kith_vexp(n, K, K);
}

/* sum_j w_j x_j z_j, in the order of near/metric.h. */
KITH_INLINE double
dot(size_t p, const double *w, const double *x, const double *z)
{
	double s[8] = {0};
	kith_v8d v = {0};
	size_t j;

	for (j = 0; j + 8 <= p; j += 8) {
		kith_v8d f = *kith_lanes_at(x + j);

		if (w)
			f *= *kith_lanes_at(w + j);
		v += f * *kith_lanes_at(z + j);
	}
	*(kith_v8d_at *)s = v;
	for (size_t l = 0; j < p; j++, l++)
		s[l] += (w ? w[j] * x[j] : x[j]) * z[j];
	return kith_lanes_total(s);
}

/* The products of z and n rows; w NULL: all ones. */
KITH_CLONES static void
kern_products(size_t p, const double *w, const double *z, const double *X, size_t n, double *K)
{
	for (size_t i = 0; i < n; i++)
		K[i] = dot(p, w, z, X + i * p);
}

/* The same with a matrix W; room holds p numbers. */
static void
matrix_products(const struct kith_metric *metric, const double *z, const double *X, size_t n,
    double *K, double *room)
{
	const size_t p = metric->p;

	kern_products(p, NULL, z, metric->w, p, room);
	kern_products(p, NULL, room, X, n, K);
}

/* The polynomial kernel of n products, in place, by squares of squares. */
KITH_CLONES static void
kern_polynomial(const struct kith_kern *kern, size_t n, double *K)
{
	const double gamma = kern->gamma, coef0 = kern->coef0;
	const size_t degree = kern->degree;
	size_t i;

	assert(gamma > 0 && degree >= 1);
	for (i = 0; i + 8 <= n; i += 8) {
		kith_v8d y = *(const kith_v8d_at *)(K + i) * gamma + coef0;
		kith_v8d power = (kith_v8d){0} + 1;

		for (size_t e = degree; e > 0; e /= 2) {
			if (e % 2 == 1)
				power *= y;
			y *= y;
		}
		*(kith_v8d_at *)(K + i) = power;
	}
	for (; i < n; i++) {
		double y = K[i] * gamma + coef0, power = 1;

		for (size_t e = degree; e > 0; e /= 2) {
			if (e % 2 == 1)
				power *= y;
			y *= y;
		}
		K[i] = power;
	}
}

void
kith_kern_rows(const struct kith_kern *kern, const double *z, const double *X, size_t n, double *K)
{
	const struct kith_metric *metric = kern->metric;

	if (kern->kind == KITH_KERN_LINEAR || kern->kind == KITH_KERN_POLYNOMIAL) {
		assert(metric->kind == KITH_SQUARED);
		kern_products(metric->p, metric->w, z, X, n, K);
		if (kern->kind == KITH_KERN_POLYNOMIAL)
			kern_polynomial(kern, n, K);
		return;
	}
	kith_dist_rows(metric, z, X, n, K);
	kith_kern_of_dist(kern, n, K, 0, K);
}

/* Fill in what lies below the diagonal. */
static void
mirror(size_t n, size_t ld, double *K)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < i; j++)
			K[i * ld + j] = K[j * ld + i];
}

/*
 * K starts with what lies above the diagonal, row by row: put all entries in
 * their places, the last first, as each goes behind those that wait.
 */
static void
unfold(size_t n, size_t ld, double *K)
{
	const double *from = K + n * (n - 1) / 2;

	for (size_t i = n; i-- > 0;) {
		for (size_t j = n; --j > i;)
			K[i * ld + j] = K[j * ld + i] = *--from;
		K[i * ld + i] = 1;
	}
}

void
kith_kern_gram(const struct kith_kern *kern, const double *X, size_t n, size_t ld, double *K)
{
	const size_t p = kern->metric->p;
	const bool power = kern->kind == KITH_KERN_POLYNOMIAL;
	double *to = K;

	if (power || kern->kind == KITH_KERN_LINEAR) {
		kith_kern_products(kern->metric, X, n, ld, K);
		for (size_t i = 0; i < n && power; i++)
			kern_polynomial(kern, n, K + i * ld);
		return;
	}
	for (size_t i = 0; i + 1 < n; i++) {
		kith_dist_rows(kern->metric, X + i * p, X + (i + 1) * p, n - i - 1, to);
		to += n - i - 1;
	}
	kith_kern_of_dist(kern, (size_t)(to - K), K, 0, K);
	unfold(n, ld, K);
}

void
kith_kern_products(
    const struct kith_metric *metric, const double *X, size_t n, size_t ld, double *K)
{
	const bool matrix = metric->kind == KITH_SQUARED_MATRIX;
	struct kith_pool tmp = {0};
	const size_t p = metric->p;
	double *room = matrix ? kith_new(&tmp, p, sizeof(*room)) : NULL;

	assert(matrix || metric->kind == KITH_SQUARED);
	for (size_t i = 0; i < n; i++) {
		const double *z = X + i * p;
		double *to = K + i * ld + i;

		if (matrix)
			matrix_products(metric, z, z, n - i, to, room);
		else
			kern_products(p, metric->w, z, z, n - i, to);
	}
	mirror(n, ld, K);
	kith_pool_free(&tmp);
}
