/* SPDX-License-Identifier: BSD-2-Clause */
/* immigrate/sample - some rows of a table in place of all. */
#ifndef KITH_IMMIGRATE_SAMPLE_H
#define KITH_IMMIGRATE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_pool;
struct kith_table;

/*
 * Leave m rows of a table of classes, drawn without replacement from each class
 * in proportion, in their order: where no row was left out when it was read, those of
 *
 *	tabfold --shares m:(n - m) --part 1 --seed seed
 *
 * They keep their numbers and ids, and the parts of --cv that they have in the
 * whole table (table/parts.h).  Requires 1 <= m < n and targets that are
 * classes.  Fails with EX_DATAERR where the weights of the rows left are all 0.
 * Memory from the pool: that of the rows left.
 */
int kith_immigrate_sample(
    struct kith_table *t, size_t m, uint64_t seed, struct kith_pool *pool, struct kith_err *err);

#endif
