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

/* Slots come in vectors of so many. */
enum { KITH_WSVM_LANES = 8 };

/*
 * The members are those of wsvm/columns*.c.  A column has a slot.  cell + i ld
 * begins with K_ij for the columns j of all slots; free slots have coefficient 0.
 * ld is an odd multiple of 8: rows a power of two apart would share few sets of
 * the processor's cache.
 */
struct kith_wsvm_columns {
	struct kith_krows *rows;
	struct kith_pool *pool;
	size_t n, ld;  /* items, slots made */
	size_t top;    /* slots from here on are free */
	double *room;  /* n ld, and a vector more */
	double *cell;  /* in it, at a multiple of 64 bytes */
	size_t *slot;  /* n: the slot of column j plus 1; 0: none */
	size_t *names; /* ld: how often it was taken; 0: free */
	size_t *item;  /* ld: the column that a slot has */
	double *a, *b; /* ld: coefficients */
	double *u, *w; /* ld: scores of the columns' own items */
	double *half;  /* ld: K_jj / 2 of the slot's column; infinite: free */
};

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

/* Set all coefficients to 0; a_j += a and b_j += b for a column j kept. */
void kith_wsvm_columns_clear(struct kith_wsvm_columns *columns);
void kith_wsvm_columns_add(
    struct kith_wsvm_columns *columns, size_t j, double a, double b);

/*
 * The scores (wsvm/columns_score.h) of the items whose columns are kept, half of
 * which products serve twice, as K is symmetric: then ask for each.  Time
 * O(columns^2).
 */
void kith_wsvm_columns_score_own(struct kith_wsvm_columns *columns);
void kith_wsvm_columns_own(
    const struct kith_wsvm_columns *columns, size_t j, double out[2]);

/* Compute K_ij anew for item i, which has changed and is no column. */
void kith_wsvm_columns_replace(struct kith_wsvm_columns *columns, size_t i);

#endif
