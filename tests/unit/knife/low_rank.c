/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/low_rank.h: its machine is that of a factor of K, and it gives
 * up where K has no low rank or a factor tells better.
 */
#include "knife/low_rank.h"

#include "base/err.h"
#include "knife/data.h"
#include "knife/gram.h"
#include "knife/solve.h"
#include "knife/state.h"
#include "la/vec.h"
#include "tap.h"

#include <stdint.h>
#include <stdio.h>

enum { N = 500, P = 6, C = 3 };

static struct kith_err err;

/* A machine begins anew, whatever was there before. */
static void
spoil(struct kith_knife_state *state)
{
	for (size_t o = 0; o < state->c; o++)
		state->bias[o] = 7;
	for (size_t k = 0; k < N * state->c; k++)
		state->alpha[k] = state->Ka[k] = 3;
}

/* The machine at w by both ways; how many features have a weight. */
static void
test_machine(const struct kith_knife_problem *problem, size_t kept, bool due, const char *what)
{
	const size_t c = problem->c;
	struct kith_knife_state state = kith_knife_begin(problem, false);
	double *w = numbers(P), *alpha = numbers(N * c), *Ka = numbers(N * c);
	double *bias = numbers(c), size;

	for (size_t j = 0; j < kept; j++)
		w[j] = 1 / (double)(j + 1);
	ok(kith_knife_gram(&state, w, &err) == 0, "K, %s", what);
	spoil(&state);
	ok(kith_knife_low_rank(&state) == due, "%s: %s", what, due ? "found" : "not found");
	ok(state.dense == (due ? SIZE_MAX : kept - kept / 4), "%s: remembered", what);
	memcpy(alpha, state.alpha, N * c * sizeof(*alpha));
	memcpy(Ka, state.Ka, N * c * sizeof(*Ka));
	memcpy(bias, state.bias, c * sizeof(*bias));
	spoil(&state);
	state.dense = 0;
	ok(kith_knife_solve(&state, &err) == 0, "a factor, %s", what);
	size = kith_vec_largest(N * c, state.alpha);
	if (due) {
		ok(largest(N * c, alpha, state.alpha) < 1e-10 * size, "alpha, %s: %g of %g", what,
		    largest(N * c, alpha, state.alpha), size);
		ok(largest(N * c, Ka, state.Ka) < 1e-10, "K alpha, %s: %g", what,
		    largest(N * c, Ka, state.Ka));
		ok(largest(c, bias, state.bias) < 1e-10, "b, %s", what);
	}
	kith_knife_end(&state);
}

static void
test_machines(void)
{
	static const enum kith_knife_kernel kernel[] = {
	    KITH_KNIFE_GAUSSIAN, KITH_KNIFE_POLYNOMIAL, KITH_KNIFE_GAUSSIAN};
	double *weight = numbers(N);

	for (size_t i = 0; i < N; i++)
		weight[i] = .1 + 5 * kith_rng_unit(&rng);
	for (size_t k = 0; k < 12; k++) {
		struct kith_knife_problem problem = draw(
		    N, P, k % 3 ? 1 : C, kernel[k / 4], KITH_KNIFE_SQUARED);
		char what[64];

		problem.intercept = k % 2;
		problem.weight = k / 2 % 2 ? weight : NULL;
		problem.gamma = .01;
		problem.degree = 2;
		problem.lambda1 = k == 9 ? .05 : .5;
		snprintf(what, sizeof(what), "%s, machine %zu", kernel_name[kernel[k / 4]], k);
		test_machine(&problem, k / 4 == 2 ? 1 : 2, true, what);
	}
}

static void
test_limits(void)
{
	struct kith_knife_problem problem = draw(N, P, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);

	test_machine(&problem, 0, true, "all kernels are 1");
	for (size_t i = 0; i < N; i++)
		memcpy(kith_row(problem.X, i), kith_row(problem.X, i % 7), P * sizeof(double));
	test_machine(&problem, P, true, "copies of seven rows");
	problem = draw(N, P, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	problem.gamma = 10;
	test_machine(&problem, P, false, "many columns");
	problem.gamma = .01;
	problem.lambda1 = 1e-8;
	test_machine(&problem, 1, false, "a small lambda1");
	problem.kernel = KITH_KNIFE_LAPLACIAN;
	problem.lambda1 = .5;
	test_machine(&problem, P, false, "a kernel that is not smooth");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_START, 0);
	test_machines();
	test_limits();
	kith_pool_free(&pool);
	return done();
}
