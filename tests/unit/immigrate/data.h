/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/data - random labelled rows, for tests of
 * lib/immigrate/immigrate.h.
 */
#ifndef KITH_TEST_IMMIGRATE_DATA_H
#define KITH_TEST_IMMIGRATE_DATA_H

#include "base/pool.h"
#include "base/rng.h"
#include "immigrate/immigrate.h"
#include "immigrate/model.h"
#include "immigrate/run.h"
#include "la/mat.h"

#include <math.h>
#include <string.h>

static struct kith_pool pool;
static struct kith_rng rng;

struct set {
	struct kith_mat X;
	size_t *y;
	double *weight;
	struct kith_immigrate_rows rows;
};

/*
 * n rows of p numbers in c classes, the second and third feature of which tell
 * classes apart a little; class c - 1 may be of one row; duplicates: some rows
 * are others again, in any class.
 */
static inline struct set *
draw(size_t n, size_t p, size_t c, bool single, bool duplicates)
{
	struct set *set = kith_new(&pool, 1, sizeof(*set));

	set->X = kith_mat_new(&pool, n, p);
	set->y = kith_new(&pool, n, sizeof(*set->y));
	set->weight = kith_new(&pool, n, sizeof(*set->weight));
	for (size_t i = 0; i < n; i++) {
		double *x = kith_row(&set->X, i);

		set->y[i] = i < c ? i : kith_rng_below(&rng, c - single);
		set->weight[i] = (double)kith_rng_below(&rng, 4) + .5;
		for (size_t j = 0; j < p; j++)
			x[j] = 3 * kith_rng_unit(&rng) + (j == 1 || j == 2 ? (double)set->y[i] : 0);
		if (duplicates && i > 0 && i % 3 == 0)
			memcpy(x, kith_row(&set->X, kith_rng_below(&rng, i)), p * sizeof(*x));
	}
	set->rows = (struct kith_immigrate_rows){&set->X, set->y, c, NULL};
	return set;
}

/* A start of norm 1, the identity or any symmetric matrix. */
static inline double *
start(size_t p, bool identity)
{
	double *W = kith_new(&pool, p, p * sizeof(*W)), sum = 0;

	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++)
			W[i * p + j] = W[j * p + i] = identity ? i == j : kith_rng_unit(&rng);
	for (size_t k = 0; k < p * p; k++)
		sum += W[k] * W[k];
	for (size_t k = 0; k < p * p; k++)
		W[k] /= sqrt(sum);
	return W;
}

static inline double *
even(size_t p)
{
	double *w = kith_new(&pool, p, sizeof(*w));

	for (size_t j = 0; j < p; j++)
		w[j] = 1 / (double)p;
	return w;
}

/* The largest |a - b|; inf where one is no number. */
static inline double
apart(size_t n, const double *a, const double *b)
{
	double worst = 0;

	for (size_t k = 0; k < n; k++) {
		if (isnan(a[k]) || isnan(b[k]))
			return INFINITY;
		worst = fmax(worst, fabs(a[k] - b[k]));
	}
	return worst;
}

/* The largest |v|. */
static inline double
largest(size_t n, const double *v)
{
	double most = 0;

	for (size_t k = 0; k < n; k++)
		most = fmax(most, fabs(v[k]));
	return most;
}

static inline struct kith_immigrate_how
usual(double sigma, size_t max_iter)
{
	return (struct kith_immigrate_how){.sigma = sigma, .max_iter = max_iter, .threads = 2};
}

/*
 * C and F at W and, where they are not NULL, Sigma (p x p, both triangles, in
 * units of the data) and V (p x p), the weights that the next plain iteration
 * would take, cut where how->threshold is not 0; returns whether there are such
 * (Sigma has a negative eigenvalue).  A Sigma that is too large for doubles is
 * inf.
 */
static inline bool
look_at(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how,
    const double *W, struct kith_immigrate_trace *at, double *Sigma, double *V)
{
	struct kith_pool tmp = {0};
	struct kith_immigrate_model *model = kith_immigrate_model_new(rows, how, true, &tmp);
	struct kith_immigrate_run run = kith_immigrate_run_new(how, model, W, &tmp);
	const size_t p = rows->X->p;
	bool found;

	run.cutting = how->threshold > 0 && !how->package;
	*at = (struct kith_immigrate_trace){
	    0, ldexp(run.C, model->unit), ldexp(run.F, model->unit), 0};
	if (Sigma)
		kith_immigrate_sum(&model->sum);
	for (size_t i = 0; Sigma && i < p; i++)
		for (size_t j = i; j < p; j++)
			Sigma[i * p + j] = Sigma[j * p + i] = ldexp(
			    model->sum.total[i * p + j], model->power);
	found = kith_immigrate_run_next(&run);
	if (V)
		memcpy(V, run.V, run.len * sizeof(*V));
	kith_pool_free(&tmp);
	return found;
}

#endif
