/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * la/chol_extend - a factor of la/chol.h gets many rows at once.
 */
#ifndef KITH_LA_CHOL_EXTEND_H
#define KITH_LA_CHOL_EXTEND_H

#include <stddef.h>

struct kith_chol;

/*
 * Append `count` rows at once, by blocks, where n is a multiple of 8: for each
 * of the new columns j, R_ij holds A_ij for all i < j, and pivot[j] holds A_jj.
 * Returns how many were appended: all before the first that append would
 * refuse.  Time O(n^2 count), a quarter or less of that of as many appends.
 */
size_t kith_chol_extend(struct kith_chol *chol, size_t count, double least);

/*
 * Factor anew the rows and columns index[0..n-1] of A (row i from A + i * ld
 * on), in this order, leaving out those that append would refuse.  Returns how
 * many are held; index then begins with them.  Time O(n^3).
 */
size_t kith_chol_factor(
    struct kith_chol *chol, const double *A, size_t ld, size_t *index, size_t n, double least);

#endif
