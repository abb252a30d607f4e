/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/labels - the rows whose labels go over a graph: a table of which only
 * the target, the ids and the columns to keep are read, and some of whose
 * targets may be missing.
 */
#ifndef KITH_GRAPH_LABELS_H
#define KITH_GRAPH_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_how;
struct kith_pool;
struct kith_table;

/*
 * Read the rows of a file ("-": standard input) into the pool: target, id and
 * keep of `how` alone; the table has no features, X.n rows, and y
 * (KITH_NO_CLASS) or t (NaN) where targets are missing.
 *
 * Fails, naming file, line and column, on input that is no table (text/rows.h),
 * columns that are not there or have two roles, missing ids, targets that are
 * no numbers where these are due, and where no row has a target.
 */
int kith_labels_read(const char *file, const struct kith_how *how, struct kith_table *table,
    struct kith_pool *pool, struct kith_err *err);

/*
 * Choose the share of the rows with a label whose labels are known: given (n)
 * becomes true for them.  Of each class it is the share of its rows, rounded,
 * and one at least; of numbers, of all rows.  share is in (0, 1].
 */
void kith_labels_reveal(const struct kith_table *table, double share, uint64_t seed, bool *given);

/* The rows that are wanted (n) alone, with their numbers; in the pool. */
void kith_labels_take(const struct kith_table *table, const bool *wanted, struct kith_table *to,
    struct kith_pool *pool);

#endif
