/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/columns - the columns of the kernel matrix that the variables of the
 * margin name.  They are kept item by item: the K_ij of one item i and all
 * columns j, from which its score is summed, lie side by side.
 */
#ifndef KITH_WSVM_COLUMNS_H
#define KITH_WSVM_COLUMNS_H

#include <stddef.h>

struct kith_krows;
struct kith_pool;
struct kith_wsvm_columns;

/* No column yet, of the kernel of n items, in the pool. */
struct kith_wsvm_columns *kith_wsvm_columns_new(
    struct kith_krows *rows, size_t n, struct kith_pool *pool);

/*
 * Keep column j, until it was dropped as often as taken.  Time O(n), and a
 * kernel row, where it is new.  Memory: O(n) for each column, and up to a
 * quarter more.
 */
void kith_wsvm_columns_take(struct kith_wsvm_columns *columns, size_t j);
void kith_wsvm_columns_drop(struct kith_wsvm_columns *columns, size_t j);

/* The same for several columns, of which some may be one; they are copied faster. */
void kith_wsvm_columns_take_all(
    struct kith_wsvm_columns *columns, const size_t *j, size_t count);

/* Columns to come: make room for so many more at once. */
void kith_wsvm_columns_expect(struct kith_wsvm_columns *columns, size_t count);

/* K_ij for a column j that is kept. */
double kith_wsvm_columns_at(
    const struct kith_wsvm_columns *columns, size_t i, size_t j);

/*
 * All of item i at once: K_ij is at the place of column j, until columns are
 * taken or dropped.
 */
const double *kith_wsvm_columns_item(
    const struct kith_wsvm_columns *columns, size_t i);
size_t kith_wsvm_columns_place(
    const struct kith_wsvm_columns *columns, size_t j);

/*
 * The largest K_ij - K_jj / 2 of the columns j that are kept, and its j: that of
 * the item nearest to i in the space of the kernel.  -infinity: there is none.
 */
double kith_wsvm_columns_nearest(
    const struct kith_wsvm_columns *columns, size_t i, size_t *j);

/* Set all coefficients to 0; a_j += a and b_j += b for a column j kept. */
void kith_wsvm_columns_clear(struct kith_wsvm_columns *columns);
void kith_wsvm_columns_add(
    struct kith_wsvm_columns *columns, size_t j, double a, double b);

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
 * The same for the items whose columns are kept, half of which products serve
 * twice, as K is symmetric: then ask for each.  Time O(columns^2).
 */
void kith_wsvm_columns_score_own(struct kith_wsvm_columns *columns);
void kith_wsvm_columns_own(
    const struct kith_wsvm_columns *columns, size_t j, double out[2]);

/* Compute K_ij anew for item i, which has changed and is no column. */
void kith_wsvm_columns_replace(struct kith_wsvm_columns *columns, size_t i);

#endif
