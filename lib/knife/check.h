/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/check - whether weights w solve the problem of knife/knife.h, from the
 * data and the weights alone: the kernel matrix K, alpha and the gradient are
 * computed anew, pair of rows by pair of rows, by other means than those of
 * knife/knife.c, of which the statement of the problem alone is used.  Where K is
 * too large to be held, alpha is that of knife/knife.h, and judged
 * (knife/check_large.h).
 *
 *	range         largest excess of a weight over 1, or below 0
 *	alpha         largest |L'(K alpha + b) + 2 lambda1 alpha| relative to
 *	              the larger of these two: whether alpha could be had
 *	stationarity  |w - clip(w - dF, 0, 1)|, 2-norm, with
 *	              dF_j = lambda2 - lambda1 alpha' (dK/dw_j) alpha
 *	gap           linear kernel alone: F(w) - F_min at most
 *
 * Alpha is found by Newton's method: with D = L'' and S = D^(1/2) the step of
 * alpha is d = -(r + S v) / (2 lambda1), where r = L' + 2 lambda1 alpha and
 *
 *	(2 lambda1 I + S K S) v = S (h 1 - K r)
 *
 * h being 2 lambda1 times the step of b: b's equation is 1' L' = 0.
 *
 * The gap.  With b_j = w_j x_j' alpha the linear problem is convex,
 *
 *	min_b L(y, X b) + sum_j pen(b_j)
 *	pen(b) = min over 0 <= w <= 1 of lambda1 b^2 / w + lambda2 w
 *
 * pen is 2 sqrt(lambda1 lambda2) |b| up to |b| = sqrt(lambda2 / lambda1), and
 * lambda1 b^2 + lambda2 beyond.  Its conjugate is
 *
 *	pen*(v) = max over 0 <= w <= 1 of w v^2 / (4 lambda1) - lambda2 w
 *	        = max(0, v^2 / (4 lambda1) - lambda2)
 *
 * and Fenchel's dual is max_u -L*(u) - sum_j pen*(x_j' u), with 1'u = 0 where
 * there is an intercept.  At u = -2 lambda1 alpha it is
 *
 *	-L*(-2 lambda1 alpha) - sum_j max(0, lambda1 (x_j' alpha)^2 - lambda2)
 *
 * which no F falls below.  L*(u), for t = -y u: squared u^2/4 + y u; logistic
 * t log t + (1 - t) log(1 - t) on [0, 1]; sqhinge -t + t^2/4 for t >= 0;
 * huberhinge -t + delta t^2/2 on [0, 1]; t is put there first.  Where 1'u is
 * not 0 but for rounding, |b 1'u| is added to the gap.
 */
#ifndef KITH_KNIFE_CHECK_H
#define KITH_KNIFE_CHECK_H

#include "table/check.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_knife_problem;

enum { KITH_CHECK_KNIFE = 4 };

/*
 * Judge w (p) and return the number of checks in out, 4 for the linear kernel,
 * else 3.  start (p) is where the search for w began, and tol when it was to
 * end: the limit of stationarity is tol max(1, its value at the start), or 1e-9
 * lambda2, which is what rounding leaves, a thousandth more for rounding.  The
 * limits of the others are 0, 1e-8, and max(tol, 1e-9) max(1, F).  A value that
 * cannot be had is NaN.  Time O(n^2 p + c n^3), memory 3 n^2 doubles; with the
 * linear kernel and k < n weights above 0 O(c n k^2), and 2 n k.
 */
size_t kith_check_knife(const struct kith_knife_problem *problem, const double *w,
    const double *start, double tol, struct kith_check out[KITH_CHECK_KNIFE]);

struct kith_check_knife_verdict {
	bool holds;  /* all of these */
	bool solved; /* alpha does */
	double F;    /* at w, or NaN */
};

/* The same in short; the start is not looked at unless it matters. */
struct kith_check_knife_verdict kith_check_knife_verdict(
    const struct kith_knife_problem *problem, const double *w, const double *start, double tol);

#endif
