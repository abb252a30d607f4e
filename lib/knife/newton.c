/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/newton.h"

#include "base/err.h"
#include "knife/gram.h"
#include "knife/loss.h"
#include "knife/pcg.h"
#include "knife/primal.h"
#include "la/spd.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

#define EXACT 1e-13    /* |L' + 2 lambda1 alpha| over the largest |L'| */
#define TILED 1e-9     /* the same where K is not held, */
#define FORCE .1       /* and what a step far from the end leaves of it */
#define WRONG 1e-6     /* the most of it that a solution may leave */
#define CURVELESS 1e-6 /* mean curvature, over the largest, to step with */
#define NEAR 1e-4      /* what is left where curvatures hardly change any more, */
#define FASTER .05     /* as long as a step leaves so much of it */

enum {
	STEPS = 200, /* of Newton's method */
	STUCK = 4,   /* steps that do not halve what is left */
	CUTS = 60    /* of an interval of steps */
};

/* Newton's method on one output. */
struct newton {
	struct kith_knife_state *state;
	double *f, *g, *h;    /* n: scores, derivatives of the loss by them */
	double *step, *Kstep; /* n: of alpha */
	double bias_step;
	double *z, *u;        /* n: right-hand sides */
	double *root;         /* n: of the curvatures */
	bool hold;            /* the intercept, if any, is as it is */
	bool keep;            /* the factor of the step before, and its D */
	size_t *curved, held; /* rows of curvature > 0 */
};

static void
set_scores(struct newton *nt)
{
	const struct kith_knife_state *state = nt->state;

	for (size_t i = 0; i < state->n; i++)
		nt->f[i] = state->Ka[i] + *state->bias;
	kith_knife_loss(state->problem, state->n, state->problem->Y, nt->f, nt->g, nt->h);
}

/* How far alpha is from canonical, over the largest derivative. */
static double
left_over(const struct newton *nt)
{
	const struct kith_knife_state *state = nt->state;
	const double l1 = state->problem->lambda1;
	double left = 0, most = 0, sum = 0;

	for (size_t i = 0; i < state->n; i++) {
		left = fmax(left, fabs(nt->g[i] + 2 * l1 * state->alpha[i]));
		most = fmax(most, fabs(nt->g[i]));
		sum += nt->g[i];
	}
	if (state->problem->intercept)
		left = fmax(left, fabs(sum) / (double)state->n);
	return left > 0 ? left / fmax(most, left) : 0;
}

/* The sum of L' at the intercept b, the scores and derivatives there. */
static double
sum_at(struct newton *nt, double b)
{
	*nt->state->bias = b;
	set_scores(nt);
	return kith_vec_sum(nt->state->n, nt->g);
}

/* The intercept for this alpha: a root of a sum that rises, by halving. */
static void
settle_bias(struct newton *nt)
{
	const double b = *nt->state->bias, sum = sum_at(nt, b);
	double width = 1, near = b, far = b;

	if (sum == 0)
		return;
	for (int i = 0; i < CUTS && (sum_at(nt, far) > 0) == (sum > 0); i++) {
		near = far;
		far = sum > 0 ? b - width : b + width;
		width *= 2;
	}
	for (int cut = 0; cut < CUTS; cut++) {
		const double at = near + (far - near) / 2;

		if ((sum_at(nt, at) > 0) == (sum > 0))
			near = at;
		else
			far = at;
	}
	sum_at(nt, far);
}

/*
 * With no curvature to speak of, Newton's intercept would run away: find that
 * of this alpha, and unless there is curvature there, step without it.
 */
static void
set_hold(struct newton *nt)
{
	const struct kith_knife_problem *problem = nt->state->problem;
	const size_t n = nt->state->n;
	const double least = CURVELESS * kith_knife_curvature(problem) * kith_knife_total(problem);

	nt->hold = !problem->intercept;
	if (nt->hold || kith_vec_sum(n, nt->h) > least)
		return;
	settle_bias(nt);
	nt->hold = kith_vec_sum(n, nt->h) <= least;
}

/* The factor of D^(1/2) K D^(1/2) + 2 lambda1 I over the curved rows. */
static bool
factor(struct newton *nt)
{
	struct kith_knife_state *state = nt->state;
	const size_t n = state->n;
	size_t held = 0;

	for (size_t i = 0; i < n; i++)
		if (nt->h[i] > 0) {
			nt->root[held] = sqrt(nt->h[i]);
			nt->curved[held++] = i;
		}
	nt->held = held;
	for (size_t a = 0; a < held; a++) {
		const double *K = state->K + nt->curved[a] * n;
		double *R = state->R + a * held;

		for (size_t b = a; b < held; b++)
			R[b] = nt->root[a] * K[nt->curved[b]] * nt->root[b];
		R[a] += 2 * state->problem->lambda1;
	}
	return kith_spd_factor(held, state->R);
}

/*
 * Near the end the D of the step before serves as well, and saves its factor: steps
 * lead to the same machine.
 *
 * The machine that solves 2 lambda1 alpha + L'(f) + D (K alpha + b - f) = 0,
 * and 1'alpha = 0 where there is a b, less this one.  Rows of no curvature have
 * alpha = -L' / (2 lambda1) at once.
 */
static bool
find_dual_step(struct newton *nt)
{
	struct kith_knife_state *state = nt->state;
	const double l1 = state->problem->lambda1;
	const double held = nt->hold ? *state->bias : 0;
	const size_t n = state->n;
	double *next = nt->step, sum = 0;

	if (!nt->keep && !factor(nt))
		return false;
	for (size_t i = 0; i < n; i++)
		next[i] = -nt->g[i] / (2 * l1);
	for (size_t a = 0; a < nt->held; a++)
		next[nt->curved[a]] = 0;
	for (size_t i = 0; i < n; i++)
		sum -= next[i];
	kith_knife_times(state, next, nt->Kstep);
	for (size_t a = 0; a < nt->held; a++) {
		const size_t i = nt->curved[a];

		nt->z[a] = nt->root[a] * (nt->f[i] - held - nt->Kstep[i]) - nt->g[i] / nt->root[a];
		nt->u[a] = nt->root[a];
	}
	kith_spd_solve(nt->held, 1, state->R, nt->z);
	if (!nt->hold)
		kith_spd_solve(nt->held, 1, state->R, nt->u);
	for (size_t a = 0; a < nt->held; a++) {
		nt->z[a] *= nt->root[a];
		nt->u[a] *= nt->root[a];
	}
	nt->bias_step = 0;
	if (!nt->hold)
		nt->bias_step = -kith_knife_balance(nt->held, sum, nt->u, nt->z) - *state->bias;
	for (size_t a = 0; a < nt->held; a++)
		next[nt->curved[a]] = nt->z[a];
	for (size_t i = 0; i < n; i++)
		next[i] -= state->alpha[i];
	kith_knife_times(state, next, nt->Kstep);
	return true;
}

/* A step by conjugate gradients: the nearer, the more exactly (Eisenstat, Walker). */
static bool
find_tiled_step(struct newton *nt, double left)
{
	struct kith_knife_state *state = nt->state;
	const struct kith_knife_pcg how = {.c = 1,
	    .g = nt->g,
	    .h = nt->h,
	    .alpha = state->alpha,
	    .hold = nt->hold,
	    .part = fmax(TILED / 3 / left, fmin(FORCE, left))};

	return kith_knife_pcg_step(state, &how, nt->step, nt->Kstep, &nt->bias_step);
}

static bool
find_step(struct newton *nt, double left)
{
	struct kith_knife_state *state = nt->state;

	if (state->tiled)
		return find_tiled_step(nt, left);
	if (!state->primal)
		return find_dual_step(nt);
	if (!kith_knife_primal_factor(state, nt->h, !nt->hold))
		return false;
	if (nt->hold)
		for (size_t i = 0; i < state->n; i++)
			nt->f[i] -= *state->bias;
	kith_knife_primal_solve(state, nt->h, nt->g, nt->f, nt->step, nt->Kstep, &nt->bias_step);
	for (size_t i = 0; i < state->n; i++) {
		nt->step[i] -= state->alpha[i];
		nt->Kstep[i] -= state->Ka[i];
	}
	nt->bias_step = nt->hold ? 0 : nt->bias_step - *state->bias;
	return true;
}

/* The derivative of f(alpha) along the step, at t of it. */
static double
slope_at(struct newton *nt, double t)
{
	const struct kith_knife_state *state = nt->state;
	const double l1 = state->problem->lambda1;
	double sum = 0;

	for (size_t i = 0; i < state->n; i++)
		nt->f[i] = state->Ka[i] + *state->bias + t * (nt->Kstep[i] + nt->bias_step);
	kith_knife_loss(state->problem, state->n, state->problem->Y, nt->f, nt->g, NULL);
	for (size_t i = 0; i < state->n; i++)
		sum += nt->g[i] * (nt->Kstep[i] + nt->bias_step) +
		    2 * l1 * (state->alpha[i] + t * nt->step[i]) * nt->Kstep[i];
	return sum;
}

/* The whole step, unless it goes far beyond the minimum along it. */
static double
choose_length(struct newton *nt)
{
	const double start = slope_at(nt, 0);
	double lo = 0, hi = 1;

	if (!(start < 0) || slope_at(nt, 1) <= -start / 2)
		return 1;
	for (int cut = 0; cut < CUTS; cut++) {
		const double t = lo + (hi - lo) / 2;

		if (slope_at(nt, t) > 0)
			hi = t;
		else
			lo = t;
	}
	return lo;
}

static void
go(struct newton *nt)
{
	struct kith_knife_state *state = nt->state;
	const double t = choose_length(nt);

	for (size_t i = 0; i < state->n; i++) {
		state->alpha[i] += t * nt->step[i];
		state->Ka[i] += t * nt->Kstep[i];
	}
	*state->bias += t * nt->bias_step;
	if (!state->primal && !state->tiled)
		kith_knife_times(state, state->alpha, state->Ka);
	set_scores(nt);
}

static int
iterate(struct newton *nt, struct kith_err *err)
{
	const double exact = nt->state->tiled ? TILED : EXACT;
	const bool smooth = nt->state->problem->loss == KITH_KNIFE_LOGISTIC;
	double best = INFINITY;
	int stuck = 0;

	set_scores(nt);
	for (int step = 0; step < STEPS && stuck < STUCK; step++) {
		const double left = left_over(nt);

		if (left <= exact)
			return 0;
		stuck = left > best / 2 ? stuck + 1 : 0;
		if (stuck > 0 && best > WRONG)
			stuck = 1;
		nt->keep = smooth && step > 0 && left <= NEAR && left <= FASTER * best;
		best = fmin(best, left);
		set_hold(nt);
		if (!find_step(nt, left))
			return kith_knife_singular(nt->state, err);
		go(nt);
	}
	return left_over(nt) <= WRONG ? 0 : kith_knife_singular(nt->state, err);
}

/* Whether the machine does better than alpha = 0, b = 0. */
static bool
beats_nothing(const struct newton *nt)
{
	const struct kith_knife_state *state = nt->state;
	const struct kith_knife_problem *problem = state->problem;
	double norm = 0, none;

	memset(nt->f, 0, state->n * sizeof(*nt->f));
	none = kith_knife_loss(problem, state->n, problem->Y, nt->f, NULL, NULL);
	for (size_t i = 0; i < state->n; i++) {
		nt->f[i] = state->Ka[i] + *state->bias;
		norm += state->Ka[i] * state->alpha[i];
	}
	return kith_knife_loss(problem, state->n, problem->Y, nt->f, NULL, NULL) +
	    problem->lambda1 * norm <
	    none;
}

int
kith_knife_newton(struct kith_knife_state *state, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = state->n;
	struct newton nt = {.state = state};
	int got;

	KITH_NEW_REALS(
	    &tmp, n, 1, &nt.f, &nt.g, &nt.h, &nt.step, &nt.Kstep, &nt.z, &nt.u, &nt.root);
	nt.curved = kith_new(&tmp, n, sizeof(*nt.curved));
	if (state->warm)
		kith_knife_times(state, state->alpha, state->Ka);
	if (!state->warm || !beats_nothing(&nt)) {
		memset(state->alpha, 0, n * sizeof(*state->alpha));
		memset(state->Ka, 0, n * sizeof(*state->Ka));
		*state->bias = 0;
	}
	got = iterate(&nt, err);
	state->warm = got == 0;
	kith_pool_free(&tmp);
	return got;
}
