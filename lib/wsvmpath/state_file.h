/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/state_file - solutions as files: where a path has ended and another
 * begins, without solving at its start.
 *
 * A state is a table: what number value.
 *
 *	version 1 2
 *	data    1 HASH     of the items, targets, kernel, ridge, epsilon
 *	ridge   1 ridge    as it was added to the diagonal
 *	weight  v C        for each variable, from 1
 *	alpha   v alpha
 *	where   v out, margin or in
 *	f       i f        for each row, from 1, without b
 *	b       1 b        the last row
 */
#ifndef KITH_WSVMPATH_STATE_FILE_H
#define KITH_WSVMPATH_STATE_FILE_H

#include <stdbool.h>

struct kith_err;
struct kith_out;
struct kith_wsvm_job;
struct kith_wsvm_solution;

/*
 * Write the solution alpha (N, within the bounds) and b at the weights `to` of
 * the job; false where it is none, and will be refused when it is read.  Time
 * as kith_check_wsvm_state().
 */
bool kith_wsvm_state_write(
    const struct kith_wsvm_job *job, const double *alpha, double b, struct kith_out *out);

/*
 * Read a solution of the job's problem; f of rows to validate on is computed.
 * Its weights become job->from, or must equal them where --from was given.
 * Fails, naming file and line, when the file is no state, not whole, or of
 * other rows or options, and naming the condition that does not hold
 * (wsvmpath/check.h) when it is no solution.  Time as kith_check_wsvm_state().
 */
int kith_wsvm_state_read(const char *file, struct kith_wsvm_job *job, struct kith_wsvm_solution *at,
    struct kith_err *err);

#endif
