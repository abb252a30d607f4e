/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/relief - what relief costs. */
#ifndef KITH_COST_RELIEF_H
#define KITH_COST_RELIEF_H

#include "cost/cost.h"
#include "relief/problem.h"

#include <stddef.h>

struct kith_err;
struct kith_out;

/* The sizes, seconds and bytes of one fit. */
struct kith_cost kith_cost_of_relief(
    const struct kith_relief_rows *rows, const struct kith_relief_how *how);

/* Tell it, in place of the command's table, of `times` fits. */
int kith_cost_relief(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, size_t times, struct kith_out *out,
    struct kith_err *err);

#endif
