/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/lsq - least squares: an updated QR factor, and shares on products of simplices.
 * Explained in lsq.c.
 */
#ifndef KITH_SQPFW_LSQ_H
#define KITH_SQPFW_LSQ_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

/* n rounded up to a multiple of 8, the unit of the kernels. */
static inline size_t
kith_sqpfw_pad(size_t n)
{
	return (n + 7) / 8 * 8;
}

/* C = Q R, C n x m, and a vector v = Q z + d with Q'd = 0, which is updated with C. */
struct kith_sqpfw_qr {
	size_t n, m, ld, room; /* rows, columns; length of a column of Q; columns allocated */
	double **Q;            /* room columns; Q[m] is scratch */
	double *R;             /* room x room, row by row */
	double *x;             /* room: scratch */
	double *z, *d;         /* room; ld, padded with 0 */
	struct kith_pool *pool;
};

void kith_sqpfw_qr_new(struct kith_sqpfw_qr *qr, size_t ld, struct kith_pool *pool);
double kith_sqpfw_qr_residual(struct kith_sqpfw_qr *qr, const double *a);
bool kith_sqpfw_qr_append_column(struct kith_sqpfw_qr *qr, const double *a, double dependent);
void kith_sqpfw_qr_delete_column(struct kith_sqpfw_qr *qr, size_t k);
void kith_sqpfw_qr_subtract_column(struct kith_sqpfw_qr *qr, size_t k, size_t l);
void kith_sqpfw_qr_append_row(struct kith_sqpfw_qr *qr, const double *a, double v);
void kith_sqpfw_qr_delete_row(struct kith_sqpfw_qr *qr, size_t row);
double kith_sqpfw_qr_unit_residual2(const struct kith_sqpfw_qr *qr, size_t row);
void kith_sqpfw_qr_split(struct kith_sqpfw_qr *qr, const double *v);
void kith_sqpfw_qr_add_multiple(struct kith_sqpfw_qr *qr, double factor, size_t k);
void kith_sqpfw_qr_solve(const struct kith_sqpfw_qr *qr, double *y);
void kith_sqpfw_qr_least_norm(struct kith_sqpfw_qr *qr, double *b, double *x);

/* The problem of kith_sqpfw_hull(). */
struct kith_sqpfw_hull {
	size_t p, n;         /* entries, vectors */
	const double **A;    /* n: vectors of p entries */
	const size_t *group; /* n: 0, 1, ..., ascending */
	const double *b, *e; /* p; e > 0 */
	const bool *sided;   /* p: one-sided entries */
	bool proposed;       /* t has shares to start from, of sum 1 in each group */
};

double kith_sqpfw_hull(const struct kith_sqpfw_hull *in, double enough, double *t, double *r);

#endif
