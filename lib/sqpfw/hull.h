/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/hull - how near zero comes to a sum of convex hulls: least squares over
 * shares that are not negative and of fixed sum.
 *
 *	min 1/2 sum_j h_j^2    r = b + phi e + sum_i t_i A_i
 *	subject to t >= 0, and the t_i of each group sum to 1; phi is free
 *
 * with h_j = r_j, or, where entry j is one-sided, h_j = min(r_j, 0): there any
 * positive r_j is taken up by a multiplier >= 0.
 *
 * How: an active set, from equal shares on.  In each group one share follows
 * from the others, so that sums hold exactly; the free shares are solved for by
 * a QR factor of differences of vectors (no Gram matrix: it would square the
 * condition), over the entries that count at the moment.  Vectors that depend
 * on those before them, to a relative 1e-10, are passed over: shares are at
 * most 1, so what that leaves is as small.
 */
#ifndef KITH_SQPFW_HULL_H
#define KITH_SQPFW_HULL_H

#include <stdbool.h>
#include <stddef.h>

struct kith_qp_hull {
	size_t p, n;         /* entries; vectors, may be 0 */
	const double *A;     /* n x p: vector i from A + i * p on; finite */
	const size_t *group; /* n group numbers 0, 1, ..., that do not fall */
	const double *b;     /* p, finite */
	const double *e;     /* p, > 0 */
	const bool *sided;   /* p: whether entry j is one-sided */
};

/*
 * Solve for the shares t (n) and r (p), and return the largest |h_j|.  The
 * search ends when that is at most `enough`, at the minimum, or after many
 * steps: what is returned is always that of the t found.  The sum of squares
 * of the vectors must not overflow.
 * Time O(n p + m s^2) a step, m entries counting and s shares being free; one
 * step where all vectors are independent and all shares turn out positive.
 */
double kith_qp_hull(const struct kith_qp_hull *in, double enough, double *t, double *r);

#endif
