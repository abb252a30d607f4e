/* SPDX-License-Identifier: BSD-2-Clause */
/* say/nnk_read - the rows of nnkgraph, and candidates if there are any. */
#ifndef KITH_SAY_NNK_READ_H
#define KITH_SAY_NNK_READ_H

#include "nnk/pairs.h"

#include <stddef.h>

struct kith_err;
struct kith_how;
struct kith_nnk_run;
struct kith_shard;

struct kith_nnk_files {
	const char *reference;    /* or NULL */
	const char *const *files; /* of the rows */
	const char *candidates;   /* or NULL */
	const char *weights;      /* or NULL */
	const struct kith_how *how;
	enum kith_pairs_of pairs; /* what is known of candidates */
	const struct kith_shard *shard;
	size_t threads;
};

/*
 * Read run->in, rows, given and pairs, with what run->how says; of edges to a
 * block of the reference, no other rows.  Fails as kith_input_read(),
 * kith_input_kernel(), kith_pairs_read() and kith_edges_read() do.
 */
int kith_nnk_read(
    struct kith_nnk_run *run, const struct kith_nnk_files *from, struct kith_err *err);

#endif
