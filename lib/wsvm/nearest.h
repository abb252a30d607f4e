/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/nearest - how far the gradient of a variable of O or I may go, by the item
 * of M that is nearest to its own.
 *
 * While j is in M, g_j = 0 holds f_j + b, but for its ridge.  So by Cauchy and
 * Schwarz along a path of f whose length in the space of the kernel is L,
 *
 *	|f_i + b of theta - of theta_0| <= |Phi(x_i) - Phi(x_j)| L
 *
 * and what g_v changes by is the share
 *
 *	|Phi(x_i) - Phi(x_j)| / sqrt(max Q_vv)
 *
 * of the bound that knows no j, and the ridge's part.
 */
#ifndef KITH_WSVM_NEAREST_H
#define KITH_WSVM_NEAREST_H

#include <stddef.h>

struct kith_wsvm;

/*
 * The least share: of nearer items it counts as such, and so what is no part of
 * the length of f, as rounding, is to be over it in candidate.length.
 */
#define KITH_WSVM_SHARE .125

/*
 * The share of v, whose item is scored in this piece: of the item of M found for
 * it before, or else the nearest; 1 where none is near.  Time O(|M|) where one
 * is looked for, now and then.
 */
double kith_wsvm_nearest_share(struct kith_wsvm *s, size_t v);

/* A variable of this item leaves M: candidate.due is without it now. O(N). */
void kith_wsvm_nearest_leave(struct kith_wsvm *s, size_t item);

#endif
