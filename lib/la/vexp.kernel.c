/* SPDX-License-Identifier: BSD-2-Clause */
#include "la/vexp.h"

#include "la/vector.h"

#include <stdbool.h>
#include <string.h>

/*
 * e^x = 2^n e^r with n = x / log 2 rounded, |r| <= log(2)/2.  Adding SHIFT
 * rounds to a whole number, whose bits are then the lowest of the sum.
 * log 2 = LN2_HI + LN2_LO, and n LN2_HI is exact.
 */
#define SHIFT 0x1.8p52
#define LOG2E 0x1.71547652b82fep0
#define LN2_HI 0x1.62e42feep-1
#define LN2_LO 0x1.a39ef35793c76p-33

/* Beyond these, e^x is 0 or inf. */
#define LEAST (-746.0)
#define MOST 710.0

/* Where |n| exceeds STEP, 2^n is the product of two powers; it does not for |x| < NEAR. */
#define STEP 1000.0
#define NEAR 690.0

/* Numbers that are tested together for |x| < NEAR. */
enum { BLOCK = 64 };

/* x between least and most; NaN stays. */
KITH_ALWAYS kith_vd
clamp(kith_vd x, double least, double most)
{
	const kith_vd low = (kith_vd){0} + least, high = (kith_vd){0} + most;
	const kith_vi below = (x < low);
	const kith_vi above = (x > high);

	return (kith_vd)(((kith_vi)low & below) | ((kith_vi)high & above) |
	    ((kith_vi)x & ~(below | above)));
}

/* 2^n, for whole n in -1022..1023. */
KITH_ALWAYS kith_vd
power(kith_vd n)
{
	return (kith_vd)((kith_vi)(n + (SHIFT + 1023)) << 52);
}

/* sum_{i >= 2} r^i / i!, to 2^-57. */
KITH_ALWAYS kith_vd
tail(kith_vd r)
{
	const kith_vd r2 = r * r, r4 = r2 * r2;
	const kith_vd a = 1.0 / 2 + r * (1.0 / 6);
	const kith_vd b = 1.0 / 24 + r * (1.0 / 120);
	const kith_vd c = 1.0 / 720 + r * (1.0 / 5040);
	const kith_vd d = 1.0 / 40320 + r * (1.0 / 362880);
	const kith_vd e = 1.0 / 3628800 + r * (1.0 / 39916800);
	const kith_vd f = 1.0 / 479001600 + r * (1.0 / 6227020800);

	return r2 * ((a + r2 * b) + r4 * ((c + r2 * d) + r4 * (e + r2 * f)));
}

/* n = x / log 2, rounded; returns e^(x - n log 2). */
KITH_ALWAYS kith_vd
reduce(kith_vd x, kith_vd *n)
{
	kith_vd hi, lo, r, y;

	*n = (x * LOG2E + SHIFT) - SHIFT;
	hi = x - *n * LN2_HI;
	lo = *n * LN2_LO;
	r = hi - lo;
	y = 1.0 + r; /* the digits that y loses are added to the end of the sum */
	return y + ((r - (y - 1.0)) + (tail(r) + ((hi - r) - lo)));
}

/* e^x of any x. */
KITH_ALWAYS kith_vd
exp_any(kith_vd x)
{
	kith_vd n, n1, y;

	y = reduce(clamp(x, LEAST, MOST), &n);
	n1 = clamp(n, -STEP, STEP);
	return y * power(n1) * power(n - n1);
}

/* e^x for |x| < NEAR, where |n| < STEP. */
KITH_ALWAYS kith_vd
exp_near(kith_vd x)
{
	kith_vd n;
	const kith_vd y = reduce(x, &n);

	return y * power(n);
}

/* a (x - shift) of the numbers from x on. */
KITH_ALWAYS kith_vd
load(const double *x, double shift, double a)
{
	return (kith_vd_load(x) - shift) * a;
}

/* Whether all |a (x - shift)| of a block are below NEAR, and none is NaN. */
KITH_ALWAYS bool
is_near(const double *x, double shift, double a)
{
	const kith_vd limit = (kith_vd){0} + NEAR;
	kith_vi near = ~(kith_vi){0};
	int64_t all = -1;

	for (size_t k = 0; k < BLOCK; k += KITH_W)
		near &= kith_vd_abs(load(x + k, shift, a)) < limit;
	for (size_t k = 0; k < KITH_W; k++)
		all &= near[k];
	return all != 0;
}

static void
vexp(size_t n, const double *x, double shift, double a, double *y)
{
	double rest[KITH_W] = {0};
	size_t i = 0;

	for (; i + BLOCK <= n; i += BLOCK) {
		const bool near = is_near(x + i, shift, a);

		for (size_t k = i; k < i + BLOCK && near; k += KITH_W)
			kith_vd_store(y + k, exp_near(load(x + k, shift, a)));
		for (size_t k = i; k < i + BLOCK && !near; k += KITH_W)
			kith_vd_store(y + k, exp_any(load(x + k, shift, a)));
	}
	for (; i + KITH_W <= n; i += KITH_W)
		kith_vd_store(y + i, exp_any(load(x + i, shift, a)));
	if (i == n)
		return;
	memcpy(rest, x + i, (n - i) * sizeof(*x));
	kith_vd_store(rest, exp_any(load(rest, shift, a)));
	memcpy(y + i, rest, (n - i) * sizeof(*y));
}

KITH_TABLE(kith_vexp_kernels) = {.vexp = vexp};
