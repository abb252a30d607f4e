/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/steps - the steps of a path, read back from what wsvmpath/print.h
 * wrote.
 */
#ifndef KITH_WSVMPATH_STEPS_H
#define KITH_WSVMPATH_STEPS_H

#include "text/rows.h"

struct kith_wsvm_job;

enum { KITH_WSVM_STEPS_COLUMNS = 4 }; /* step theta name value */

struct kith_wsvm_steps {
	double first, theta; /* of the first and the last step */

	struct kith_rows rows; /* close them at the end */

	/* The rest is wsvmpath/steps.c's. */
	const struct kith_wsvm_job *job;
	size_t column[KITH_WSVM_STEPS_COLUMNS], pair[2];
	struct kith_names name; /* what variables are called */
	size_t step;            /* the number of the last one */
	bool begun, held;       /* held: a row is read, of the next step */
};

/*
 * Open a table of coefficients of the job's problem; memory from the pool.  Of a
 * job of several classes (wsvmpath/pairs.h) the table has their columns, too.
 * Fails as kith_rows_open() does, and when a column is not there, or two rows
 * of the job have one id.
 */
int kith_wsvm_steps_open(struct kith_wsvm_steps *s, const struct kith_wsvm_job *job,
    const char *file, struct kith_pool *pool, struct kith_err *err);

/*
 * Of several jobs, whose rows follow each other: this one has read its own.
 * Fails where there were none, or where it is the last and more follow.
 */
int kith_wsvm_steps_end(struct kith_wsvm_steps *s, bool last, struct kith_err *err);

/* Go on with the next job. */
int kith_wsvm_steps_turn(struct kith_wsvm_steps *s, const struct kith_wsvm_job *job,
    struct kith_pool *pool, struct kith_err *err);

/*
 * The next step: 1, 0 at the end, or of several jobs where the rows of another
 * one begin, or -1.  alpha has N numbers.  Fails, naming
 * file and line, on names that the job has not, cells that are no number, and
 * thetas that are not from 0 to 1, decrease, or differ within a step.
 */
int kith_wsvm_steps_next(
    struct kith_wsvm_steps *s, double *theta, double *b, double *alpha, struct kith_err *err);

#endif
