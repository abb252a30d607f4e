/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/pairs_check - --check of the coefficients of several classes: those of
 * each machine are judged as those of two classes (wsvmpath/check.h).
 */
#ifndef KITH_WSVMPATH_PAIRS_CHECK_H
#define KITH_WSVMPATH_PAIRS_CHECK_H

struct kith_err;
struct kith_out;
struct kith_wsvm_job;

/*
 * Open the output and write the checks of the file that the call says, of each
 * machine.  The status of the command, or -1: fails as kith_check_wsvm(), and
 * where the rows of all machines are not there, in their order.
 */
int kith_wsvm_pairs_check(
    const struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err);

#endif
