/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine/platt - probabilities of classes from the outputs of machines.
 *
 * Platt (1999): with two classes, P(+1 | f) = 1 / (1 + exp(A f + B)), where A and
 * B minimise the cross-entropy, over rows that the machine has not learnt from,
 *
 *	F(A, B) = sum_i t_i z_i + log(1 + exp(-z_i)),   z_i = A f_i + B
 *	t_i = (N+ + 1) / (N+ + 2) of +1, 1 / (N- + 2) of -1
 *
 * N+ and N- being the numbers of rows: F is convex and has a minimum, also where
 * f tells all rows apart.  Lin, Lin and Weng (2007) minimise it by Newton's
 * method with a line search, without overflow or loss of digits.
 *
 * Wu, Lin and Weng (2004), their second method: of several classes, with r_gh the
 * probability of g where it is g or h, p minimises
 *
 *	sum_{g < h} (r_hg p_g - r_gh p_h)^2   where sum p = 1,
 *
 * which is solved exactly; all p are >= 0.
 */
#ifndef KITH_MACHINE_PLATT_H
#define KITH_MACHINE_PLATT_H

#include <stdbool.h>
#include <stddef.h>

struct kith_platt {
	double A, B;
};

/*
 * Fit A and B to n >= 1 outputs f, finite, and whether each is of +1.  Where all
 * f are equal, A is 0.  Sums run in the order of the rows.  Time O(n), times 10
 * or so.
 */
void kith_platt_fit(const double *f, const bool *plus, size_t n, struct kith_platt *fit);

/* 1 / (1 + exp(A f + B)), without overflow. */
double kith_platt_sigmoid(double A, double B, double f);

/*
 * Couple the probabilities r[g * c + h] of c >= 2 classes, r_gh + r_hg = 1, to p
 * (c); each r counts as within 1e-7 to 1 - 1e-7.  Time O(c^3).
 */
void kith_platt_couple(size_t c, const double *r, double *p);

#endif
