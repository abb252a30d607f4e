/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/immigrate - weights of features and of their interactions that
 * maximise the expected margin of local neighbours (Zhao, Ni et al., IMMIGRATE;
 * im4e is its vector form).
 *
 * With D = |x_n - x_i|, d = D' W D, and for each row n the softmax weights
 *
 *	alpha_ni ~ exp(-d/sigma) over the hits: rows of its class, itself out
 *	beta_ni  ~ exp(-d/sigma) over the misses: rows of all other classes
 *
 * C (3.5) = sum_n weight_n (sum_i alpha d - sum_i beta d)
 *	   + sigma sum_n weight_n (entropy(beta) - entropy(alpha)),
 * Sigma = sum_n weight_n (sum_i alpha D D' - sum_i beta D D'), and W becomes
 * V, the negative part of Sigma, normalised (Theorem 3.1).  F(W) = sigma sum_n
 * weight_n (log sum_misses exp(-d/sigma) - log sum_hits exp(-d/sigma)) has the
 * gradient Sigma, so that this is a Frank-Wolfe step; it may raise F.  At the
 * alpha and beta of W itself, C = F.
 *
 * weight_n, D(x_n) of (3.14), multiplies the term of row n alone, as if it came
 * so many times; as a neighbour of others a row counts once.  A row that is the
 * only one of its class has no hits: its misses alone count.
 *
 * Pairs whose weights alpha, beta are below 1e-12 of a row's, with monotone below
 * 1e-6 while it is on its way, are left out of Sigma.
 */
#ifndef KITH_IMMIGRATE_IMMIGRATE_H
#define KITH_IMMIGRATE_IMMIGRATE_H

#include "immigrate/problem.h"

/*
 * W (p x p, symmetric) holds the start, of Frobenius norm 1, and receives the
 * weights.  The same bytes for any number of threads.  p <= 30,000.
 *
 * Time per iteration O(n^2 p^2 / 2).  Memory O(p^2) in all and per thread, and
 * the distances of all pairs, 4 n^2 bytes, up to n = 10,000; above they are
 * computed three times.  Where fewer than p / 2 pairs of rows count, the
 * eigenvectors come from the Gram matrix of these pairs.
 */
void kith_immigrate(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how,
    double *W, struct kith_immigrate_fit *fit);

/*
 * The same for a vector: d = sum_j w_j D_j, u = Sigma's sum of D in place of
 * D D', w = (-u)+ / sum; w (p) holds the start, of sum 1, and is normalised to
 * it.  Time per iteration O(n^2 p), memory O(n p) and as above.
 */
void kith_im4e(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how,
    double *w, struct kith_immigrate_fit *fit);

#endif
