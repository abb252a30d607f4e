/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/problem - what knife/knife.h is asked, and what it answers. */
#ifndef KITH_KNIFE_PROBLEM_H
#define KITH_KNIFE_PROBLEM_H

#include "kernel/kern.h"
#include "la/mat.h"

#include <stdbool.h>
#include <stddef.h>

enum kith_knife_kernel {
	KITH_KNIFE_LINEAR,
	KITH_KNIFE_POLYNOMIAL,
	KITH_KNIFE_GAUSSIAN,
	KITH_KNIFE_LAPLACIAN
};

enum kith_knife_loss {
	KITH_KNIFE_SQUARED,
	KITH_KNIFE_LOGISTIC,
	KITH_KNIFE_SQHINGE,
	KITH_KNIFE_HUBERHINGE
};

enum { KITH_KNIFE_HELD = 3000 };

struct kith_knife_problem {
	const struct kith_mat *X; /* n x p */
	const double *Y;          /* c columns of n: 1 and -1, or numbers (squared) */
	size_t c;                 /* >= 1; above 1 with the squared loss alone */
	const double *weight;     /* n, > 0: of the loss of each row; NULL: 1 */
	enum kith_knife_kernel kernel;
	enum kith_knife_loss loss;
	double gamma, coef0, delta; /* > 0, >= 0, > 0, where they are used */
	size_t degree;              /* >= 1 */
	double lambda1, lambda2;    /* > 0, >= 0 */
	bool intercept;             /* f + b, b not penalised */
	size_t threads;
	size_t held; /* rows up to which K is held; 0: KITH_KNIFE_HELD */
};

struct kith_knife_trace {
	size_t iteration;           /* 0: the start */
	double objective, gradient; /* gradient: projected, 2-norm */
};

typedef void kith_knife_tell(void *to, const struct kith_knife_trace *trace);

struct kith_knife_how {
	bool alternate; /* Algorithm 1, else the profile */
	size_t max_iter;
	double tol;            /* stop at |projected gradient| <= tol max(1, start's) */
	kith_knife_tell *tell; /* or NULL */
	void *to;
};

struct kith_knife_fit {
	double objective;
	double gradient, start; /* |w - clip(w - dF, 0, 1)|, at the start too */
	size_t iterations, evaluations;
	size_t searches;       /* Algorithm 1: line searches that were needed */
	size_t rank, products; /* where K is not held: columns of the last G */
	double left;           /* (knife/rank.h), products with K, trace of E */
	bool converged;        /* or F falls no more, and dF is 1e-9 lambda2 at most */
};

/* The kernel of a problem, but for its metric. */
static inline struct kith_kern
kith_knife_kern(const struct kith_knife_problem *problem)
{
	static const enum kith_kern_kind kind[] = {
	    KITH_KERN_LINEAR, KITH_KERN_POLYNOMIAL, KITH_KERN_GAUSSIAN, KITH_KERN_LAPLACIAN};
	const bool poly = problem->kernel == KITH_KNIFE_POLYNOMIAL;

	return (struct kith_kern){.kind = kind[problem->kernel],
	    .gamma = poly ? 1 : problem->gamma,
	    .degree = problem->degree,
	    .coef0 = problem->coef0};
}

/* Whether the kernel is one of differences of rows. */
static inline bool
kith_knife_of_differences(const struct kith_knife_problem *problem)
{
	return problem->kernel == KITH_KNIFE_GAUSSIAN || problem->kernel == KITH_KNIFE_LAPLACIAN;
}

/* Whether K is too large to be held, but by Algorithm 1. */
static inline bool
kith_knife_is_large(const struct kith_knife_problem *problem)
{
	return problem->kernel != KITH_KNIFE_LINEAR &&
	    problem->X->n > (problem->held ? problem->held : KITH_KNIFE_HELD);
}

/* |w - clip(w - dF, 0, 1)| of p weights; NaN where a dF is no number. */
static inline double
kith_knife_projected(size_t p, const double *w, const double *dF)
{
	double sum = 0;

	for (size_t j = 0; j < p; j++) {
		const double to = fmin(fmax(w[j] - dF[j], 0), 1);

		sum += isnan(dF[j]) ? NAN : (w[j] - to) * (w[j] - to);
	}
	return sqrt(sum);
}

#endif
