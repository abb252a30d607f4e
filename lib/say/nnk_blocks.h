/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say/nnk_blocks - edges to the nearest rows in a block of the reference, as
 * nnkgraph prints them for --merge, and what this makes of them:
 *
 *	from to weight distance
 *
 * with the comments and lines of table/lists.h.
 */
#ifndef KITH_SAY_NNK_BLOCKS_H
#define KITH_SAY_NNK_BLOCKS_H

struct kith_err;
struct kith_nnk_run;
struct kith_out;

/*
 * Print the edges from rows of run->shard to those of run->block.  Fails with
 * EX_DATAERR where cells of the block are so large or small that distances in it
 * and in the whole may have other units, and where a distance is below 0.
 */
int kith_nnk_blocks_print(struct kith_nnk_run *run, struct kith_out *out, struct kith_err *err);

/*
 * Read them, and print the graph of run->merged rows that one run makes.  Fails as
 * kith_lists_open() and kith_lists_read() do, where there are not so many rows,
 * and where run asks for errors.
 */
int kith_nnk_blocks_merge(
    struct kith_nnk_run *run, const char *const *files, struct kith_out *out, struct kith_err *err);

#endif
