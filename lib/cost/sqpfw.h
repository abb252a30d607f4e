/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/sqpfw - what sqpfw costs. */
#ifndef KITH_COST_SQPFW_H
#define KITH_COST_SQPFW_H

#include "cost/cost.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_mat;
struct kith_out;

struct kith_cost_sqpfw {
	const struct kith_mat *X;
	size_t c;      /* classes */
	size_t thetas; /* of --theta; 0: --path */
	double theta;  /* the largest of them */
	bool smooth;   /* the first is solved from a smooth start */
	size_t asked;  /* rows to validate on */
	size_t times;  /* fits, from 1 */
	size_t threads;
	bool check; /* instead: given weights are judged */
};

/* The sizes, seconds and bytes. */
struct kith_cost kith_cost_of_sqpfw(const struct kith_cost_sqpfw *of);

/* Tell it, in place of the command's table. */
int kith_cost_sqpfw(const struct kith_cost_sqpfw *of, struct kith_out *out, struct kith_err *err);

#endif
