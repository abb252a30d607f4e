/*
 * knife/check_at - what knife/check.h finds at some weights: K, alpha, F and
 * its gradient; the formulas are there.
 */
#ifndef KITH_KNIFE_CHECK_AT_H
#define KITH_KNIFE_CHECK_AT_H

#include <stdbool.h>
#include <stddef.h>

struct kith_knife_problem;
struct kith_pool;

struct kith_check_knife_point {
	const struct kith_knife_problem *of;
	size_t n, p;
	double *K;       /* n x n */
	double *A;       /* n x n: a matrix to factor, then the M of dF */
	double *alpha;   /* c columns of n */
	double *b;       /* c */
	double *f;       /* c columns of n: K alpha + b */
	double *dF;      /* p */
	double *d1, *d2; /* n: L' and L'' */
	double *r, *v, *h, *step, *Kstep; /* n */
	double *curved; /* n: the L'' that A is factored of, if it is */
	bool factored;
	double residual, F; /* NaN where alpha cannot be had */

	/* knife/check_linear.h: L' and x_j' L', c rows of n, and of p; or NULL
	 */
	long double *u, *xu;
};

/* All of it at w (p), in the pool. */
struct kith_check_knife_point kith_check_knife_at(
    const struct kith_knife_problem *problem, const double *w,
    struct kith_pool *pool);

#endif
