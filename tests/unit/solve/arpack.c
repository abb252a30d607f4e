/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/solve/arpack.h against dense matrices. */
#include "solve/arpack.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/lapack.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct kith_rng rng;

struct dense {
	size_t n, left; /* products that may still be asked for */
	const double *A;
};

static bool
times(void *to, const double *x, double *y)
{
	struct dense *d = to;

	if (d->left-- == 0)
		return false;
	for (size_t i = 0; i < d->n; i++) {
		y[i] = 0;
		for (size_t j = 0; j < d->n; j++)
			y[i] += d->A[i * d->n + j] * x[j];
	}
	return true;
}

static void
compare(unsigned seed)
{
	struct kith_pool pool = {0};
	const size_t n = 30 + kith_rng_below(&rng, 100);
	const size_t k = 1 + kith_rng_below(&rng, 6);
	double *A = kith_new(&pool, n * n, sizeof(*A));
	double *B = kith_new(&pool, n * n, sizeof(*B));
	double *V = kith_new(&pool, n * n, sizeof(*V));
	double *U = kith_new(&pool, n * k, sizeof(*U)), *again;
	double *lambda = kith_new(&pool, n, sizeof(*lambda)), value[6];
	double *start = kith_new(&pool, n, sizeof(*start));
	double *same = kith_new(&pool, n, sizeof(*same));
	struct dense d = {n, SIZE_MAX, A};
	struct kith_arpack job = {n, k, 2 * k + 10, 1e-15, 100000, times, &d};
	bool good = true;

	for (size_t i = 0; i < n; i++) {
		start[i] = same[i] = kith_rng_unit(&rng) - .5;
		for (size_t j = 0; j <= i; j++)
			A[i * n + j] = A[j * n + i] = kith_rng_unit(&rng) - .5;
	}
	memcpy(B, A, n * n * sizeof(*A));
	ok(kith_eig(n, B, lambda, V), "seed %u: dense", seed);
	is_size(kith_arpack(&job, start, value, U), k, "all converge");
	for (size_t i = 0; i < k; i++) {
		double product = 0;

		for (size_t j = 0; j < n; j++)
			product += U[i * n + j] * V[(n - 1 - i) * n + j];
		good &= fabs(value[i] - lambda[n - 1 - i]) < 1e-12 &&
		    fabs(fabs(product) - 1) < 1e-10;
	}
	ok(good, "seed %u: %zu of %zu, the largest first", seed, k, n);
	again = kith_new(&pool, n * k, sizeof(*again));
	ok(kith_arpack(&job, same, value, again) == k && memcmp(U, again, n * k * sizeof(*U)) == 0,
	    "seed %u: the same bytes again", seed);
	d.left = 5;
	ok(kith_arpack(&job, start, value, U) < k, "seed %u: given up", seed);
	d.left = SIZE_MAX;
	job.most = 1;
	job.room = k + 1;
	job.tol = 1e-300;
	ok(kith_arpack(&job, start, value, U) < k, "seed %u: too few", seed);
	kith_pool_free(&pool);
}

int
main(void)
{
	const unsigned seeds = getenv("KITH_LONG") ? 500 : 30;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		compare(seed);
	}
	return done();
}
