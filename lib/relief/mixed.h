/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/mixed - RELIEF of rows with texts or missing cells, as
 * relief/relief.h defines it.
 */
#ifndef KITH_RELIEF_MIXED_H
#define KITH_RELIEF_MIXED_H

#include "relief/problem.h"

/*
 * Weigh the p columns of these rows, as kith_relieff() does (relief/relieff.h),
 * in units of the rows.
 */
void kith_relief_mixed(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, const size_t *sample, size_t m,
    double *w);

#endif
