/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/kernels - the inner loops of gradients, compiled for each instruction set (la/level.h).
 *
 * Each sum is a lane of its own, so that the width of the registers does not change its bits.
 */
#include "knife/kernels.h"

#include "la/vector.h"

#include <math.h>

/* Rows whose places are listed at once; features of four vectors. */
enum { ROWS = 128, COLUMNS = 4 * KITH_W };

/* The features from j on that fill `vectors` vectors, for k rows listed in `at`. */
KITH_ALWAYS void
add_features(size_t vectors, size_t j, size_t p, bool absolute, size_t k, const size_t *at,
    const double *m, const double *x, const double *Z, double *sum)
{
	kith_vd v[4], own[4];

#pragma GCC unroll 4
	for (size_t h = 0; h < vectors; h++) {
		v[h] = kith_vd_load(sum + j + h * KITH_W);
		own[h] = kith_vd_load(x + j + h * KITH_W);
	}
	for (size_t l = 0; l < k; l++) {
		/* NOLINTNEXTLINE(clang-analyzer-*): the caller has set at[0..k-1] */
		const double *z = Z + at[l] * p + j, ml = m[at[l]];

#pragma GCC unroll 4
		for (size_t h = 0; h < vectors; h++) {
			const kith_vd D = own[h] - kith_vd_load(z + h * KITH_W);

			v[h] += absolute ? ml * kith_vd_abs(D) : ml * D * D;
		}
	}
#pragma GCC unroll 4
	for (size_t h = 0; h < vectors; h++)
		kith_vd_store(sum + j + h * KITH_W, v[h]);
}

KITH_ALWAYS void
add_rows(size_t p, bool absolute, size_t k, const size_t *at, const double *m, const double *x,
    const double *Z, double *sum)
{
	size_t j = 0;

	for (; j + COLUMNS <= p; j += COLUMNS)
		add_features(4, j, p, absolute, k, at, m, x, Z, sum);
	for (; j + KITH_W <= p; j += KITH_W)
		add_features(1, j, p, absolute, k, at, m, x, Z, sum);
	for (; j < p; j++)
		for (size_t l = 0; l < k;
		     l++) { /* NOLINTNEXTLINE(clang-analyzer-*): at[l] is set */
			const double D = x[j] - Z[at[l] * p + j];

			sum[j] += absolute ? m[at[l]] * fabs(D) : m[at[l]] * D * D;
		}
}

/* Rows with m_l = 0 are skipped. */
static void
add_differences(size_t n, size_t p, bool absolute, const double *m, const double *x,
    const double *Z, double *sum)
{
	size_t at[ROWS];

	for (size_t from = 0; from < n; from += ROWS) {
		size_t k = 0;

		for (size_t l = from; l < n && l < from + ROWS; l++) {
			at[k] = l;
			k += m[l] != 0;
		}
		if (absolute)
			add_rows(p, true, k, at, m, x, Z, sum);
		else
			add_rows(p, false, k, at, m, x, Z, sum);
	}
}

KITH_TABLE(knife_kernels) = {add_differences};
