/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/kernels - the inner loops of relief, compiled for each instruction set (la/level.h).
 *
 * Each sum runs over columns or rows in increasing order, in a lane of its own, so that the width
 * of the registers does not change its bits.
 */
#include "relief/task.h"

#include "la/vector.h"

#include <math.h>

/* Vectors of sums that stay in registers beside what is added to them. */
enum { SUMS = KITH_VECTOR == 64 ? 4 : 8, ROWS = SUMS * KITH_W, COLUMNS = 4 * KITH_W };

static void
distances(size_t p, const double *w, const bool *text, const bool *skip, bool squares,
    const double *x, const double *tile, double *d)
{
	const kith_vd one = (kith_vd){0} + 1.0;

	for (size_t from = 0; from < RELIEF_TILE; from += ROWS) {
		kith_vd sum[SUMS] = {{0}};

		for (size_t a = 0; a < p; a++) {
			const double *z = tile + a * RELIEF_TILE + from;

			if (w[a] == 0 || skip[a])
				continue;
#pragma GCC unroll 8
			for (size_t h = 0; h < SUMS; h++) {
				const kith_vd D = kith_vd_load(z + h * KITH_W) - x[a];
				const kith_vd e = w[a] *
				    (text[a] ? (kith_vd)((kith_vi)one & (D != 0.0))
					     : kith_vd_abs(D));

				sum[h] += squares ? e * e : e;
			}
		}
#pragma GCC unroll 8
		for (size_t h = 0; h < SUMS; h++)
			kith_vd_store(d + from + h * KITH_W, sum[h]);
	}
}

/* sum_a += f_j |x_a - z_ja| for rows j = at[0..k-1] and `vectors` vectors of columns from a on. */
KITH_ALWAYS void
add_columns(size_t vectors, size_t a, size_t p, const double *x, const double *z, size_t k,
    const size_t *at, const double *f, double *sum)
{
	kith_vd v[4];

#pragma GCC unroll 4
	for (size_t h = 0; h < vectors; h++)
		v[h] = kith_vd_load(sum + a + h * KITH_W);
	for (size_t l = 0; l < k; l++) {
		/* NOLINTNEXTLINE(clang-analyzer-*): add_rows() has set at[0..k-1] */
		const double *zj = z + at[l] * p, fj = f[at[l]];

#pragma GCC unroll 4
		for (size_t h = 0, b = a; h < vectors; h++, b += KITH_W)
			v[h] += fj * kith_vd_abs(kith_vd_load(x + b) - kith_vd_load(zj + b));
	}
#pragma GCC unroll 4
	for (size_t h = 0; h < vectors; h++)
		kith_vd_store(sum + a + h * KITH_W, v[h]);
}

static void
add_rows(size_t p, const double *x, const double *z, size_t n, const double *f, double *sum)
{
	size_t at[RELIEF_TILE], k = 0, a = 0;

	for (size_t j = 0; j < n; j++) {
		at[k] = j;
		k += f[j] != 0;
	}
	for (; a + COLUMNS <= p; a += COLUMNS)
		add_columns(4, a, p, x, z, k, at, f, sum);
	for (; a + KITH_W <= p; a += KITH_W)
		add_columns(1, a, p, x, z, k, at, f, sum);
	for (; a < p; a++)
		for (size_t l = 0; l < k; l++) /* NOLINTNEXTLINE(clang-analyzer-*): at[l] is set */
			sum[a] += f[at[l]] * fabs(x[a] - z[at[l] * p + a]);
}

static void
add_gradient(
    size_t ld, size_t i, size_t k, const size_t *at, const double *G, const double *Z, double *M)
{
	const double *z = Z + i * ld;
	double *m = M + i * ld;

	for (size_t l = 0; l < k; l++) {
		const double *zj = Z + at[l] * ld;
		double *mj = M + at[l] * ld;

		for (size_t a = 0; a < ld; a += KITH_W) {
			const kith_vd D = G[l] * (kith_vd_load(z + a) - kith_vd_load(zj + a));

			kith_vd_store(m + a, kith_vd_load(m + a) + D);
			kith_vd_store(mj + a, kith_vd_load(mj + a) - D);
		}
	}
}

KITH_TABLE(kith_relief_kernels) = {
    .distances = distances, .add_rows = add_rows, .add_gradient = add_gradient};
