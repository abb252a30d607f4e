/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/solve/nn.h: problems that are scaled. */
#include "solve/nn.h"

#include "base/pool.h"
#include "solve/problems.h"
#include "tap.h"

#include <string.h>

/* The answer to a scaled problem is the answer scaled, to the bit. */
static bool
is_scaled(size_t n, int of_A, int of_b)
{
	const size_t ld = kith_qp_nn_stride(n);
	double due[N], apart = 0;

	kith_qp_nn(qp, n, A, b, t, g);
	memcpy(due, t, sizeof(due));
	for (size_t i = 0; i < n; i++) {
		b[i] = ldexp(b[i], of_b);
		for (size_t j = 0; j < n; j++)
			A[i * ld + j] = ldexp(A[i * ld + j], of_A);
	}
	kith_qp_nn(qp, n, A, b, t, g);
	for (size_t i = 0; i < n; i++)
		apart += fabs(ldexp(due[i], of_b - of_A) - t[i]);
	return apart == 0;
}

/* Narrow kernels have many weights above 0, those of wide ones hardly differ. */
static void
test_kernels(void)
{
	static const double width[] = {.1, .5, 3, 30, 1000};

	for (size_t k = 0; k < 5; k++)
		for (size_t n = 8; n <= N; n += 8) {
			make_kernel(n, 3, width[k], 0);
			ok(is_scaled(n, n % 16 ? -500 : 60, n % 16 ? -700 : -3),
			    "%zu weights, width %g", n, width[k]);
		}
}

/* Sums that nearly cancel take more than one correction. */
static void
test_products(void)
{
	size_t bad = 0;

	for (size_t k = 0; k < 2000; k++) {
		const size_t n = 1 + kith_rng_below(&rng, N);

		make_products(n, 1 + k % 8, k % 3 ? .5 : .1);
		bad += !is_scaled(n, k % 2 ? 60 : -60, (int)(k % 5) * 30 - 60);
	}
	ok(bad == 0, "%zu linear problems are not scaled", bad);
}

int
main(void)
{
	struct kith_pool pool = {0};

	kith_rng_seed(&rng, 2, KITH_RNG_SAMPLE, 0);
	qp = kith_qp_nn_new(N, &pool);
	test_kernels();
	test_products();
	kith_pool_free(&pool);
	return done();
}
