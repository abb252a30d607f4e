/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/soft - sums over all pairs of rows, each weighed by how near they are
 * (for relief/irelief.c and relief/nca.c).
 */
#ifndef KITH_RELIEF_SOFT_H
#define KITH_RELIEF_SOFT_H

#include "near/metric.h"

#include <stddef.h>

struct kith_pool;
struct kith_by_class;

/*
 * Turn the distances d (n, sorted by class) of row i into the factors of its
 * pairs, that of itself 0; returns what is added up over the rows.  Row i is
 * at place i.
 */
typedef double kith_relief_weigh(void *to, size_t i, double *d);

struct kith_relief_soft {
	enum kith_metric_kind kind; /* KITH_SQUARED or KITH_ABSOLUTE */
	size_t n, p;
	const size_t *asked; /* m places: the rows i summed over; NULL: all */
	size_t m;
	size_t p8;       /* p, rounded up to a multiple of 8 */
	const double *X; /* n x p8, zeros behind the p features */
	kith_relief_weigh *weigh;
	void *to;
	size_t threads;
};

/* Get ready to sum over the pairs of sorted rows. */
void kith_relief_soft_new(const struct kith_by_class *s,
    struct kith_relief_soft *soft, struct kith_pool *pool);

/*
 * sum[a] = sum_ij factor_ij D_a^2, or |D_a|, the factors being what weigh()
 * makes of the distances under the weights w (p); returns the sum of what it
 * returns.  Sums run in blocks of rows that depend on n alone.  Time O(n^2 p).
 */
double kith_relief_soft_sum(
    const struct kith_relief_soft *soft, const double *w, double *sum);

#endif
