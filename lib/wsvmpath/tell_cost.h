/* SPDX-License-Identifier: BSD-2-Clause */
/* wsvmpath/tell_cost - what a job is going to cost (--dry-run). */
#ifndef KITH_WSVMPATH_TELL_COST_H
#define KITH_WSVMPATH_TELL_COST_H

struct kith_err;
struct kith_out;
struct kith_wsvm_job;

/*
 * Tell it, in place of the command's table, of a job whose variables are made;
 * of --task transduce, when it was read.
 */
int kith_wsvm_tell_cost(
    const struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err);

#endif
