/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/data - random labelled rows, and the equations of lib/immigrate/immigrate.h as plain
 * sums over pairs of rows, for its tests.
 */
#ifndef KITH_TEST_IMMIGRATE_DATA_H
#define KITH_TEST_IMMIGRATE_DATA_H

#include "base/pool.h"
#include "base/rng.h"
#include "immigrate/immigrate.h"
#include "la/lapack.h"
#include "la/mat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_rng rng;

struct set {
	struct kith_mat X;
	size_t *y;
	double *weight;
	struct kith_immigrate_rows rows;
};

enum kind { PLAIN, WEIGHTED, LONE, COPIES, GRID, CONSTANT, KINDS };

/*
 * n rows of p numbers in c classes, which differ in the first two features.  Of the kinds WEIGHTED
 * has weights of rows, some of them 0; LONE has one row in the last class; in COPIES a third of the
 * rows repeat others, in any class; GRID has few values; in CONSTANT the last feature is constant.
 */
static inline struct set *
draw(size_t n, size_t p, size_t c, enum kind kind)
{
	struct set *set = kith_new(&pool, 1, sizeof(*set));

	set->X = kith_mat_new(&pool, n, p);
	set->y = kith_new(&pool, n, sizeof(*set->y));
	set->weight = kith_new(&pool, n, sizeof(*set->weight));
	for (size_t i = 0; i < n; i++) {
		double *x = kith_row(&set->X, i);

		set->y[i] = i < c ? i : kith_rng_below(&rng, c - (kind == LONE));
		set->weight[i] = i == 0 ? 1.5 : (double)kith_rng_below(&rng, 3);
		for (size_t j = 0; j < p; j++) {
			x[j] = 3 * kith_rng_unit(&rng) + (j < 2 ? (double)set->y[i] : 0);
			if (kind == GRID)
				x[j] = floor(x[j]);
			if (kind == CONSTANT && j + 1 == p && p > 1)
				x[j] = .1;
		}
		if (kind == COPIES && i > 0 && i % 3 == 0)
			memcpy(x, kith_row(&set->X, kith_rng_below(&rng, i)), p * sizeof(*x));
	}
	set->rows = (struct kith_immigrate_rows){
	    &set->X, set->y, c, kind == WEIGHTED ? set->weight : NULL};
	return set;
}

static inline double
weight_of(const struct kith_immigrate_rows *rows, size_t i)
{
	return rows->weight ? rows->weight[i] : 1;
}

/* D' W D, or w'D, of rows i and j. */
static inline double
distance(const struct kith_immigrate_rows *rows, bool matrix, const double *W, size_t i, size_t j)
{
	const double *x = kith_row(rows->X, i), *z = kith_row(rows->X, j);
	const size_t p = rows->X->p;
	double d = 0;

	for (size_t f = 0; f < p; f++)
		for (size_t g = 0; g < (matrix ? p : 1); g++)
			d += matrix ? W[f * p + g] * fabs(x[f] - z[f]) * fabs(x[g] - z[g])
				    : W[f] * fabs(x[f] - z[f]);
	return d;
}

enum side { HITS, MISSES, CLASS };

/*
 * The softmax weights a (n) of row i over its hits, its misses, or all other rows of a class.
 * Returns log sum exp(-d/sigma), -INFINITY without such rows; *mean is the mean distance.
 */
static inline double
softmax(const struct kith_immigrate_rows *rows, bool matrix, const double *W, double sigma,
    size_t i, enum side side, size_t class, double *a, double *mean)
{
	const size_t n = rows->X->n;
	double least = INFINITY, sum = 0;

	*mean = 0;
	for (size_t j = 0; j < n; j++) {
		const bool is_in = side == CLASS ? rows->y[j] == class
						 : (rows->y[j] == rows->y[i]) == (side == HITS);

		a[j] = j != i && is_in ? distance(rows, matrix, W, i, j) : INFINITY;
		least = fmin(least, a[j]);
	}
	for (size_t j = 0; j < n; j++) {
		const double d = a[j];

		a[j] = d < INFINITY ? exp((least - d) / sigma) : 0;
		sum += a[j];
		*mean += d < INFINITY ? a[j] * d : 0;
	}
	for (size_t j = 0; j < n; j++)
		a[j] = sum > 0 ? a[j] / sum : 0;
	*mean = sum > 0 ? *mean / sum : NAN;
	return sum > 0 ? log(sum) - least / sigma : -INFINITY;
}

/* F(W), and Sigma (p x p) or u (p) where it is not NULL. */
static inline double
objective(const struct kith_immigrate_rows *rows, bool matrix, const double *W, double sigma,
    double *Sigma)
{
	const size_t n = rows->X->n, p = rows->X->p;
	double *a = kith_new(&pool, n, sizeof(*a)), F = 0;

	if (Sigma)
		memset(Sigma, 0, p * (matrix ? p : 1) * sizeof(*Sigma));
	for (size_t i = 0; i < n; i++)
		for (enum side side = HITS; side <= MISSES; side++) {
			const double t = weight_of(rows, i) * (side == HITS ? 1 : -1);
			double mean;
			const double sum = softmax(rows, matrix, W, sigma, i, side, 0, a, &mean);

			if (sum > -INFINITY)
				F -= t * sigma * sum;
			for (size_t j = 0; j < n && Sigma; j++)
				for (size_t f = 0; f < p && a[j] > 0; f++) {
					const double *x = kith_row(rows->X, i);
					const double *z = kith_row(rows->X, j);
					const double D = t * a[j] * fabs(x[f] - z[f]);

					if (!matrix)
						Sigma[f] += D;
					for (size_t g = 0; g < p && matrix; g++)
						Sigma[f * p + g] += D * fabs(x[g] - z[g]);
				}
		}
	return F;
}

/* V of Theorem 3.1, or v, of Sigma or u; false where Sigma has no negative part. */
static inline bool
closed_form(size_t p, bool matrix, const double *Sigma, double *V)
{
	double *A = kith_new(&pool, p * p, sizeof(*A)), *U = kith_new(&pool, p * p, sizeof(*U));
	double *mu = kith_new(&pool, p, sizeof(*mu)), size = 0;

	memset(V, 0, p * (matrix ? p : 1) * sizeof(*V));
	if (!matrix) {
		for (size_t j = 0; j < p; j++)
			size += V[j] = fmax(-Sigma[j], 0);
		for (size_t j = 0; j < p; j++)
			V[j] /= size;
		return size > 0;
	}
	memcpy(A, Sigma, p * p * sizeof(*A));
	if (!kith_eig(p, A, mu, U))
		abort();
	for (size_t i = 0; i < p; i++)
		size = hypot(size, fmin(mu[i], 0));
	for (size_t i = 0; i < p; i++)
		for (size_t f = 0; f < p && mu[i] < 0; f++)
			for (size_t g = 0; g < p; g++)
				V[f * p + g] -= mu[i] / size * U[i * p + f] * U[i * p + g];
	return size > 0;
}

/* The largest |a - b|; INFINITY where one of them is NaN alone. */
static inline double
apart(size_t n, const double *a, const double *b)
{
	double worst = 0;

	for (size_t k = 0; k < n; k++)
		if (isnan(a[k]) != isnan(b[k]))
			worst = INFINITY;
		else if (!isnan(a[k]) && a[k] != b[k])
			worst = fmax(worst, fabs(a[k] - b[k]));
	return worst;
}

#endif
