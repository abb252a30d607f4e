/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/check_large.h and of the pairs of check_sum.h: by their
 * definitions.
 */
#include "knife/check_large.h"

#include "knife/check_at.h"
#include "knife/check_sum.h"
#include "knife/data.h"
#include "tap.h"

#include <stdio.h>

/* Sums are added to, whatever p is. */
static void
test_pair(enum kith_knife_kernel kernel, size_t p)
{
	double x[20], z[20], got[21], due[21];

	for (size_t j = 0; j < p; j++) {
		x[j] = normal(&rng);
		z[j] = normal(&rng);
	}
	for (size_t j = 0; j <= p; j++)
		got[j] = due[j] = (double)j;
	for (size_t j = 0; j < p; j++) {
		const double d = x[j] - z[j];

		due[j] += -1.5 *
		    (kernel == KITH_KNIFE_GAUSSIAN           ? d * d
			    : kernel == KITH_KNIFE_LAPLACIAN ? fabs(d)
							     : x[j] * z[j]);
	}
	kith_check_knife_pair(kernel, p, -1.5, x, z, got);
	ok(largest(p, got, due) < 1e-13 && got[p] == due[p], "%s, %zu features",
	    kernel_name[kernel], p);
}

/* The largest |f - K alpha - b|. */
static double
scores_off(const struct kith_knife_problem *problem, const double *w,
    const struct kith_check_knife_point *at)
{
	const size_t n = problem->X->n;
	double off = 0;

	for (size_t k = 0; k < problem->c * n; k++) {
		const size_t o = k / n;
		double f = at->b[o];

		for (size_t l = 0; l < n; l++)
			f += at->alpha[o * n + l] *
			    plain_kernel(
				problem, w, kith_row(problem->X, k % n), kith_row(problem->X, l));
		off = fmax(off, fabs(f - at->f[k]) / fmax(1, fabs(f)));
	}
	return off;
}

/* All that is found at w; by any number of threads. */
static void
test_point(struct kith_knife_problem problem, const double *w)
{
	const size_t n = problem.X->n, p = problem.X->p;
	struct kith_check_knife_point at, by_three;
	const double *dF;
	double off, F, most;

	problem.held = 1;
	at = kith_check_knife_at(&problem, w, &pool);
	F = plain_objective(&problem, w, at.alpha, at.b, &off);
	dF = plain_gradient(&problem, w, at.alpha);
	most = largest(p, dF, NULL);
	ok(at.F < INFINITY && fabs(at.F / F - 1) < 1e-10 && off < 1e-5,
	    "%s, %s, n %zu: F %.12g, canonical to %.1e", kernel_name[problem.kernel],
	    loss_name[problem.loss], n, at.F, off);
	ok(at.residual < 1e-6 && at.residual >= 0, "its residual: %.1e", at.residual);
	ok(largest(p, dF, at.dF) < 1e-9 * most, "dF to %.1e of %g", largest(p, dF, at.dF), most);
	ok(scores_off(&problem, w, &at) < 1e-10, "f");
	problem.threads = 3;
	by_three = kith_check_knife_at(&problem, w, &pool);
	ok(at.F == by_three.F && largest(p, at.dF, by_three.dF) == 0 &&
		at.residual == by_three.residual,
	    "the same by three threads");
}

static void
test_points(void)
{
	for (unsigned k = 0; k < 24; k++) {
		const size_t n = 15 + k % 4, p = k % 2 ? 9 : 3;
		struct kith_knife_problem problem = draw(n, p, k % 4 ? 1 : 2,
		    (enum kith_knife_kernel)(1 + k % 3), (enum kith_knife_loss)(k % 4));
		double *w = numbers(p), *weight = numbers(n);

		for (size_t i = 0; i < n; i++)
			weight[i] = .5 + kith_rng_unit(&rng);
		problem.degree = 1 + k / 3 % 3;
		problem.intercept = k / 2 % 2;
		problem.weight = k / 4 % 2 ? weight : NULL;
		for (size_t j = 0; j < p && k < 21; j++)
			w[j] = j % 3 == 1 ? 0 : kith_rng_unit(&rng);
		test_point(problem, w);
	}
}

int
main(void)
{
	kith_rng_seed(&rng, 32, KITH_RNG_SAMPLE, 0);
	for (int kernel = 0; kernel < 4; kernel++)
		for (size_t p = 1; p < 20; p++)
			test_pair((enum kith_knife_kernel)kernel, p);
	test_points();
	kith_pool_free(&pool);
	return done();
}
