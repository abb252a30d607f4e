/* SPDX-License-Identifier: BSD-2-Clause */
#include "la/vexp.h"

#include "la/simd.h"

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

/* For n beyond this, 2^n is made in two steps; for |x| below NEAR n is not. */
#define STEP 1000.0
#define NEAR 690.0

/* So many numbers are looked at together. */
enum { BLOCK = 64 };

/* Written out: vectors of the compiler compare number by number. */
KITH_INLINE void
clamp(kith_v8d *x, double least, double most)
{
	double a[8] __attribute__((aligned(64))) = {0};

	*(kith_v8d *)a = *x;
	for (int i = 0; i < 8; i++) {
		a[i] = a[i] < least ? least : a[i];
		a[i] = a[i] > most ? most : a[i];
	}
	*x = *(kith_v8d *)a;
}

/* 2^n, for whole n in -1022..1023. */
KITH_INLINE void
power(kith_v8d *s, const kith_v8d *n)
{
	*s = (kith_v8d)((kith_v8i)(*n + (SHIFT + 1023)) << 52);
}

/* sum_{i >= 2} r^i / i!, to 2^-57. */
KITH_INLINE void
tail(kith_v8d *q, const kith_v8d *r)
{
	const kith_v8d r1 = *r, r2 = r1 * r1, r4 = r2 * r2;
	const kith_v8d a = 1.0 / 2 + r1 * (1.0 / 6);
	const kith_v8d b = 1.0 / 24 + r1 * (1.0 / 120);
	const kith_v8d c = 1.0 / 720 + r1 * (1.0 / 5040);
	const kith_v8d d = 1.0 / 40320 + r1 * (1.0 / 362880);
	const kith_v8d e = 1.0 / 3628800 + r1 * (1.0 / 39916800);
	const kith_v8d f = 1.0 / 479001600 + r1 * (1.0 / 6227020800);

	*q = r2 * ((a + r2 * b) + r4 * ((c + r2 * d) + r4 * (e + r2 * f)));
}

/* n = x / log 2, rounded, and y = e^(x - n log 2). */
KITH_INLINE void
reduce(kith_v8d *n, kith_v8d *y, const kith_v8d *x)
{
	kith_v8d hi, lo, r, q;

	*n = (*x * LOG2E + SHIFT) - SHIFT;
	hi = *x - *n * LN2_HI;
	lo = *n * LN2_LO;
	r = hi - lo;
	tail(&q, &r);
	*y = 1.0 + r; /* what it loses goes to the end of the sum */
	*y += (r - (*y - 1.0)) + (q + ((hi - r) - lo));
}

KITH_INLINE void
exp8(kith_v8d_at *to, const kith_v8d_at *from)
{
	kith_v8d x = *from, n, n1, n2, y, s1, s2;

	clamp(&x, LEAST, MOST);
	reduce(&n, &y, &x);
	n1 = n;
	clamp(&n1, -STEP, STEP);
	n2 = n - n1;
	power(&s1, &n1);
	power(&s2, &n2);
	*to = y * s1 * s2;
}

/* The same for |x| < NEAR, where s2 is 1. */
KITH_INLINE void
exp8_near(kith_v8d_at *to, const kith_v8d_at *from)
{
	const kith_v8d x = *from;
	kith_v8d n, y, s1;

	reduce(&n, &y, &x);
	power(&s1, &n);
	*to = y * s1;
}

/* Whether all |x| of a block are below NEAR, and none is NaN: by their bits. */
KITH_INLINE bool
is_near(const double *x)
{
	const union {
		double x;
		int64_t bits;
	} limit = {NEAR};
	kith_v8i far = {0};
	int64_t any = 0;

	for (size_t k = 0; k < BLOCK; k += 8)
		far |= ((kith_v8i) * (const kith_v8d_at *)(x + k) & INT64_MAX) >= limit.bits;
	for (size_t k = 0; k < 8; k++)
		any |= far[k];
	return any == 0;
}

static void
vexp(size_t n, const double *x, double *y)
{
	double rest[8] = {0};
	size_t i = 0;

	for (; i + BLOCK <= n; i += BLOCK) {
		const bool near = is_near(x + i);

		for (size_t k = i; k < i + BLOCK && near; k += 8)
			exp8_near((kith_v8d_at *)(y + k), (const kith_v8d_at *)(x + k));
		for (size_t k = i; k < i + BLOCK && !near; k += 8)
			exp8((kith_v8d_at *)(y + k), (const kith_v8d_at *)(x + k));
	}
	for (; i + 8 <= n; i += 8)
		exp8((kith_v8d_at *)(y + i), (const kith_v8d_at *)(x + i));
	if (i == n)
		return;
	memcpy(rest, x + i, (n - i) * sizeof(*x));
	exp8((kith_v8d_at *)rest, (const kith_v8d_at *)rest);
	memcpy(y + i, rest, (n - i) * sizeof(*y));
}

KITH_TABLE(kith_vexp_kernels) = {.vexp = vexp};
