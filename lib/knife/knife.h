/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife - feature selection inside a kernel machine (Allen 2013, KNIFE):
 *
 *	min f(alpha, w) = L(Y, K_w alpha) + lambda1 alpha' K_w alpha + lambda2 1'w
 *	over alpha and 0 <= w <= 1
 *
 * with the kernels (sums run over the features)
 *
 *	linear      sum w x z
 *	polynomial  (sum w x z + coef0)^degree
 *	gaussian    exp(-gamma sum w (x - z)^2)
 *	laplacian   exp(-gamma sum w |x - z|)
 *
 * and the losses of an output f at a target y, t = y f:
 *
 *	squared     (y - f)^2
 *	logistic    log(1 + exp(-t))
 *	sqhinge     max(0, 1 - t)^2
 *	huberhinge  0 for t > 1, (1 - t)^2 / (2 delta) down to 1 - delta, then 1 - t - delta/2
 *
 * The profile F(w) = min_alpha f(alpha, w) has the gradient
 *
 *	dF/dw_j = lambda2 - lambda1 alpha' (dK_w/dw_j) alpha
 *
 * at the canonical alpha, the solution of L'(K_w alpha) + 2 lambda1 alpha = 0, which is unique
 * even where K_w is singular.  The problem is convex with the linear kernel; with the other kernels
 * the result is a stationary point of F.
 */
#ifndef KITH_KNIFE_KNIFE_H
#define KITH_KNIFE_KNIFE_H

#include "kernel/kern.h"
#include "la/mat.h"
#include "near/metric.h"
#include "solve/box.h"
#include "table/check.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_pool;

enum kith_knife_loss {
	KITH_KNIFE_SQUARED,
	KITH_KNIFE_LOGISTIC,
	KITH_KNIFE_SQHINGE,
	KITH_KNIFE_HUBERHINGE
};

/* K is stored for 3000 rows (72 MB) at most; of more rows its tiles are computed when needed. */
enum { KITH_KNIFE_DENSE_ROWS = 3000 };

/* Columns at most of the low-rank factor that preconditions conjugate gradients. */
enum { KITH_KNIFE_MAX_RANK = 1024 };

enum { KITH_KNIFE_CHECKS = 4 }; /* at most */

struct kith_knife_problem {
	const struct kith_mat *X; /* n x p */
	const double *Y;          /* c columns of n: 1 and -1, or numbers (squared loss) */
	size_t c;                 /* outputs; above 1 with the squared loss only */
	struct kith_kern kern;    /* without a metric; the polynomial kernel has gamma 1 */
	enum kith_knife_loss loss;
	double delta, lambda1, lambda2;
	bool intercept; /* a constant b is added to the outputs, without a penalty */
	size_t threads;
	size_t dense_rows; /* rows up to which K is stored; 0: KITH_KNIFE_DENSE_ROWS */
};

struct kith_knife_control {
	bool alternate;  /* the iteration of the paper; else quasi-Newton on the profile */
	size_t max_iter; /* iterations at most */
	double tol;      /* ends at |projected gradient| <= tol max(1, its value at the start) */
	kith_lbfgs_box_log *log; /* called with NULL first, after each iteration; or NULL */
};

/* The kernel machine of some weights; its arrays are the engine's. */
struct kith_knife_machine {
	double *alpha; /* c columns of n */
	double *bias;  /* c */

	/*
	 * The linear kernel with fewer weights above 0 than rows: the same machine as a linear
	 * function, f_o(x) = offset_o + sum_j slope_oj (x_j - centre_j), with more digits.
	 */
	bool primal;         /* the machine has this form */
	long double *slope;  /* c rows of p */
	long double *offset; /* c */
	double *centre;      /* p */
	long double *dual;   /* c columns of n: L', equal to -2 lambda1 alpha with more digits */
};

struct kith_knife_solution {
	double *w;                         /* p: the start of the search before, its end after */
	struct kith_knife_machine machine; /* valid until the engine searches again */
	double objective;                  /* F(w) */
	double gradient;                   /* |w - clip(w - dF, 0, 1)| at the end */
	double start_gradient;             /* the same at the start of the search */
	size_t iterations;                 /* of the search, and 1 for a repair */
	size_t evaluations;                /* of F */
	size_t products; /* conjugate gradients: products with K of the engine so far */
	bool converged;  /* the search has met its tolerance */
	bool certified;  /* kith_knife_check() says yes to everything */
};

/* Whether the kernel depends on differences of rows. */
static inline bool
kith_knife_is_radial(const struct kith_knife_problem *problem)
{
	return problem->kern.kind == KITH_KERN_GAUSSIAN ||
	    problem->kern.kind == KITH_KERN_LAPLACIAN;
}

/* What a weight of this kernel multiplies: squared or absolute differences. */
enum kith_metric_kind kith_knife_metric(enum kith_kern_kind kind);

/*
 * What the searches of a problem share, in the pool: memory, and the last machine, from which the
 * next search for a machine starts.  The lambda2 of the problem is not used.
 *
 * Memory: 2 n^2 doubles where K is stored, polynomial 3 n^2, + 4 n p + c (60 n); the alternation
 * c n p more; linear with p < n no n^2, but 6 n p; where K is not stored n (1200 + 4 p + 60 c).
 */
struct kith_knife_engine;
struct kith_knife_engine *kith_knife_engine_new(const struct kith_knife_problem *problem,
    const struct kith_knife_control *control, struct kith_pool *pool);

/*
 * Minimises F from sol->w on, verifies the result by kith_knife_check(), and continues the search
 * with more accurate kernels and gradients where it fails.  start (p) are the weights whose
 * projected gradient sets the tolerance of the check.  Weights at a bound are exactly 0 or 1.
 * Fails with EX_DATAERR where K + lambda1 I is singular to working precision, or where K or F does
 * not fit a double.
 *
 * Time of an evaluation, of which a search takes 10 to 60: n^2 k for K, k being the number of
 * weights above 0; n^2 p to 2 n^2 p for dF; n^3 / 3 for a factor, one for the squared loss, else
 * several.  Linear kernel with k < n: n k^2.  Where K is not stored: n^2 k for each of 5 to 20
 * products.
 */
int kith_knife_fit(struct kith_knife_engine *e, double lambda2, const double *start,
    struct kith_knife_solution *sol, struct kith_err *err);

/* The lambda2 from which on all weights are 0, for searches that begin at start (p). */
int kith_knife_lambda2_max(
    struct kith_knife_engine *e, const double *start, double *lambda2, struct kith_err *err);

/*
 * Judges weights w (p) at lambda2 by kith_knife_check() with their machine, and with the projected
 * gradient at start (p).  Returns the number of checks.
 */
size_t kith_knife_certify(struct kith_knife_engine *e, const double *w, double lambda2,
    const double *start, struct kith_check out[KITH_KNIFE_CHECKS]);

/*
 * Judges weights w (p) with the machine that a solver gives for them; the checks only sum:
 *
 *	range         the largest excess of a weight over 1, or below 0; limit 0
 *	alpha         |L'(K alpha + b) + 2 lambda1 alpha| relative to its terms; limit 1e-8
 *	stationarity  |w - clip(w - dF, 0, 1)|; limit tol max(1, start_gradient), or 1e-9 lambda2;
 *	              a start_gradient that is NaN counts as 0
 *	gap           linear kernel: F(w) less a lower bound of min F; limit tol max(1, F)
 *
 * Returns the number of checks, 4 for the linear kernel, else 3.  machine NULL: there is none, and
 * all but the range are NaN.
 */
size_t kith_knife_check(const struct kith_knife_problem *problem, const double *w,
    const struct kith_knife_machine *machine, double start_gradient, double tol,
    struct kith_check out[KITH_KNIFE_CHECKS]);

#endif
