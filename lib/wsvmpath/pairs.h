/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/pairs - several classes: a machine of two classes for each pair of
 * them, 1 2, 1 3, ..., 2 3, ..., learnt from the rows of both; the second is +1.
 *
 * Classes are in byte order.  Each machine is a job as that of two classes
 * alone, so that all that is said of it is what a run on its rows says; they go
 * from the weights of their rows to the weights of their rows, and --scale is
 * that of all rows.
 */
#ifndef KITH_WSVMPATH_PAIRS_H
#define KITH_WSVMPATH_PAIRS_H

#include "base/pool.h"
#include "wsvmpath/task.h"

#include <stdbool.h>

/* Whether the rows are of more than two classes, to be told apart. */
bool kith_wsvm_is_many(const struct kith_wsvm_job *job);

/* How many machines there are. */
size_t kith_wsvm_pairs(const struct kith_wsvm_job *job);

/* What machine o tells apart. */
void kith_wsvm_pair_of(const struct kith_wsvm_job *job, size_t o, struct kith_wsvm_pair *pair);

/* Whether a row of this class is among those of the pair, and its sign. */
bool kith_wsvm_pair_has(const struct kith_wsvm_pair *pair, size_t class, double *sign);

/* A machine, as a job of its own; it must stay where it is. */
struct kith_wsvm_pair_job {
	struct kith_wsvm_job job;
	struct kith_wsvm_pair pair;
	size_t *row; /* job.n: which row of all each is */
	struct kith_pool pool;
};

/*
 * Make machine o of a job whose problem is made; its items are its rows, then
 * those of --validate.  Free it afterwards.  Time and memory O(n p).
 */
void kith_wsvm_pair_make(
    const struct kith_wsvm_job *job, size_t o, struct kith_wsvm_pair_job *made);
void kith_wsvm_pair_free(struct kith_wsvm_pair_job *made);

#endif
