/*
 * solve/lbfgs - minimise a smooth function of many variables: the
 * limited-memory BFGS method (Nocedal 1980; Nocedal and Wright, Numerical
 * Optimization, 2nd ed., algorithms 7.4 and 7.5) with a line search for the
 * strong Wolfe conditions (algorithms 3.5 and 3.6)
 *
 *	f(x + a d) <= f(x) + 1e-4 a f'(x; d),  |f'(x + a d; d)| <= .9 |f'(x; d)|
 *
 * by cubic interpolation, kept away from the ends of its interval.  Where f is
 * no finite number the step is too long: a function may end at a border so.
 *
 * f never rises from one iteration to the next.  All sums run in the order of
 * the variables, so that the result depends on f alone.
 */
#ifndef KITH_SOLVE_LBFGS_H
#define KITH_SOLVE_LBFGS_H

#include <stddef.h>

/* f(x), its gradient into g (n); both are used only if f is finite. */
typedef double kith_lbfgs_value(void *to, const double *x, double *g);

struct kith_lbfgs_how {
	kith_lbfgs_value *value;
	void *to;
	size_t memory;   /* pairs remembered, >= 1; 10 is usual */
	size_t max_iter; /* iterations at most */
	double gtol;     /* stop when no partial derivative exceeds this */
	double ftol;     /* or f falls by ftol max(1, |f|) or less; 0: go on */
};

enum kith_lbfgs_end {
	KITH_LBFGS_GRADIENT, /* |g| <= gtol */
	KITH_LBFGS_FLAT,     /* f fell by little, or in no direction tried:
				rounding hides what is left of its slope */
	KITH_LBFGS_LIMIT     /* max_iter iterations were not enough */
};

struct kith_lbfgs {
	enum kith_lbfgs_end end;
	double f, gradient; /* at x; the largest partial derivative */
	size_t iterations, evaluations;
};

/*
 * Minimise from x (n), where f must be finite; x receives the best point.
 * Time O(n memory) per iteration beside f; memory 2 n (memory + 4) doubles.
 */
struct kith_lbfgs kith_lbfgs(
    const struct kith_lbfgs_how *how, size_t n, double *x);

#endif
