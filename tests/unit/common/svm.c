/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of cmd/common/svm.h: kernels of rows plus a constant, at the limits of what is resolved;
 * the sum of what several paths took; coefficients of items from alpha of pairs.
 */
#include "common/svm.h"

#include "base/pool.h"
#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <string.h>

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

/* Sums, largest numbers, the first restart, and of faults the worst, of two as bad the first. */
static void
test_count(void)
{
	struct kith_wsvm_count sum = {0}, more = {.fault = {.5, .5, "well"}};

	kith_svm_count_add(&sum, &(struct kith_wsvm_count){0});
	ok(sum.margin == 0 && sum.events == 0, "nothing is nothing");
	kith_svm_count_add(&sum, &more);
	is_text(sum.fault.what, "well", "the worst of those that are right");
	more = (struct kith_wsvm_count){.events = 3,
	    .rows = 5,
	    .restarts = 1,
	    .margin = 6,
	    .residual = 1e-9,
	    .solved_anew = 13,
	    .faults = 2,
	    .fault = {.25, 3, "first"},
	    .restart_at = .5,
	    .longest_restart = .25};
	kith_svm_count_add(&sum, &more);
	more = (struct kith_wsvm_count){.events = 1,
	    .rows = 1,
	    .restarts = 2,
	    .margin = 10,
	    .residual = 1e-8,
	    .solved_anew = 1,
	    .faults = 1,
	    .fault = {.75, 3, "second"},
	    .restart_at = .75,
	    .longest_restart = .125};
	kith_svm_count_add(&sum, &more);
	ok(sum.events == 4 && sum.rows == 6 && sum.restarts == 3 && sum.solved_anew == 14 &&
		sum.faults == 3,
	    "sums");
	is_size(sum.margin, 16, "the margin of all events");
	ok(sum.residual == 1e-8 && sum.longest_restart == .25, "the largest");
	ok(sum.restart_at == .5, "the first restart");
	is_text(sum.fault.what, "first", "of two as bad the first");
	more.fault.violation = 4;
	kith_svm_count_add(&sum, &more);
	ok(strcmp(sum.fault.what, "second") == 0 && sum.fault.theta == .75 &&
		sum.fault.violation == 4,
	    "the worst, all of it");
}

static void
test_coef(void)
{
	struct kith_pool pool = {0};
	struct kith_svm_task task = {.pool = &pool, .n = 3};
	double coef[3] = {NAN, NAN, NAN};

	kith_svm_variables(&task, 2, true);
	for (size_t v = 0; v < 2; v++) {
		task.sign[v] = 1 - 2 * (double)v;
		task.plus[v] = v;
		task.minus[v] = v + 1;
	}
	kith_svm_coef(&task, (double[]){2, 4}, coef);
	ok(coef[0] == 2 && coef[1] == -6 && coef[2] == 4, "coef of two pairs");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_count();
	test_coef();
	test_limits(KITH_KERN_LINEAR, 1, "linear: 1e9 without a ridge");
	test_limits(KITH_KERN_POLYNOMIAL, 2, "degree 2: 1e9 without a ridge");
	test_limits(KITH_KERN_POLYNOMIAL, 3, "degree 3: 1e9 without a ridge");
	ok(resolved(1, KITH_KERN_GAUSSIAN, 1, 1e15, 0), "gaussian: always");
	return done();
}
