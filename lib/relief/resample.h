/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/resample - how weights of features vary over samples of the rows, and
 * over permuted targets.
 *
 * A bootstrap sample draws n of n rows with replacement; how often a row was
 * drawn multiplies its weight, so that it is never its own neighbour.  Samples
 * of one class only, or of a target with one value, are drawn anew.  With w_b
 * the weights of sample b of B, and w_m those under the m-th of M permutations of
 * the targets,
 *
 *	mean = sum_b w_b / B,  se^2 = sum_b (w_b - mean)^2 / (B - 1),
 *	top  = the share of samples where a feature is among the first K,
 *	p    = (1 + number of w_m >= w) / (M + 1),  w those of the rows as they are
 *
 * (Efron 1979; Phipson and Smyth 2010).
 */
#ifndef KITH_RELIEF_RESAMPLE_H
#define KITH_RELIEF_RESAMPLE_H

#include "relief/problem.h"

struct kith_err;
struct kith_pool;

struct kith_relief_resample {
	size_t bootstrap, permute; /* B, not 1, and M; 0: none */
	size_t top;                /* K */
};

struct kith_relief_spread {
	double *mean, *se, *top; /* p each; NULL where B = 0 */
	double *p;               /* p; NULL where M = 0 */
	size_t doubts;           /* fits that have not converged */
};

/*
 * w are the weights of the rows as they are, a vector.  The same for any number
 * of threads: sample b has stream b of KITH_RNG_BOOTSTRAP under how->seed, a
 * permutation of KITH_RNG_PERMUTE.  Fails as kith_relief() does, for the first
 * sample that does.  Time B + M times that of it; memory (B + M) p doubles.
 */
int kith_relief_resample(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, const struct kith_relief_resample *what,
    const double *w, struct kith_relief_spread *out, struct kith_pool *pool,
    struct kith_err *err);

#endif
