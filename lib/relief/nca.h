/* SPDX-License-Identifier: BSD-2-Clause */
/* relief/nca - NCA, as relief/relief.h defines it, by L-BFGS. */
#ifndef KITH_RELIEF_NCA_H
#define KITH_RELIEF_NCA_H

struct kith_err;
struct kith_relief_job;

/* Fails where squares of differences do not fit a double. */
int kith_relief_nca(struct kith_relief_job *job, struct kith_err *err);

#endif
