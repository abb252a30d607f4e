/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/moduli - sums of the laplacian kernel by features. */
#ifndef KITH_KNIFE_MODULI_H
#define KITH_KNIFE_MODULI_H

#include <stddef.h>

/* sum_j += m_l |x_j - z_lj| over the n rows z that follow each other from Z. */
void kith_knife_moduli(
    size_t n, size_t p, const double *m, const double *x, const double *Z, double *sum);

#endif
