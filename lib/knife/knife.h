/*
 * knife/knife - feature selection inside a kernel (Allen, 2013, appendix):
 *
 *	min f(alpha, w) = L(Y, K_w alpha) + lambda1 alpha' K_w alpha
 *		+ lambda2 1'w	over alpha and 0 <= w <= 1
 *
 * for the kernels, d over the features,
 *
 *	linear      sum w x z
 *	polynomial  (sum w x z + coef0)^degree
 *	gaussian    exp(-gamma sum w (x - z)^2)
 *	laplacian   exp(-gamma sum w |x - z|)
 *
 * and the losses, t = y f: squared sum (y - f)^2; logistic sum log(1 + e^-t);
 * sqhinge sum max(0, 1 - t)^2; huberhinge 0 for t > 1, (1 - t)^2 / (2 delta)
 * for 1 - delta < t <= 1, 1 - t - delta/2 below.
 *
 * The profile F(w) = min_alpha f is minimised by a projected quasi-Newton
 * method, dF/dw_j = lambda2 - lambda1 alpha' (dK/dw_j) alpha at the canonical
 * alpha, the solution of L'(K alpha) + 2 lambda1 alpha = 0, which is unique
 * though K may be singular.  With the linear kernel the problem is convex.
 */
#ifndef KITH_KNIFE_KNIFE_H
#define KITH_KNIFE_KNIFE_H

#include "la/mat.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_pool;

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

struct kith_knife_problem {
	const struct kith_mat *X; /* n x p */
	const double *Y; /* c columns of n: 1 and -1, or numbers (squared) */
	size_t c;        /* >= 1; above 1 with the squared loss alone */
	enum kith_knife_kernel kernel;
	enum kith_knife_loss loss;
	double gamma, coef0, delta; /* > 0, >= 0, > 0, where they are used */
	size_t degree;              /* >= 1 */
	double lambda1, lambda2;    /* > 0, >= 0 */
	bool intercept;             /* f + b, b not penalised */
	size_t threads;
};

struct kith_knife_trace {
	size_t iteration;           /* 0: the start */
	double objective, gradient; /* gradient: projected, 2-norm */
};

typedef void kith_knife_tell(void *to, const struct kith_knife_trace *trace);

struct kith_knife_how {
	bool alternate; /* Algorithm 1, else the profile */
	size_t max_iter;
	double tol; /* stop at |projected gradient| <= tol max(1, start's) */
	kith_knife_tell *tell; /* or NULL */
	void *to;
};

struct kith_knife_fit {
	double objective;
	double gradient, start; /* |w - clip(w - dF, 0, 1)|, at the start too */
	size_t iterations, evaluations;
	size_t searches; /* Algorithm 1: line searches that were needed */
	bool converged; /* or F falls no more, and dF is 1e-9 lambda2 at most */
};

/*
 * w (p, in [0, 1]) holds the start and receives the weights, alpha (c columns
 * of n) and bias (c) the machine.  Weights at a bound are exactly 0 or 1.
 * With the linear kernel the minimum is global; else w is a stationary point.
 * Algorithm 1 takes the intercept as it is while it seeks w.
 *
 * Fails with EX_DATAERR where K + lambda1 I is singular to working precision,
 * and where K or F is too large for a double.  Time per evaluation: K n^2 k
 * over the k features of weight > 0, its gradient n^2 p (Algorithm 1: 4 n^2 p
 * c), a factor n^3 / 3; linear, k < n: n k^2 alone.  The losses that are not
 * squared take a few factors, of the rows of curvature > 0.  Memory at most
 * 3 n^2 + 4 n p doubles, Algorithm 1 (c + 1) n p more.
 */
int kith_knife(const struct kith_knife_problem *problem,
    const struct kith_knife_how *how, double *w, double *alpha, double *bias,
    struct kith_knife_fit *fit, struct kith_err *err);

/*
 * F and dF (p, may be NULL) at w, alpha and bias as above.  For checks, tests
 * and the search for the largest lambda2.
 */
int kith_knife_at(const struct kith_knife_problem *problem, const double *w,
    double *F, double *dF, double *alpha, double *bias, struct kith_err *err);

/* The largest modulus of K off its diagonal at w. */
double kith_knife_coupling(
    const struct kith_knife_problem *problem, const double *w);

/*
 * The lambda2 from which on w is 0: exact for the linear kernel, max_j
 * (x_j' L'(0))^2 / (4 lambda1) (with an intercept: L' at its optimum for w =
 * 0); otherwise the value at which w reaches 0 when lambda2 is doubled from
 * 1e-3 F/p with warm starts from w (p), bisected to 1 %.
 */
int kith_knife_ceiling(const struct kith_knife_problem *problem,
    const struct kith_knife_how *how, const double *w, double *lambda2,
    struct kith_err *err);

#endif
