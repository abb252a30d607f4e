/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/kernels - private to this room: loops over features and points, compiled for each
 * instruction set (la/level.h).  Every level gives the same bits.
 *
 * The row a of a pair is made of three points: point i, a neighbour j of i and its target r,
 *
 *	a_f = (x_jf - x_if)^2 - (x_rf - x_if)^2 = (x_jf - x_rf) ((x_jf - x_if) + (x_rf - x_if)).
 */
#ifndef KITH_SQPFW_KERNELS_H
#define KITH_SQPFW_KERNELS_H

#include "la/level.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KITH_SQPFW_PANEL = 16 }; /* points of a panel */

/* The features of the three points of a row a. */
struct kith_sqpfw_row {
	const double *i, *j, *r;
};

/* Entry f of a row. */
static inline double
kith_sqpfw_entry(const struct kith_sqpfw_row *a, size_t f)
{
	return (a->j[f] - a->r[f]) * ((a->j[f] - a->i[f]) + (a->r[f] - a->i[f]));
}

/* Rows a of a panel of points j: gaps a'w and squared norms |a|_h^2. */
struct kith_sqpfw_lanes {
	double gap[KITH_SQPFW_PANEL], norm2[KITH_SQPFW_PANEL];
};

/* What the points of a panel are compared with. */
struct kith_sqpfw_measure {
	const double *v; /* p x 3: x_if, (x_rf - x_if)^2 and h_f = w_f + floor */
	double floor;    /* w = h - floor */
	double sum_h;    /* sum of h_f */
	double inner;    /* added to the norm |a|_h */
	double most;     /* the largest key a'w / (|a|_h + inner) of interest */
};

/* The kernels.  Lengths n are multiples of 8 where nothing else is said. */
struct kith_sqpfw_kernels {
	/* z += a x; any length. */
	void (*axpy)(size_t n, double a, const double *x, double *z);

	/* (x, z) = (c x + s z, c z - s x); any length. */
	void (*rotate)(size_t n, double c, double s, double *x, double *z);

	/* out = (a'w, a'd). */
	void (*row_dot)(size_t n, const struct kith_sqpfw_row *a, const double *w, const double *d,
	    double out[2]);

	/*
	 * Returns |a|_h = sqrt(min over c of sum h_f (a_f - c)^2): the largest a'D over all D with
	 * 1'D = 0 and sum D_f^2 / h_f = 1.  *tiny: a may be nothing but rounding, so short is it
	 * beside the two vectors that it is the difference of.
	 */
	double (*row_norm)(size_t n, const struct kith_sqpfw_row *a, const double *h, bool *tiny);

	/* out += factor a. */
	void (*row_axpy)(size_t n, const struct kith_sqpfw_row *a, double factor, double *out);

	/* Returns sum (w_f + tau d_f - from_f)^2 / (from_f + floor). */
	double (*moved)(size_t n, const double *w, double tau, const double *d, const double *from,
	    double floor);

	/*
	 * Finds the gap and the norm of each point of a panel (p x 16: feature by feature).  Bit l
	 * of what it returns is set where the key of point l is at most `most`.
	 */
	uint64_t (*panel)(size_t p, const double *panel, const struct kith_sqpfw_measure *by,
	    struct kith_sqpfw_lanes *out);

	/*
	 * Finds the least of d_1 .. d_n and lists the j with d_j <= least + reach in `at` (n), in
	 * their order; returns how many.  d ends with INFINITY up to a multiple of 8.
	 */
	size_t (*nearest)(size_t n, const double *d, double reach, double *least, size_t *at);
};

KITH_KERNELS(kith_sqpfw_kernels)

#endif
