/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/machine - what kpredict costs. */
#ifndef KITH_COST_MACHINE_H
#define KITH_COST_MACHINE_H

#include "cost/cost.h"

#include <stddef.h>

struct kith_err;
struct kith_machine;
struct kith_out;

/* The sizes, seconds and bytes for m rows. */
struct kith_cost kith_cost_of_machine(const struct kith_machine *of, size_t m, size_t threads);

/* Tell it, for m rows, in place of the command's table. */
int kith_cost_machine(const struct kith_machine *of, size_t m, size_t threads, struct kith_out *out,
    struct kith_err *err);

#endif
