/* SPDX-License-Identifier: BSD-2-Clause */
/* la/mat - dense row-major matrices, laid out as CBLAS takes them. */
#ifndef KITH_LA_MAT_H
#define KITH_LA_MAT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

/* n rows of p doubles; row i starts at v + i * p. */
struct kith_mat {
	size_t n, p;
	double *v;
};

/* A zero n x p matrix in the pool. */
struct kith_mat kith_mat_new(struct kith_pool *pool, size_t n, size_t p);

/* A copy, in the pool, of n rows of X, in the order given. */
struct kith_mat kith_mat_rows(
    const struct kith_mat *X, const size_t *row, size_t n, struct kith_pool *pool);

/* A copy, in the pool, of p columns of X, in the order given. */
struct kith_mat kith_mat_take(
    const struct kith_mat *X, const size_t *column, size_t p, struct kith_pool *pool);

/* Keep p columns of X alone, given in increasing order; in place. */
void kith_mat_columns(struct kith_mat *X, const size_t *column, size_t p);

/* Whether each of the p columns of X is the same number in all rows; in the pool. */
bool *kith_mat_constant(const struct kith_mat *X, struct kith_pool *pool);

/* The least and the largest number of column j of X; NaN are left out. */
void kith_mat_range(const struct kith_mat *X, size_t j, double *least, double *most);

/* The mean of column j of X, NaN left out; -1 when there is no number in it. */
int kith_mat_mean(const struct kith_mat *X, size_t j, double *mean);

/* The exponent of most - least > 0, which may be too large for a double. */
static inline int
kith_range_exponent(double least, double most)
{
	const double range = most - least;

	return isinf(range) ? ilogb(most / 2 - least / 2) + 1 : ilogb(range);
}

/* Copies the upper triangle of A (n x n, rows ld apart) to the lower one. */
static inline void
kith_mirror(size_t n, size_t ld, double *A)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < i; j++)
			A[i * ld + j] = A[j * ld + i];
}

/* Row i of X: p doubles. */
static inline double *
kith_row(const struct kith_mat *X, size_t i)
{
	return X->v + i * X->p;
}

/*
 * to (columns x rows) = from', of rows x columns; rows of from are ld apart, rows of to are to_ld
 * apart, and they do not overlap.  In blocks that stay in the cache.
 */
void kith_transpose(
    size_t rows, size_t columns, const double *from, size_t ld, double *to, size_t to_ld);

#endif
