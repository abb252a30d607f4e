/*
 * nnk/check - whether a directed graph is the exact NNK graph of its rows,
 * from the rows and the edges alone: candidates and kernels are computed anew,
 * nothing is solved.
 *
 *	weight         entries that are not positive numbers
 *	candidate      edges to rows that are no candidates
 *	stationarity   largest |lambda_j| on edges, eq. (26)
 *	dual           largest -lambda_j on other candidates
 *
 * lambda = K_SS theta - K_Sq + eta is relative to max K_Sq + max theta max
 * |K_SS| of its row, with the K_Sq of nnk/nnk.h: shifted, or in units of the
 * row.
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
int kith_check_nnk(const struct kith_local_rows *rows,
    const struct kith_check_nnk_how *how, const struct kith_graph *edges,
    struct kith_check out[KITH_CHECK_NNK], struct kith_err *err);

#endif
