/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/immigrate - what immigrate costs. */
#ifndef KITH_COST_IMMIGRATE_H
#define KITH_COST_IMMIGRATE_H

#include "cost/cost.h"
#include "immigrate/fit.h"

#include <stddef.h>

struct kith_err;
struct kith_out;

struct kith_cost_immigrate {
	const struct kith_immigrate_rows *rows;
	const struct kith_immigrate_fit_how *how;
	size_t fits;            /* of all rows */
	size_t folds;           /* fits of --cv and --loo, of all rows but one part of */
	size_t parts;           /* so many */
	size_t learners, inner; /* of an ensemble; else 0 */
	bool check;             /* instead: one look at given weights */
};

/* The sizes, seconds and bytes. */
struct kith_cost kith_cost_of_immigrate(const struct kith_cost_immigrate *of);

/* Tell it, in place of the command's table. */
int kith_cost_immigrate(
    const struct kith_cost_immigrate *of, struct kith_out *out, struct kith_err *err);

#endif
