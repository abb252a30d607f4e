/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/ratio - what tabratio costs. */
#ifndef KITH_COST_RATIO_H
#define KITH_COST_RATIO_H

#include "ratio/ratio.h"

#include <stddef.h>

struct kith_err;
struct kith_mat;
struct kith_out;

/* Tell it, in place of the command's table. */
int kith_cost_ratio(const struct kith_mat *train, const struct kith_mat *test,
    const struct kith_ratio_how *how, struct kith_out *out,
    struct kith_err *err);

#endif
