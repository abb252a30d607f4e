/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/newton.h: machines that are hard to come by are as exact as
 * others, from nothing and from the machine of other weights.
 */
#include "base/err.h"
#include "knife/data.h"
#include "knife/gram.h"
#include "knife/hard.h"
#include "knife/solve.h"
#include "knife/state.h"
#include "tap.h"

static struct kith_err err;

/* How far the machine of a state is from canonical, over the largest |v L'|. */
static double
left_over(const struct kith_knife_state *state, const double *w)
{
	double off;

	plain_objective(state->problem, w, state->alpha, state->bias, &off);
	return off / (2 * state->problem->lambda1 * largest(state->n, state->alpha, NULL));
}

/* What rounding of a score alone may leave of it, where K alpha cancels. */
static double
rounding(const struct kith_knife_state *state, const double *w)
{
	const struct kith_knife_problem *problem = state->problem;
	const double curved = problem->loss == KITH_KNIFE_HUBERHINGE ? 1 / problem->delta : 2;
	double most = 0;

	for (size_t i = 0; i < state->n; i++) {
		const double *x = kith_row(problem->X, i);
		const double v = problem->weight ? problem->weight[i] : 1;
		double sum = fabs(*state->bias);

		for (size_t l = 0; l < state->n; l++)
			sum += fabs(
			    state->alpha[l] * plain_kernel(problem, w, x, kith_row(problem->X, l)));
		most = fmax(most, v * curved * sum);
	}
	return 0x1p-52 * most / (2 * problem->lambda1 * largest(state->n, state->alpha, NULL));
}

/* From all weights .5 on, and from the machines of others. */
static bool
is_exact(const struct kith_knife_problem *problem)
{
	double *w = even(3, .5);
	struct kith_knife_state state = kith_knife_begin(problem, true);
	const double rounds = problem->kernel == KITH_KNIFE_LINEAR ? 1e4 : 64;
	bool exact = true;

	for (size_t k = 0; k < 3 && exact; k++) {
		exact = kith_knife_gram(&state, w, &err) == 0 &&
		    kith_knife_solve(&state, &err) == 0 &&
		    left_over(&state, w) <= 1e-11 + rounds * rounding(&state, w);
		w[k] = k ? 0 : 1;
	}
	kith_knife_end(&state);
	return exact;
}

/* The machine at w, from this one or, where alpha is NULL, from nothing. */
static void
solve_from(struct kith_knife_state *state, const double *alpha, double bias)
{
	memset(state->alpha, 0, state->n * sizeof(*alpha));
	if (alpha)
		memcpy(state->alpha, alpha, state->n * sizeof(*alpha));
	*state->bias = bias;
	state->warm = alpha != NULL;
	if (kith_knife_solve(state, &err))
		ok(false, "%s", err.msg);
}

/* How many times this machine has the objective of none: this, or a hair more. */
static double
border(const struct kith_knife_problem *problem, const double *w, const double *alpha, double bias)
{
	const size_t n = problem->X->n;
	double *at = numbers(n), b = 0, off, lo = 1, hi = 1;
	const double none = plain_objective(problem, w, at, &b, &off);

	while (hi / lo > 1 + 1e-6 || hi == lo) {
		const double by = hi == lo ? 2 * lo : sqrt(lo * hi);

		b = by * bias;
		for (size_t i = 0; i < n; i++)
			at[i] = by * alpha[i];
		if (plain_objective(problem, w, at, &b, &off) >= none)
			hi = by;
		else if (hi == lo)
			lo = hi = by;
		else
			lo = by;
	}
	return hi;
}

/*
 * A start that is worse than nothing is none, to the bit; one that is exact but for a
 * digit stays as it is.
 */
static void
test_start(unsigned seed, size_t *stays)
{
	const struct kith_knife_problem problem = draw_hard(seed);
	const size_t n = problem.X->n;
	double *w = even(3, .5), *due = numbers(n), *alpha = numbers(n);
	double bias, by;
	struct kith_knife_state state = kith_knife_begin(&problem, true);

	kith_knife_gram(&state, w, &err);
	solve_from(&state, NULL, 0);
	memcpy(due, state.alpha, n * sizeof(*due));
	bias = *state.bias;
	by = 1.0001 * border(&problem, w, due, bias);
	for (size_t i = 0; i < n; i++)
		alpha[i] = by * due[i];
	solve_from(&state, alpha, by * bias);
	ok(largest(n, state.alpha, due) == 0 && *state.bias == bias,
	    "seed %u: %.4f times the machine is worse than nothing", seed, by);
	if (left_over(&state, w) <= 1e-14 && rounding(&state, w) < 1e-14) {
		++*stays;
		memcpy(alpha, due, n * sizeof(*due));
		alpha[seed % n] *= 1 + 0x1p-52;
		solve_from(&state, alpha, bias);
		ok(largest(n, state.alpha, alpha) == 0 && *state.bias == bias,
		    "seed %u: what is exact stays", seed);
	}
	kith_knife_end(&state);
}

static void
test_starts(void)
{
	size_t stays = 0;

	for (unsigned seed = 0; seed < 60; seed++)
		test_start(seed, &stays);
	ok(stays > 9, "%zu of 60 machines stay", stays);
}

int
main(void)
{
	size_t off = 0, all = 0;

	for (unsigned seed = 0; seed < 400; seed++) {
		const struct kith_knife_problem problem = draw_hard(seed);

		all++;
		if (!is_exact(&problem)) {
			off++;
			if (off < 9)
				ok(false, "seed %u: %s, %s", seed, kernel_name[problem.kernel],
				    loss_name[problem.loss]);
		}
	}
	ok(off == 0, "%zu of %zu machines are not exact", off, all);
	test_starts();
	kith_pool_free(&pool);
	return done();
}
