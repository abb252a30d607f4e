/* SPDX-License-Identifier: BSD-2-Clause */
/* score/student - the tails of Student's t. */
#ifndef KITH_SCORE_STUDENT_H
#define KITH_SCORE_STUDENT_H

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

#endif
