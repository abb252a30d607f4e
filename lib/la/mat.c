/* SPDX-License-Identifier: BSD-2-Clause */
#include "la/mat.h"

#include "base/pool.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

struct kith_mat
kith_mat_new(struct kith_pool *pool, size_t n, size_t p)
{
	assert(p < SIZE_MAX / sizeof(double));
	return (struct kith_mat){n, p, kith_new(pool, n, (p > 0 ? p : 1) * sizeof(double))};
}

struct kith_mat
kith_mat_rows(const struct kith_mat *X, const size_t *row, size_t n, struct kith_pool *pool)
{
	const struct kith_mat out = kith_mat_new(pool, n, X->p);

	for (size_t i = 0; i < n; i++)
		memcpy(kith_row(&out, i), kith_row(X, row[i]), X->p * sizeof(*X->v));
	return out;
}

struct kith_mat
kith_mat_take(const struct kith_mat *X, const size_t *column, size_t p, struct kith_pool *pool)
{
	struct kith_mat Y = kith_mat_new(pool, X->n, p);

	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < p; j++)
			kith_row(&Y, i)[j] = kith_row(X, i)[column[j]];
	return Y;
}

void
kith_mat_columns(struct kith_mat *X, const size_t *column, size_t p)
{
	const size_t old = X->p;

	assert(1 <= p && p <= old);
	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < p; j++)
			X->v[i * p + j] = X->v[i * old + column[j]];
	X->p = p;
}

bool *
kith_mat_constant(const struct kith_mat *X, struct kith_pool *pool)
{
	bool *constant = kith_new(pool, X->p, sizeof(*constant));

	for (size_t j = 0, i; j < X->p; j++) {
		for (i = 1; i < X->n && kith_row(X, i)[j] == X->v[j]; i++)
			;
		constant[j] = i >= X->n;
	}
	return constant;
}

void
kith_mat_range(const struct kith_mat *X, size_t j, double *least, double *most)
{
	*least = *most = X->v[j];
	for (size_t i = 1; i < X->n; i++) {
		*least = fmin(*least, kith_row(X, i)[j]);
		*most = fmax(*most, kith_row(X, i)[j]);
	}
}

int
kith_mat_mean(const struct kith_mat *X, size_t j, double *mean)
{
	long double sum = 0; /* does not overflow */
	size_t n = 0;

	for (size_t i = 0; i < X->n; i++)
		if (!isnan(kith_row(X, i)[j])) {
			sum += kith_row(X, i)[j];
			n++;
		}
	if (n == 0)
		return -1;
	*mean = (double)(sum / (long double)n);
	return 0;
}

void
kith_transpose(size_t rows, size_t columns, const double *from, size_t ld, double *to, size_t to_ld)
{
	enum { BLOCK = 8 };

	for (size_t i = 0; i < rows; i += BLOCK)
		for (size_t j = 0; j < columns; j++)
			for (size_t k = i; k < i + BLOCK && k < rows; k++)
				to[j * to_ld + k] = from[k * ld + j];
}
