/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/knife - what knife costs. */
#ifndef KITH_COST_KNIFE_H
#define KITH_COST_KNIFE_H

#include "cost/cost.h"
#include "knife/fit.h"

#include <stddef.h>

struct kith_err;
struct kith_out;

struct kith_cost_knife {
	const struct kith_knife_rows *rows;
	const struct kith_knife_fit_how *how;
	size_t k;     /* values of lambda2 */
	size_t asked; /* rows to validate on */
	size_t parts; /* of --cv; 0: none */
	bool check;   /* instead: given weights are judged */
};

/* The sizes, seconds and bytes. */
struct kith_cost kith_cost_of_knife(const struct kith_cost_knife *of);

/* Tell it, in place of the command's table. */
int kith_cost_knife(const struct kith_cost_knife *of, struct kith_out *out, struct kith_err *err);

#endif
