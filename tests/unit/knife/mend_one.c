/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/mend.h: where a weight goes along F by bisection of its
 * logarithm, evaluation by evaluation, by hand.
 */
#include "knife/mend.h"

#include "knife/check_at.h"
#include "knife/data.h"
#include "knife/one.h"
#include "tap.h"

/* The polynomial kernel of degree 1 is the linear one; its weights go one by one. */
static struct kith_knife_problem
one_by_one(double lambda2)
{
	struct kith_knife_problem problem = one_weight(lambda2);

	problem.kernel = KITH_KNIFE_POLYNOMIAL;
	problem.degree = 1;
	return problem;
}

/*
 * Where w is after so many evaluations: at the bound that F falls to, if it falls as
 * far as there; else at the lowest of the places between that halve what is left.
 */
static double
plain_place(double lambda2, double w, size_t evaluations)
{
	const bool up = one_slope(lambda2, w) < 0;
	const double end = up;
	double lo = up ? w : 0, hi = up ? 1 : w;
	double F = one_value(lambda2, w);

	if (evaluations < 2)
		return w;
	if (one_value(lambda2, end) < F &&
	    (one_slope(lambda2, end) == 0 || (one_slope(lambda2, end) < 0) == up))
		return end;
	for (size_t k = 2; k < evaluations; k++) {
		const double x = sqrt(fmax(lo, 0x1p-1000) * hi);
		const double here = one_value(lambda2, x);
		const double slope = one_slope(lambda2, x);

		if (here < F) {
			F = here;
			w = x;
			*(slope < 0 ? &lo : &hi) = x;
		} else
			*(up ? &hi : &lo) = x;
	}
	return w;
}

static void
test_places(double lambda2, double start)
{
	const struct kith_knife_problem problem = one_by_one(lambda2);
	const double half = .5;
	struct kith_mend_knife how = {&problem, &half, 0, 1};

	for (; how.most < 20; how.most++) {
		double w = start;
		const double due = plain_place(lambda2, start, how.most);
		size_t evaluations;

		kith_mend_knife(&how, &w, &evaluations);
		ok(fabs(w - due) <= 1e-12 && (due < 1 || w == 1) && (due > 0 || w == 0),
		    "lambda2 %g from %g, %zu evaluations: %.15g, due %.15g", lambda2, start,
		    how.most, w, due);
	}
}

/* No more evaluations than may be made, and F is no higher, whenever they end. */
static void
test_limit(size_t *tight)
{
	for (unsigned seed = 0; seed < 60; seed++) {
		struct kith_knife_problem problem;
		const double *start = even(4, .5);
		struct kith_mend_knife how = {&problem, start, 1e-9, 1 + seed * 2};
		double *w = numbers(4), before;
		size_t evaluations;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		problem = draw(9, 4, 1, (enum kith_knife_kernel)(seed % 4),
		    (enum kith_knife_loss)(seed / 4 % 4));
		for (size_t k = 0; k < 36; k++)
			problem.X->v[k] *= k % 4 == 3 ? 30 : 1;
		for (size_t j = 0; j < 4; j++)
			w[j] = kith_rng_unit(&rng);
		before = kith_check_knife_at(&problem, w, &pool).F;
		kith_mend_knife(&how, w, &evaluations);
		ok(evaluations <= how.most &&
			kith_check_knife_at(&problem, w, &pool).F <= before * (1 + 1e-12),
		    "%s, %s: %zu evaluations of %zu", kernel_name[problem.kernel],
		    loss_name[problem.loss], evaluations, how.most);
		*tight += evaluations == how.most;
	}
}

int
main(void)
{
	size_t tight = 0;

	test_places(.6, .1);
	test_places(.6, .95);
	test_places(.3, .1);
	test_places(3.5, .8);
	test_places(3.5, .001);
	test_places(4, .8);
	test_places(4.5, .8);
	test_places(5.5, .01);
	test_places(1.5, .6);
	test_limit(&tight);
	ok(tight > 20, "%zu came to their limit", tight);
	kith_pool_free(&pool);
	return done();
}
