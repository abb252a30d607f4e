/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/kernels - the inner loops of gradients, for each instruction set (la/level.h). */
#ifndef KITH_KNIFE_KERNELS_H
#define KITH_KNIFE_KERNELS_H

#include "la/level.h"

#include <stdbool.h>
#include <stddef.h>

struct knife_kernels {
	/*
	 * sum_j += sum_l m_l |x_j - z_lj| where absolute, else sum_l m_l (x_j - z_lj)^2, for p
	 * features j and n rows z_l, stored one after another from Z on.  Terms are added in the
	 * order of the rows.
	 */
	void (*add_differences)(size_t n, size_t p, bool absolute, const double *m, const double *x,
	    const double *Z, double *sum);
};

KITH_KERNELS(knife_kernels)

#endif
