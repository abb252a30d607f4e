/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/hard - problems of losses that are not squared whose machine is hard to find. */
#ifndef KITH_TEST_KNIFE_HARD_H
#define KITH_TEST_KNIFE_HARD_H

#include "knife/data.h"

/* Rows of nearly one kernel, losses of any curvature, few rows of a class. */
static inline struct kith_knife_problem
draw_hard(unsigned seed)
{
	static const double delta[] = {.01, .1, .7, 30, 1e4};
	struct kith_knife_problem problem;
	bool flat;
	const size_t n = 6 + seed % 23;
	double *y = numbers(n), *weight = numbers(n);

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	problem = draw(
	    n, 3, 1, (enum kith_knife_kernel)(seed % 4), (enum kith_knife_loss)(1 + seed / 4 % 3));
	flat = kith_rng_below(&rng, 2);
	problem.gamma = flat ? 1e-3 : 1;
	problem.coef0 = flat ? 9 : 1;
	problem.degree = 1 + seed % 2;
	problem.delta = delta[seed % 5];
	problem.lambda1 = pow(10, 7 * kith_rng_unit(&rng) - 4);
	problem.intercept = kith_rng_below(&rng, 4) > 0;
	for (size_t i = 0; i < n; i++) {
		y[i] = i % 7 == 3 || (seed % 3 && problem.Y[i] > 0) ? 1 : -1;
		weight[i] = pow(10, 4 * kith_rng_unit(&rng) - 2);
	}
	problem.Y = y;
	problem.weight = seed % 2 ? weight : NULL;
	return problem;
}

#endif
