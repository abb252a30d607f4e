/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/transduce - label the rows that have no target (wsvm/transduction.h).
 * Rows with a target weigh C (--labelled), rows without one up to C* (--unlabelled).
 */
#ifndef KITH_WSVMPATH_TRANSDUCE_H
#define KITH_WSVMPATH_TRANSDUCE_H

struct kith_err;
struct kith_out;
struct kith_wsvm_job;

/*
 * Label the rows that were read: open the output and write
 *
 *	id predicted actual margin
 *
 * for all rows; a row without target is predicted the label that it got at
 * last, another one by the sign of f.  Saves a model if asked to.  The status
 * of the command, or -1: fails with EX_DATAERR where the targets are not of
 * two classes or none is missing, where sums would be too large for a double,
 * and when a file cannot be written.
 */
int kith_wsvm_transduce(struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err);

#endif
