/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/columns_score - the scores of items by the columns of the kernel that are
 * kept (wsvm/columns.h), and which of these is nearest to an item.
 */
#ifndef KITH_WSVM_COLUMNS_SCORE_H
#define KITH_WSVM_COLUMNS_SCORE_H

#include <stddef.h>

struct kith_wsvm_columns;

/*
 * out[0] = sum_j a_j K_ij, out[1] = sum_j b_j K_ij with the coefficients.
 * Time O(columns).
 */
void kith_wsvm_columns_score(
    const struct kith_wsvm_columns *columns, size_t i, double out[2]);

/*
 * The same for all n items: u_i += out[0], and w_i += out[1] unless w is NULL.
 */
void kith_wsvm_columns_scores(
    const struct kith_wsvm_columns *columns, double *u, double *w);

/* The same for item[0..count-1] alone, which are different ones. */
void kith_wsvm_columns_scores_of(const struct kith_wsvm_columns *columns,
    const size_t *item, size_t count, double *u, double *w);

/*
 * The largest K_ij - K_jj / 2 of the columns j that are kept, and its j: that of
 * the item nearest to i in the space of the kernel.  -infinity: there is none.
 */
double kith_wsvm_columns_nearest(
    const struct kith_wsvm_columns *columns, size_t i, size_t *j);

#endif
