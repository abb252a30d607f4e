/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/check - whether a directed graph is the exact NNK graph of its rows,
 * from the rows and the edges alone: candidates and kernels are computed anew,
 * nothing is solved.
 *
 *	weight         entries that are negative, or no numbers
 *	candidate      edges to rows that are no candidates
 *	stationarity   largest |lambda_j| on edges, eq. (26)
 *	dual           largest -lambda_j on other candidates
 *
 * lambda = K_SS theta - K_Sq + eta is relative to max K_Sq + max theta max
 * |K_SS| of its row, with the K_Sq of nnk/nnk.h: shifted, or in units of the
 * row. With the linear kernel, where lengths of rows are more than 2^20 apart,
 * each row is divided by a power of two near its length first, which leaves the
 * problem as it is, its weights multiplied accordingly: next to the longest row
 * nothing else would be seen.
 *
 * Where lambda misses its limit so far, two things are made good.  What
 * rounding makes of kernels, 2^-52 (n + p + 8) (1 + sum theta) of the largest
 * of n candidates and p features, is not held against lambda.  And what was cut
 * is put back: candidates without an edge get weights up to `least` of the
 * largest of their row, one after the other, as far as that lowers the
 * objective; such weights prove as much as those that are printed.
 *
 * An entry of weight 0 is as if it were not there.
 */
#ifndef KITH_NNK_CHECK_H
#define KITH_NNK_CHECK_H

#include "kernel/kern.h"
#include "nnk/local.h"
#include "table/check.h"

#include <stddef.h>

struct kith_graph;

enum { KITH_CHECK_NNK = 4 };

/* The graph must have been made with the same. */
struct kith_check_nnk_how {
	enum kith_kern_kind kernel;
	size_t k;
	double eta;
	double least; /* weights up to this, of their row's largest, are cut */
	struct kith_sigma sigma;
	const struct kith_graph *given; /* candidates, or NULL */
};

/*
 * Check edges (m lists for the m rows, in any order) into out.  Limits are 0
 * for the first two, and 1e-11 + k * least for the others: what was cut may
 * change lambda so much.  Fails as kith_nnk() does.  Time as kith_nnk()
 * without its solver.
 */
int kith_check_nnk(const struct kith_local_rows *rows, const struct kith_check_nnk_how *how,
    const struct kith_graph *edges, struct kith_check out[KITH_CHECK_NNK], struct kith_err *err);

#endif
