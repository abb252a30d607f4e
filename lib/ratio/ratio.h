/*
 * ratio/ratio - the density ratio w(x) = p_test(x) / p_train(x) by
 * unconstrained least-squares importance fitting, uLSIF (Kanamori, Hido and
 * Sugiyama, A least-squares approach to direct importance estimation, 2009).
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
 * sigma and lambda have the least leave-one-out score
 *
 *	1/k sum_i (phi(x_i)' alpha_i)^2 / 2 - phi(z_i)' alpha_i	k = min(n, m)
 *
 * alpha_i being alpha without the pair x_i, z_i: of the larger table the k
 * rows that make pairs are equally spaced.  It is exact, by the formula of
 * Sherman and Morrison.  Leaving a pair out makes
 *
 *	H + lambda I  n/(n-1) (B - phi(x_i) phi(x_i)' / n)
 *	h             (m h - phi(z_i)) / (m - 1) = g
 *
 * with B = H + lambda (n-1)/n I, and with u = phi(x_i) therefore
 *
 *	alpha_i = max(0, (n-1)/n (B^-1 g + B^-1 u u' B^-1 g / (n - u' B^-1 u)))
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
	size_t centres; /* at most so many, >= 1 */
	uint64_t seed;  /* which of them, where there are more test rows */
	size_t sigmas, lambdas; /* 0: the default */
	const double *sigma;    /* candidates, > 0; default: 0.1 to 10 times */
				/* the median distance to a centre, 9 of them */
	const double *lambda;   /* > 0; default: 0.001, 0.01, ..., 1000 */
	size_t threads;
};

struct kith_ratio {
	size_t b;       /* centres */
	size_t *centre; /* b test rows, in increasing order */
	double *alpha;  /* b */
	double *w;      /* n, the ratio at the training rows, >= 0 */
	double sigma, lambda, score; /* score: NaN with one row of a table */
	bool flat; /* all distances are 0, so that 1 is the median */
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
int kith_ratio(const struct kith_mat *X, const struct kith_mat *Z,
    const struct kith_ratio_how *how, struct kith_ratio *out,
    struct kith_pool *pool, struct kith_err *err);

#endif
