/* SPDX-License-Identifier: BSD-2-Clause */
/* nnk/data - random rows and their graphs, for tests of lib/nnk/nnk.h. */
#ifndef KITH_TEST_NNK_DATA_H
#define KITH_TEST_NNK_DATA_H

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/metric.h"
#include "nnk/nnk.h"
#include "tap.h"

#include <math.h>

#define N ((size_t)90)
#define P ((size_t)3)

static const struct kith_metric plain = {KITH_SQUARED, P, NULL};
static struct kith_pool pool;
static struct kith_err err;
static struct kith_rng rng;
static double x[N * P];

/* Draw all x, between 0.1 and 1.1, or rounded up to a grid. */
static inline void
draw(double grid)
{
	for (size_t i = 0; i < N * P; i++) {
		x[i] = 0.1 + kith_rng_unit(&rng);
		if (grid > 0)
			x[i] = ceil(x[i] * grid) / grid;
	}
}

static inline struct kith_nnk
run(const struct kith_local_rows *rows, const struct kith_nnk_how *how)
{
	struct kith_nnk out;

	if (kith_nnk(rows, how, &out, &pool, &err))
		ok(false, "failed: %s", err.msg);
	return out;
}

#endif
