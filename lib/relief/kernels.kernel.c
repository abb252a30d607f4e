/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/kernels - the inner loop of relief, compiled for each instruction set (la/level.h).
 *
 * Each sum runs over columns in increasing order, in a lane of its own, so that the width
 * of the registers does not change its bits.
 */
#include "relief/task.h"

#include "la/vector.h"

/* Vectors of sums that stay in registers beside what is added to them. */
enum { SUMS = KITH_VECTOR == 64 ? 4 : 8, ROWS = SUMS * KITH_W };

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

KITH_TABLE(kith_relief_kernels) = {.distances = distances};
