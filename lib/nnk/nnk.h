/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/nnk - neighbourhoods by non-negative kernel regression (Shekkizhar and
 * Ortega), and the methods it is compared with.  For a row q with candidates
 * S, K the kernel (kernel/kern.h), theta >= 0 the weights of its edges:
 *
 *	nnk       argmin 1/2 theta' K_SS theta - (K_Sq - eta)' theta, eqs. (6)
 *	          and, with eta > 0, (9)
 *	knn       K_Sq; radius: the same, of all rows within a radius
 *	mp, omp   Algorithm 2: matching pursuit, at most k atoms
 *	lle       (6) with the kernel (7) of the directions from q, K_Sq = 1
 *	lle-gram  (6) with the Gram matrix G of x_S - q, plus a ridge of
 *	          1e-3 trace(G)/k (1e-3 where that is 0); K_Sq = 1; the weights
 *	          divided by their sum
 *	lle-signed  argmin 1/2 |q - sum_j w_j x_j|^2, sum w = 1, of either sign:
 *	          eq. (2), Roweis and Saul 2000 (nnk/signed.h)
 *
 * The local error is J = 1/2 theta' K_SS theta - K_Sq' theta + 1/2 K_qq, eq.
 * (5), at these weights (K_qq = 1 for lle; for lle-gram K is G with its ridge,
 * K_qq = 0, before the division; for lle-signed it is what is minimised, in
 * squared units of the data).  Kernels that are negative (linear) give
 * weight 0 in knn and radius.
 *
 * A gaussian problem is solved for exp(-(d - d_min) / (2 sigma^2)) in place of
 * K_Sq, whose solution is that of K_Sq times a constant, so that no row loses
 * its neighbours to underflow; weights are multiplied by the constant last.
 * A linear, lle or lle-gram problem is solved in units of its own rows.
 */
#ifndef KITH_NNK_NNK_H
#define KITH_NNK_NNK_H

#include "kernel/kern.h"
#include "near/knn.h"
#include "nnk/local.h"
#include "table/graph.h"

#include <stdbool.h>
#include <stddef.h>

enum kith_nnk_method {
	KITH_NNK,
	KITH_NNK_KNN,
	KITH_NNK_RADIUS,
	KITH_NNK_MP,
	KITH_NNK_OMP,
	KITH_NNK_LLE,
	KITH_NNK_LLE_GRAM,
	KITH_NNK_LLE_SIGNED,
	KITH_NNK_SMOOTH, /* nnk/smooth.h, not for kith_nnk() */
	KITH_NNK_AEW     /* nnk/aew.h, the same */
};

/*
 * rows and metric: for the cosine kernel of length 1 (kith_kern_unit_rows());
 * the metric must have passed kith_kern_check() but for knn and radius with
 * the gaussian kernel, where any will do.
 */
struct kith_nnk_how {
	enum kith_nnk_method method;
	enum kith_kern_kind kernel;     /* lle and lle-gram: not used */
	size_t k;                       /* candidates; atoms of mp and omp */
	double radius;                  /* KITH_NNK_RADIUS: >= 0, of sqrt(d) */
	double eta;                     /* KITH_NNK: >= 0 */
	double least;                   /* KITH_NNK: of a row's largest weight,
					   what up to this will be cut */
	bool all;                       /* mp, omp: atoms from all rows */
	bool errors;                    /* give J */
	bool bare;                      /* give no distances: graph.d is NULL */
	struct kith_sigma sigma;        /* gaussian */
	const struct kith_graph *given; /* candidates, in place of k; or NULL */
};

struct kith_nnk {
	/*
	 * All candidates of each row in order of (distance, row), with their
	 * weights, 0 included; for mp and omp with `all` its atoms alone.
	 */
	struct kith_graph graph;
	double sigma;                  /* bandwidth; 0: local, or none */
	bool flat;                     /* all distances are 0, the bandwidth became 1 */
	struct kith_knn_choice search; /* NULL: none was needed */

	/*
	 * nnk, lle, lle-gram, omp: largest KKT residual / largest K_Sq;
	 * lle-signed: nnk/signed.h.
	 */
	double residual;
	size_t lost; /* rows whose weights are all too small for a double */

	/* nnk: rows for which nnk/check.h has to decide whether they are
	   right, for rounding could matter. */
	size_t doubts;
};

/*
 * Solve all rows; results in the pool.  A row's result depends on nothing but
 * the reference and the row, not on threads or shards.  Fails with EX_DATAERR
 * on distances below 0 (nnk/local.h).
 * Time: the neighbour search, and O(k^2 (p + k)) per row; `all`: O(k n p) per
 * row, with O(k n) memory per thread.
 */
int kith_nnk(const struct kith_local_rows *rows, const struct kith_nnk_how *how,
    struct kith_nnk *out, struct kith_pool *pool, struct kith_err *err);

#endif
