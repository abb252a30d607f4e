/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/folds - the machines of --cv: of each of N parts of the rows, that
 * learnt from the rows outside it.  A row that is left out is a row of weight 0,
 * so all parts have the same variables and share the rows of the kernel; its
 * alpha is 0 exactly.  With --scale the kernels of the parts differ, and each
 * has its own.
 */
#ifndef KITH_WSVMPATH_FOLDS_H
#define KITH_WSVMPATH_FOLDS_H

#include "wsvmpath/intervals.h"
#include "wsvmpath/validate.h"

struct kith_err;
struct kith_wsvm_count;
struct kith_wsvm_job;
struct kith_wsvm_part;

struct kith_wsvm_folds {
	const struct kith_wsvm_job *job; /* all rows, their problem made */
	struct kith_wsvm_valid_how how;  /* all rows, as validated on */
	const size_t *of;                /* n: the part of each row */
	size_t parts;
};

/*
 * The path of each part, validated on its rows: part (N) gets the intervals, in
 * the pool; *rows is the number of rows, or queries, that count in all parts.
 * What was done is added to *count.  Fails where a part has all rows or pairs,
 * cannot be scaled, or has kernels too large for a double once scaled.  The
 * parts share threads and cache; the result does not depend on either.
 */
int kith_wsvm_folds_paths(const struct kith_wsvm_folds *folds, struct kith_wsvm_part *part,
    size_t *rows, struct kith_wsvm_count *count, struct kith_pool *pool, struct kith_err *err);

#endif
