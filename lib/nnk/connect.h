/* SPDX-License-Identifier: BSD-2-Clause */
/* nnk/connect - the shortest edges that make one component of a graph. */
#ifndef KITH_NNK_CONNECT_H
#define KITH_NNK_CONNECT_H

#include "kernel/kern.h"
#include "kernel/sigma.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_graph;
struct kith_local_rows;
struct kith_pool;

struct kith_nnk_connect {
	enum kith_kern_kind kernel; /* as kith_nnk() requires */
	struct kith_sigma sigma;    /* gaussian */
	size_t k;                   /* of the bandwidth */

	/* What was done: */
	size_t added;    /* edges: components but one */
	size_t vanished; /* of them, those whose kernel was 0 */
	double longest;  /* root of the largest of their distances */
};

/*
 * Add to a graph of all rows, as kith_symm() (nnk/symm.h) makes it, the edges
 * of near/connect.h that join its components; memory from the pool.  Their
 * weights are kernels, with --sigma local the larger one of those with the
 * bandwidths of both rows; one that is 0 or less becomes the least positive
 * double.  Where the graph knows distances, they are set.  Errors of rows stay.
 * Fails with EX_DATAERR where weights make a distance below 0.
 */
int kith_nnk_connect(const struct kith_local_rows *rows, struct kith_nnk_connect *how,
    struct kith_graph *graph, struct kith_pool *pool, struct kith_err *err);

#endif
