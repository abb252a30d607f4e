/* SPDX-License-Identifier: BSD-2-Clause */
/* solve/band - graphs of any size for tests of M-matrices, without chance. */
#ifndef KITH_TEST_SOLVE_BAND_H
#define KITH_TEST_SOLVE_BAND_H

#include "base/pool.h"
#include "base/rng.h"
#include "solve/mmat.h"

#include <math.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_rng rng;

static inline double *
numbers(size_t n)
{
	return kith_new(&pool, n, sizeof(double));
}

static inline double *
random_numbers(size_t n)
{
	double *v = numbers(n);

	for (size_t i = 0; i < n; i++)
		v[i] = kith_rng_unit(&rng) - .5;
	return v;
}

/* The weight of an edge, 0 where there is none: to the next node, and some further ones. */
static inline double
band_weight(size_t i, size_t j)
{
	const size_t lo = i < j ? i : j, apart = i < j ? j - i : i - j;

	if (apart == 1 || (apart == 3 && lo % 2 == 0) || (apart == 10 && lo % 3 == 0))
		return .1 + (double)((lo + apart) % 11) / 10;
	return 0;
}

/* n nodes; each `every`-th is out, from the first on, each fifth has a load. */
static inline struct kith_mmat
band(size_t n, size_t every)
{
	size_t *start = kith_new(&pool, n + 1, sizeof(*start)), m = 0;
	uint32_t *column = kith_new(&pool, 6 * n, sizeof(*column));
	double *w = numbers(6 * n), *load = numbers(n), *diagonal = numbers(n);
	bool *out = kith_new(&pool, n, sizeof(*out));

	for (size_t i = 0; i < n; i++) {
		out[i] = i % every == 0;
		diagonal[i] = load[i] = i % 5 == 2 ? .3 : 0;
		for (size_t j = i < 10 ? 0 : i - 10; j < n && j < i + 11; j++)
			if (j != i && band_weight(i, j) > 0) {
				column[m] = (uint32_t)j;
				w[m++] = band_weight(i, j);
				diagonal[i] += band_weight(i, j);
			}
		start[i + 1] = m;
	}
	return (struct kith_mmat){n, start, column, w, load, diagonal, out};
}

/* A x by its definition, for column k of c. */
static inline double
band_times(const struct kith_mmat *A, const double *X, size_t c, size_t i, size_t k)
{
	double sum = A->out[i] ? 0 : A->diagonal[i] * X[i * c + k];

	for (size_t j = i < 10 ? 0 : i - 10; j < A->n && j < i + 11; j++)
		if (!A->out[i] && !A->out[j] && j != i)
			sum -= band_weight(i, j) * X[j * c + k];
	return sum;
}

#endif
