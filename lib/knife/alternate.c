/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/alternate.h"

#include "base/par.h"
#include "base/progress.h"
#include "knife/forms.h"
#include "knife/gram.h"
#include "knife/loss.h"
#include "knife/moduli.h"
#include "knife/solve.h"
#include "knife/state.h"
#include "la/blas.h"
#include "la/vec.h"
#include "solve/box.h"

#include <math.h>
#include <string.h>

#define RISES 1e-12 /* of f: by rounding */
#define ARMIJO 1e-4
#define INNER 1e-11 /* of the projected gradient of a linear problem */

enum { INNER_STEPS = 1000, MEMORY = 30, HALVES = 50 };

struct job {
	struct kith_knife_state *state;
	const double *alpha;  /* n */
	const double *square; /* n x p: squares of X */
	double *A;            /* n x p */
};

/* Row i of H diag(alpha); with differences its diagonal has no part. */
static double
weigh_row(const struct job *job, size_t i, double *M)
{
	const struct kith_knife_state *state = job->state;
	const double *H = state->H + i * state->n;

	for (size_t l = 0; l < state->n; l++)
		M[l] = H[l] * job->alpha[l];
	if (state->problem->kernel != KITH_KNIFE_POLYNOMIAL)
		M[i] = 0;
	return kith_vec_sum(state->n, M);
}

static void
product_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_knife_state *state = job->state;
	const struct kith_knife_problem *problem = state->problem;
	const size_t n = state->n, p = state->p;
	size_t first;
	const size_t last = kith_knife_tile(n, block, &first);
	double *M = state->room + thread * 2 * state->tile;
	double *MS = M + state->tile, *A = job->A + first * p;
	double total[KITH_KNIFE_TILE];

	for (size_t i = first; i < last; i++)
		total[i - first] = weigh_row(job, i, M + (i - first) * n);
	kith_blas_product(last - first, p, n, M, state->X.v, A);
	if (job->square)
		kith_blas_product(last - first, p, n, M, job->square, MS);
	for (size_t i = first; i < last; i++) {
		const double *x = kith_row(&state->X, i);
		const double *ms = MS + (i - first) * p;
		double *a = job->A + i * p;

		if (!job->square)
			for (size_t j = 0; j < p; j++)
				a[j] *= (double)problem->degree * x[j];
		else
			for (size_t j = 0; j < p; j++)
				a[j] = -problem->gamma *
				    ((total[i - first] * x[j] - 2 * a[j]) * x[j] + ms[j]);
	}
}

static void
modulus_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_knife_state *state = job->state;
	const size_t n = state->n, p = state->p;
	size_t first;
	const size_t last = kith_knife_tile(n, block, &first);
	double *M = state->room + thread * 2 * state->tile;

	for (size_t i = first; i < last; i++) {
		double *a = job->A + i * p;

		weigh_row(job, i, M);
		memset(a, 0, p * sizeof(*a));
		kith_knife_moduli(n, p, M, kith_row(&state->X, i), state->X.v, a);
		for (size_t j = 0; j < p; j++)
			a[j] *= -state->problem->gamma;
	}
}

static void
linear_slopes(const struct job *job)
{
	const struct kith_knife_state *state = job->state;
	struct kith_pool tmp = {0};
	double *xa = kith_new(&tmp, state->p, sizeof(*xa));

	kith_blas_turned(state->n, state->p, state->X.v, state->p, job->alpha, xa);
	for (size_t i = 0; i < state->n; i++)
		for (size_t j = 0; j < state->p; j++)
			job->A[i * state->p + j] = kith_row(&state->X, i)[j] * xa[j];
	kith_pool_free(&tmp);
}

/*
 * The derivatives of K alpha by the weights, A (n x p), of output o: A_ij =
 * sum_l alpha_l d K_il / d w_j.  square (n x p) is room.
 */
static void
slopes(struct kith_knife_state *state, size_t o, double *square, double *A)
{
	const struct kith_knife_problem *problem = state->problem;
	const size_t tiles = kith_knife_tiles(state->n);
	struct job job = {state, state->alpha + o * state->n, NULL, A};

	if (problem->kernel == KITH_KNIFE_LINEAR) {
		linear_slopes(&job);
		return;
	}
	if (problem->kernel == KITH_KNIFE_GAUSSIAN) {
		for (size_t k = 0; k < state->n * state->p; k++)
			square[k] = state->X.v[k] * state->X.v[k];
		job.square = square;
	}
	kith_par(problem->threads, tiles,
	    problem->kernel == KITH_KNIFE_LAPLACIAN ? modulus_block : product_block, &job);
}

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
		sum += kith_knife_loss(
		    state->problem, n, state->problem->Y + o * n, al->f, al->g, NULL);
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

		slopes(state, o, al->square, A);
		kith_blas_turned(n, p, A, p, state->alpha + o * n, al->ag);
		for (size_t j = 0; j < p; j++)
			al->slope[j] += state->problem->lambda1 * al->ag[j];
	}
}

/* f(alpha, v), K being made at v. */
static int
value_at(struct alternate *al, const double *v, double *f, struct kith_knife_fit *fit,
    struct kith_err *err)
{
	struct kith_knife_state *state = al->state;

	fit->evaluations++;
	if (kith_knife_gram(state, v, err))
		return -1;
	for (size_t o = 0; o < state->c; o++)
		kith_knife_times(state, state->alpha + o * state->n, state->Ka + o * state->n);
	*f = kith_knife_objective(state, v);
	return 0;
}

/* From w to the solution v of the linear problem, or a part of the way. */
static int
move(struct alternate *al, double f0, double *w, const double *v, struct kith_knife_fit *fit,
    struct kith_err *err)
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
measure(struct alternate *al, const struct kith_knife_how *how, struct kith_knife_fit *fit,
    struct kith_err *err)
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
	kith_progress_value("iteration", (double)fit->iterations);
	kith_progress_value("objective", fit->objective);
	if (fit->iterations == 0)
		fit->start = fit->gradient;
	if (how->tell)
		how->tell(how->to,
		    &(struct kith_knife_trace){fit->iterations, fit->objective, fit->gradient});
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
		fit->converged = fit->gradient <= how->tol * fmax(1, fit->start);
		if (fit->converged || fit->iterations == how->max_iter)
			break;
		make_linear(al);
		memcpy(v, w, p * sizeof(*v));
		kith_lbfgs_box(&inner, p, v);
		/* 0 but for rounding is 0: .5 less a step of .5 may be 5e-17. */
		for (size_t j = 0; j < p; j++)
			v[j] = v[j] > 0x1p-52 * w[j] ? v[j] : 0;
		if (memcmp(v, w, p * sizeof(*v)) == 0)
			break;
		got = move(al, fit->objective, w, v, fit, err);
		fit->iterations++;
	}
	kith_pool_free(&tmp);
	return got;
}

int
kith_knife_alternate(struct kith_knife_state *state, const struct kith_knife_how *how, double *w,
    struct kith_knife_fit *fit, struct kith_err *err)
{
	const size_t n = state->n, p = state->p;
	struct kith_pool tmp = {0};
	struct alternate al = {.state = state, .w = w};
	int got;

	al.square = kith_new(&tmp, n, p * sizeof(*al.square));
	al.A = kith_new(&tmp, state->c * n, p * sizeof(*al.A));
	KITH_NEW_REALS(&tmp, p, 1, &al.slope, &al.d, &al.ag);
	KITH_NEW_REALS(&tmp, n, 1, &al.f, &al.g);
	got = iterate(&al, how, w, fit, err);
	kith_pool_free(&tmp);
	return got;
}
