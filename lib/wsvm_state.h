/*
 * wsvm_state - solutions as files: where a path has ended and another begins,
 * without solving at its start.
 *
 * A state is a table: what number value.
 *
 *	version 1 1
 *	data    1 HASH     of the items, targets, kernel, ridge, epsilon
 *	weight  v C        for each variable, from 1
 *	alpha   v alpha
 *	where   v out, margin or in
 *	f       i f        for each row, from 1, without b
 *	b       1 b        the last row
 */
#ifndef KITH_WSVM_STATE_H
#define KITH_WSVM_STATE_H

struct kith_err;
struct kith_out;
struct kith_wsvm_job;
struct kith_wsvm_solution;

/* Write the solution at the weights `to` of the job. */
void kith_wsvm_state_write(const struct kith_wsvm_job *job,
    const struct kith_wsvm_solution *at, struct kith_out *out);

/*
 * Read a solution of the job's problem; f of rows to validate on is computed.
 * Its weights become job->from, or must equal them where --from was given.
 * Fails, naming file and line, when the file is no state, not whole, or of
 * other rows or options.
 */
int kith_wsvm_state_read(const char *file, struct kith_wsvm_job *job,
    struct kith_wsvm_solution *at, struct kith_err *err);

#endif
