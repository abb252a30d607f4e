/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/few - distances of rows of few features, for many rows at once.
 */
#ifndef KITH_WSVM_FEW_H
#define KITH_WSVM_FEW_H

#include <stdbool.h>
#include <stddef.h>

struct kith_kern;
struct kith_mat;

enum { KITH_WSVM_FEW = 4 }; /* features, of which some may be 0 in all rows */

/* Whether a kernel of X is one of distances that are computed here. */
bool kith_wsvm_is_few(const struct kith_kern *kern, const struct kith_mat *X);

/*
 * d (n) = the squared distances of z and the rows from `from` on, whose features
 * are in columns: the same bits as those of near/dist.h.
 */
void kith_wsvm_few_distances(double *const column[KITH_WSVM_FEW],
    const double z[KITH_WSVM_FEW], size_t from, size_t n, double *d);

#endif
