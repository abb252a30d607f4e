/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/relieff - RELIEFF, for classes and for numbers, as relief/relief.h
 * defines it.
 */
#ifndef KITH_RELIEF_RELIEFF_H
#define KITH_RELIEF_RELIEFF_H

#include "relief/problem.h"

/*
 * Weigh the p columns of these rows, each with two values at least, into w (p
 * zeros); rows->text must be there.  The rows sampled (m of them, in increasing
 * order) are NULL for all.
 */
void kith_relieff(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, const size_t *sample, size_t m,
    double *w);

#endif
