/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/wsvm - what wsvmpath costs. */
#ifndef KITH_COST_WSVM_H
#define KITH_COST_WSVM_H

#include "cost/cost.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_out;

struct kith_cost_wsvm {
	size_t n, p, asked; /* rows, features, rows to validate on */
	size_t variables;
	size_t rows, classes;    /* of the table, where paths have but some; or 0 */
	const double *from, *to; /* of the variables; NULL: not known */
	size_t cache, threads;   /* bytes */
	size_t times;            /* paths, from 1 */
	size_t columns;          /* numbers that are printed at each step: 0 to
				    n + asked */
	bool check;              /* instead: given coefficients are judged */
};

/* The sizes, seconds and bytes. */
struct kith_cost kith_cost_of_wsvm(const struct kith_cost_wsvm *of);

/* Tell it, in place of the command's table. */
int kith_cost_wsvm(const struct kith_cost_wsvm *of, struct kith_out *out, struct kith_err *err);

#endif
