/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/follow - follow the path of a problem that is made
 * (wsvmpath/task.h), and write on the way what the call says: the path, or how
 * it does on other rows; a model.
 */
#ifndef KITH_WSVMPATH_FOLLOW_H
#define KITH_WSVMPATH_FOLLOW_H

struct kith_err;
struct kith_out;
struct kith_wsvm_job;

/*
 * Open the output and follow the path.  The status of the command, or -1:
 * fails on rows to validate on that will not do, and when a file cannot be
 * written.
 */
int kith_wsvm_follow(struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err);

/* Report and log what is worked on. */
void kith_wsvm_report_job(const struct kith_wsvm_job *job);

#endif
