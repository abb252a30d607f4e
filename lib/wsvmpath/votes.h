/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/votes - how the machines of several classes do together on other rows,
 * exactly and for all theta: the rows of --validate, or of each part of --cv by
 * the machines that the rows outside it teach.  Machines predict as kpredict
 * does (wsvmpath/ballots.h); one of whose classes no row is left has no say,
 * unless it is for the other class of its pair.
 */
#ifndef KITH_WSVMPATH_VOTES_H
#define KITH_WSVMPATH_VOTES_H

#include "wsvmpath/pooled.h"
#include "wsvmpath/validate.h"

struct kith_err;
struct kith_wsvm_count;
struct kith_wsvm_intervals;
struct kith_wsvm_job;

struct kith_wsvm_votes {
	const struct kith_wsvm_job *job; /* all rows, their problem made */
	struct kith_wsvm_valid_how how;  /* the rows validated on */
	const size_t *of;                /* --cv: the part of each row; else NULL */
	size_t parts;                    /* else 1 */
};

/*
 * --validate: the intervals into *all, and the number of rows that count; what
 * was done is added to *sum.
 */
void kith_wsvm_votes_validate(const struct kith_wsvm_votes *votes, struct kith_wsvm_intervals *all,
    struct kith_wsvm_count *sum);

/*
 * --cv: the sums of each part (N), in the pool, and the number of all rows that
 * count.  Fails where a part has all rows, cannot be scaled, or has kernels too
 * large for a double once scaled.
 */
int kith_wsvm_votes_parts(const struct kith_wsvm_votes *votes, struct kith_wsvm_part *part,
    size_t *rows, struct kith_wsvm_count *sum, struct kith_pool *pool, struct kith_err *err);

#endif
