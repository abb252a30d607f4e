/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/judge - whether numbers are solutions of a problem, and the points
 * between two of them too, from the rows alone: kernels are computed anew and
 * summed in 80 bits.
 *
 * With A the largest alpha of the solution, t_v = |q_v| + |b| + sum_w |Q_vw|
 * alpha_w the terms of g_v, and what is open while theta has 53 bits allowed
 * beside, these are judged, each over its limit:
 *
 *	bound   -alpha_v or alpha_v - C_v      9e-9 A
 *	sum     |sum_v e_v alpha_v|            9e-9 A
 *	kkt     g_v where alpha_v > 9e-9 A, -g_v where alpha_v < C_v - 9e-9 A
 *	                                       9e-10 t_v
 */
#ifndef KITH_WSVM_JUDGE_H
#define KITH_WSVM_JUDGE_H

#include <stdbool.h>

struct kith_wsvm_problem;

/* A solution at theta of a path; C_v are those of weights from and to. */
struct kith_wsvm_point {
	double theta, b;
	const double *alpha; /* N */
};

struct kith_wsvm_verdict {
	double off;       /* the largest, over its limit: > 1 is wrong */
	const char *what; /* bound, sum or kkt */
};

/*
 * Judge the points l and r, and those at 1/4, 1/2 and 3/4 between them; only r
 * where l is NULL.  Time O(n a p) for a variables whose alpha is not 0.
 */
struct kith_wsvm_verdict kith_wsvm_judge(
    const struct kith_wsvm_problem *problem, const double *from,
    const double *to, const struct kith_wsvm_point *l,
    const struct kith_wsvm_point *r);

/*
 * The bias nearest to that of the point with which its gradients have their
 * signs, to half of the limit.  `middle`: where no variable is strictly within
 * its bounds, the middle of the interval of b, or its end if it has only one.
 */
double kith_wsvm_judge_bias(const struct kith_wsvm_problem *problem,
    const double *from, const double *to, const struct kith_wsvm_point *at,
    bool middle);

#endif
