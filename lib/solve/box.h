/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/box - minimise a smooth function of variables in [0, 1] whose value is
 * dear: a projected quasi-Newton method.
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

/* f(x), its gradient into g (n); a value that is no number ends the search. */
typedef double kith_lbfgs_box_value(void *to, const double *x, double *g);

typedef void kith_lbfgs_box_tell(void *to, size_t iteration, double f, double gradient);

struct kith_lbfgs_box_how {
	kith_lbfgs_box_value *value;
	kith_lbfgs_box_tell *tell; /* told of each x from the start on; or NULL */
	void *to;
	size_t memory;   /* steps remembered, >= 1 */
	size_t max_iter; /* iterations at most */
	double tol;      /* stop at |projected gradient| <= tol max(1, start's) */
};

enum kith_lbfgs_box_end {
	KITH_LBFGS_BOX_DONE, /* to the tolerance */
	KITH_LBFGS_BOX_FLAT, /* no step lowers f: rounding hides its slope */
	KITH_LBFGS_BOX_LIMIT,
	KITH_LBFGS_BOX_LOST /* a value was no number */
};

struct kith_lbfgs_box {
	enum kith_lbfgs_box_end end;
	double f, gradient, start; /* |projected gradient| at x, at the start */
	double slope;              /* the largest |g_j| of a variable that no bound holds */
	size_t iterations, evaluations;
};

/*
 * Minimise from x (n, in [0, 1]); x receives the best point, where the value
 * was asked for, though maybe not last.  Time per iteration O(n memory^2)
 * beside f and O(n memory) per step of conjugate gradients; memory about
 * 5 n memory doubles.
 */
struct kith_lbfgs_box kith_lbfgs_box(const struct kith_lbfgs_box_how *how, size_t n, double *x);

/* |x - clip(x - g, 0, 1)| */
double kith_lbfgs_box_gradient(size_t n, const double *x, const double *g);

#endif
