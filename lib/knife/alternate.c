/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Algorithm 1 of the paper, an alternation between the machine and the weights, with the line
 * search of Algorithm 2:
 *
 * 1. alpha = argmin f(alpha, w).  Stop where the projected gradient is small.
 * 2. Linearise K alpha in w: A_ij = sum_l alpha_l dK_il/dw_j (n x p).
 * 3. v = argmin over 0 <= v <= 1 of L(y, K alpha + b + A (v - w)) + lambda1 alpha' A v
 *    + lambda2 1'v.
 * 4. w = v; where f(alpha, v) is above f(alpha, w), the step v - w is halved until f falls (Armijo;
 *    the step is a direction of descent).  With a linear kernel step 3 is exact: f(alpha, v) is the
 *    minimum over all weights.
 */
#include "knife/engine.h"

#include "base/progress.h"
#include "la/blas.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

enum {
	MEMORY = 20,        /* steps that the method of step 3 remembers */
	INNER_STEPS = 1000, /* iterations of step 3 */
	HALVES = 50         /* of a step */
};

#define RISES 1e-12     /* of f: rounding in a step */
#define ARMIJO 1e-4     /* share of the slope by which f must fall */
#define INNER_TOL 1e-11 /* of the projected gradient of step 3 */

struct alternation {
	struct kith_knife_engine *e;
	const double *w;  /* p: the weights of the linearisation */
	double *A;        /* c times n x p */
	double *slope;    /* p: lambda1 A'alpha + lambda2, summed over the outputs */
	double *f, *g;    /* n: A (v - w), L' */
	double *d, *Ag;   /* p: v - w, A'g */
	double *at, *dat; /* p: weights of step 4, derivatives */
};

/* L(y, K alpha + b + A (v - w)) + slope'v and its gradient. */
static double
linearised_value(void *to, const double *v, double *gradient)
{
	struct alternation *al = to;
	const struct kith_knife_engine *e = al->e;
	const size_t n = e->n, p = e->p;
	double sum = 0;

	for (size_t j = 0; j < p; j++) {
		al->d[j] = v[j] - al->w[j];
		gradient[j] = al->slope[j];
		sum += al->slope[j] * v[j];
	}
	for (size_t o = 0; o < e->c; o++) {
		kith_blas_times(n, p, al->A + o * n * p, p, al->d, al->f);
		for (size_t i = 0; i < n; i++) {
			const double f = al->f[i] + e->Ka[o * n + i] + e->machine.bias[o];
			long double d1;
			double d2;

			sum += (double)kith_knife_loss(
			    &e->problem, e->problem.Y[o * n + i], f, e->precise, &d1, &d2);
			al->g[i] = (double)d1;
		}
		kith_blas_turned(n, p, al->A + o * n * p, p, al->g, al->Ag);
		for (size_t j = 0; j < p; j++)
			gradient[j] += al->Ag[j];
	}
	return sum;
}

/* Sets A and slope; dF_j = lambda2 - lambda1 (A'alpha)_j. */
static void
linearise(struct alternation *al, double *dF)
{
	struct kith_knife_engine *e = al->e;
	const size_t n = e->n, p = e->p;

	for (size_t j = 0; j < p; j++)
		al->slope[j] = e->problem.lambda2;
	for (size_t o = 0; o < e->c; o++) {
		kith_knife_output_slopes(e, o, al->A + o * n * p);
		kith_blas_turned(n, p, al->A + o * n * p, p, e->machine.alpha + o * n, al->Ag);
		for (size_t j = 0; j < p; j++)
			al->slope[j] += e->problem.lambda1 * al->Ag[j];
	}
	for (size_t j = 0; j < p; j++)
		dF[j] = 2 * e->problem.lambda2 - al->slope[j];
}

/* f(alpha, v) at the present alpha. */
static int
value_at(struct alternation *al, const double *v, double *f, struct kith_err *err)
{
	struct kith_knife_engine *e = al->e;

	if (kith_knife_set_weights(e, v, err))
		return -1;
	kith_knife_times(e, e->c, e->machine.alpha, e->Ka);
	kith_knife_set_outputs(e);
	*f = e->value + e->problem.lambda2 * kith_vec_sum(e->p, v);
	return 0;
}

/* Step 4: from w to v, or a part of the way. */
static int
move_weights(struct alternation *al, double *w, const double *v, struct kith_knife_solution *sol,
    struct kith_err *err)
{
	const size_t p = al->e->p;
	const double f0 = sol->objective, rises = RISES * fabs(f0), least = ldexp(1, -HALVES);
	double f, slope = 0, t = 1;

	if (al->e->problem.kern.kind == KITH_KERN_LINEAR) {
		sol->evaluations++;
		memcpy(w, v, p * sizeof(*w));
		return 0;
	}
	linearised_value(al, w, al->dat);
	for (size_t j = 0; j < p; j++)
		slope += al->dat[j] * (v[j] - w[j]);
	for (;;) {
		for (size_t j = 0; j < p; j++)
			al->at[j] = t < 1 ? w[j] + t * (v[j] - w[j]) : v[j];
		sol->evaluations++;
		if (value_at(al, al->at, &f, err))
			return -1;
		if (!(f > f0 + rises + (t < 1 ? ARMIJO * t * slope : 0)) || t <= least)
			break;
		t /= 2;
	}
	memcpy(w, al->at, p * sizeof(*w));
	return 0;
}

int
kith_knife_alternate(
    struct kith_knife_engine *e, struct kith_knife_solution *sol, struct kith_err *err)
{
	const struct kith_knife_control *control = &e->control;
	const size_t n = e->n, p = e->p;
	struct kith_pool tmp = {0};
	struct alternation al = {.e = e, .w = sol->w};
	const struct kith_lbfgs_box_how inner = {.value = linearised_value,
	    .to = &al,
	    .memory = MEMORY,
	    .max_iter = INNER_STEPS,
	    .tol = INNER_TOL};
	double *v, *dF;
	int got = 0;

	sol->evaluations = 1;
	KITH_NEW_REALS(&tmp, e->c * n, p, &al.A);
	KITH_NEW_REALS(&tmp, p, 1, &al.slope, &al.d, &al.Ag, &al.at, &al.dat, &v, &dF);
	KITH_NEW_REALS(&tmp, n, 1, &al.f, &al.g);
	while (got == 0) {
		got = kith_knife_evaluate(e, sol->w, &sol->objective, NULL, err);
		if (got)
			break;
		linearise(&al, dF);
		sol->gradient = kith_lbfgs_box_gradient(p, sol->w, dF);
		if (sol->iterations == 0)
			sol->start_gradient = sol->gradient;
		kith_progress_value("iteration", (double)sol->iterations);
		kith_progress_value("objective", sol->objective);
		if (control->log)
			control->log(NULL, sol->iterations, sol->objective, sol->gradient);
		sol->converged = sol->gradient <= control->tol * fmax(1, sol->start_gradient);
		if (sol->converged || sol->iterations == control->max_iter)
			break;
		memcpy(v, sol->w, p * sizeof(*v));
		kith_lbfgs_box(&inner, p, v);
		for (size_t j = 0; j < p; j++) /* .5 less a step of .5 may be 5e-17 */
			v[j] = v[j] > 0x1p-52 * sol->w[j] ? v[j] : 0;
		if (memcmp(v, sol->w, p * sizeof(*v)) == 0)
			break;
		got = move_weights(&al, sol->w, v, sol, err);
		sol->iterations++;
	}
	kith_pool_free(&tmp);
	return got;
}
