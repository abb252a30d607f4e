/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/alike.h"

#include "base/pool.h"
#include "la/mat.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>

/* Amounts are the same to this, relatively. */
#define SAME 1e-12

/* The largest error of a number that was rounded, relatively. */
#define ROUNDED (4 * DBL_EPSILON)

/* The exponents of a number's last and first binary digit; x is not 0. */
static void
digits(double x, int *last, int *first)
{
	int e;
	int64_t m = (int64_t)ldexp(frexp(fabs(x), &e), DBL_MANT_DIG);

	*first = e - 1;
	e -= DBL_MANT_DIG;
	for (; m % 2 == 0; m /= 2)
		e++;
	*last = e;
}

/* Whether all differences of the numbers of feature j are exact. */
static bool
is_exact(const struct kith_mat *X, size_t j)
{
	int last = INT_MAX, first = INT_MIN;

	for (size_t i = 0; i < X->n; i++) {
		const double x = kith_row(X, i)[j];
		int low, high;

		if (x == 0)
			continue;
		digits(x, &low, &high);
		last = low < last ? low : last;
		first = high > first ? high : first;
	}
	/* A difference has one digit more than the numbers. */
	return last == INT_MAX || first + 1 - last < DBL_MANT_DIG;
}

double *
kith_alike_rounding(const struct kith_mat *X, struct kith_pool *pool)
{
	double *rounding = kith_new(pool, X->p, sizeof(*rounding));

	for (size_t j = 0; j < X->p; j++)
		rounding[j] = is_exact(X, j) ? 0 : ROUNDED;
	return rounding;
}

bool
kith_alike_feature(double x, double a, double b, double rounding)
{
	const double u = fabs(x - a), v = fabs(x - b);

	return fabs(u - v) <=
	    SAME * fmax(u, v) + rounding * (fabs(x) + fmax(fabs(a), fabs(b)));
}

bool
kith_alike(size_t p, const double *x, const double *a, const double *b,
    const double *rounding)
{
	for (size_t j = 0; j < p; j++)
		if (!kith_alike_feature(x[j], a[j], b[j], rounding[j]))
			return false;
	return true;
}
