/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/calibrate - probabilities for the model of --cv and --best: the numbers
 * A and B of machine/platt.h, fitted to the scores of each row by the machines of
 * its part, at the theta that was chosen.  So no row is scored by a machine that
 * has learnt from it.
 */
#ifndef KITH_WSVMPATH_CALIBRATE_H
#define KITH_WSVMPATH_CALIBRATE_H

#include <stddef.h>

struct kith_err;
struct kith_wsvm_count;
struct kith_wsvm_job;

/*
 * Fit A and B of each machine, two classes or more, into job->learnt; of one
 * class nothing.  The part of row i is of[i], 0..parts-1.  Every row counts as
 * one, whatever it weighs; machines of pairs of classes are fitted to the rows of
 * both.  Warns where f falls as the class gets likelier.  What was done is added to
 * *count.  Fails as kith_wsvm_poll_make() does.  Solves a machine of each part
 * from nothing.
 */
int kith_wsvm_calibrate(struct kith_wsvm_job *job, const size_t *of, size_t parts, double theta,
    struct kith_wsvm_count *count, struct kith_err *err);

#endif
