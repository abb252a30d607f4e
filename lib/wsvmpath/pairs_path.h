/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/pairs_path - the paths of several classes (wsvmpath/pairs.h): one
 * table of all of them, which begins with the columns of the pair, and one model.
 */
#ifndef KITH_WSVMPATH_PAIRS_PATH_H
#define KITH_WSVMPATH_PAIRS_PATH_H

struct kith_err;
struct kith_out;
struct kith_wsvm_count;
struct kith_wsvm_job;

/*
 * Open the output and write what the call says of all machines, in their order;
 * or, with --validate, how they do together.  Pairs are followed side by side;
 * the bytes do not depend on the threads.  The status of the command, or -1: as
 * kith_wsvm_follow().
 */
int kith_wsvm_pairs_follow(struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err);

/*
 * What --best gives at theta: the model into `saved`, or where that is NULL the
 * coefficients of all machines into `out`.  What was done is added to *count.
 */
int kith_wsvm_pairs_give(const struct kith_wsvm_job *job, double theta, struct kith_out *out,
    struct kith_out *saved, struct kith_wsvm_count *count, struct kith_err *err);

/* Report and log how many classes and machines there are. */
void kith_wsvm_pairs_report(const struct kith_wsvm_job *job);

#endif
