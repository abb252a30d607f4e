/* SPDX-License-Identifier: BSD-2-Clause */
/* wsvm/kernels - private to this room: the inner loops, compiled for each instruction set. */
#ifndef KITH_WSVM_KERNELS_H
#define KITH_WSVM_KERNELS_H

#include "la/level.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Where row i of a triangle begins, whose rows follow each other: i numbers left of the diagonal,
 * and zeros up to the next multiple of 8.
 */
static inline size_t
kith_wsvm_row_start(size_t i)
{
	const size_t eights = i / 8; /* 8 rows each of 8, 16, ..., 8 eights numbers come before */

	return 32 * eights * (eights + 1) + i % 8 * 8 * (eights + 1);
}

/* Sums over the variables v at a bound, whose alpha is value_v + h rate_v (wsvm/engine.h). */
struct kith_wsvm_sums {
	double e[2];             /* of e_v alpha_v, and of e_v rate_v */
	double lost;             /* what e[0] lacks by the rounding of its additions */
	double alphas;           /* of |alpha_v| */
	double size, rates;      /* of norm_v |alpha_v|, and of norm_v |rate_v| */
	double energy, energies; /* of unit^2 rate_v e_v f_rate, and of their absolute values */
};

/* The functions that are compiled for each instruction set (wsvm/kernels.kernel.c). */
struct kith_wsvm_kernels {
	/* u += a x and, unless v is NULL, v += b x or, if `sizes`, b |x|, for n numbers. */
	void (*add)(
	    size_t n, const double *x, double a, double b, bool sizes, double *u, double *v);

	/*
	 * out = Q x and, unless z is NULL, out_z = Q z, for a symmetric matrix Q of n rows: its
	 * diagonal, and of row i from Q + kith_wsvm_row_start(i) on the i numbers before the
	 * diagonal, and zeros up to the next multiple of 8.  x and z have zeros, and out and out_z
	 * room, up to there.
	 */
	void (*multiply)(size_t n, const double *Q, const double *diagonal, const double *x,
	    const double *z, double *out, double *out_z);

	/*
	 * f_i += sum_s row_i[s] x_s and, unless h is NULL, h_i += sum_s row_i[s] z_s, over `width`
	 * numbers, a multiple of 8, of n rows i, row_i = rows + i ld: item[0..n-1], or where item
	 * is NULL 0..n-1.  z has to hold numbers where h is NULL, too.
	 */
	void (*score)(size_t n, const size_t *item, size_t width, const double *rows, size_t ld,
	    const double *x, const double *z, double *f, double *h);

	/* Lists the v of 0..N-1 with slack_v <= reach_v length + shift; returns their number. */
	size_t (*find_due)(size_t N, const double *slack, const double *reach, double length,
	    double shift, size_t *list);

	/* The sums over N variables; f_rate is indexed by item[v]. */
	struct kith_wsvm_sums (*sum)(size_t N, double h, double unit, const double *value,
	    const double *rate, const double *e, const double *norm, const double *f_rate,
	    const size_t *item);

	/*
	 * In the last three functions n is a multiple of 8.  The first c of 0..n-1 with the largest
	 * gain_c + open_c, or n if all are -infinity.
	 */
	size_t (*find_largest)(size_t n, const double *gain, const double *open);

	/*
	 * With d_c = top - gain_c + open_c and a_c = Q + Q_c - 2 K[item_c], least where a_c is not
	 * above `least Q`: the first c with d_c > 0 and the largest d_c^2 / a_c, or n; the largest
	 * d_c into *gap.
	 */
	size_t (*find_partner)(size_t n, double top, const double *gain, const double *open,
	    double Q, const double *Q_c, const double *K, const size_t *item, double least,
	    double *gap);

	/* gain_c -= t (K[item_c] - L[item_c]), for c of 0..n-1. */
	void (*update_gains)(
	    size_t n, double t, const double *K, const double *L, const size_t *item, double *gain);
};

KITH_KERNELS(kith_wsvm_kernels)

#endif
