/*
 * sqpfw/qr - a thin factor A = Q R (Q n x m with orthonormal columns, R upper
 * triangular) that gains and loses columns and rows, and with it the parts of a
 * vector r = Q z + d, d orthogonal to the columns.
 *
 * Each change takes time O(m (n + m)).  Columns of Q are padded with 0 to a
 * multiple of 8 rows.
 */
#ifndef KITH_SQPFW_QR_H
#define KITH_SQPFW_QR_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

struct kith_sqpfw_qr {
	size_t n, m;     /* rows, columns */
	size_t ld, most; /* room: of a column of Q, of columns */
	double **Q;      /* columns; two more than m serve as scratch */
	double *R;       /* row i from R + i * most on */
	double *z, *d;   /* most, ld: the parts of r */
	double *extra;   /* most: a row of R */
	bool last;       /* n = m + 1, and Q[m] is what is off the columns */
	struct kith_pool *pool;
};

/* A factor of n rows, no columns; n never exceeds this. */
struct kith_sqpfw_qr kith_sqpfw_qr_new(size_t n, struct kith_pool *pool);

/* No columns, and n rows. */
void kith_sqpfw_qr_clear(struct kith_sqpfw_qr *qr, size_t n);

/*
 * Append the column a (padded).  False, and nothing is changed, where what is
 * left of it off the columns held does not exceed least times its length.
 */
bool kith_sqpfw_qr_append(
    struct kith_sqpfw_qr *qr, const double *a, double least);

/* The length of what is left of a off the columns. */
double kith_sqpfw_qr_off(struct kith_sqpfw_qr *qr, const double *a);

/* The square of what is left of the unit vector of a row off the columns. */
double kith_sqpfw_qr_row_off(const struct kith_sqpfw_qr *qr, size_t row);

/* Subtract column k from column l > k. */
void kith_sqpfw_qr_subtract(struct kith_sqpfw_qr *qr, size_t k, size_t l);

/* Delete column k. */
void kith_sqpfw_qr_delete(struct kith_sqpfw_qr *qr, size_t k);

/* Delete a row; the last one takes its place. */
void kith_sqpfw_qr_leave(struct kith_sqpfw_qr *qr, size_t row);

/* Append the row a (m), and an entry to r. */
void kith_sqpfw_qr_enter(
    struct kith_sqpfw_qr *qr, const double *a, double more);

/* Let r be another (n). */
void kith_sqpfw_qr_set(struct kith_sqpfw_qr *qr, const double *r);

/* Add factor times column k to r. */
void kith_sqpfw_qr_add(struct kith_sqpfw_qr *qr, size_t k, double factor);

/* Solve R y = z; z becomes y. */
void kith_sqpfw_qr_solve(const struct kith_sqpfw_qr *qr, double *z);

/* The shortest x with A'x = b; b (m) is overwritten, x padded. */
void kith_sqpfw_qr_reach(struct kith_sqpfw_qr *qr, double *b, double *x);

#endif
