/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/problem - the problem of lib/knife/knife.h as it is defined, for its tests. */
#ifndef KITH_TEST_KNIFE_PROBLEM_H
#define KITH_TEST_KNIFE_PROBLEM_H

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "knife/engine.h"
#include "la/mat.h"
#include "normal.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_rng rng;

static const enum kith_kern_kind kernels[] = {
    KITH_KERN_LINEAR, KITH_KERN_POLYNOMIAL, KITH_KERN_GAUSSIAN, KITH_KERN_LAPLACIAN};
/* By enum kith_kern_kind. */
static const char *const kernel_name[] = {
    "gaussian", "cosine", "linear", "polynomial", "laplacian"};
static const char *const loss_name[] = {"squared", "logistic", "sqhinge", "huberhinge"};

static inline double *
numbers(size_t n)
{
	return kith_new(&pool, n, sizeof(double));
}

static inline double *
even(size_t n, double value)
{
	double *v = numbers(n);

	for (size_t j = 0; j < n; j++)
		v[j] = value;
	return v;
}

/* Rows, and targets of the second and third features: numbers, or two classes. */
static inline struct kith_knife_problem
draw(size_t n, size_t p, size_t c, enum kith_kern_kind kind, enum kith_knife_loss loss)
{
	struct kith_mat *X = kith_new(&pool, 1, sizeof(*X));
	double *Y = numbers(n * c), sum = 0;

	*X = kith_mat_new(&pool, n, p);
	for (size_t k = 0; k < n * p; k++)
		X->v[k] = normal(&rng);
	for (size_t i = 0; i < n; i++)
		for (size_t o = 0; o < c; o++) {
			const double *x = kith_row(X, i);
			const double f = x[1 % p] * x[2 % p] + (o == 0 ? x[0] : -sin(x[1 % p])) +
			    normal(&rng) / 2;

			Y[o * n + i] = loss == KITH_KNIFE_SQUARED ? f : f > 0 ? 1 : -1;
		}
	for (size_t i = 0; i < n; i++)
		sum += Y[i];
	if (loss != KITH_KNIFE_SQUARED && fabs(sum) == (double)n)
		Y[0] = -Y[0]; /* for one class alone F has no minimum */
	return (struct kith_knife_problem){.X = X,
	    .Y = Y,
	    .c = c,
	    .kern = {.kind = kind,
		.gamma = kind == KITH_KERN_POLYNOMIAL ? 1 : 1 / (double)p,
		.degree = 3,
		.coef0 = 1},
	    .loss = loss,
	    .delta = .7,
	    .lambda1 = .3,
	    .lambda2 = .5,
	    .threads = 1};
}

/* Minimises from weights `start` in a new engine, which is in the pool with the solution. */
static inline struct kith_knife_solution
solve(const struct kith_knife_problem *problem, const struct kith_knife_control *control,
    double start)
{
	struct kith_knife_engine *e = kith_knife_engine_new(problem, control, &pool);
	struct kith_knife_solution sol = {.w = numbers(problem->X->p)};
	const double *from = even(problem->X->p, start);
	struct kith_err err;

	memcpy(sol.w, from, problem->X->p * sizeof(*from));
	if (kith_knife_fit(e, problem->lambda2, from, &sol, &err)) {
		ok(false, "%s", err.msg);
		sol.objective = NAN;
	}
	return sol;
}

/* F, dF (p) and the machine at w by a precise engine; the machine is in the pool. */
static inline struct kith_knife_machine
evaluate(const struct kith_knife_problem *problem, const double *w, double *F, double *dF)
{
	const struct kith_knife_control control = {0};
	struct kith_knife_engine *e = kith_knife_engine_new(problem, &control, &pool);
	struct kith_err err;

	e->precise = true;
	if (kith_knife_evaluate(e, w, F, dF, &err))
		ok(false, "%s", err.msg);
	return e->machine;
}

/* What the kernel is a function of. */
static inline double
plain_sum(
    const struct kith_knife_problem *problem, const double *w, const double *x, const double *z)
{
	double sum = 0;

	for (size_t j = 0; j < problem->X->p; j++)
		sum += w[j] *
		    (problem->kern.kind == KITH_KERN_GAUSSIAN ? (x[j] - z[j]) * (x[j] - z[j])
			    : problem->kern.kind == KITH_KERN_LAPLACIAN ? fabs(x[j] - z[j])
									: x[j] * z[j]);
	return sum;
}

static inline double
plain_kernel(
    const struct kith_knife_problem *problem, const double *w, const double *x, const double *z)
{
	const double sum = plain_sum(problem, w, x, z);

	if (problem->kern.kind == KITH_KERN_LINEAR)
		return sum;
	if (problem->kern.kind == KITH_KERN_POLYNOMIAL)
		return pow(sum + problem->kern.coef0, (double)problem->kern.degree);
	return exp(-problem->kern.gamma * sum);
}

/* The derivatives of the kernel by the weights (p). */
static inline void
plain_kernel_slopes(const struct kith_knife_problem *problem, const double *w, const double *x,
    const double *z, double *slope)
{
	const double sum = plain_sum(problem, w, x, z);
	const double degree = (double)problem->kern.degree;
	double by = 1;

	if (problem->kern.kind == KITH_KERN_POLYNOMIAL)
		by = degree * pow(sum + problem->kern.coef0, degree - 1);
	if (kith_knife_is_radial(problem))
		by = -problem->kern.gamma * exp(-problem->kern.gamma * sum);
	for (size_t j = 0; j < problem->X->p; j++) {
		const double d = x[j] - z[j];

		slope[j] = problem->kern.kind == KITH_KERN_GAUSSIAN ? by * d * d
		    : problem->kern.kind == KITH_KERN_LAPLACIAN     ? by * fabs(d)
								    : by * x[j] * z[j];
	}
}

/* dF (p) by its definition: lambda2 - lambda1 alpha' (dK/dw_j) alpha. */
static inline double *
plain_gradient(const struct kith_knife_problem *problem, const double *w, const double *alpha)
{
	const size_t n = problem->X->n, p = problem->X->p;
	double *dF = even(p, problem->lambda2), *slope = numbers(p);

	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < n; l++) {
			double m = 0;

			for (size_t o = 0; o < problem->c; o++)
				m += alpha[o * n + i] * alpha[o * n + l];
			plain_kernel_slopes(
			    problem, w, kith_row(problem->X, i), kith_row(problem->X, l), slope);
			for (size_t j = 0; j < p; j++)
				dF[j] -= problem->lambda1 * m * slope[j];
		}
	return dF;
}

/* The loss of a row, and *slope, its derivative by the score. */
static inline double
plain_loss(const struct kith_knife_problem *problem, double y, double f, double *slope)
{
	const double t = y * f, u = 1 - t, delta = problem->delta;

	switch (problem->loss) {
	case KITH_KNIFE_LOGISTIC:
		*slope = -y / (1 + exp(t));
		return log(1 + exp(-t));
	case KITH_KNIFE_SQHINGE:
		*slope = -2 * y * fmax(0, u);
		return fmax(0, u) * fmax(0, u);
	case KITH_KNIFE_HUBERHINGE:
		*slope = -y * fmin(1, fmax(0, u) / delta);
		return u <= 0 ? 0 : u > delta ? u - delta / 2 : u * u / (2 * delta);
	default:
		*slope = 2 * (f - y);
		return (y - f) * (y - f);
	}
}

/*
 * f(alpha, w) by its definition; *off, how far alpha is from canonical: the
 * largest |L' + 2 lambda1 alpha|, and |1'alpha| with an intercept.
 */
static inline double
plain_objective(const struct kith_knife_problem *problem, const double *w, const double *alpha,
    const double *bias, double *off)
{
	const size_t n = problem->X->n;
	double value = 0;

	*off = 0;
	for (size_t o = 0; o < problem->c; o++) {
		const double *a = alpha + o * n;
		double sum = 0;

		for (size_t i = 0; i < n; i++) {
			double f = 0, slope;

			for (size_t l = 0; l < n; l++)
				f += a[l] *
				    plain_kernel(problem, w, kith_row(problem->X, i),
					kith_row(problem->X, l));
			value += problem->lambda1 * a[i] * f;
			value += plain_loss(problem, problem->Y[o * n + i], f + bias[o], &slope);
			*off = fmax(*off, fabs(slope + 2 * problem->lambda1 * a[i]));
			sum += a[i];
		}
		if (problem->intercept)
			*off = fmax(*off, fabs(sum));
	}
	for (size_t j = 0; j < problem->X->p; j++)
		value += problem->lambda2 * w[j];
	return value;
}

/* The largest |a_i - b_i|, or |a_i| where b is NULL. */
static inline double
largest(size_t n, const double *a, const double *b)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(a[i] - (b ? b[i] : 0)));
	return most;
}

#endif
