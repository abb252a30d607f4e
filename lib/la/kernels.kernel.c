/* SPDX-License-Identifier: BSD-2-Clause */
/* la/kernels - the inner loops that rooms share, compiled for each instruction set (la/level.h). */
#include "la/kernels.h"

#include "la/vector.h"

#include <stdbool.h>

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

enum {
	FOUR = 4,
	VECTORS = KITH_PARTS > 1 ? 2 : 1, /* FOUR x VECTORS sums stay in registers */
	WIDE = VECTORS * KITH_W
};

/* FOUR rows of WIDE numbers of X S. */
KITH_ALWAYS void
multiply_tile(size_t b, size_t ld, const double *X, const double *S, double *out)
{
	kith_vd sum[FOUR][VECTORS] = {{{0}}};

	for (size_t l = 0; l < b; l++) {
#pragma GCC unroll 4
		for (size_t r = 0; r < FOUR; r++) {
#pragma GCC unroll 2
			for (size_t h = 0; h < VECTORS; h++)
				sum[r][h] += X[r * ld + l] * kith_vd_load(S + l * ld + h * KITH_W);
		}
	}
#pragma GCC unroll 4
	for (size_t r = 0; r < FOUR; r++) {
#pragma GCC unroll 2
		for (size_t h = 0; h < VECTORS; h++)
			kith_vd_store(out + r * ld + h * KITH_W, sum[r][h]);
	}
}

static void
multiply(size_t n, size_t b, size_t ld, const double *X, const double *S, double *out)
{
	for (size_t r = 0; r < n; r += FOUR)
		for (size_t c = 0; c < ld; c += WIDE)
			multiply_tile(b, ld, X + r * ld, S + c, out + r * ld + c);
}

KITH_TABLE(kith_la_kernels) = {
    .products = products,
    .powers = powers,
    .multiply = multiply,
};
