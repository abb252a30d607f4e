/* SPDX-License-Identifier: BSD-2-Clause */
/* ratio/kernels - private to this room: an inner loop, compiled for each instruction set. */
#ifndef KITH_RATIO_KERNELS_H
#define KITH_RATIO_KERNELS_H

#include "la/level.h"

#include <stddef.h>

/* The function that is compiled for each instruction set (ratio/kernels.kernel.c). */
struct kith_ratio_kernels {
	/*
	 * out = phi S, for rows phi, a multiple of 4; S has b rows.  Rows have ld numbers, a
	 * multiple of 8, of which those from b on are 0.
	 */
	void (*multiply)(
	    size_t rows, size_t b, size_t ld, const double *phi, const double *S, double *out);
};

KITH_KERNELS(kith_ratio_kernels)

#endif
