/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/surf - SURF and MultiSURF, for classes and for numbers, as
 * relief/relief.h defines them.
 */
#ifndef KITH_RELIEF_SURF_H
#define KITH_RELIEF_SURF_H

#include "relief/problem.h"

/*
 * Weigh the p columns of these rows, as kith_relieff() does (relief/relieff.h).
 */
void kith_relief_surf(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, const size_t *sample, size_t m,
    double *w);

#endif
