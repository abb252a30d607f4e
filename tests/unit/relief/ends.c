/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/relief.h by hand: which ends TuRF reports, and what of a
 * matrix of LFE is rounding.
 */
#include "relief/data.h"

/* Whether all rounds of TuRF, a feature a round, end by themselves. */
static bool
ends(const struct kith_relief_rows *in, size_t loops, size_t *iterations)
{
	const struct kith_relief_how how = {
	    .method = KITH_RELIEF_MULREL, .max_iter = loops, .turf = 1e-9, .threads = 1};
	const struct kith_relief *got = run(in, &how);

	*iterations = got->iterations;
	return got->converged;
}

/* One feature alone has the same weights after two loops. */
static void
test_turf(void)
{
	enum { LOOPS = 30 };
	const struct kith_relief_how how = {
	    .method = KITH_RELIEF_MULREL, .max_iter = LOOPS, .threads = 1};
	struct kith_relief_rows in;
	size_t iterations = 0, some = 0, odd = 0;
	bool all;

	for (uint64_t seed = 4; seed < 40; seed += 4) {
		in = (draw(seed), rows());
		if (run(&in, &how)->converged)
			continue;
		some++;
		odd += ends(&in, LOOPS, &iterations) || iterations > 2;
	}
	ok(some > 4 && odd == 0, "%zu first rounds do not end, though the last one does", some);
	n = 4;
	p = c = 2;
	memcpy(x, (double[]){0, 0, 0, 1, 9, 0, 9, 1}, 8 * sizeof(*x));
	memcpy(y, (size_t[]){0, 0, 1, 1}, 4 * sizeof(*y));
	in = rows();
	all = ends(&in, LOOPS, &iterations);
	ok(all && iterations == 2, "all end: %zu loops", iterations);
}

/* Rows whose hits are v away along a, and misses 1 along b. */
static const double *
split(double v)
{
	const struct kith_relief_how how = {.method = KITH_RELIEF_LFE, .threads = 1};
	struct kith_relief_rows in;

	n = 4;
	p = c = 2;
	memcpy(x, (double[]){0, 0, v, 0, 0, 1, v, 1}, 8 * sizeof(*x));
	memcpy(y, (size_t[]){0, 0, 1, 1}, 4 * sizeof(*y));
	in = rows();
	return run(&in, &how)->w;
}

static void
test_rounding(void)
{
	const double *w = split(0x1p25);

	ok(w[3] == 1 && w[0] == 0 && w[1] == 0, "2^-50 of what is negative");
	w = split(0x1p26);
	ok(w[0] == 0 && w[1] == 0 && w[3] == 0,
	    "2^-52 of it may be rounding: p of that are left out");
}

int
main(void)
{
	test_turf();
	test_rounding();
	kith_pool_free(&pool);
	return done();
}
