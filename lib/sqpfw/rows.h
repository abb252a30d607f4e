/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/rows - the rows of the constraints of pairs, and sums over features.
 *
 * The row of a pair (i, j) whose target is r is a = eps_ij - eps_ir, feature by
 * feature (x_j - x_r) ((x_j - x_i) + (x_r - x_i)): no difference of squares, so
 * that near rows keep their digits.
 *
 * Lengths are multiples of 8; what lies behind the features is 0.  Every
 * instruction set gives the same bits.
 */
#ifndef KITH_SQPFW_ROWS_H
#define KITH_SQPFW_ROWS_H

#include "la/vec.h"

/* The points i, j and r that make a row. */
struct kith_sqpfw_row {
	const double *i, *j, *r;
};

/* n, rounded up to a multiple of 8. */
static inline size_t
kith_sqpfw_padded(size_t n)
{
	return (n + 7) / 8 * 8;
}

/* max |x_f| */
static inline double
kith_sqpfw_largest(const double *x, size_t n)
{
	double most = 0;

	for (size_t f = 0; f < n; f++)
		most = kith_larger(most, fabs(x[f]));
	return most;
}

/* out[0] = a'w and out[1] = a'd. */
void kith_sqpfw_rows_dot(
    size_t n, const struct kith_sqpfw_row *row, const double *w, const double *d, double out[2]);

/* out[0] = a'm and out[1] = sum |a_f| h_f: a'w is within out[1] of out[0] where
 * each |w_f - m_f| <= h_f. */
void kith_sqpfw_rows_range(
    size_t n, const struct kith_sqpfw_row *row, const double *m, const double *h, double out[2]);

/*
 * |a|, the most that a'D is for sum D^2 / h = 1 and 1'D = 0: the root of the
 * least of sum h (a - c)^2 over c.  Its negative where a is so small beside
 * what it is the difference of that it may be nothing but rounding.
 */
double kith_sqpfw_rows_norm(size_t n, const struct kith_sqpfw_row *row, const double *h);

/* out = a, or out += factor a. */
void kith_sqpfw_rows_fill(size_t n, const struct kith_sqpfw_row *row, double *out);
void kith_sqpfw_rows_axpy(size_t n, const struct kith_sqpfw_row *row, double factor, double *out);

/* out += factor (a - c)^2, with the c of the norm. */
void kith_sqpfw_rows_add_variance(
    size_t n, const struct kith_sqpfw_row *row, const double *h, double factor, double *out);

/* sum (w + tau d - from)^2 / (from + floor) */
double kith_sqpfw_scaled_distance2(
    size_t n, const double *w, double tau, const double *d, const double *from, double floor);

/*
 * 1 / sqrt(max scale / (from + floor)): the least length sqrt(sum D^2 / scale)
 * of a D with sum D^2 / (from + floor) = 1.
 */
double kith_sqpfw_length_ratio(size_t n, const double *scale, const double *from, double floor);

/* x'y, y += a x; and x = c x + s y, y = c y - s x at once, of any length. */
double kith_sqpfw_dot(size_t n, const double *x, const double *y);
void kith_sqpfw_axpy(size_t n, double a, const double *x, double *y);
/* y += a x, and then z'y, in one pass; the bits are those of two. */
double kith_sqpfw_axpy_dot(size_t n, double a, const double *x, double *y, const double *z);
void kith_sqpfw_rotate(size_t n, double c, double s, double *x, double *y);

#endif
