/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ways of near/knn.c, in seconds of one thread:
 *
 *	tree	 m V (VISIT + VISIT_P p) + FOUND m k, V = (k^(1/p) + 32^(1/p))^p, at most n:
 *		 the rows of the leaves of 32 that a ball of k rows meets, where
 *		 rows are spread evenly; a third of these where they are in
 *		 clumps, and twice as many where distances are alike
 *	screen	 m n (PAIR + FLOAT p) + SIEVE m k log2(1 + n / k) (1 + p / 400),
 *		 a half of the first term for a join; FLOAT_ABS for sums of |D|;
 *		 a quarter of it and less where rows lie near few axes, so that
 *		 leaves of them can be left out
 *	plain	 for m of at most kith_knn_few(), and what the others do not serve:
 *		 m n (LOOK + DOUBLE p) + FOUND m k log2(1 + k) / 5
 *
 *	within	 m n WITHIN
 *
 * with p^2 in place of p in doubles where the metric is a matrix.  Rows are
 * copied where they have weights, and as floats for the screen.
 */
#include "cost/near.h"

#include "cost/cost.h"
#include "la/mat.h"
#include "near/heap.h"
#include "near/knn.h"
#include "near/metric.h"

#include <math.h>

enum { FEW = 64, SHARE = 8 }; /* as in near/knn.c */
enum { SAMPLE = 50 };

static const double VISIT = 2.2e-9, VISIT_P = .15e-9, FOUND = 1e-7;
static const double PAIR = .85e-9, FLOAT = 1.9e-11, FLOAT_ABS = 5e-11;
static const double SIEVE = 2.5e-8;
static const double LOOK = 2e-9, DOUBLE = .2e-9, WITHIN = 1.5e-9;
static const double LEAF = 32, LEAVES = 4, MATRIX = 6;

static void
tree(const struct kith_cost_near *of, struct kith_cost *cost)
{
	const double n = (double)of->n, p = (double)of->p, m = (double)of->m;
	const double k = (double)of->k;
	const double ball = pow(pow(k, 1 / p) + pow(LEAF, 1 / p), p);
	const double row = m * (VISIT + VISIT_P * p);
	const double even = row * fmin(ball, n), all = row * n;

	kith_cost_range(cost, even / 3, fmin(2 * even, all));
	kith_cost_add(cost, FOUND * m * k + FOUND * n * log2(n) / 4);
	kith_cost_hold(cost, n * (16 * p + 24));
}

static void
screen(const struct kith_cost_near *of, struct kith_cost *cost)
{
	const double n = (double)of->n, p = (double)of->p, m = (double)of->m;
	const double k = (double)of->k;
	const double pairs = of->join ? m * n / 2 : m * n;
	const bool matrix = of->kind == KITH_SQUARED_MATRIX;
	const double feature = of->kind == KITH_ABSOLUTE ? FLOAT_ABS : FLOAT;

	kith_cost_range(cost, pairs * (PAIR + feature * p) / LEAVES,
	    (matrix ? MATRIX : 1) * pairs * (PAIR + feature * p));
	kith_cost_add(cost, SIEVE * m * k * log2(1 + n / k) * (1 + p / 400));
	kith_cost_hold(cost, n * (4 * p + 24) + (of->join ? n * k * 16 : 0));
	kith_cost_hold(cost, 4e6);
}

static void
plain(const struct kith_cost_near *of, struct kith_cost *cost)
{
	const double n = (double)of->n, p = (double)of->p, m = (double)of->m;
	const double k = (double)of->k;
	const bool matrix = of->kind == KITH_SQUARED_MATRIX || of->kind == KITH_ABSOLUTE_MATRIX;

	kith_cost_add(
	    cost, m * n * (LOOK + DOUBLE * (matrix ? p * p : p)) + FOUND * m * k * log2(1 + k) / 5);
}

void
kith_cost_near(const struct kith_cost_near *of, struct kith_cost *cost)
{
	const bool vector = of->kind == KITH_SQUARED || of->kind == KITH_ABSOLUTE;
	const bool few = of->n < FEW || of->m <= kith_knn_few(of->kind, of->p);

	if (of->weighted)
		kith_cost_hold(cost, 8 * (double)of->n * (double)of->p);
	if (!few && vector && of->p <= 8)
		tree(of, cost);
	else if (!few && of->k <= of->n / SHARE && of->kind != KITH_ABSOLUTE_MATRIX)
		screen(of, cost);
	else
		plain(of, cost);
}

void
kith_cost_within(const struct kith_cost_near *of, struct kith_cost *cost)
{
	kith_cost_add(cost, (double)of->m * (double)of->n * WITHIN);
}

size_t
kith_cost_count_within(const struct kith_metric *metric, const struct kith_mat *X,
    const struct kith_mat *Z, double radius)
{
	const size_t m = Z->n < SAMPLE ? Z->n : SAMPLE;
	const double most = kith_dist_limit(radius);
	size_t found = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < X->n; j++)
			found += kith_dist(metric, kith_row(Z, i * Z->n / m), kith_row(X, j)) <=
			    most;
	return m && found > m ? (found - 1) / m + 1 : 1;
}

double
kith_cost_neighbours(size_t m, size_t k)
{
	return (double)m * (double)k * (double)sizeof(struct kith_neighbour);
}
