/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Verifies the result of a search, and continues the search where it does not hold.
 *
 * 1. A precise engine finds the machine of the weights; the judge (check.c) their residual,
 *    gradient and gap.
 * 2. Where the judge says no, the search goes on with values and gradients of the precise engine:
 *    with a linear kernel by the multiplicative update
 *
 *	w_j <- min(1, w_j (lambda1 (x_j' alpha)^2 / lambda2)^(1/2)),
 *
 *    whose fixed points have dF_j = 0; then by the projected quasi-Newton method.  Weights next to 0
 *    whose gradient points to 0 become 0.
 * 3. From 1, until the judge says yes, F does not fall any more, or evaluations are spent.
 */
#include "knife/engine.h"

#include "base/err.h"
#include "la/vec.h"
#include "solve/box.h"

#include <math.h>
#include <string.h>

enum {
	MEMORY = 20, /* steps that the quasi-Newton method remembers */
	SWEEPS = 40, /* multiplicative updates in a round */
	ROUNDS = 30
};

#define ROUNDING 1e-13 /* of F: no fall */
#define MARGIN .3      /* part of the limits of the judge that the search aims at */

/* Evaluations that a repair may take: 6 per iteration left, and 2e9 / (n^2 (n + p)), or 30. */
#define REPAIR_STEP 6
#define REPAIR_WORK 2e9
#define REPAIR_LEAST 30

/* What weights are judged by. */
struct verifier {
	struct kith_knife_engine *e; /* precise */
	const double *start;         /* p: weights whose gradient sets the limit of stationarity */
	double start_gradient;       /* NaN: not found so far */
	struct kith_knife_machine machine; /* of the weights that were judged last */
};

/* F, dF (unless it is NULL) and the machine of w, found from alpha = 0. */
static bool
find_machine(struct verifier *v, const double *w, double *F)
{
	struct kith_err err;

	if (kith_knife_evaluate_in(v->e, w, F, NULL, &err)) {
		*F = NAN;
		return false;
	}
	kith_knife_copy_machine(v->e, &v->machine);
	return true;
}

/* All checks of w; fills the machine of the verifier.  Returns their number. */
static size_t
judge(struct verifier *v, const double *w, double *F, struct kith_check out[KITH_KNIFE_CHECKS])
{
	const struct kith_knife_problem *problem = &v->e->problem;
	const double tol = v->e->control.tol;
	bool found = find_machine(v, w, F);
	const size_t checks = kith_knife_check(problem, w, found ? &v->machine : NULL, 0, tol, out);
	double unused;

	/* The gradient at the start raises the limit of stationarity: it counts where it matters. */
	if (kith_check_ok(&out[2]) || isnan(out[2].value))
		return checks;
	if (isnan(v->start_gradient)) {
		struct kith_check start[KITH_KNIFE_CHECKS];

		found = find_machine(v, v->start, &unused);
		kith_knife_check(problem, v->start, found ? &v->machine : NULL, 0, tol, start);
		v->start_gradient = start[2].value;
		find_machine(v, w, F);
	}
	out[2].limit = kith_knife_stationarity_limit(problem, v->start_gradient, tol);
	return checks;
}

static struct verifier
new_verifier(struct kith_knife_engine *e, const double *start, struct kith_pool *pool)
{
	e->precise = true;
	return (struct verifier){e, start, NAN, kith_knife_machine_new(&e->problem, pool)};
}

size_t
kith_knife_certify(struct kith_knife_engine *e, const double *w, double lambda2,
    const double *start, struct kith_check out[KITH_KNIFE_CHECKS])
{
	struct kith_pool tmp = {0};
	struct verifier v = new_verifier(e, start, &tmp);
	double F;
	size_t checks;

	e->problem.lambda2 = lambda2;
	checks = judge(&v, w, &F, out);
	e->precise = false;
	kith_pool_free(&tmp);
	return checks;
}

struct repair {
	struct verifier *verifier;
	size_t p;
	size_t evaluations; /* so far */
	size_t most;        /* evaluations that are allowed */
	double *w, *dF, F;  /* the best weights so far */
	double *at, *dF_at; /* p: the weights evaluated last, and their dF */
	double F_at;        /* their F; NaN where there is no machine */
};

static double
repair_value(void *to, const double *w, double *g)
{
	struct repair *r = to;
	struct kith_err err;
	double F;

	if (r->evaluations >= r->most)
		return NAN;
	r->evaluations++;
	return kith_knife_evaluate_in(r->verifier->e, w, &F, g, &err) ? NAN : F;
}

/* Evaluates r->at; true where F is no larger but for rounding. */
static bool
try_weights(struct repair *r)
{
	r->F_at = repair_value(r, r->at, r->dF_at);
	return r->F_at <= r->F + ROUNDING * fabs(r->F);
}

static void
accept(struct repair *r)
{
	memcpy(r->w, r->at, r->p * sizeof(*r->w));
	memcpy(r->dF, r->dF_at, r->p * sizeof(*r->dF));
	r->F = r->F_at;
}

/* The multiplicative update, as long as it changes something and F does not rise. */
static void
update_linear(struct repair *r)
{
	const double lambda2 = r->verifier->e->problem.lambda2;

	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		double most = 0;

		for (size_t j = 0; j < r->p; j++) {
			const double q = fmax(lambda2 - r->dF[j], 0);

			r->at[j] = fmin(1, r->w[j] * (lambda2 > 0 ? sqrt(q / lambda2) : 2));
			most = fmax(most, fabs(r->at[j] - r->w[j]));
		}
		if (!(most > 0) || !try_weights(r))
			return;
		accept(r);
	}
}

/* Weights next to 0 whose gradient points to 0 become 0, unless it then points away from 0. */
static void
clear_smallest(struct repair *r)
{
	const double limit = MARGIN * r->verifier->e->control.tol;
	bool some = false, lower;

	memcpy(r->at, r->w, r->p * sizeof(*r->at));
	for (size_t j = 0; j < r->p; j++)
		if (r->w[j] > 0 && r->w[j] <= limit && r->dF[j] > 0) {
			r->at[j] = 0;
			some = true;
		}
	if (!some)
		return;
	lower = try_weights(r);
	for (size_t j = 0; j < r->p; j++)
		lower = lower && !(r->at[j] == 0 && r->w[j] > 0 && r->dF_at[j] < 0);
	if (lower)
		accept(r);
}

static void
minimise_precisely(struct repair *r)
{
	const struct kith_knife_engine *e = r->verifier->e;
	const double p = (double)r->p;
	const double dear = e->problem.lambda2 * p / fmax(1, fabs(r->F)); /* the gap counts it */
	const struct kith_lbfgs_box_how box = {.value = repair_value,
	    .to = r,
	    .memory = MEMORY,
	    .max_iter = r->most,
	    .tol = MARGIN * e->control.tol / fmax(sqrt(p), dear)};
	const size_t most = r->most;

	memcpy(r->at, r->w, r->p * sizeof(*r->at));
	kith_lbfgs_box(&box, r->p, r->at);
	r->most = r->evaluations + 1; /* one more, for where the search ended */
	if (try_weights(r))
		accept(r);
	r->most = most;
}

static bool
holds(struct repair *r)
{
	struct kith_check check[KITH_KNIFE_CHECKS];
	double F;

	return kith_check_all_ok(check, judge(r->verifier, r->w, &F, check));
}

/* Continues the search at w; returns whether the judge says yes then. */
static bool
repair_weights(struct verifier *v, size_t most, double *w, size_t *evaluations)
{
	struct kith_pool tmp = {0};
	struct repair r = {.verifier = v, .p = v->e->p, .most = most, .w = w};
	bool ok = false;

	KITH_NEW_REALS(&tmp, r.p, 1, &r.dF, &r.at, &r.dF_at);
	r.F = repair_value(&r, w, r.dF);
	for (int round = 0; round < ROUNDS && !isnan(r.F) && !ok; round++) {
		const double before = r.F;

		if (v->e->problem.kernel == KITH_KNIFE_LINEAR)
			update_linear(&r);
		clear_smallest(&r);
		ok = holds(&r);
		if (!ok && r.evaluations < r.most) {
			minimise_precisely(&r);
			clear_smallest(&r);
			ok = holds(&r);
		}
		if (round > 1 && !(r.F < before))
			break;
	}
	*evaluations = r.evaluations;
	kith_pool_free(&tmp);
	return ok;
}

void
kith_knife_verify(struct kith_knife_engine *e, const double *start, struct kith_knife_solution *sol)
{
	struct kith_pool tmp = {0};
	struct verifier v = new_verifier(e, start, &tmp);
	const double n = (double)e->n, p = (double)e->p;
	const double left = (double)e->control.max_iter - (double)sol->iterations;
	const double most = fmin(
	    REPAIR_STEP * fmax(left, 0), fmax(REPAIR_WORK / (n * n * (n + p)), REPAIR_LEAST));
	struct kith_check check[KITH_KNIFE_CHECKS];
	double F;
	size_t evaluations = 0;

	sol->certified = kith_check_all_ok(check, judge(&v, sol->w, &F, check));
	if (!sol->certified && !isnan(F) && most >= 1 &&
	    (sol->converged || !e->control.alternate)) {
		sol->certified = repair_weights(&v, (size_t)most, sol->w, &evaluations);
		sol->evaluations += evaluations;
		sol->iterations++;
		judge(&v, sol->w, &F, check);
		if (e->control.log)
			e->control.log(sol->iterations, F, check[2].value);
	}
	e->precise = false;
	if (!isnan(F)) {
		sol->objective = F;
		sol->gradient = check[2].value;
		kith_knife_copy_machine(e, &sol->machine);
	}
	kith_pool_free(&tmp);
}
