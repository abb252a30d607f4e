/* SPDX-License-Identifier: BSD-2-Clause */
/* scale/fit - what to do to columns, from their numbers. */
#ifndef KITH_SCALE_FIT_H
#define KITH_SCALE_FIT_H

#include "scale/scale.h"

/*
 * Scalings of the number and level columns of f, in its order; fill is the
 * mean of a column, or the share of a level.  `constant` (one flag a column, in
 * the pool) tells the number columns with a single value.  Sums run in long
 * double: no finite data overflow.
 * Fails when a range does not fit a double, and on a column without a number.
 */
int kith_scale_fit(const struct kith_frame *f, const struct kith_scale_how *how,
    struct kith_scale *scale, bool **constant, struct kith_pool *pool, struct kith_err *err);

#endif
