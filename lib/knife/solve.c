/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/solve.h"

#include "base/err.h"
#include "knife/gram.h"
#include "knife/loss.h"
#include "knife/low_rank.h"
#include "knife/newton.h"
#include "knife/pcg.h"
#include "knife/primal.h"
#include "knife/tiles.h"
#include "la/spd.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

#define TILED 1e-9 /* |L' + 2 lambda1 alpha| over the largest |L'|, */
#define WRONG 1e-6 /* and the most that a solution may leave */

static void
multiply(size_t n, const double *by, double *v)
{
	for (size_t i = 0; i < n; i++)
		v[i] *= by[i];
}

/*
 * (K + lambda1 V^-1) alpha = y - b, and 1'alpha = 0 where there is a b: V being the
 * weights of the rows and S = V^(1/2), alpha = S (S K S + lambda1 I)^-1 S (y - b).
 */
static int
solve_squared(struct kith_knife_state *state, struct kith_err *err)
{
	const struct kith_knife_problem *problem = state->problem;
	struct kith_pool tmp = {0};
	const size_t n = state->n, c = state->c;
	double *ones = kith_new(&tmp, n, sizeof(*ones));
	double *root = kith_new(&tmp, n, sizeof(*root));

	for (size_t i = 0; i < n; i++) {
		memcpy(state->R + i * n + i, state->K + i * n + i, (n - i) * sizeof(*state->R));
		root[i] = problem->weight ? sqrt(problem->weight[i]) : 1;
		ones[i] = root[i];
	}
	for (size_t i = 0; i < n && problem->weight; i++)
		for (size_t l = i; l < n; l++)
			state->R[i * n + l] *= root[i] * root[l];
	for (size_t i = 0; i < n; i++)
		state->R[i * n + i] += problem->lambda1;
	if (!kith_spd_factor(n, state->R)) {
		kith_pool_free(&tmp);
		return kith_knife_singular(state, err);
	}
	for (size_t k = 0; k < n * c; k++)
		state->alpha[k] = root[k % n] * problem->Y[k];
	kith_spd_solve(n, c, state->R, state->alpha);
	if (problem->intercept)
		kith_spd_solve(n, 1, state->R, ones);
	multiply(n, root, ones);
	for (size_t o = 0; o < c; o++) {
		double *alpha = state->alpha + o * n;

		multiply(n, root, alpha);
		state->bias[o] = 0;
		if (problem->intercept)
			state->bias[o] = -kith_knife_balance(n, 0, ones, alpha);
		kith_knife_times(state, alpha, state->Ka + o * n);
	}
	kith_pool_free(&tmp);
	return 0;
}

/* The same by way of beta: a step of Newton's method from f = 0. */
static int
solve_primal(struct kith_knife_state *state, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = state->n;
	double *f, *g, *h;
	bool regular;

	KITH_NEW_REALS(&tmp, n, 1, &f, &g, &h);
	kith_knife_loss(state->problem, n, f, f, NULL, h);
	regular = kith_knife_primal_factor(state, h, state->problem->intercept);
	for (size_t o = 0; o < state->c && regular; o++) {
		kith_knife_loss(state->problem, n, state->problem->Y + o * n, f, g, h);
		kith_knife_primal_solve(
		    state, h, g, f, state->alpha + o * n, state->Ka + o * n, state->bias + o);
	}
	kith_pool_free(&tmp);
	return regular ? 0 : kith_knife_singular(state, err);
}

/* L' of all outputs, and how far alpha is from canonical, as knife/newton.c has it. */
static double
left_over(const struct kith_knife_state *state, double *f, double *g, double *h)
{
	const struct kith_knife_problem *problem = state->problem;
	const size_t n = state->n;
	double worst = 0;

	for (size_t o = 0; o < state->c; o++) {
		const double *alpha = state->alpha + o * n;
		double *d = g + o * n, left = 0, most = 0;

		for (size_t i = 0; i < n; i++)
			f[i] = state->Ka[o * n + i] + state->bias[o];
		kith_knife_loss(problem, n, problem->Y + o * n, f, d, h);
		if (problem->intercept)
			left = fabs(kith_vec_sum(n, d)) / (double)n;
		for (size_t i = 0; i < n; i++) {
			left = fmax(left, fabs(d[i] + 2 * problem->lambda1 * alpha[i]));
			most = fmax(most, fabs(d[i]));
		}
		if (left > 0)
			worst = fmax(worst, left / fmax(most, left));
	}
	return worst;
}

/* Solve where K is not held, from the machine of a w nearby. */
static int
solve_tiled(struct kith_knife_state *state, struct kith_err *err)
{
	const struct kith_knife_problem *problem = state->problem;
	struct kith_pool tmp = {0};
	const size_t n = state->n, c = state->c;
	double *f, *h, *g, *step, *Kstep, *b, left, last = INFINITY;
	struct kith_knife_pcg how = {.c = c, .hold = !problem->intercept};

	KITH_NEW_REALS(&tmp, n, 1, &f, &h);
	KITH_NEW_REALS(&tmp, n, c, &g, &step, &Kstep);
	b = kith_new(&tmp, c, sizeof(*b));
	how.g = g;
	how.h = h;
	how.alpha = state->alpha;
	if (state->warm)
		kith_knife_tiles_times(state, c, state->alpha, state->Ka);
	while ((left = left_over(state, f, g, h)) > TILED && left < last / 2) {
		last = left;
		how.part = TILED / 3 / left;
		if (!kith_knife_pcg_step(state, &how, step, Kstep, b))
			break;
		for (size_t k = 0; k < n * c; k++) {
			state->alpha[k] += step[k];
			state->Ka[k] += Kstep[k];
			state->bias[k / n] += k % n == 0 ? b[k / n] : 0;
		}
	}
	kith_pool_free(&tmp);
	state->warm = left <= WRONG;
	return state->warm ? 0 : kith_knife_singular(state, err);
}

int
kith_knife_solve(struct kith_knife_state *state, struct kith_err *err)
{
	if (state->problem->loss == KITH_KNIFE_SQUARED && state->tiled)
		return solve_tiled(state, err);
	if (state->problem->loss == KITH_KNIFE_SQUARED)
		return state->primal             ? solve_primal(state, err)
		    : kith_knife_low_rank(state) ? 0
						 : solve_squared(state, err);
	return kith_knife_newton(state, err);
}

double
kith_knife_objective(const struct kith_knife_state *state, const double *w)
{
	const struct kith_knife_problem *problem = state->problem;
	struct kith_pool tmp = {0};
	const size_t n = state->n;
	double *f = kith_new(&tmp, n, sizeof(*f)), norm = 0, fit = 0;

	for (size_t o = 0; o < state->c; o++) {
		for (size_t i = 0; i < n; i++) {
			f[i] = state->Ka[o * n + i] + state->bias[o];
			norm += state->Ka[o * n + i] * state->alpha[o * n + i];
		}
		fit += kith_knife_loss(problem, n, problem->Y + o * n, f, NULL, NULL);
	}
	kith_pool_free(&tmp);
	return fit + problem->lambda1 * norm + problem->lambda2 * kith_vec_sum(state->p, w);
}
