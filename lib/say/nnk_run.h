/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say/nnk_run - what nnkgraph does when its options are read: solve, judge,
 * make symmetric, print, and tell of it.
 */
#ifndef KITH_SAY_NNK_RUN_H
#define KITH_SAY_NNK_RUN_H

#include "base/pool.h"
#include "cli/opt.h"
#include "nnk/methods.h"
#include "nnk/nnk.h"
#include "nnk/pairs.h"
#include "nnk/symm.h"
#include "table/edges.h"
#include "table/graph.h"
#include "table/input.h"

#include <stdbool.h>

struct kith_dest;
struct kith_err;
struct kith_out;

struct kith_nnk_run {
	struct kith_nnk_how how;     /* errors, bare: set by kith_nnk_run_ */
	enum kith_symm rule;         /* how lists are made symmetric */
	struct kith_edges_form form; /* format, distance, error, full */
	size_t merged;               /* --merge: rows of the table; else 0 */
	bool blocks;                 /* set by kith_nnk_run_merge(): it has
					failed for want of
					kith_nnk_blocks_merge() */
	bool connect;                /* --connect: make it one component; of
					a merge the rows are read, too */
	struct kith_shard block;     /* of the reference */
	struct kith_shard shard;     /* of the rows */
	const struct kith_dest *to;  /* where the output goes */
	const char *saved;           /* of aew: file of weights; or NULL */

	struct kith_input in;
	struct kith_local_rows rows; /* Z: --train */
	struct kith_graph given;     /* candidates, where how.given is this */
	struct kith_pairs pairs;     /* --pairs, where pairs.of is not NONE */
	struct kith_pool pool;
};

/* The row of the run's method in the table of methods. */
static inline const struct kith_nnk_method_row *
kith_nnk_run_method(const struct kith_nnk_run *run)
{
	return &kith_nnk_methods[run->how.method];
}

/* What the rows that edges go from are called. */
const struct kith_ends *kith_nnk_run_ends(const struct kith_nnk_run *run);

/*
 * Make lists what is printed, symmetric and one component where they are to be so,
 * and print them; kith_symm_cut() before.
 */
int kith_nnk_run_lists(
    struct kith_nnk_run *run, struct kith_graph *lists, struct kith_out *out, struct kith_err *err);

/* Each solves or reads, prints, and returns the status, or -1: */

/* the graph of the rows; */
int kith_nnk_run_graph(struct kith_nnk_run *run, struct kith_out *out, struct kith_err *err);

/* edges of the files, which were printed before, made symmetric; */
int kith_nnk_run_merge(
    struct kith_nnk_run *run, const char *const *files, struct kith_out *out, struct kith_err *err);

/* the verdict on the edges of a file. */
int kith_nnk_run_check(
    struct kith_nnk_run *run, const char *file, struct kith_out *out, struct kith_err *err);

#endif
