/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/rows - the rows of a table as those of a problem of knife/knife.h: their
 * targets and weights.
 *
 *	task      targets Y, c columns                  predicted
 *	regress   the number less the mean of the rows  the output plus the mean
 *	classify  two classes: 1 for the second, else -1, one column
 *	          more: a column per class, 1 for its rows, else 0
 *
 * as machine/machine.h has the outputs.
 *
 * The mean is that by the weights.
 */
#ifndef KITH_KNIFE_ROWS_H
#define KITH_KNIFE_ROWS_H

#include "base/names.h"

#include <stddef.h>

struct kith_err;
struct kith_pool;
struct kith_table;

/* The rows to learn from. */
struct kith_knife_rows {
	const struct kith_table *t;
	struct kith_names class; /* classify: those that have rows, indexed */
	size_t *y;               /* classify: n of these, else NULL */
	size_t c;                /* columns of targets */
	const size_t *learn;     /* the rows of weight > 0; NULL: all n are */
	size_t n;                /* their number */
};

/*
 * Look at the targets of a table.  Rows of weight 0 are not learnt from, and a
 * class of such rows alone is none: their y is then class.n.  Fails with
 * EX_DATAERR where targets are of one class, or all one number.
 */
int kith_knife_rows(const struct kith_table *t, struct kith_knife_rows *rows,
    struct kith_pool *pool, struct kith_err *err);

/*
 * The targets of n rows of the table (row NULL: of all) into Y (c columns of n),
 * the means into mean (c; 0 for classes), and the weights into weight (n), unless
 * the table has none.
 */
void kith_knife_rows_targets(const struct kith_knife_rows *rows, const size_t *row, size_t n,
    double *Y, double *mean, double *weight);

#endif
