/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/input - the rows that a command without a target works on, and what
 * options name beside them: a reference, weights, and what the rows are called.
 */
#ifndef KITH_TABLE_INPUT_H
#define KITH_TABLE_INPUT_H

#include "kernel/kern.h"
#include "table/edges.h"
#include "table/table.h"
#include "table/weights.h"

struct kith_err;
struct kith_pool;

struct kith_input_how {
	struct kith_how how;   /* of all tables; its target is no feature */
	const char *reference; /* file of the reference, or NULL */
	const char *weights;   /* file of weights, or NULL: all are 1 */
	int scale;             /* method of table/unit.h that scales the rows by the reference */
};

struct kith_input {
	struct kith_table known; /* the reference, or without one the rows */
	struct kith_table asked; /* the rows, where there is a reference */
	struct kith_ends to;     /* what the rows of known are called */
	struct kith_ends from;   /* what the rows of asked are called */
	struct kith_weights weights;
};

/*
 * Reads weights of the features of known (file NULL: all are 1), and drops the features that a
 * matrix of weights does not name from the rows of known and, if asked has rows, of asked.  Fails
 * as kith_weights_read() does.
 */
int kith_input_weights(const char *file, struct kith_table *known, struct kith_table *asked,
    struct kith_weights *w, struct kith_pool *pool, struct kith_err *err);

/* The origin of the features of a table (table/range.h), under the metric of the weights. */
struct kith_origin kith_input_origin(
    const struct kith_table *table, const struct kith_weights *weights);

/*
 * Reads the rows of the files, and the other tables, into the pool.  Features that a matrix of
 * weights does not name are dropped from the rows; the other features are scaled (how->scale) by
 * the rows of in->known.  With a reference there may be no row.  Fails as kith_table_read(),
 * kith_ends_of(), kith_weights_read() and kith_unit_scale() do, and where features, scaled and
 * weighted, are out of range (table/range.h).
 */
int kith_input_read(const char *const *files, const struct kith_input_how *how,
    struct kith_input *in, struct kith_pool *pool, struct kith_err *err);

/*
 * Scale the rows of a table, if it has any, to length 1 for the cosine kernel
 * (kernel/kern.h).  Fails with EX_DATAERR, naming the row, where that is 0.
 */
int kith_input_unit_rows(
    struct kith_table *t, const struct kith_metric *metric, struct kith_err *err);

/*
 * Get the rows ready for a kernel: for the cosine, scale them to length 1.
 * Fails where the weights give no kernel (kernel/kern.h), naming their file,
 * and for the cosine on a row of zeros, naming its own.
 */
int kith_input_kernel(struct kith_input *in, const struct kith_input_how *how,
    enum kith_kern_kind kernel, struct kith_err *err);

#endif
