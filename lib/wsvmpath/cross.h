/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/cross - --cv: how the solutions do on rows that they were not learnt
 * from, exactly and for all theta.  The rows are dealt into N parts (ranks: the
 * queries); the path of the rows outside a part is validated on the rows in it,
 * and the N measures are added (wsvmpath/pooled.h).
 */
#ifndef KITH_WSVMPATH_CROSS_H
#define KITH_WSVMPATH_CROSS_H

struct kith_err;
struct kith_out;
struct kith_wsvm_job;

/*
 * Open the output and write the table, or what --best says; the problem of all
 * rows is made.  With --scale each part is in the units of the rows outside it.
 * The parts share the threads and the cache; the bytes do not depend on either.
 * The status of the command, or -1: fails on rows to validate on that will not
 * do, where there are more parts than rows or queries, where a part has all
 * rows or pairs, where a part cannot be scaled or has kernels too large for a
 * double, and when a file cannot be written.
 */
int kith_wsvm_cross(struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err);

#endif
