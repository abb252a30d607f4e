/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/near/metric.h: which matrices count as semidefinite. */
#include "near/metric.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { MOST = 6 };

/* W = 1 1' + share (1, -1) (1, -1)' of norms 2: eigenvalues 2 and 2 share. */
static void
pair(double share, double *W)
{
	W[0] = W[3] = 1 + share;
	W[1] = W[2] = 1 - share;
}

static void
test_share(void)
{
	double W[4];
	static const struct {
		double share;
		bool yes;
	} due[] = {
	    {0, true}, {-.9e-12, true}, {-1.2e-12, false}, {.5, true}, {-1e-9, false}, {-1, false}};

	for (size_t e = 0; e < 6; e++)
		for (int scale = -900; scale <= 900; scale += 300) {
			pair(due[e].share, W);
			for (size_t a = 0; a < 4; a++)
				W[a] = ldexp(W[a], scale);
			ok(kith_semi_definite(2, W) == due[e].yes,
			    "least eigenvalue %g of the largest, times 2^%d", due[e].share, scale);
		}
	memset(W, 0, sizeof(W));
	ok(kith_semi_definite(2, W), "all 0");
	W[1] = W[2] = 1;
	ok(!kith_semi_definite(2, W), "a diagonal of 0 alone");
	W[0] = -1e-300;
	ok(!kith_semi_definite(2, W), "a negative diagonal");
}

/* Where it counts as semidefinite no distance is below 0; else it may be. */
static void
test_distance(void)
{
	const double x[2] = {1e3, 0}, z[2] = {0, 1e3};
	double W[4];
	const struct kith_metric metric = {KITH_SQUARED_MATRIX, 2, W};

	pair(-.9e-12, W);
	ok(kith_dist(&metric, x, z) == 0, "within the bound: 0");
	pair(-1e-9, W);
	ok(kith_dist(&metric, x, z) < 0, "beyond it: below 0");
}

/* W = A'A of low rank, as it is printed. */
static void
test_low_rank(void)
{
	size_t bad = 0, below = 0;

	for (size_t seed = 1; seed <= 300; seed++) {
		double A[MOST * MOST], W[MOST * MOST] = {0}, x[MOST], z[MOST];
		const struct kith_metric metric = {KITH_SQUARED_MATRIX, MOST, W};
		const size_t r = 1 + seed % (MOST - 1);
		struct kith_rng rng;

		kith_rng_seed(&rng, seed, KITH_RNG_START, 0);
		for (size_t a = 0; a < r * MOST; a++)
			A[a] = kith_rng_unit(&rng) - .5;
		for (size_t a = 0; a < MOST; a++)
			for (size_t b = 0; b < MOST; b++)
				for (size_t q = 0; q < r; q++)
					W[a * MOST + b] += A[q * MOST + a] * A[q * MOST + b];
		bad += !kith_semi_definite(MOST, W);
		for (size_t l = 0; l < 50; l++) {
			for (size_t a = 0; a < MOST; a++) {
				x[a] = kith_rng_unit(&rng);
				z[a] = kith_rng_unit(&rng);
			}
			below += kith_dist(&metric, x, z) < 0;
		}
	}
	is_size(bad, 0, "A'A that are not semidefinite");
	is_size(below, 0, "distances below 0");
}

int
main(void)
{
	test_share();
	test_distance();
	test_low_rank();
	return done();
}
