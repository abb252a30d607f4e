/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/kernels - rows of kernels at Z (knife/state.h). */
#ifndef KITH_KNIFE_KERNELS_H
#define KITH_KNIFE_KERNELS_H

#include "knife/state.h"

/* The kernels of some rows with others, of which Z and |z|^2 are given. */
struct kith_knife_pair {
	const struct kith_knife_state *state;
	const struct kith_kern *kern; /* of Z */
	size_t n;                     /* others */
	const double *Z, *size;       /* n x kept, n */
};

/*
 * K (n) of row i, where it holds the products of Z with the others, but for the
 * laplacian kernel; H (n), if that is not NULL, for the polynomial one.
 */
void kith_knife_kernels(const struct kith_knife_pair *pair, size_t i, double *K, double *H);

#endif
