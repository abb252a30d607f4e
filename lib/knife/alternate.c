#include "knife/alternate.h"

#include "knife/forms.h"
#include "knife/gram.h"
#include "knife/loss.h"
#include "knife/slopes.h"
#include "knife/solve.h"
#include "knife/state.h"
#include "la/blas.h"
#include "solve/box.h"

#include <math.h>
#include <string.h>

#define RISES 1e-12 /* of f: by rounding */
#define ARMIJO 1e-4
#define INNER 1e-11 /* of the projected gradient of a linear problem */

enum { INNER_STEPS = 1000, MEMORY = 30, HALVES = 50 };

struct alternate {
	struct kith_knife_state *state;
	const double *w;
	double *square; /* n x p */
	double *A;      /* c times n x p */
	double *slope;  /* p: lambda1 A'alpha + lambda2, over the outputs */
	double *f, *g;  /* n */
	double *d, *ag; /* p */
};

/* L(Y, K alpha + b + A (v - w)) + slope'v */
static double
linear_value(void *to, const double *v, double *gradient)
{
	struct alternate *al = to;
	const struct kith_knife_state *state = al->state;
	const size_t n = state->n, p = state->p;
	double sum = 0;

	for (size_t j = 0; j < p; j++) {
		al->d[j] = v[j] - al->w[j];
		gradient[j] = al->slope[j];
		sum += al->slope[j] * v[j];
	}
	for (size_t o = 0; o < state->c; o++) {
		const double *A = al->A + o * n * p;

		kith_blas_times(n, p, A, p, al->d, al->f);
		for (size_t i = 0; i < n; i++)
			al->f[i] += state->Ka[o * n + i] + state->bias[o];
		sum += kith_knife_loss(state->problem, n,
		    state->problem->Y + o * n, al->f, al->g, NULL);
		kith_blas_turned(n, p, A, p, al->g, al->ag);
		for (size_t j = 0; j < p; j++)
			gradient[j] += al->ag[j];
	}
	return sum;
}

static void
make_linear(struct alternate *al)
{
	struct kith_knife_state *state = al->state;
	const size_t n = state->n, p = state->p;

	for (size_t j = 0; j < p; j++)
		al->slope[j] = state->problem->lambda2;
	for (size_t o = 0; o < state->c; o++) {
		double *A = al->A + o * n * p;

		kith_knife_slopes(state, o, al->square, A);
		kith_blas_turned(n, p, A, p, state->alpha + o * n, al->ag);
		for (size_t j = 0; j < p; j++)
			al->slope[j] += state->problem->lambda1 * al->ag[j];
	}
}

/* f(alpha, v), K being made at v. */
static int
value_at(struct alternate *al, const double *v, double *f,
    struct kith_knife_fit *fit, struct kith_err *err)
{
	struct kith_knife_state *state = al->state;

	fit->evaluations++;
	if (kith_knife_gram(state, v, err))
		return -1;
	for (size_t o = 0; o < state->c; o++)
		kith_knife_times(state, state->alpha + o * state->n,
		    state->Ka + o * state->n);
	*f = kith_knife_objective(state, v);
	return 0;
}

/* From w to the solution v of the linear problem, or a part of the way. */
static int
move(struct alternate *al, double f0, double *w, const double *v,
    struct kith_knife_fit *fit, struct kith_err *err)
{
	const size_t p = al->state->p;
	struct kith_pool tmp = {0};
	double *at = kith_new(&tmp, p, sizeof(*at));
	double *gradient = kith_new(&tmp, p, sizeof(*gradient));
	double f, slope = 0, t = 1;
	int got;

	linear_value(al, w, gradient);
	for (size_t j = 0; j < p; j++)
		slope += gradient[j] * (v[j] - w[j]);
	memcpy(at, v, p * sizeof(*at));
	got = value_at(al, at, &f, fit, err);
	if (got == 0 && f > f0 + RISES * fabs(f0))
		fit->searches++;
	while (got == 0 && f > f0 + RISES * fabs(f0) + ARMIJO * t * slope &&
	    (t < 1 || f > f0 + RISES * fabs(f0)) && t > ldexp(1, -HALVES)) {
		t /= 2;
		for (size_t j = 0; j < p; j++)
			at[j] = w[j] + t * (v[j] - w[j]);
		got = value_at(al, at, &f, fit, err);
	}
	memcpy(w, at, p * sizeof(*w));
	kith_pool_free(&tmp);
	return got;
}

/* The machine of w, K being made; F and its projected gradient. */
static int
measure(struct alternate *al, const struct kith_knife_how *how,
    struct kith_knife_fit *fit, struct kith_err *err)
{
	struct kith_knife_state *state = al->state;
	const struct kith_knife_problem *problem = state->problem;
	const size_t p = state->p;

	if (kith_knife_solve(state, err))
		return -1;
	kith_knife_forms(state, al->d);
	for (size_t j = 0; j < p; j++)
		al->d[j] = problem->lambda2 - problem->lambda1 * al->d[j];
	fit->objective = kith_knife_objective(state, al->w);
	fit->gradient = kith_lbfgs_box_gradient(p, al->w, al->d);
	if (fit->iterations == 0)
		fit->start = fit->gradient;
	if (how->tell)
		how->tell(how->to,
		    &(struct kith_knife_trace){
			fit->iterations, fit->objective, fit->gradient});
	return 0;
}

static int
iterate(struct alternate *al, const struct kith_knife_how *how, double *w,
    struct kith_knife_fit *fit, struct kith_err *err)
{
	const size_t p = al->state->p;
	struct kith_pool tmp = {0};
	double *v = kith_new(&tmp, p, sizeof(*v));
	const struct kith_lbfgs_box_how inner = {.value = linear_value,
	    .to = al,
	    .memory = MEMORY,
	    .max_iter = INNER_STEPS,
	    .tol = INNER};
	int got;

	fit->evaluations++;
	got = kith_knife_gram(al->state, w, err);
	for (;;) {
		if (got == 0)
			got = measure(al, how, fit, err);
		if (got < 0)
			break;
		fit->converged = fit->gradient <=
		    how->tol * fmax(1, fit->start);
		if (fit->converged || fit->iterations == how->max_iter)
			break;
		make_linear(al);
		memcpy(v, w, p * sizeof(*v));
		kith_lbfgs_box(&inner, p, v);
		if (memcmp(v, w, p * sizeof(*v)) == 0)
			break;
		got = move(al, fit->objective, w, v, fit, err);
		fit->iterations++;
	}
	kith_pool_free(&tmp);
	return got;
}

int
kith_knife_alternate(struct kith_knife_state *state,
    const struct kith_knife_how *how, double *w, struct kith_knife_fit *fit,
    struct kith_err *err)
{
	const size_t n = state->n, p = state->p;
	struct kith_pool tmp = {0};
	struct alternate al = {.state = state, .w = w};
	int got;

	al.square = kith_new(&tmp, n, p * sizeof(*al.square));
	al.A = kith_new(&tmp, state->c * n, p * sizeof(*al.A));
	al.slope = kith_new(&tmp, p, sizeof(*al.slope));
	al.f = kith_new(&tmp, n, sizeof(*al.f));
	al.g = kith_new(&tmp, n, sizeof(*al.g));
	al.d = kith_new(&tmp, p, sizeof(*al.d));
	al.ag = kith_new(&tmp, p, sizeof(*al.ag));
	got = iterate(&al, how, w, fit, err);
	kith_pool_free(&tmp);
	return got;
}
