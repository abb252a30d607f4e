/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/mend - weights that a search ended with, but knife/check.h does not
 * pass: go on from there by F and dF as the check has them, which bears columns
 * of scales far apart.  In turn, until the check says yes or nothing helps:
 *
 *	quasi-Newton   solve/box.h, to a tolerance that leaves room
 *	linear         w_j becomes min(1, w_j |x_j' alpha| (lambda1 /
 *	               lambda2)^(1/2)): with the outputs as they are that is the
 *	               minimum over w, so that F never rises, and no scale of a
 *	               column matters
 *	other kernels  the weight whose projected gradient is the largest goes
 *	               to where F stops to fall along it, by bisection of its
 *	               logarithm: a column may matter at weights of 1e-20 alone
 */
#ifndef KITH_KNIFE_MEND_H
#define KITH_KNIFE_MEND_H

#include <stdbool.h>
#include <stddef.h>

struct kith_knife_problem;

struct kith_mend_knife {
	const struct kith_knife_problem *problem;
	const double *start; /* p: as knife/check.h takes it, with tol */
	double tol;
	size_t most; /* evaluations at most, but for those of the check */
};

/*
 * Mend w (p, in [0, 1]); F never rises but by rounding.  Returns whether the
 * check holds then; *evaluations counts those of F.
 */
bool kith_mend_knife(const struct kith_mend_knife *how, double *w, size_t *evaluations);

#endif
