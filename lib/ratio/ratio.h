/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ratio/ratio - the density ratio of test rows and training rows,
 * w(x) = p_test(x) / p_train(x), by unconstrained least-squares importance fitting,
 * uLSIF (Kanamori, Hido and Sugiyama, A least-squares approach to direct importance
 * estimation, 2009),
 *
 *	w(x) = sum_l alpha_l phi_l(x)	phi_l(x) = exp(-|x - c_l|^2 / 2 sigma^2)
 *
 * with b centres c_l among the test rows.  With the averages
 *
 *	H = 1/n sum_i phi(x_i) phi(x_i)'  over the n training rows x_i
 *	h = 1/m sum_j phi(z_j)            over the m test rows z_j
 *
 * alpha minimises alpha' H alpha / 2 - h' alpha + lambda |alpha|^2 / 2, and
 * what is then below 0 becomes 0: alpha = max(0, (H + lambda I)^-1 h).
 *
 * sigma and lambda have the least leave-one-out score, with u = phi(x_i) and
 * v = phi(z_i)
 *
 *	1/k sum_i (u' alpha_i)^2 / 2 - v' alpha_i
 *
 * over k = min(n, m, 5000) pairs, alpha_i being alpha without the pair x_i,
 * z_i, and without the centre z_i where z_i is one: a kernel on the row that is left
 * out would have a narrow sigma explain it.  A table of more than k rows gives equally
 * spaced ones.  The score is exact, by the formula of Sherman and Morrison: leaving a
 * pair out makes
 *
 *	H + lambda I  G - u u' / (n - 1)
 *	h             (m h - v) / (m - 1) = r
 *
 * with G = n/(n-1) H + lambda I, and therefore
 *
 *	alpha_i = max(0, q + s G^-1 u)	q = G^-1 r, s = u' q / (n - 1 - u' G^-1 u)
 *
 * where G^-1 y is y's solution in which the coordinate of a centre that is left out is 0:
 * G^-1 y - G^-1 e_j (G^-1 y)_j / (G^-1)_jj.
 */
#ifndef KITH_RATIO_RATIO_H
#define KITH_RATIO_RATIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_mat;
struct kith_pool;

struct kith_ratio_how {
	size_t centres;         /* at most so many, >= 1 */
	uint64_t seed;          /* which of them, where there are more test rows */
	size_t sigmas, lambdas; /* 0: the default */
	const double *sigma;    /* candidates, > 0, increasing; default: 0.1 to 10 times */
				/* the median distance to a centre, 9 of them */
	const double *lambda;   /* > 0, increasing; default: half decades, 0.001 to 10 */
	size_t threads;
};

struct kith_ratio {
	size_t b;                    /* centres */
	size_t *centre;              /* b test rows, in increasing order */
	double *alpha;               /* b */
	double *w;                   /* n, the ratio at the training rows, >= 0 */
	double sigma, lambda, score; /* score: NaN with one row of a table */
	bool flat;                   /* all distances are 0, so that 1 is the median */
};

/*
 * The ratio at the rows of X (n x p, training) with respect to those of Z
 * (m x p, test); results in the pool, the same for any number of threads.
 * The median distance is that of a centre and a row at another place, over
 * at most 500 equally spaced rows of each table.  Of equal scores the smallest
 * sigma wins, then the smallest lambda.
 *
 * Fails with EX_DATAERR when there are several candidates but only one row in
 * a table, when distances overflow, and when lambda is so small that
 * H + lambda I is singular to working precision.
 *
 * Time O(sigmas b (n + m) p + sigmas b^2 (n + k lambdas) + sigmas lambdas b^3),
 * memory O((n + m) p + b^2 (lambdas + threads)).
 */
int kith_ratio(const struct kith_mat *X, const struct kith_mat *Z, const struct kith_ratio_how *how,
    struct kith_ratio *out, struct kith_pool *pool, struct kith_err *err);

#endif
