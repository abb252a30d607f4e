/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/ratio - what tabratio costs. */
#ifndef KITH_COST_RATIO_H
#define KITH_COST_RATIO_H

#include "cost/cost.h"
#include "ratio/ratio.h"

#include <stddef.h>

struct kith_err;
struct kith_mat;
struct kith_out;

/* The sizes, seconds and bytes, but for what takes as long as reading. */
struct kith_cost kith_cost_of_ratio(
    const struct kith_mat *train, const struct kith_mat *test, const struct kith_ratio_how *how);

/* Tell it, in place of the command's table. */
int kith_cost_ratio(const struct kith_mat *train, const struct kith_mat *test,
    const struct kith_ratio_how *how, struct kith_out *out, struct kith_err *err);

#endif
