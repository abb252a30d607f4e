/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/signed - weights of locally linear embedding, eq. (2) of Shekkizhar and
 * Ortega (Roweis and Saul 2000): for a row q with candidates x_1..x_k
 *
 *	min 1/2 |q - sum_j w_j x_j|^2,  sum_j w_j = 1, w_j of either sign.
 *
 * With the Gram matrix G of x_j - q the solution is w = v / sum v, G v = 1.
 * Where G is singular, for there are more candidates than features or they
 * depend on each other, a ridge of 1e-3 trace(G), or 1e-3 where that is 0, is
 * added to its diagonal, as the authors' code does.
 */
#ifndef KITH_NNK_SIGNED_H
#define KITH_NNK_SIGNED_H

#include <stddef.h>

struct kith_chol;
struct kith_nnk_row;

/*
 * Solve the problem of a row of the form KITH_NNK_SIGNED (nnk/row.h) into
 * row->t, and its minimum, without the ridge and in units of the data, into
 * *error: NaN for a row without candidates, and where it is no
 * double.  chol has room for them, and so has
 * index.  Returns the largest of |(G w)_j - mu|, with mu = 1 / sum v, relative
 * to mu + max_j G_jj sum |w|, and of |sum w - 1| / sum |w|.  Time
 * O(k^3 + k p^2) for a matrix of weights, else O(k^3 + k p).
 */
double kith_nnk_signed(
    struct kith_nnk_row *row, struct kith_chol *chol, size_t *index, double *error);

#endif
