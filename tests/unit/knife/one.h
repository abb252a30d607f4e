/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/one - a problem of one weight by hand: x = (1, -1), y = x and lambda1 = 1 have
 * alpha = y / (2 w + 1) and the functions below, of the linear kernel.
 */
#ifndef KITH_TEST_KNIFE_ONE_H
#define KITH_TEST_KNIFE_ONE_H

#include "knife/problem.h"

static inline struct kith_knife_problem
one_weight(double lambda2)
{
	static double x[] = {1, -1};
	static struct kith_mat X = {2, 1, x};

	return (struct kith_knife_problem){.X = &X,
	    .Y = x,
	    .c = 1,
	    .kernel = KITH_KNIFE_LINEAR,
	    .lambda1 = 1,
	    .lambda2 = lambda2,
	    .threads = 1};
}

/* F at w, and its derivative. */
static inline double
one_value(double lambda2, double w)
{
	return 2 / (2 * w + 1) + lambda2 * w;
}

static inline double
one_slope(double lambda2, double w)
{
	return lambda2 - 4 / ((2 * w + 1) * (2 * w + 1));
}

#endif
