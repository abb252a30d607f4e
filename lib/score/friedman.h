/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * score/friedman - k methods compared over n data sets by their ranks (Demsar, Statistical
 * comparisons of classifiers over multiple data sets, 2006, sections 3.2.2 and 3.2.3).
 *
 *	r_ij      the rank of method j on set i: 1 for the least x_ij, and equal ones share
 *	          the mean of their ranks
 *	R_j       (sum_i r_ij) / n
 *	chi2      12 n / (k (k + 1) c) sum_j (R_j - (k + 1) / 2)^2 (Friedman 1937), where
 *	          c = 1 - sum over all ties of t methods of (t^3 - t) / (n (k^3 - k)) corrects
 *	          for ties (Conover 1999); 0 where all methods are tied on every set
 *	p         the chance of a chi2 as large for equal methods: chi-square, k - 1 degrees
 *	critical  Nemenyi's difference of two R at the level .05:
 *	          q sqrt(k (k + 1) / (12 n)), q the .95 quantile of the range of k normal
 *	          numbers (the studentized range with infinitely many degrees)
 */
#ifndef KITH_SCORE_FRIEDMAN_H
#define KITH_SCORE_FRIEDMAN_H

#include <stddef.h>

struct kith_friedman {
	double *rank; /* R, k of them, in the caller's memory */
	double chi2, p, critical;
};

/*
 * Compares k >= 2 methods on n >= 1 sets; x is n x k, finite, smaller being better.  Numbers
 * that differ by 1e-13 of their size, as means do by rounding, are equal.
 * Time O(n k log k + 1e5 log k).
 */
void kith_friedman(const double *x, size_t n, size_t k, struct kith_friedman *test);

/* The probability that chi-square with df >= 1 degrees of freedom is x >= 0 or more. */
double kith_chi2_tail(double x, size_t df);

/* The .95 quantile of the range of k >= 2 normal numbers, to 12 digits. */
double kith_range_quantile(size_t k);

#endif
