/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/solve/nn.h: problems that are scaled. */
#include "solve/nn.h"

#include "base/pool.h"
#include "solve/kernels.h"
#include "tap.h"

#include <string.h>

/* The answer to a scaled problem is the answer scaled, to the bit. */
static void
test_scale(size_t n, double width, int of_A, int of_b)
{
	const size_t ld = kith_qp_nn_stride(n);
	double due[N], apart = 0;

	make_kernel(n, 3, width, 0);
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
	ok(apart == 0, "%zu weights, width %g: A times 2^%d, b times 2^%d", n,
	    width, of_A, of_b);
}

/* Narrow kernels have many weights above 0, those of wide ones hardly differ. */
static void
test_scales(void)
{
	static const double width[] = {.1, .5, 3, 30, 1000};

	for (size_t k = 0; k < 5; k++)
		for (size_t n = 8; n <= N; n += 8) {
			test_scale(n, width[k], -500, -700);
			test_scale(n, width[k], 60, -3);
		}
}

int
main(void)
{
	struct kith_pool pool = {0};

	kith_rng_seed(&rng, 2, KITH_RNG_SAMPLE, 0);
	qp = kith_qp_nn_new(N, &pool);
	test_scales();
	kith_pool_free(&pool);
	return done();
}
