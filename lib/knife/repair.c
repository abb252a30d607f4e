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
 *    whose fixed points have dF_j = 0; from the second round on also by the projected
 *    quasi-Newton method, which alone serves the other kernels.  Weights on their way to 0 are set
 *    to 0 (kith_knife_settle()).
 * 3. From 1, until the judge says yes, F does not fall any more, or evaluations are spent.
 */
#include "knife/engine.h"

#include "base/err.h"

#include <math.h>
#include <string.h>

enum {
	SWEEPS = 40, /* multiplicative updates in a round */
	ROUNDS = 30
};

#define MARGIN .3 /* part of the limits of the judge that the search aims at */

/* Evaluations that a repair may take: 6 per iteration left, and 2e9 / (n^2 (n + p)), or 30. */
#define REPAIR_STEP 6
#define REPAIR_WORK 2e9
#define REPAIR_LEAST 30

/* The judge of weights, and its verdict on the weights that it checked last. */
struct verifier {
	struct kith_knife_engine *e; /* precise */
	const double *start;         /* p: weights whose gradient sets the limit of stationarity */
	double start_gradient;       /* NaN: not needed so far */
	double F;                    /* NaN: there is no machine */
	size_t checks;
	struct kith_check check[KITH_KNIFE_CHECKS];
};

static struct verifier
new_verifier(struct kith_knife_engine *e, const double *start)
{
	e->precise = true;
	return (struct verifier){.e = e, .start = start, .start_gradient = NAN};
}

/* Finds the machine of w, from alpha = 0, and checks it. */
static void
check_machine(struct verifier *v, const double *w)
{
	const struct kith_knife_problem *problem = &v->e->problem;
	struct kith_err err;
	const bool found = kith_knife_evaluate(v->e, w, &v->F, NULL, &err) == 0;

	if (!found)
		v->F = NAN;
	v->checks = kith_knife_check(problem, w, found ? &v->e->machine : NULL, v->start_gradient,
	    v->e->control.tol, v->check);
}

/* Whether w passes all checks; the engine has the machine of w then. */
static bool
judge(struct verifier *v, const double *w)
{
	const struct kith_check *stationarity = &v->check[2];

	check_machine(v, w);
	/* The gradient at the start raises the limit of stationarity: found where it matters. */
	if (!kith_check_ok(stationarity) && !isnan(stationarity->value) &&
	    isnan(v->start_gradient)) {
		check_machine(v, v->start);
		v->start_gradient = stationarity->value;
		check_machine(v, w);
	}
	return kith_check_all_ok(v->check, v->checks);
}

size_t
kith_knife_certify(struct kith_knife_engine *e, const double *w, double lambda2,
    const double *start, struct kith_check out[KITH_KNIFE_CHECKS])
{
	struct verifier v = new_verifier(e, start);

	e->problem.lambda2 = lambda2;
	judge(&v, w);
	e->precise = false;
	memcpy(out, v.check, v.checks * sizeof(*out));
	return v.checks;
}

/* The multiplicative update, as long as it changes something and F does not rise. */
static void
update_linear(struct kith_knife_descent *d)
{
	const double lambda2 = d->e->problem.lambda2;

	for (int sweep = 0; sweep < SWEEPS && d->evaluations < d->most; sweep++) {
		double most = 0;

		for (size_t j = 0; j < d->e->p; j++) {
			const double q = fmax(lambda2 - d->dF[j], 0);

			d->at[j] = fmin(1, d->w[j] * (lambda2 > 0 ? sqrt(q / lambda2) : 2));
			most = fmax(most, fabs(d->at[j] - d->w[j]));
		}
		if (!(most > 0) || !kith_knife_try(d))
			return;
		kith_knife_accept(d);
	}
}

/* Continues the search at d->w, whose machine is in the engine; whether the judge says yes then. */
static bool
repair_weights(struct verifier *v, struct kith_knife_descent *d)
{
	const struct kith_knife_engine *e = v->e;
	const double tol = MARGIN * e->control.tol, p = (double)e->p;
	const bool linear = e->problem.kern.kind == KITH_KERN_LINEAR;
	bool ok = false;

	memcpy(d->at, d->w, e->p * sizeof(*d->w));
	kith_knife_try(d);
	kith_knife_accept(d);
	for (int round = 0; round < ROUNDS && !ok && d->evaluations < d->most; round++) {
		const double before = d->F;

		if (linear)
			update_linear(d);
		if (!linear || round > 0)
			kith_knife_descend(d, d->most,
			    tol / fmax(sqrt(p), e->problem.lambda2 * p / fmax(1, fabs(d->F))),
			    false); /* the gap counts lambda2 w */
		kith_knife_settle(d, true);
		ok = judge(v, d->w);
		if (round > 1 && !(d->F < before))
			break;
	}
	return ok;
}

int
kith_knife_verify(struct kith_knife_engine *e, const double *start, struct kith_knife_solution *sol,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct verifier v = new_verifier(e, start);
	struct kith_knife_descent d = kith_knife_descent_new(e, sol->w, err, &tmp);
	const double n = (double)e->n, p = (double)e->p;
	const double left = (double)e->control.max_iter - (double)sol->iterations;
	const double most = fmin(
	    REPAIR_STEP * fmax(left, 0), fmax(REPAIR_WORK / (n * n * (n + p)), REPAIR_LEAST));

	sol->certified = judge(&v, sol->w);
	if (!sol->certified && !isnan(v.F) && most >= 1 &&
	    (sol->converged || !e->control.alternate)) {
		d.most = (size_t)most;
		sol->certified = repair_weights(&v, &d);
		sol->evaluations += d.evaluations;
		sol->iterations++;
		if (e->control.log)
			e->control.log(NULL, sol->iterations, v.F, v.check[2].value);
	}
	kith_pool_free(&tmp);
	e->precise = false;
	if (isnan(v.F)) /* the machine that the search had found */
		return kith_knife_evaluate(e, sol->w, &sol->objective, NULL, err);
	sol->objective = v.F;
	sol->gradient = v.check[2].value;
	return 0;
}
