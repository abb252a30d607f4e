/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/once - the methods of relief/relief.h on all features, once (for
 * relief/relief.c and relief/turf.c).
 */
#ifndef KITH_RELIEF_ONCE_H
#define KITH_RELIEF_ONCE_H

#include "relief/problem.h"

struct kith_err;
struct kith_pool;

/*
 * Weigh the features of rows with weights above 0 into *out, whose other members
 * are set: those of one value have weight 0.
 */
int kith_relief_once(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, struct kith_relief *out,
    struct kith_pool *pool, struct kith_err *err);

#endif
