/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/check_at.h: machines that are hard to come by, against those of
 * the solver, which finds them by other steps.
 */
#include "knife/check_at.h"

#include "base/err.h"
#include "knife/data.h"
#include "knife/hard.h"
#include "tap.h"

int
main(void)
{
	size_t apart = 0, left = 0, all = 0;
	struct kith_err err;

	for (unsigned seed = 0; seed < 400; seed++) {
		const struct kith_knife_problem problem = draw_hard(seed);
		const double *w = even(3, .5);
		double *alpha = numbers(problem.X->n), bias = 0, F;
		struct kith_check_knife_point at;

		/* Of these the check does not come to the end now and then. */
		if (problem.loss == KITH_KNIFE_HUBERHINGE && problem.intercept)
			continue;
		at = kith_check_knife_at(&problem, w, &pool);
		if (kith_knife_at(&problem, w, &F, NULL, alpha, &bias, &err))
			ok(false, "seed %u: %s", seed, err.msg);
		left += !(at.residual <= 1e-8);
		apart += !(fabs(at.F - F) <= 1e-9 * F);
		all++;
	}
	ok(left == 0, "%zu of %zu machines are not exact", left, all);
	ok(apart == 0, "%zu are not those of the solver", apart);
	kith_pool_free(&pool);
	return done();
}
