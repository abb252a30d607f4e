/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/claim - a table of scores that are to be judged.
 */
#ifndef KITH_GRAPH_CLAIM_H
#define KITH_GRAPH_CLAIM_H

#include <stdbool.h>
#include <stddef.h>

struct kith_ends;
struct kith_err;
struct kith_names;
struct kith_pool;

/* What a table of predictions says of the n nodes. */
struct kith_claim {
	bool *there; /* n: the node has a row */
	size_t *y;   /* n classes, KITH_NO_CLASS where NA; or */
	double *t;   /* n numbers, NaN where NA */
	double *F;   /* n x c scores, NaN where NA; of classes */
};

/*
 * Read "id predicted score:CLASS ..." of these classes, or, where class is
 * NULL, "id predicted" of numbers; other columns are passed over.
 *
 * Fails, naming file, line and column, where the table cannot be read, lacks a
 * column, names a node that is none or names one twice, or predicts a class that
 * is none of these.
 */
int kith_claim_read(const char *file, const struct kith_ends *nodes, const struct kith_names *class,
    struct kith_claim *claim, struct kith_pool *pool, struct kith_err *err);

#endif
