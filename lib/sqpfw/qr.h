/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/qr - a thin factor A = Q R (Q n x m with orthonormal columns, R upper
 * triangular) that gains and loses columns and rows, and with it the parts of a
 * vector r = Q z + d, Q'd = 0.
 *
 * A column is appended by two passes of Gram and Schmidt, deleted by a shift
 * and Givens rotations; rows are deleted and appended by rotations.  Each
 * change takes time O(m (n + m)).  Columns of Q are padded with 0 to a multiple
 * of 8 rows.
 */
#ifndef KITH_SQPFW_QR_H
#define KITH_SQPFW_QR_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

struct kith_sqpfw_qr {
	size_t n, m;     /* rows, columns */
	size_t ld, room; /* of a column of Q; for columns */
	double **Q;      /* columns; two more than m serve as scratch */
	double *R;       /* row i from R + i * room on */
	double *z, *d;   /* room, ld: the parts of r */
	double *extra;   /* room: a row or column of R that comes or goes */
	bool complement; /* n = m + 1, and Q[m] is the unit vector off Q */
	struct kith_pool *pool;
};

/* A factor of n rows, no columns; n never exceeds this. */
struct kith_sqpfw_qr kith_sqpfw_qr_new(size_t n, struct kith_pool *pool);

/* No columns, and n rows. */
void kith_sqpfw_qr_clear(struct kith_sqpfw_qr *qr, size_t n);

/*
 * Append the column a (padded).  False, and nothing is changed, where nothing
 * of it is off the columns held.
 */
bool kith_sqpfw_qr_append_column(struct kith_sqpfw_qr *qr, const double *a);

/* |a - Q Q'a|, the distance of a from the columns. */
double kith_sqpfw_qr_distance(struct kith_sqpfw_qr *qr, const double *a);

/* The square of the distance of the unit vector of a row from the columns. */
double kith_sqpfw_qr_unit_distance2(const struct kith_sqpfw_qr *qr, size_t row);

/* Subtract column k from column l > k. */
void kith_sqpfw_qr_subtract_column(struct kith_sqpfw_qr *qr, size_t k, size_t l);

/* Delete column k. */
void kith_sqpfw_qr_delete_column(struct kith_sqpfw_qr *qr, size_t k);

/* Delete a row; the last one takes its place. */
void kith_sqpfw_qr_delete_row(struct kith_sqpfw_qr *qr, size_t row);

/* Append the row a (m) to A, and an entry to r. */
void kith_sqpfw_qr_append_row(struct kith_sqpfw_qr *qr, const double *a, double entry);

/* Split another r (n): z = Q'r, d = r - Q z. */
void kith_sqpfw_qr_split(struct kith_sqpfw_qr *qr, const double *r);

/* r += factor times column k of A. */
void kith_sqpfw_qr_add_multiple(struct kith_sqpfw_qr *qr, size_t k, double factor);

/* Solve R y = z; z becomes y. */
void kith_sqpfw_qr_solve(const struct kith_sqpfw_qr *qr, double *z);

/* The shortest x with A'x = b; b (m) is overwritten, x padded. */
void kith_sqpfw_qr_least_norm(struct kith_sqpfw_qr *qr, double *b, double *x);

#endif
