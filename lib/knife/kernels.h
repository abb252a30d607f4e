/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/kernels - the inner loops of gradients, for each instruction set (la/level.h). */
#ifndef KITH_KNIFE_KERNELS_H
#define KITH_KNIFE_KERNELS_H

#include "la/level.h"

#include <stdbool.h>
#include <stddef.h>

struct knife_kernels {
	/*
	 * m_l = h_l by sum_o alpha_oi alpha_ol for n rows l and c outputs, which are ld apart; own
	 * points at alpha_0i, alpha at the first alpha_0l.
	 */
	void (*weigh_pairs)(size_t n, size_t c, size_t ld, double by, const double *own,
	    const double *alpha, const double *h, double *m);

	/* sum_j += sum_i x_ij y_ij for n rows of p numbers each. */
	void (*add_products)(size_t n, size_t p, const double *X, const double *Y, double *sum);

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
