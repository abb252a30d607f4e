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

/* C = Q R, C n x m. */
struct kith_sqpfw_qr {
	size_t n, m, ld, room; /* rows, columns; length of a column of Q; columns allocated */
	double **Q;            /* room columns; Q[m] is scratch */
	double *R;             /* room x room, row by row */
	double *x;             /* room: scratch */
	struct kith_pool *pool;
};

void kith_sqpfw_qr_new(struct kith_sqpfw_qr *qr, size_t ld, struct kith_pool *pool);
double kith_sqpfw_qr_residual(struct kith_sqpfw_qr *qr, const double *a);
bool kith_sqpfw_qr_append_column(struct kith_sqpfw_qr *qr, const double *a, double dependent);
void kith_sqpfw_qr_delete_column(struct kith_sqpfw_qr *qr, size_t k);
void kith_sqpfw_qr_subtract_column(struct kith_sqpfw_qr *qr, size_t k, size_t l);
void kith_sqpfw_qr_append_row(struct kith_sqpfw_qr *qr, const double *a);
void kith_sqpfw_qr_delete_row(struct kith_sqpfw_qr *qr, size_t row);
double kith_sqpfw_qr_unit_residual2(const struct kith_sqpfw_qr *qr, size_t row);
void kith_sqpfw_qr_split(struct kith_sqpfw_qr *qr, const double *v, double *z, double *d);
void kith_sqpfw_qr_solve(const struct kith_sqpfw_qr *qr, double *z);
void kith_sqpfw_qr_least_norm(struct kith_sqpfw_qr *qr, double *b, double *x);

/* The problem of kith_sqpfw_hull(). */
struct kith_sqpfw_hull {
	size_t p, n;         /* entries, vectors */
	const double *A;     /* n x p, a vector a row */
	const size_t *group; /* n: 0, 1, ..., ascending */
	const double *b, *e; /* p; e > 0 */
	const bool *sided;   /* p: one-sided entries */
};

double kith_sqpfw_hull(const struct kith_sqpfw_hull *in, double enough, double *t, double *r);

#endif
