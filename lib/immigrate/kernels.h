/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/kernels - private to this room: the inner loops over pairs of rows, compiled for each
 * instruction set.
 */
#ifndef KITH_IMMIGRATE_KERNELS_H
#define KITH_IMMIGRATE_KERNELS_H

#include "la/level.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	KITH_TILE = 64,        /* rows of a tile: 64 x 64 distances are 32 KB */
	KITH_PAIR_BLOCK = 256, /* pairs of rows of one matrix product */
	/* Distance of two features in a block of pairs; not a power of two, with which all features
	   would share few sets of the cache. */
	KITH_PAIR_LD = KITH_PAIR_BLOCK + 8
};

/* The softmax of -d/sigma over some rows, which have distances d. */
struct kith_softmax {
	double least, most; /* d */
	double sum;         /* of exp((least - d)/sigma) */
	double above;       /* the sum of exp((least - d)/sigma) (d - least) */
	double share;       /* kith_pairs: the weight of the row over sum */
};

/*
 * The functions that are compiled for each instruction set (immigrate/kernels.kernel.c).  In their
 * comments T is KITH_TILE, and the columns of a tile are p x T: feature by feature.
 */
struct kith_immigrate_kernels {
	/* d (T x T) += sum_f w_f |x_fi - z_fj|, or with `squared` w_f (x_fi - z_fj)^2, for the
	   columns x, z of two tiles. */
	void (*diagonal)(
	    size_t p, const double *w, bool squared, const double *x, const double *z, double *d);

	/* D (p rows of T numbers, ld apart) = |x_f - z_fj| for a row x and the columns z of a
	   tile. */
	void (*differences)(size_t p, const double *x, const double *z, size_t ld, double *D);

	/* d_j = D_j' W D_j for the columns j >= from of D (p x T), W being p x p and symmetric;
	   columns before `from` may be written, too. */
	void (*quadratic)(size_t p, const double *W, const double *D, size_t from, double *d);

	/* d_k = sum_i sign_i Y_ki^2 for n rows of Y (n x r); r is a multiple of 8. */
	void (*norms)(size_t n, size_t r, const double *Y, const double *sign, double *d);

	/* The softmax of -d/sigma over n >= 1 distances; d and e have room for n rounded up to a
	   multiple of 8, and are changed. */
	struct kith_softmax (*softmax)(size_t n, double sigma, double *d, double *e);

	/* lanes (p x p x 8) += c_k D_fk D_gk, f <= g, in lane k mod 8, for n pairs k, a multiple of
	   8, of D (p x KITH_PAIR_LD).  Returns sum_k |c_k| D_k'D_k. */
	double (*products)(size_t p, size_t n, const double *D, const double *c, double *lanes);

	/* D (ld) = s |x - z|, ld being a multiple of 8; returns D'D. */
	double (*scaled)(size_t ld, const double *x, const double *z, double s, double *D);

	/* u += s |x - z| for n numbers, a multiple of 8. */
	void (*add_scaled)(size_t n, const double *x, const double *z, double s, double *u);
};

KITH_KERNELS(kith_immigrate_kernels)

#endif
