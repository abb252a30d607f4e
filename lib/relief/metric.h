/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/metric - a full or low-rank metric W = A'A by NCA, or of numbers by
 * MLKR, as relief/relief.h defines them, by L-BFGS.
 */
#ifndef KITH_RELIEF_METRIC_H
#define KITH_RELIEF_METRIC_H

struct kith_err;
struct kith_relief_job;

/* Fails where squares of differences, or W, do not fit a double. */
int kith_relief_metric(struct kith_relief_job *job, struct kith_err *err);

#endif
