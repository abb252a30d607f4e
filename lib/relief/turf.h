/* SPDX-License-Identifier: BSD-2-Clause */
/* relief/turf - TuRF around a method, as relief/relief.h defines it. */
#ifndef KITH_RELIEF_TURF_H
#define KITH_RELIEF_TURF_H

#include "relief/problem.h"

struct kith_err;
struct kith_pool;

/*
 * kith_relief_once() (relief/once.h) in rounds: how->turf > 0.  Time that of it for about 1 / turf times
 * fewer and fewer features.
 */
int kith_relief_turf(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, struct kith_relief *out,
    struct kith_pool *pool, struct kith_err *err);

#endif
