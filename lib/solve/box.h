/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/box - minimise a smooth function f of n variables in [0, 1], where an evaluation of f is
 * expensive: a projected quasi-Newton method.
 *
 * At x with the gradient g, B the limited-memory BFGS matrix of the last steps
 * (Byrd, Lu, Nocedal and Zhu 1995), the model
 *
 *	q(z) = g'(z - x) + (z - x)' B (z - x) / 2,  0 <= z <= 1
 *
 * is minimised by conjugate gradients over the variables that are not held by
 * a bound (More and Toraldo 1991), and f is searched along z - x from the full
 * step downwards (Armijo's condition, interpolation).  Steps of negative
 * curvature are damped (Powell), so that B stays positive definite and f need
 * not be convex.  A variable of the solution that is held is exactly 0 or 1.
 *
 * The projected gradient is x - clip(x - g, 0, 1), its length the 2-norm.
 * f never rises but by rounding.  All sums run in a fixed order.
 */
#ifndef KITH_SOLVE_BOX_H
#define KITH_SOLVE_BOX_H

#include <stddef.h>

/* Returns f(x), and its gradient in g (n); NaN ends the search.  `to` is the caller's data. */
typedef double kith_lbfgs_box_value(void *to, const double *x, double *g);

/* Logs an iteration: f and the length of the projected gradient at the new x. */
typedef void kith_lbfgs_box_log(void *to, size_t iteration, double f, double gradient);

struct kith_lbfgs_box_how {
	kith_lbfgs_box_value *value;
	kith_lbfgs_box_log *log; /* called for the start, iteration 0, and each new x; or NULL */
	void *to;                /* first argument of value and log */
	size_t memory;           /* pairs (step, change of the gradient) that B is made of, >= 1 */
	size_t max_iter;         /* the largest number of iterations */
	double tol; /* stop at |projected gradient| <= tol max(1, its length at the start) */
};

enum kith_lbfgs_box_end {
	KITH_LBFGS_BOX_DONE,  /* the tolerance is met */
	KITH_LBFGS_BOX_FLAT,  /* no step lowers f: rounding hides its slope */
	KITH_LBFGS_BOX_LIMIT, /* max_iter iterations were made */
	KITH_LBFGS_BOX_LOST   /* f was NaN */
};

struct kith_lbfgs_box {
	enum kith_lbfgs_box_end end;
	double f, gradient, start; /* f(x), |projected gradient| at x; the latter at the start */
	double slope;              /* the largest |g_j| of a variable that no bound holds */
	size_t iterations, evaluations; /* accepted steps; calls of value() */
};

/*
 * Minimises f from x (n, in [0, 1]).  x receives the last point that the search accepted; the last
 * call of value() may have been at another point, which was rejected.  Time per iteration O(n
 * memory^2) beside f and O(n memory) per step of conjugate gradients; memory about 5 n memory
 * doubles.
 */
struct kith_lbfgs_box kith_lbfgs_box(const struct kith_lbfgs_box_how *how, size_t n, double *x);

/*
 * The length of the projected gradient, |x - clip(x - g, 0, 1)|, for x and g of n numbers, or NaN.
 */
double kith_lbfgs_box_gradient(size_t n, const double *x, const double *g);

#endif
