/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/polls - the machines of several classes that are asked about other
 * rows: those that all rows teach, about the rows of --validate, or of a part of
 * --cv those that the rows outside it teach, about the rows in it.
 */
#ifndef KITH_WSVMPATH_POLLS_H
#define KITH_WSVMPATH_POLLS_H

#include "base/pool.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "wsvm/problem.h"

struct kith_err;
struct kith_wsvm_job;

struct kith_wsvm_poll {
	const struct kith_wsvm_job *job;
	size_t *row, n;    /* the rows learnt from */
	size_t *asked, m;  /* which of the rows validated on */
	struct kith_mat X; /* n + m items, in the units of the former */
	struct kith_kern kern;
	struct kith_pool pool;
};

/*
 * Make the poll of all rows (of NULL), or of this part, the part of row i being
 * of[i].  It must stay where it is; free it, also where it fails: where a part of
 * `parts` has all rows, cannot be scaled, or has kernels too large for a double
 * once scaled.
 */
int kith_wsvm_poll_make(struct kith_wsvm_poll *poll, const struct kith_wsvm_job *job,
    const size_t *of, size_t part, size_t parts, struct kith_err *err);

/* The same of the rows alone, without items. */
void kith_wsvm_poll_rows(
    struct kith_wsvm_poll *poll, const struct kith_wsvm_job *job, const size_t *of, size_t part);

void kith_wsvm_poll_free(struct kith_wsvm_poll *poll);

/* A machine of a poll; it must stay where it is. */
struct kith_wsvm_polled {
	size_t n; /* rows that it learns from, before those asked; 0: none */
	struct kith_mat X;
	struct kith_wsvm_problem problem;
	double *from, *to;
};

/*
 * Make machine o, in the pool.  There is none where it would have no row.
 */
void kith_wsvm_poll_machine(const struct kith_wsvm_poll *poll, size_t o,
    struct kith_wsvm_polled *machine, struct kith_pool *pool);

#endif
