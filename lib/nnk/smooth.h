/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/smooth - the graph on which the rows are smooth, with degrees kept away
 * from 0 by their logarithm (Kalofolias 2016; Kalofolias and Perraudin 2019).
 *
 * Over pairs e = (i, j) of rows, with z_e = theta d_e, d_e the squared distance,
 *
 *	min_{w >= 0}  2 z'w - sum_i log d_i + |w|^2,   d = B w,
 *
 * d_i being the degree of row i: the model of 2016 in the parameters of 2019
 * but for the scale of w.  It is strictly convex: one solution.  With u_i =
 * 1 / d_i it is where
 *
 *	lambda_e = w_e + z_e - (u_i + u_j) / 2
 *
 * is 0 for w_e > 0 and not negative elsewhere.
 *
 * Pairs are those of which one row is among the 3 k nearest of the other, or a
 * given candidate; rows without a pair have no term.  theta is the geometric
 * mean of the bounds between which a row by itself has k edges, theorem 2 of
 * 2019, of each the median over rows, which a few rows with near ties do not move
 * as they do the authors' mean; see smooth_pairs.c for corners.
 */
#ifndef KITH_NNK_SMOOTH_H
#define KITH_NNK_SMOOTH_H

#include "table/check.h"
#include "table/graph.h"

#include <stddef.h>

struct kith_err;
struct kith_local_rows;
struct kith_pool;

/* The pairs of all rows, and theta. */
struct kith_smooth_pairs {
	struct kith_graph graph; /* w and d as of nnk/either.h */
	double theta;            /* times these d */
};

/*
 * Find them, in the pool, for rows without Z, and all of them; given are
 * candidates in place of k, or NULL.  Fails as kith_local_find() does.
 */
int kith_smooth_pairs(const struct kith_local_rows *rows, size_t k, const struct kith_graph *given,
    struct kith_smooth_pairs *out, struct kith_pool *pool, struct kith_err *err);

/*
 * Solve for the weights, into graph.w; returns the number of Newton steps: some
 * ten, or hundreds where distances differ by orders of magnitude.  The same
 * bytes for any number of threads.  Time O(pairs) for each step and each
 * iteration of conjugate gradients in it, or that of a sparse factor with at
 * most 200 entries a row; memory O(n + pairs).
 */
size_t kith_smooth(struct kith_smooth_pairs *pairs, size_t threads);

enum { KITH_CHECK_SMOOTH = 3 };

/*
 * Whether weights w of the pairs are the solution:
 *
 *	degree         rows with pairs, but none of positive weight
 *	stationarity   largest |lambda| on edges
 *	dual           largest -lambda on other pairs
 *
 * the last two relative to z_e + (u_i + u_j) / 2, with limits of 1e-10.
 */
void kith_smooth_check(const struct kith_smooth_pairs *pairs, const double *w,
    struct kith_check out[KITH_CHECK_SMOOTH]);

#endif
