/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ratio/kernels - the inner loops of ratio, compiled for each instruction set (la/level.h).  Sums
 * over centres run in eight lanes, all others in one order: all levels give the same bits.
 */
#include "ratio/kernels.h"

#include "la/vector.h"

#include <math.h>

enum {
	FOUR = 4,
	VECTORS = KITH_PARTS > 1 ? 2 : 1, /* FOUR x VECTORS sums stay in registers */
	WIDE = VECTORS * KITH_W
};

static void
add_products(size_t b, size_t ld, const double *phi, double *H)
{
	for (size_t a = 0; a < b; a++)
		for (size_t c = a / KITH_W * KITH_W; c < ld; c += KITH_W) {
			kith_vd sum = kith_vd_load(H + a * ld + c);

#pragma GCC unroll 4
			for (size_t r = 0; r < FOUR; r++)
				sum += phi[r * ld + a] * kith_vd_load(phi + r * ld + c);
			kith_vd_store(H + a * ld + c, sum);
		}
}

/* FOUR rows of WIDE numbers of phi S. */
KITH_ALWAYS void
multiply_tile(size_t b, size_t ld, const double *phi, const double *S, double *out)
{
	kith_vd sum[FOUR][VECTORS] = {{{0}}};

	for (size_t l = 0; l < b; l++) {
#pragma GCC unroll 4
		for (size_t r = 0; r < FOUR; r++) {
#pragma GCC unroll 2
			for (size_t h = 0; h < VECTORS; h++)
				sum[r][h] += phi[r * ld + l] *
				    kith_vd_load(S + l * ld + h * KITH_W);
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
multiply(size_t rows, size_t b, size_t ld, const double *phi, const double *S, double *out)
{
	for (size_t r = 0; r < rows; r += FOUR)
		for (size_t c = 0; c < ld; c += WIDE)
			multiply_tile(b, ld, phi + r * ld, S + c, out + r * ld + c);
}

static double
score(size_t ld, const struct kith_ratio_pair *p)
{
	const double m = p->m;
	/* s (n - 1 - u' G^-1 u) = u' q, q = (m g - V) / (m - 1) */
	const double rest = p->n - 1 - kith_vd_dot(ld, p->u, p->U);
	const double s = (m * kith_vd_dot(ld, p->u, p->g) - kith_vd_dot(ld, p->u, p->V)) / (m - 1) /
	    rest;
	kith_vd at_x[KITH_PARTS] = {{0}}, at_z[KITH_PARTS] = {{0}};
	double f;

	if (!(rest > 0))
		return NAN;
	for (size_t l = 0; l < ld; l += 8)
		KITH_EACH_PART(h)
		{
			const size_t k = l + h * KITH_W;
			const kith_vd q = (m * kith_vd_load(p->g + k) - kith_vd_load(p->V + k)) /
			    (m - 1);
			const kith_vd alpha = q + s * kith_vd_load(p->U + k);
			const kith_vd a = (kith_vd)((kith_vi)alpha & (alpha > 0));

			at_x[h] += a * kith_vd_load(p->u + k);
			at_z[h] += a * kith_vd_load(p->v + k);
		}
	f = kith_vd_sum_parts(at_x);
	return f * f / 2 - kith_vd_sum_parts(at_z);
}

KITH_TABLE(kith_ratio_kernels) = {
    .add_products = add_products,
    .multiply = multiply,
    .score = score,
};
