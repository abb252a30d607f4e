/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/pairs_nnk - the graph of nnk/nnk.h, by the methods nnk and knn, of rows
 * that are known by pairs (nnk/pairs.h).
 *
 * K is exp(-d^2 / (2 sigma^2)) of the distances d, or the similarities
 * themselves.  Candidates of a row are the k nearest rows that it has a pair
 * with.  Of a table of any numbers nothing says that K is a kernel: rows where
 * K_SS is not positive semidefinite are counted, and their weights may not be
 * the best.
 */
#ifndef KITH_NNK_PAIRS_NNK_H
#define KITH_NNK_PAIRS_NNK_H

#include "nnk/nnk.h"

#include <stddef.h>

struct kith_pairs;

struct kith_pairs_nnk {
	struct kith_nnk nnk; /* doubts: 0; residual: of the other rows */
	size_t indefinite;   /* rows where K_SS is not semidefinite */
	size_t first;        /* the first of them */
};

/*
 * Solve rows first to first + m - 1 of the pairs, as `how` says (method, k,
 * eta, errors, bare, sigma); results in the pool.  A matrix counts as
 * semidefinite when 1e-12 of its size, times its largest diagonal entry, put on
 * the diagonal makes it definite.
 * Fails with EX_DATAERR where two candidates of a row have no pair, and K_SS
 * is due: with nnk, and for errors.  Time O(k^2 (k + log pairs)) a row.
 */
int kith_pairs_nnk(const struct kith_pairs *pairs, size_t first, size_t m,
    const struct kith_nnk_how *how, size_t threads, struct kith_pairs_nnk *out,
    struct kith_pool *pool, struct kith_err *err);

#endif
