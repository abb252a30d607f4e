/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With V the weights of the rows and S = V^(1/2), alpha = S x and the bias b solve
 *
 *	(S K S + lambda1 I) x = S (y - b),  1'alpha = 0 where there is a b
 *
 * 1. Find G (rank.h).  Where it has too many columns for what it lacks, give up.
 * 2. P = S G G' S + lambda1 I stands for the matrix; u = S P^-1 S 1.
 * 3. From alpha = 0 on: r = S (y - b - K alpha) - lambda1 x.
 * 4. alpha += S P^-1 r, then a multiple of u, which b loses, so that 1'alpha = 0.
 * 5. From 3, as long as r falls to a fraction: each step leaves the share of it that
 *    E has of lambda1.
 */
#include "knife/low_rank.h"

#include "base/pool.h"
#include "knife/gram.h"
#include "knife/rank.h"
#include "knife/state.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

enum {
	FEWEST = 400, /* rows: a factor of fewer is quick */
	PART = 6,     /* columns of G, as a part of the rows */
	STEPS = 8
};

#define LACKS 1e-8   /* the trace of E over lambda1, */
#define BEARS 1e-4   /* and what may be borne of it */
#define LEAST 1e-6   /* lambda1 over the mean of K_ii: a factor tells better */
#define SOLVED 1e-14 /* r over its terms */
#define RIGHT 1e-12

struct system {
	struct kith_knife_state *state;
	struct kith_knife_rank rank;
	double *R;          /* the factor that rank.h asks for */
	double *root, *two; /* n: S, and the root of 2 times it */
	double *u, *r;      /* n */
};

/* x (n) becomes S P^-1 x. */
static void
solve(const struct system *it, double *x)
{
	const size_t n = it->state->n;

	for (size_t i = 0; i < n; i++)
		x[i] *= 2;
	kith_knife_rank_solve(it->state, &it->rank, it->two, it->R, x);
	for (size_t i = 0; i < n; i++)
		x[i] *= it->root[i];
}

/* r of output o; what it is of its largest term. */
static double
residual(const struct system *it, size_t o)
{
	const struct kith_knife_state *state = it->state;
	const double *Ka = state->Ka + o * state->n;
	const double *alpha = state->alpha + o * state->n;
	const double *y = state->problem->Y + o * state->n;
	double left = 0, most = 0;

	for (size_t i = 0; i < state->n; i++) {
		const double s = it->root[i];
		const double own = state->problem->lambda1 * alpha[i] / s;

		it->r[i] = s * (y[i] - state->bias[o] - Ka[i]) - own;
		left = fmax(left, fabs(it->r[i]));
		most = fmax(most, fmax(fabs(s * y[i]), fabs(own)));
	}
	return left > 0 ? left / most : 0;
}

/* The machine of output o; whether it is right to rounding. */
static bool
find(const struct system *it, size_t o)
{
	struct kith_knife_state *state = it->state;
	const size_t n = state->n;
	double *alpha = state->alpha + o * n, *Ka = state->Ka + o * n;
	double left, last = INFINITY;

	memset(alpha, 0, n * sizeof(*alpha));
	memset(Ka, 0, n * sizeof(*Ka));
	state->bias[o] = 0;
	for (int step = 0; step < STEPS; step++) {
		left = residual(it, o);
		if (left <= SOLVED || !(left < last / 2))
			return left <= RIGHT;
		last = left;
		solve(it, it->r);
		for (size_t i = 0; i < n; i++)
			alpha[i] += it->r[i];
		if (state->problem->intercept)
			state->bias[o] -= kith_knife_balance(n, 0, it->u, alpha);
		kith_knife_times(state, alpha, Ka);
	}
	return residual(it, o) <= RIGHT;
}

/* What stands for the matrix; whether it is near enough. */
static bool
prepare(struct system *it, struct kith_pool *tmp)
{
	struct kith_knife_state *state = it->state;
	const struct kith_knife_problem *problem = state->problem;
	const size_t n = state->n;
	double heaviest = 1, mean = 0;

	for (size_t i = 0; i < n; i++)
		mean += kith_knife_own(state, i) / (double)n;
	if (problem->weight)
		heaviest = kith_vec_largest(n, problem->weight);
	if (!(problem->lambda1 >= LEAST * mean * heaviest))
		return false;
	it->rank = kith_knife_rank_find(state, LACKS * problem->lambda1 / heaviest, n / PART, tmp);
	if (!(it->rank.trace * heaviest <= BEARS * problem->lambda1))
		return false;
	KITH_NEW_REALS(tmp, n, 1, &it->root, &it->two, &it->u, &it->r);
	for (size_t i = 0; i < n; i++) {
		it->root[i] = problem->weight ? sqrt(problem->weight[i]) : 1;
		it->two[i] = sqrt(2) * it->root[i];
		it->u[i] = it->root[i];
	}
	it->R = kith_knife_rank_factor(state, &it->rank, it->two, tmp);
	if (!it->R)
		return false;
	solve(it, it->u);
	return true;
}

bool
kith_knife_low_rank(struct kith_knife_state *state)
{
	struct kith_pool tmp = {0};
	struct system it = {.state = state};
	bool found;

	if (state->n < FEWEST || state->kept >= state->dense)
		return false;
	found = prepare(&it, &tmp);
	for (size_t o = 0; o < state->c && found; o++)
		found = find(&it, o);
	if (!found)
		state->dense = state->kept - state->kept / 4;
	kith_pool_free(&tmp);
	return found;
}
