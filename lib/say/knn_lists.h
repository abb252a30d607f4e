/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say/knn_lists - the neighbours of rows in a block of the reference, as knnclf
 * prints them for a merge (say/knn_merge.h).
 *
 *	id neighbour distance actual [neighbour_id] [own] [kept columns]
 *
 * "neighbour" is the number of a row of the whole reference, "actual" its target
 * and "neighbour_id" its id, where it has one; "own" is the target of the row
 * itself, where it has one.
 */
#ifndef KITH_SAY_KNN_LISTS_H
#define KITH_SAY_KNN_LISTS_H

struct kith_err;
struct kith_knn_run;
struct kith_out;

/*
 * Search the block of the reference for the rows of the shard, under run->weights,
 * and print what is found.  Fails with EX_DATAERR where two rows have one id, and
 * where the block's cells are so large or small that distances in it and in the
 * whole may have other units.
 */
int kith_knn_lists_print(struct kith_knn_run *run, struct kith_out *out, struct kith_err *err);

#endif
