/* SPDX-License-Identifier: BSD-2-Clause */
/* nnk/random_rows - rows at random, and of unit length. */
#ifndef KITH_TEST_NNK_RANDOM_ROWS_H
#define KITH_TEST_NNK_RANDOM_ROWS_H

#include "nnk/data.h"

static inline struct kith_mat
random_rows(size_t n, size_t p, double least)
{
	struct kith_mat X = kith_mat_new(&pool, n, p);

	for (size_t e = 0; e < n * p; e++)
		X.v[e] = least + kith_rng_unit(&rng);
	return X;
}

static inline void
unit_rows(struct kith_mat *X)
{
	const struct kith_metric metric = {KITH_SQUARED, X->p, NULL};
	size_t row;

	(void)kith_kern_unit_rows(X, &metric, &row);
}

#endif
