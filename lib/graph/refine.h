/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/refine - eigenvectors of small eigenvalues, told apart by sums of
 * squares.
 */
#ifndef KITH_GRAPH_REFINE_H
#define KITH_GRAPH_REFINE_H

#include <stddef.h>

struct kith_part;

/*
 * Turn k orthonormal vectors, the rows of V (k x n), within what they span, to
 * the eigenvectors of A there: A = F'F, and the products of the vectors F v_i,
 * which are differences along edges, are diagonalised by Jacobi rotations.  So
 * what rounding leaves of an eigenvalue is 2^-52 of the root of it and A's
 * bound, in place of 2^-52 of the bound.  Time O(k^2 (entries + k n + k^2)).
 */
void kith_refine(const struct kith_part *part, size_t k, double *V);

#endif
