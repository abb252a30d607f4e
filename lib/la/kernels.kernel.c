/* SPDX-License-Identifier: BSD-2-Clause */
/* la/kernels - the inner loops that rooms share, compiled for each instruction set (la/level.h). */
#include "la/kernels.h"

#include "la/vector.h"

#include <math.h>
#include <string.h>

/* v += (w_j z_j) x_j for the numbers j..j+7 of p, or where not `whole` for those that there are. */
KITH_ALWAYS void
add_products(size_t j, bool whole, size_t p, const double *w, const double *z, const double *x,
    kith_vd v[KITH_PARTS])
{
	KITH_EACH_PART(h)
	{
		const size_t at = j + h * KITH_W;
		const kith_vd zs = kith_vd_load_of(z, at, p, whole);
		const kith_vd t = w ? kith_vd_load_of(w, at, p, whole) * zs : zs;

		v[h] += t * kith_vd_load_of(x, at, p, whole);
	}
}

static void
products(size_t p, const double *w, const double *z, const double *X, size_t n, double *s)
{
	const size_t whole = p / 8 * 8;

	for (size_t i = 0; i < n; i++, X += p) {
		kith_vd v[KITH_PARTS] = {{0}};

		for (size_t j = 0; j < whole; j += 8)
			add_products(j, true, p, w, z, X, v);
		if (whole < p)
			add_products(whole, false, p, w, z, X, v);
		s[i] = kith_vd_sum_parts(v);
	}
}

KITH_ALWAYS kith_vd
power(kith_vd x, size_t degree)
{
	kith_vd y = (kith_vd){0} + 1;

	for (size_t e = degree; e > 0; e /= 2) {
		if (e % 2 == 1)
			y *= x;
		x *= x;
	}
	return y;
}

static void
powers(size_t n, double a, double b, size_t degree, double *x)
{
	size_t i = 0;

	for (; i + KITH_W <= n; i += KITH_W)
		kith_vd_store(x + i, power(kith_vd_load(x + i) * a + b, degree));
	for (; i < n; i++)
		x[i] = power((kith_vd){0} + (x[i] * a + b), degree)[0];
}

/* Adds k rows at[0..k-1] to the sums of `vectors` vectors of columns. */
KITH_ALWAYS void
add_columns(size_t vectors, size_t p, bool absolute, size_t k, const size_t *at, const double *m,
    const double *x, const double *Z, double *sum)
{
	kith_vd v[4];

#pragma GCC unroll 4
	for (size_t h = 0; h < vectors; h++)
		v[h] = kith_vd_load(sum + h * KITH_W);
	for (size_t l = 0; l < k; l++) {
		/* NOLINTNEXTLINE(clang-analyzer-*): add_differences() has set at[0..k-1] */
		const double *z = Z + at[l] * p, ml = m[at[l]];

#pragma GCC unroll 4
		for (size_t h = 0; h < vectors; h++) {
			const kith_vd D = kith_vd_load(x + h * KITH_W) -
			    kith_vd_load(z + h * KITH_W);

			v[h] += absolute ? ml * kith_vd_abs(D) : ml * D * D;
		}
	}
#pragma GCC unroll 4
	for (size_t h = 0; h < vectors; h++)
		kith_vd_store(sum + h * KITH_W, v[h]);
}

enum {
	ROWS = 32, /* whose m_i are tested before their numbers are read */
	COLUMNS = 4 * KITH_W
};

static void
add_differences(size_t n, size_t p, bool absolute, const double *m, const double *x,
    const double *Z, double *sum)
{
	for (size_t from = 0; from < n; from += ROWS) {
		size_t at[ROWS], k = 0, j = 0;

		for (size_t i = from; i < n && i < from + ROWS; i++) {
			at[k] = i;
			k += m[i] != 0;
		}
		for (; j + COLUMNS <= p; j += COLUMNS)
			add_columns(4, p, absolute, k, at, m, x + j, Z + j, sum + j);
		for (; j + KITH_W <= p; j += KITH_W)
			add_columns(1, p, absolute, k, at, m, x + j, Z + j, sum + j);
		for (; j < p; j++)
			for (size_t l = 0; l < k; l++) {
				/* NOLINTNEXTLINE(clang-analyzer-*): at[l] is set */
				const double D = x[j] - Z[at[l] * p + j];

				sum[j] += absolute ? m[at[l]] * fabs(D) : m[at[l]] * D * D;
			}
	}
}

static void
multiply(size_t n, size_t b, size_t ld, const double *X, const double *S, double *out)
{
	memset(out, 0, n * ld * sizeof(*out));
	for (size_t r = 0; r < n; r += KITH_TILE_ROWS)
		for (size_t c = 0; c < ld; c += KITH_TILE_COLUMNS)
			kith_vd_add_tile(b, X + r * ld, ld, 1, S + c, ld, out + r * ld + c, ld);
}

/* ---- Exponentials ---- */

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

/* x between LEAST and MOST; NaN stays. */
KITH_ALWAYS kith_vd
clamp(kith_vd x)
{
	const kith_vd low = (kith_vd){0} + LEAST, high = (kith_vd){0} + MOST;
	const kith_vi below = x<low, above = x> high;

	return (kith_vd)(((kith_vi)low & below) | ((kith_vi)high & above) |
	    ((kith_vi)x & ~(below | above)));
}

/* 2^n, for whole n in -1022..1023. */
KITH_ALWAYS kith_vd
power_of_two(kith_vd n)
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

/* e^x */
KITH_ALWAYS kith_vd
exponential(kith_vd x)
{
	kith_vd n, n1, y;

	y = reduce(clamp(x), &n);
	n1 = (n * .5 + SHIFT) - SHIFT; /* 2^n, which may be no double, is 2^n1 2^(n - n1) */
	return y * power_of_two(n1) * power_of_two(n - n1);
}

/* a (x - shift) of the numbers from x on. */
KITH_ALWAYS kith_vd
load(const double *x, double shift, double a)
{
	return (kith_vd_load(x) - shift) * a;
}

static void
vexp(size_t n, const double *x, double shift, double a, double *y)
{
	double rest[KITH_W] = {0};
	size_t i = 0;

	for (; i + KITH_W <= n; i += KITH_W)
		kith_vd_store(y + i, exponential(load(x + i, shift, a)));
	if (i == n)
		return;
	memcpy(rest, x + i, (n - i) * sizeof(*x));
	kith_vd_store(rest, exponential(load(rest, shift, a)));
	memcpy(y + i, rest, (n - i) * sizeof(*y));
}

KITH_TABLE(kith_la_kernels) = {
    .products = products,
    .vexp = vexp,
    .powers = powers,
    .add_differences = add_differences,
    .multiply = multiply,
};
