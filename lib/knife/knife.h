/* SPDX-License-Identifier: BSD-2-Clause */
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
 * Rows may have weights v_i > 0: L is then sum v_i L_i, as of v_i copies of a row.
 *
 * The profile F(w) = min_alpha f is minimised by a projected quasi-Newton
 * method, dF/dw_j = lambda2 - lambda1 alpha' (dK/dw_j) alpha at the canonical
 * alpha, the solution of L'(K alpha) + 2 lambda1 alpha = 0, which is unique
 * though K may be singular.  With the linear kernel the problem is convex.
 */
#ifndef KITH_KNIFE_KNIFE_H
#define KITH_KNIFE_KNIFE_H

#include "knife/problem.h"

struct kith_err;

/*
 * w (p, in [0, 1]) holds the start and receives the weights, alpha (c columns
 * of n) and bias (c) the machine.  Weights at a bound are exactly 0 or 1.
 * With the linear kernel the minimum is global; else w is a stationary point.
 * Algorithm 1 takes the intercept as it is while it seeks w.
 *
 * K is held for problem->held rows at most, but for Algorithm 1; of more (not with
 * the linear kernel) its tiles are made again for every product, and alpha is found
 * by conjugate gradients (knife/pcg.h), to a residual of 1e-9 of its terms.
 *
 * Fails with EX_DATAERR where K + lambda1 I is singular to working precision,
 * and where K or F is too large for a double.  Time per evaluation: K n^2 k
 * over the k features of weight > 0, its gradient n^2 p (Algorithm 1: 4 n^2 p
 * c), a factor n^3 / 3; linear, k < n: n k^2 alone.  Squared loss, K of low rank
 * (knife/low_rank.h): n r^2 in place of the factor.  The losses that are not squared
 * take a few factors, of the rows of curvature > 0.  Memory at most
 * 3.3 n^2 + 4 n p doubles, Algorithm 1 (c + 1) n p more; where K is not held n^2 (k + c)
 * for each of some 5 to 20 products, n^2 p for the gradient, and memory
 * n (1200 + 4 p + 20 c).
 */
int kith_knife(const struct kith_knife_problem *problem, const struct kith_knife_how *how,
    double *w, double *alpha, double *bias, struct kith_knife_fit *fit, struct kith_err *err);

/*
 * F and dF (p, may be NULL) at w, alpha and bias as above.  For checks, tests
 * and the search for the largest lambda2.
 */
int kith_knife_at(const struct kith_knife_problem *problem, const double *w, double *F, double *dF,
    double *alpha, double *bias, struct kith_err *err);

/* The largest modulus of K off its diagonal at w; not for the linear kernel. */
double kith_knife_coupling(const struct kith_knife_problem *problem, const double *w);

#endif
