/* SPDX-License-Identifier: BSD-2-Clause */
/* immigrate/expected - random problems for tests of lib/immigrate/expect.h and of its votes. */
#ifndef KITH_TEST_IMMIGRATE_EXPECTED_H
#define KITH_TEST_IMMIGRATE_EXPECTED_H

#include "base/rng.h"
#include "la/mat.h"
#include "near/metric.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define N ((size_t)40)
#define P ((size_t)3)
#define C ((size_t)3)
#define M ((size_t)15)

/* A random problem, on a grid where ties are common, or off it. */
struct problem {
	double x[N * P], z[M * P], w[P * P], t[N];
	size_t y[N];
	struct kith_mat X, Z;
	struct kith_metric metric;
	double sigma;
};

static inline void
make(struct problem *q, size_t seed)
{
	struct kith_rng r;
	const bool grid = seed % 2;

	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < N * P; i++)
		q->x[i] = grid ? (double)kith_rng_below(&r, 3) : 4 * kith_rng_unit(&r);
	for (size_t i = 0; i < M * P; i++)
		q->z[i] = grid ? (double)kith_rng_below(&r, 3) : 4 * kith_rng_unit(&r);
	for (size_t i = 0; i < N; i++) {
		q->y[i] = i < 1 ? 0 : 1 + kith_rng_below(&r, C - 1);
		q->t[i] = kith_rng_unit(&r);
	}
	for (size_t i = 0; i < P; i++)
		for (size_t j = i; j < P; j++)
			q->w[i * P + j] = q->w[j * P + i] = i == j ? kith_rng_unit(&r)
								   : 2 * kith_rng_unit(&r) - 1;
	q->metric = (struct kith_metric){(enum kith_metric_kind)(seed / 2 % 4), P, q->w};
	q->X = (struct kith_mat){N, P, q->x};
	q->Z = (struct kith_mat){M, P, q->z};
	q->sigma = exp(8 * kith_rng_unit(&r) - 5);
	if (q->metric.kind == KITH_SQUARED || q->metric.kind == KITH_ABSOLUTE)
		for (size_t j = 0; j < P; j++)
			q->w[j] = fabs(q->w[j]);
}

#endif
