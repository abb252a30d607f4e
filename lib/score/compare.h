/* SPDX-License-Identifier: BSD-2-Clause */
/* score/compare - whether methods differ: two on the same rows, or several over data sets. */
#ifndef KITH_SCORE_COMPARE_H
#define KITH_SCORE_COMPARE_H

#include <stddef.h>

/*
 * A paired comparison: d are the losses of one predictor less those of another
 * on the same n >= 1 rows, row i counting w_i times, W = sum w > 0; w NULL: once.
 *
 *	difference  (sum w d) / W
 *	df          W - 1
 *	t           difference / (s / sqrt W), s^2 = sum w (d - difference)^2 / df
 *	p           the chance of a |t| as large, Student's t, two-sided
 *
 * Where all d are equal t is 0 and p 1 if they are 0, else t is infinite and
 * p 0.  A weight W of 1 or less has no variance: t and p are NaN.
 */
struct kith_score_paired {
	double difference, df, t, p;
};

void kith_score_paired(
    const long double *d, const double *w, size_t n, struct kith_score_paired *score);

/*
 * The probability that |T| >= |t|, T having Student's distribution with df > 0
 * degrees of freedom, a whole number or not:
 *
 *	p = I_x(df/2, 1/2)	x = df / (df + t^2)
 *
 * with the regularised incomplete beta function I (Abramowitz and Stegun,
 * Handbook of Mathematical Functions, 1964, 26.7.1 and 26.5.27).  To 14 digits
 * for df up to 1e6, also where p is tiny; 0 where it is below the least double.
 * Time O(sqrt(df)).
 */
double kith_student_tails(double t, double df);

/*
 * k methods compared over n data sets by their ranks (Demsar, Statistical
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
