/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvmpath/range.h: rows plus a constant, at the limits.
 */
#include "wsvmpath/range.h"
#include "base/pool.h"
#include "base/rng.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "near/metric.h"
#include "tap.h"

#include <math.h>

enum { N = 40, P = 3 };

/*
 * Numbers of variance 1 plus a constant: K(x, x) is `ratio` times the mean of the
 * centred diagonal, to which a polynomial of degree d adds d^2 along the constant
 * and d in the other two directions.
 */
static bool
resolved(size_t seed, int kind, size_t degree, double ratio, double ridge)
{
	static double x[N * P];
	const struct kith_metric metric = {KITH_SQUARED, P, NULL};
	const struct kith_kern kern = {.kind = (enum kith_kern_kind)kind,
	    .metric = &metric,
	    .gamma = 1,
	    .degree = degree,
	    .coef0 = 1};
	const struct kith_mat X = {N, P, x};
	const double d = (double)degree;
	struct kith_rng rng;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 5);
	for (size_t i = 0; i < sizeof(x) / sizeof(*x); i++)
		x[i] = sqrt(12) * (kith_rng_unit(&rng) - .5) + sqrt(ratio * (d * d + 2 * d) / P);
	return kith_svm_resolved(&kern, &X, ridge);
}

static void
test_limits(int kind, size_t degree, const char *name)
{
	size_t near = 0, far = 0, rounding = 0, ridge = 0;

	for (size_t seed = 0; seed < 100; seed++) {
		near += resolved(seed, kind, degree, 1e9, 0);
		far += resolved(seed, kind, degree, 2e10, 0);
		ridge += resolved(seed, kind, degree, 1e13, 1e-6);
		rounding += resolved(seed, kind, degree, 1e15, 1e-6);
	}
	is_size(near, 100, name);
	is_size(far, 0, "not 2e10");
	is_size(ridge, 100, "1e13 with one");
	is_size(rounding, 0, "not 1e15");
}

int
main(void)
{
	test_limits(KITH_KERN_LINEAR, 1, "linear: 1e9 without a ridge");
	test_limits(KITH_KERN_POLYNOMIAL, 2, "degree 2: 1e9 without a ridge");
	test_limits(KITH_KERN_POLYNOMIAL, 3, "degree 3: 1e9 without a ridge");
	ok(resolved(1, KITH_KERN_GAUSSIAN, 1, 1e15, 0), "gaussian: always");
	return done();
}
