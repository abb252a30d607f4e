/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/metric - what a weight multiplies.  With D = x - z, feature by feature,
 *
 *	KITH_SQUARED          d = sum_j w_j D_j^2        w_j >= 0
 *	KITH_ABSOLUTE         d = sum_j w_j |D_j|        w_j >= 0
 *	KITH_SQUARED_MATRIX   d = D' W D                 W symmetric
 *	KITH_ABSOLUTE_MATRIX  d = |D|' W |D|             W symmetric
 *
 * A matrix may have entries of any sign off its diagonal; d can then be < 0.
 */
#ifndef KITH_NEAR_METRIC_H
#define KITH_NEAR_METRIC_H

#include <stdbool.h>
#include <stddef.h>

enum kith_metric_kind {
	KITH_SQUARED,
	KITH_ABSOLUTE,
	KITH_SQUARED_MATRIX,
	KITH_ABSOLUTE_MATRIX
};

struct kith_metric {
	enum kith_metric_kind kind;
	size_t p; /* features */
	const double
	    *w; /* p weights or p x p entries; NULL: all ones, no matrix */
};

/* Whether weights of this kind are a matrix. */
static inline bool
kith_metric_is_matrix(enum kith_metric_kind kind)
{
	return kind == KITH_SQUARED_MATRIX || kind == KITH_ABSOLUTE_MATRIX;
}

#endif
