/*
 * wsvm/columns - the columns of a kernel matrix that the margin names, kept
 * item by item: so the products of one item with all of them, which one score
 * needs, lie side by side.
 */
#ifndef KITH_WSVM_COLUMNS_H
#define KITH_WSVM_COLUMNS_H

#include <stddef.h>

struct kith_krows;
struct kith_pool;
struct kith_wsvm_columns;

/* None yet, of the kernel of n items, in the pool. */
struct kith_wsvm_columns *kith_wsvm_columns_new(
    struct kith_krows *rows, size_t n, struct kith_pool *pool);

/*
 * Name column j; it is kept until it was dropped as often.  Time O(n), and a
 * kernel row, where it is new.  Memory: O(n) for each column, up to twice.
 */
void kith_wsvm_columns_take(struct kith_wsvm_columns *columns, size_t j);
void kith_wsvm_columns_drop(struct kith_wsvm_columns *columns, size_t j);

/* K_ij for a column j that is kept. */
double kith_wsvm_columns_at(
    const struct kith_wsvm_columns *columns, size_t i, size_t j);

/* All coefficients are 0; add to those of column j, which is kept. */
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
 * The same for all n items: u_i += out[0], w_i += out[1], which may be NULL.
 */
void kith_wsvm_columns_scores(
    const struct kith_wsvm_columns *columns, double *u, double *w);

/* Item i, which is no column, has changed. */
void kith_wsvm_columns_replace(struct kith_wsvm_columns *columns, size_t i);

#endif
