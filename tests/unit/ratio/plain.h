/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ratio/plain - rows, and the definition of lib/ratio/ratio.h written out, for
 * its tests.
 */
#ifndef KITH_TEST_RATIO_PLAIN_H
#define KITH_TEST_RATIO_PLAIN_H

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "normal.h"
#include "ratio/ratio.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 3000, B = 12 };

static struct kith_err err;
static struct kith_pool pool;
static struct kith_rng rng;
static double x[MOST * 2], z[MOST * 2];

/* Solve A a = h (b) by elimination with pivots; A and h are lost. */
static inline void
eliminate(size_t b, long double A[B][B], long double *h)
{
	for (size_t c = 0; c < b; c++) {
		size_t top = c;

		for (size_t r = c + 1; r < b; r++)
			if (fabsl(A[r][c]) > fabsl(A[top][c]))
				top = r;
		for (size_t j = 0; j < b; j++) {
			const long double t = A[c][j];

			A[c][j] = A[top][j];
			A[top][j] = t;
		}
		{
			const long double t = h[c];

			h[c] = h[top];
			h[top] = t;
		}
		for (size_t r = 0; r < b; r++) {
			const long double f = A[r][c] / A[c][c];

			if (r == c)
				continue;
			for (size_t j = c; j < b; j++)
				A[r][j] -= f * A[c][j];
			h[r] -= f * h[c];
		}
	}
	for (size_t c = 0; c < b; c++)
		h[c] /= A[c][c];
}

/* One problem, written out. */
struct due {
	size_t n, m, p, b;
	const size_t *centre;
	double sigma, lambda;
	long double alpha[B];
};

static inline long double
phi(const struct due *d, const double *row, size_t l)
{
	long double sum = 0;

	for (size_t j = 0; j < d->p; j++) {
		const long double D = row[j] - z[d->centre[l] * d->p + j];

		sum += D * D;
	}
	return expl(-sum / 2 / d->sigma / d->sigma);
}

/* alpha without the rows i and j, which may be none, and without the centre j. */
static inline void
fit(struct due *d, size_t i, size_t j)
{
	long double H[B][B] = {{0}};
	const long double n = d->n - (i < d->n), m = d->m - (j < d->m);

	for (size_t a = 0; a < d->b; a++) {
		d->alpha[a] = 0;
		for (size_t c = 0; c < d->b; c++)
			H[a][c] = a == c ? d->lambda : 0;
	}
	for (size_t r = 0; r < d->n; r++)
		for (size_t a = 0; a < d->b && r != i; a++)
			for (size_t c = 0; c < d->b; c++)
				H[a][c] += phi(d, x + r * d->p, a) * phi(d, x + r * d->p, c) / n;
	for (size_t r = 0; r < d->m; r++)
		for (size_t a = 0; a < d->b && r != j; a++)
			d->alpha[a] += phi(d, z + r * d->p, a) / m;
	for (size_t a = 0; a < d->b; a++)
		if (d->centre[a] == j && j < d->m) {
			for (size_t c = 0; c < d->b; c++)
				H[a][c] = H[c][a] = a == c;
			d->alpha[a] = 0;
		}
	eliminate(d->b, H, d->alpha);
	for (size_t a = 0; a < d->b; a++)
		d->alpha[a] = fmaxl(d->alpha[a], 0);
}

static inline long double
value(const struct due *d, const double *row)
{
	long double sum = 0;

	for (size_t a = 0; a < d->b; a++)
		sum += d->alpha[a] * phi(d, row, a);
	return sum;
}

/* The leave-one-out score. */
static inline long double
score(struct due *d)
{
	const size_t k = d->n < d->m ? d->n : d->m;
	long double sum = 0, f, e;

	for (size_t i = 0; i < k; i++) {
		const size_t at = i * d->n / k, to = i * d->m / k;

		fit(d, at, to);
		f = value(d, x + at * d->p);
		e = value(d, z + to * d->p);
		sum += f * f / 2 - e;
	}
	return sum / k;
}

static inline struct kith_ratio
ratio(size_t n, size_t m, size_t p, const struct kith_ratio_how *how)
{
	const struct kith_mat X = {n, p, x}, Z = {m, p, z};
	struct kith_ratio got;

	if (kith_ratio(&X, &Z, how, &got, &pool, &err)) {
		ok(false, "%s", err.msg);
		exit(done());
	}
	return got;
}

#endif
