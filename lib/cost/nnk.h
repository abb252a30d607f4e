/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/nnk - what nnkgraph and nnkmeans cost. */
#ifndef KITH_COST_NNK_H
#define KITH_COST_NNK_H

#include "cost/cost.h"
#include "nnk/local.h"
#include "nnk/means.h"
#include "nnk/nnk.h"

#include <stddef.h>

struct kith_err;
struct kith_out;

struct kith_cost_nnk {
	const struct kith_local_rows *rows; /* NULL: known by pairs */
	const struct kith_nnk_how *how;
	size_t m, pairs; /* known by pairs: rows, and pairs of them */
	size_t threads;
};

/* The sizes, seconds and bytes. */
struct kith_cost kith_cost_of_nnk(const struct kith_cost_nnk *of);
struct kith_cost kith_cost_of_means(const struct kith_mat *X, const struct kith_means_how *how);
struct kith_cost kith_cost_of_merge(size_t n, size_t edges);

/* Tell them, in place of the command's table. */
int kith_cost_nnk(const struct kith_cost_nnk *of, struct kith_out *out, struct kith_err *err);
int kith_cost_means(const struct kith_mat *X, const struct kith_means_how *how,
    struct kith_out *out, struct kith_err *err);

/* The same for edges that are made symmetric (nnkgraph --merge). */
int kith_cost_merge(size_t n, size_t edges, struct kith_out *out, struct kith_err *err);

#endif
