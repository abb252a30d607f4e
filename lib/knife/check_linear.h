/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/check_linear - what knife/check.h finds at some weights where the
 * kernel is linear and fewer columns than rows have a weight: K is not made.
 *
 * With columns z_j of weight > 0, over a power of two near their largest
 * number, less their median where there is an intercept, the machine is
 * f = sum_j c_j z_j + b and minimises
 *
 *	sum_i L(y_i, f_i) + sum_j r_j c_j^2 / 2,  r_j = 2 lambda1 / (w_j 4^e_j)
 *
 * by Newton's method in the columns; alpha is then -L' / (2 lambda1), and
 * x_j' alpha = c_j / (w_j 2^e_j).  Outputs, derivatives and residuals are long
 * doubles: a step refines the one before it, and columns of scales far apart do
 * no harm.
 */
#ifndef KITH_KNIFE_CHECK_LINEAR_H
#define KITH_KNIFE_CHECK_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

struct kith_knife_problem;
struct kith_pool;

/* What knife/check.h finds at some weights. */
struct kith_check_knife_point {
	const struct kith_knife_problem *of;
	size_t n, p;
	double *K;                        /* n x n */
	double *A;                        /* n x n: a matrix to factor, then the M of dF */
	double *alpha;                    /* c columns of n */
	double *b;                        /* c */
	double *f;                        /* c columns of n: K alpha + b */
	double *dF;                       /* p */
	double *d1, *d2;                  /* n: L' and L'' */
	double *r, *v, *h, *step, *Kstep; /* n */
	double *curved;                   /* n: the L'' that A is factored of, if it is */
	bool factored;
	double residual, F; /* NaN where alpha cannot be had */

	/* knife/check_linear.h: L' and x_j' L', c rows of n, and of p; or NULL
	 */
	long double *u, *xu;
};

/* Whether that is so at w (p). */
bool kith_check_knife_is_linear(const struct kith_knife_problem *of, const double *w);

/*
 * The residual, relative to the largest sum of its terms, alpha, b, F and dF at
 * w; also s->u and s->xu, in the pool.  Time O(c n k^2) for k such columns.
 */
void kith_check_knife_linear(
    struct kith_check_knife_point *s, const double *w, struct kith_pool *pool);

#endif
