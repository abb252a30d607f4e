/* SPDX-License-Identifier: BSD-2-Clause */
/* solve/problems - problems of kernels for the tests of lib/solve/nn.h. */
#ifndef KITH_TEST_SOLVE_PROBLEMS_H
#define KITH_TEST_SOLVE_PROBLEMS_H

#include "base/rng.h"
#include "solve/nn.h"

#include <math.h>
#include <stddef.h>

enum { N = 48 };

static double A[N * N], b[N], t[N], g[N];
static struct kith_rng rng;
static struct kith_qp_nn *qp;

/* A_ij and A_ji. */
static inline void
set(size_t n, size_t i, size_t j, double a)
{
	const size_t ld = kith_qp_nn_stride(n);

	A[i * ld + j] = A[j * ld + i] = a;
}

/* A kernel of n points in p dimensions, b that of a further one. */
static inline void
make_kernel(size_t n, size_t p, double width, double grid)
{
	double x[(N + 1) * 8] = {0};

	for (size_t i = 0; i < (n + 1) * p; i++) {
		x[i] = kith_rng_unit(&rng);
		if (grid > 0)
			x[i] = floor(x[i] * grid) / grid;
	}
	for (size_t i = 0; i <= n; i++)
		for (size_t j = 0; j < n; j++) {
			double d = 0, *z = x + j * p;

			for (size_t l = 0; l < p; l++)
				d += (x[i * p + l] - z[l]) * (x[i * p + l] - z[l]);
			d = exp(-d / (2 * width * width));
			if (i == n)
				b[j] = d;
			else
				set(n, i, j, d);
		}
}

/* Rows of A from p <= 8 dimensions, b of a further row; numbers from -below on. */
static inline void
make_products(size_t n, size_t p, double below)
{
	double x[(N + 1) * 8] = {0};

	for (size_t i = 0; i < (n + 1) * p; i++)
		x[i] = kith_rng_unit(&rng) - below;
	for (size_t i = 0; i < n; i++) {
		b[i] = 0;
		for (size_t l = 0; l < p; l++)
			b[i] += x[i * p + l] * x[n * p + l];
		for (size_t j = 0; j < n; j++) {
			double s = 0;

			for (size_t l = 0; l < p; l++)
				s += x[i * p + l] * x[j * p + l];
			set(n, i, j, s);
		}
	}
}

#endif
