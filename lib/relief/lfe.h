/* SPDX-License-Identifier: BSD-2-Clause */
/* relief/lfe - LFE, as relief/relief.h defines it. */
#ifndef KITH_RELIEF_LFE_H
#define KITH_RELIEF_LFE_H

struct kith_err;
struct kith_relief_job;

/*
 * Fails where eigenvalues cannot be found.  Time O(n p^2 + p^3), or where
 * there are more features than rows O(n^2 p + n^3) and n p^2 for the result.
 */
int kith_relief_lfe(struct kith_relief_job *job, struct kith_err *err);

#endif
