/* SPDX-License-Identifier: BSD-2-Clause */
/* nnk/smooth_pairs - the pairs of rows that --method smooth starts from. */
#ifndef KITH_TEST_NNK_SMOOTH_PAIRS_H
#define KITH_TEST_NNK_SMOOTH_PAIRS_H

#include "nnk/data.h"
#include "nnk/smooth_step.h"

static inline struct kith_smooth_pairs
pairs_of(double *v, size_t n, size_t p, size_t k)
{
	const struct kith_mat X = {n, p, v};
	const struct kith_metric metric = {KITH_SQUARED, p, NULL};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, n, 1};
	struct kith_smooth_pairs out;

	if (kith_smooth_pairs(&rows, k, NULL, &out, &pool, &err))
		ok(false, "failed: %s", err.msg);
	return out;
}

#endif
