/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/knife.h"

#include "base/err.h"
#include "base/progress.h"
#include "knife/alternate.h"
#include "knife/forms.h"
#include "knife/gram.h"
#include "knife/loss.h"
#include "knife/solve.h"
#include "knife/state.h"
#include "knife/tiles.h"
#include "solve/box.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Where F falls no further: what is left of dF, over one of its two terms. */
#define BALANCED 1e-9

enum { MEMORY = 20 }; /* steps that the quasi-Newton method remembers */

/* F as a function for solve/box.h. */
struct profile {
	struct kith_knife_state *state;
	const struct kith_knife_how *how;
	double *last; /* p: w of the machine */
	size_t evaluations;
	int failed;
	struct kith_err *err;
};

static void
check_problem(const struct kith_knife_problem *problem)
{
	assert(problem->X->n >= 1 && problem->X->p >= 1 && problem->c >= 1);
	assert(problem->c == 1 || problem->loss == KITH_KNIFE_SQUARED);
	assert(problem->lambda1 > 0 && problem->lambda2 >= 0);
	assert(problem->threads >= 1);
	assert(problem->gamma > 0 || problem->kernel < KITH_KNIFE_GAUSSIAN);
	assert(problem->kernel != KITH_KNIFE_POLYNOMIAL ||
	    (problem->degree >= 1 && problem->coef0 >= 0));
	assert(problem->loss != KITH_KNIFE_HUBERHINGE || problem->delta > 0);
}

/* F, and dF unless it is NULL; the machine is left in the state. */
static int
evaluate(
    struct kith_knife_state *state, const double *w, double *F, double *dF, struct kith_err *err)
{
	const struct kith_knife_problem *problem = state->problem;

	if (kith_knife_gram(state, w, err) || kith_knife_solve(state, err))
		return -1;
	*F = kith_knife_objective(state, w);
	if (!isfinite(*F))
		return kith_fail(
		    err, EX_DATAERR, "the objective is too large for a double (tabscale?)");
	if (!dF)
		return 0;
	kith_knife_forms(state, dF);
	for (size_t j = 0; j < state->p; j++)
		dF[j] = problem->lambda2 - problem->lambda1 * dF[j];
	return 0;
}

static double
value(void *to, const double *w, double *g)
{
	struct profile *pr = to;
	double F = NAN;

	memcpy(pr->last, w, pr->state->p * sizeof(*w));
	pr->failed = evaluate(pr->state, w, &F, g, pr->err);
	kith_progress_value("evaluation", (double)++pr->evaluations);
	kith_progress_value("objective", F);
	return pr->failed ? NAN : F;
}

static void
tell(void *to, size_t iteration, double f, double gradient)
{
	const struct profile *pr = to;
	const struct kith_knife_trace trace = {iteration, f, gradient};

	pr->how->tell(pr->how->to, &trace);
}

/*
 * A weight on its way to 0 may count as there before it is: the search ends
 * within its tolerance.  Put such weights to 0, unless F were larger there.
 */
static int
clear_small(struct profile *pr, double *w, struct kith_knife_fit *fit)
{
	struct kith_knife_state *state = pr->state;
	const size_t p = state->p;
	const double limit = pr->how->tol * fmax(1, fit->start);
	struct kith_pool tmp = {0};
	double *trial = kith_new(&tmp, p, sizeof(*trial));
	double *dF = kith_new(&tmp, p, sizeof(*dF)), F;
	size_t small = 0;
	int failed = 0;

	for (size_t j = 0; j < p; j++)
		small += w[j] > 0 && w[j] <= limit;
	if (small > 0)
		failed = evaluate(state, w, &F, dF, pr->err);
	memcpy(trial, w, p * sizeof(*w));
	for (size_t j = 0; j < p && small > 0; j++)
		if (w[j] <= limit && dF[j] >= w[j])
			trial[j] = 0;
	if (!failed && memcmp(trial, w, p * sizeof(*w)) != 0) {
		failed = evaluate(state, trial, &F, dF, pr->err);
		if (!failed && F <= fit->objective) {
			memcpy(w, trial, p * sizeof(*w));
			fit->objective = F;
			fit->gradient = kith_knife_projected(p, w, dF);
		}
		memcpy(pr->last, trial, p * sizeof(*w));
	}
	kith_pool_free(&tmp);
	return failed;
}

static int
minimise_profile(struct kith_knife_state *state, const struct kith_knife_how *how, double *w,
    struct kith_knife_fit *fit, struct kith_err *err)
{
	const size_t p = state->p;
	struct kith_pool tmp = {0};
	struct profile pr = {state, how, kith_new(&tmp, p, sizeof(*w)), 0, 0, err};
	const struct kith_lbfgs_box_how box = {.value = value,
	    .tell = how->tell ? tell : NULL,
	    .to = &pr,
	    .memory = MEMORY,
	    .max_iter = how->max_iter,
	    .tol = how->tol};
	const struct kith_lbfgs_box got = kith_lbfgs_box(&box, p, w);

	fit->objective = got.f;
	fit->gradient = got.gradient;
	fit->start = got.start;
	fit->iterations = got.iterations;
	fit->evaluations = got.evaluations;
	fit->converged = got.end == KITH_LBFGS_BOX_DONE ||
	    (got.end == KITH_LBFGS_BOX_FLAT && got.slope <= BALANCED * state->problem->lambda2);
	if (!pr.failed && fit->converged)
		pr.failed = clear_small(&pr, w, fit);
	if (!pr.failed && memcmp(pr.last, w, p * sizeof(*w)) != 0)
		pr.failed = evaluate(state, w, &fit->objective, NULL, err);
	kith_pool_free(&tmp);
	return pr.failed;
}

static void
copy_machine(const struct kith_knife_state *state, double *alpha, double *bias)
{
	memcpy(alpha, state->alpha, state->n * state->c * sizeof(*alpha));
	memcpy(bias, state->bias, state->c * sizeof(*bias));
}

int
kith_knife(const struct kith_knife_problem *problem, const struct kith_knife_how *how, double *w,
    double *alpha, double *bias, struct kith_knife_fit *fit, struct kith_err *err)
{
	struct kith_knife_state state;
	int got;

	check_problem(problem);
	state = kith_knife_begin(problem, !how->alternate);
	*fit = (struct kith_knife_fit){0};
	got = how->alternate ? kith_knife_alternate(&state, how, w, fit, err)
			     : minimise_profile(&state, how, w, fit, err);
	if (got == 0)
		copy_machine(&state, alpha, bias);
	fit->rank = state.rank.r;
	fit->left = state.rank.trace;
	fit->products = state.products;
	kith_knife_end(&state);
	return got;
}

int
kith_knife_at(const struct kith_knife_problem *problem, const double *w, double *F, double *dF,
    double *alpha, double *bias, struct kith_err *err)
{
	struct kith_knife_state state;
	int got;

	check_problem(problem);
	state = kith_knife_begin(problem, true);
	got = evaluate(&state, w, F, dF, err);
	if (got == 0)
		copy_machine(&state, alpha, bias);
	kith_knife_end(&state);
	return got;
}

double
kith_knife_coupling(const struct kith_knife_problem *problem, const double *w)
{
	struct kith_knife_state state;
	struct kith_err err;
	double most = 0;
	size_t n;

	check_problem(problem);
	assert(problem->kernel != KITH_KNIFE_LINEAR);
	state = kith_knife_begin(problem, true);
	n = state.n;
	if (kith_knife_gram(&state, w, &err))
		most = INFINITY;
	else if (state.tiled)
		most = kith_knife_tiles_coupling(&state);
	for (size_t i = 0; i < n && !state.tiled; i++)
		for (size_t k = i + 1; k < n; k++)
			most = fmax(most, fabs(state.K[i * n + k]));
	kith_knife_end(&state);
	return most;
}
