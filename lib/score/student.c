/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. I_x(a, b) for x < (a + 1) / (a + b + 2) by its continued fraction; beyond,
 *    1 - I_{1-x}(b, a), whose fraction then converges (26.5.2).
 * 2. The fraction by the method of Lentz, modified by Thompson and Barnett
 *    (Coulomb and Bessel functions of complex arguments and order, 1986).
 * 3. Its factor x^a (1 - x)^b / (a B(a, b)) needs B(a, 1/2) alone:
 *    1 / B(a, 1/2) = Gamma(a + 1/2) / Gamma(a) / sqrt(pi), by its asymptotic series
 *    r(a) for large a, and for small a by r(a) = r(a + 1) a / (a + 1/2).
 */
#include "score/student.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>

enum {
	SMALL = 200,  /* a from which the asymptotic series serves */
	MOST = 100000 /* terms of the fraction; about sqrt(a) are needed */
};

static const long double pi = 3.14159265358979323846264338327950288L;

/* Gamma(a + 1/2) / Gamma(a) / sqrt(a) in powers of 1/a. */
static const long double series[] = {1, -1 / 8.L, 1 / 128.L, 5 / 1024.L, -21 / 32768.L,
    -399 / 262144.L, 869 / 4194304.L, 39325 / 33554432.L};

enum { SERIES = sizeof(series) / sizeof(*series) };

/* Gamma(a + 1/2) / Gamma(a), a > 0. */
static long double
gamma_ratio(long double a)
{
	long double r = 0, product = 1;

	for (; a < SMALL; a++)
		product *= a / (a + .5L);
	for (size_t i = SERIES; i-- > 0;)
		r = r / a + series[i];
	return product * r * sqrtl(a);
}

/* 1 / (1 + d_1 / (1 + d_2 / (1 + ...))), for I_x(a, b) (26.5.8). */
static long double
fraction(long double a, long double b, long double x)
{
	long double f = 1, c = 1, d = 0;

	for (size_t i = 1; i < MOST; i++) {
		const long double m = (long double)(i - i % 2) / 2;
		const long double n = i % 2
		    ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
		    : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		long double step;

		d = 1 / (1 + n * d);
		c = 1 + n / c;
		step = c * d;
		f *= step;
		if (fabsl(step - 1) < LDBL_EPSILON)
			break;
	}
	return 1 / f;
}

double
kith_student_tails(double t, double df)
{
	const long double n = df, t2 = (long double)t * t;
	const long double a = n / 2, b = .5L;
	/* x = n / (n + t^2) and y = 1 - x, neither by a subtraction. */
	const long double x = 1 / (1 + t2 / n), y = t2 / (n + t2);
	/* x^a y^b / B(a, b) */
	const long double factor = expl(-a * log1pl(t2 / n)) * sqrtl(y) * gamma_ratio(a) /
	    sqrtl(pi);

	assert(df > 0);
	if (isinf(t))
		return 0;
	/* Near 1, x has lost what y has; then p is not small for t^2 <= 8. */
	if (x < (a + 1) / (a + b + 2) && (t2 > 8 || n < 1000))
		return (double)(factor / a * fraction(a, b, x));
	return (double)(1 - factor / b * fraction(b, a, y));
}
