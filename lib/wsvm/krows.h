/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/krows - rows of a kernel matrix, computed when they are needed and kept
 * while there is room; the least recently used row goes first.
 */
#ifndef KITH_WSVM_KROWS_H
#define KITH_WSVM_KROWS_H

#include <stdbool.h>
#include <stddef.h>

struct kith_kern;
struct kith_krows;
struct kith_mat;
struct kith_pool;

/* Rows that there is room for at least. */
enum { KITH_KROWS_LEAST = 8 };

/*
 * The kernel of the n rows of X, which stay where they are; at most `bytes` of
 * it are kept, or KITH_KROWS_LEAST rows.  Long rows are computed by `threads`
 * threads.
 */
struct kith_krows *kith_krows_new(const struct kith_kern *kern,
    const struct kith_mat *X, size_t bytes, size_t threads,
    struct kith_pool *pool);

/*
 * The kernel of n differences Phi(x_plus[c]) - Phi(x_minus[c]) of the rows of
 * another one, which is no part (minus NULL: of Phi(x_plus[c]) alone); a row is
 * taken when it is needed.  They are kept in cell, n x ld with ld >= n, in the
 * order of their use; all arrays stay.
 */
struct kith_krows *kith_krows_part(struct kith_krows *of, const size_t *plus,
    const size_t *minus, size_t n, double *cell, size_t ld,
    struct kith_pool *pool);

/*
 * Compute all rows, by so many threads, where there is room for them: true.
 * From then on any number of threads may read them at the same time.
 */
bool kith_krows_fill(struct kith_krows *rows, size_t threads);

/*
 * Row i: K(x_i, x_j) for all j.  It is valid until KITH_KROWS_LEAST - 1 other
 * rows were got.  Time O(n p) where it is not held.
 */
const double *kith_krows_get(struct kith_krows *rows, size_t i);

/* K(x_i, x_j), without computing a row; not of a part. */
double kith_krows_entry(struct kith_krows *rows, size_t i, size_t j);

/*
 * u = K a and v = K b for a, b, u, v of n numbers.  Time O(n p) for each i
 * with a_i or b_i other than 0; rows computed for it are not kept.
 */
void kith_krows_product(struct kith_krows *rows, const double *a,
    const double *b, double *u, double *v);

/*
 * Compute K(x_i, .) anew, as x_i has changed.  Time O(n p), and O(1) for each
 * row held.
 */
void kith_krows_replace(struct kith_krows *rows, size_t i);

/*
 * Of the bytes for rows so many serve for other parts of the kernel matrix:
 * rows used longest ago go, until KITH_KROWS_LEAST are left.  Rows got before
 * may have moved.
 */
void kith_krows_reserve(struct kith_krows *rows, size_t bytes);

/* Their number, n. */
size_t kith_krows_count(const struct kith_krows *rows);

/* The rows that there is room for. */
size_t kith_krows_room(const struct kith_krows *rows);

/* The rows computed so far. */
size_t kith_krows_computed(const struct kith_krows *rows);

#endif
