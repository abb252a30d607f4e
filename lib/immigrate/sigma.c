/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. Take rows of each class, equally spaced, where there are many.
 * 2. Find m, the unit, at equal weights.
 * 3. At each scale, the largest first: fit from the start, count what is wrong.
 */
#include "immigrate/sigma.h"

#include "base/pool.h"
#include "base/sort.h"
#include "immigrate/immigrate.h"
#include "immigrate/model.h"
#include "immigrate/start.h"
#include "immigrate/votes.h"
#include "near/metric.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of the unit, decreasing. */
static const double times[] = {8, 2, .25, .03125};

/* As good as to the end. */
enum { TIMES = sizeof(times) / sizeof(*times), ITERATIONS = 10 };

#define TOL 1e-3

/* Some of the rows. */
struct some {
	struct kith_immigrate_rows rows;
	struct kith_mat X;
	size_t *y;
	double *weight;
};

/* Of n rows of each class about n / N * most, but one at least. */
static void
take(const struct kith_immigrate_rows *all, size_t most, struct some *some, struct kith_pool *pool)
{
	const size_t N = all->X->n, c = all->c;
	size_t *order = kith_new(pool, N, sizeof(*order)), n = 0;
	size_t *start = kith_new(pool, c + 1, sizeof(*start));
	size_t *row = kith_new(pool, N, sizeof(*row));

	kith_sort_by_class(all->y, N, c, order, start);
	for (size_t h = 0; h < c; h++) {
		const size_t of = start[h + 1] - start[h];
		const double share = (double)of / (double)N * (double)most;
		const size_t m = N <= most ? of : (size_t)ceil(share);

		for (size_t k = 0; k < m && of > 0; k++)
			row[n++] = order[start[h] + k * of / m];
	}
	some->X = kith_mat_rows(all->X, row, n, pool);
	some->y = kith_new(pool, n, sizeof(*some->y));
	some->weight = kith_new(pool, n, sizeof(*some->weight));
	for (size_t k = 0; k < n; k++) {
		some->y[k] = all->y[row[k]];
		some->weight[k] = all->weight ? all->weight[row[k]] : 1;
	}
	some->rows = (struct kith_immigrate_rows){
	    &some->X, some->y, c, all->weight ? some->weight : NULL};
}

/* The median of n numbers, or of those above 0 if that is 0. */
static double
median(double *v, size_t n)
{
	size_t zeros = 0;

	kith_sort_reals(v, n);
	if (v[(n - 1) / 2] > 0)
		return v[(n - 1) / 2];
	while (zeros < n && !(v[zeros] > 0))
		zeros++;
	return zeros < n ? v[zeros + (n - zeros - 1) / 2] : 0;
}

/* m, as far as a double holds it; 0 where no row is apart from its misses. */
static double
find_unit(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how, bool matrix)
{
	struct kith_pool tmp = {0};
	const size_t p = rows->X->p;
	struct kith_immigrate_how any = *how;
	double *W = kith_new(&tmp, p, (matrix ? p : 1) * sizeof(*W)), m;
	struct kith_immigrate_model *model;

	any.sigma = 1;
	any.package = false;
	if (matrix)
		kith_immigrate_start_identity(p, W);
	else
		kith_immigrate_start_uniform(p, W);
	model = kith_immigrate_model_new(rows, &any, matrix, &tmp);
	kith_immigrate_model_at(model, W, false);
	m = median(model->soft.miss.least, rows->X->n);
	if (m > 0)
		m = fmax(fmin(ldexp(m, model->power), DBL_MAX), DBL_MIN);
	kith_pool_free(&tmp);
	return m;
}

/* The share of the weight of rows that a fit at how->sigma gets wrong. */
static double
try(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how, bool matrix,
    const double *start)
{
	struct kith_pool tmp = {0};
	const size_t n = rows->X->n, p = rows->X->p;
	const size_t len = matrix ? p * p : p;
	double *W = kith_new(&tmp, len, sizeof(*W)), bad = 0, all = 0;
	bool *wrong = kith_new(&tmp, n, sizeof(*wrong));
	const struct kith_metric metric = {matrix ? KITH_ABSOLUTE_MATRIX : KITH_ABSOLUTE, p, W};
	struct kith_immigrate_how of = *how;
	struct kith_immigrate_fit fit;

	of.votes = kith_new(&tmp, n, rows->c * sizeof(*of.votes));
	memcpy(W, start, len * sizeof(*W));
	if (matrix)
		kith_immigrate(rows, &of, W, &fit);
	else
		kith_im4e(rows, &of, W, &fit);
	kith_immigrate_wrong(rows, &metric, of.sigma, of.votes, of.threads, wrong);
	for (size_t i = 0; i < n; i++) {
		const double weight = rows->weight ? rows->weight[i] : 1;

		bad += wrong[i] ? weight : 0;
		all += weight;
	}
	kith_pool_free(&tmp);
	return all > 0 ? bad / all : 0;
}

struct kith_immigrate_sigma
kith_immigrate_sigma(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how,
    bool matrix, const double *W)
{
	struct kith_pool tmp = {0};
	struct kith_immigrate_sigma out = {.value = 1, .wrong = INFINITY};
	struct kith_immigrate_how of = *how;
	struct some some;

	take(rows, KITH_IMMIGRATE_SIGMA_ROWS, &some, &tmp);
	out.rows = some.X.n;
	of.tell = NULL;
	of.threshold = 0;
	if (of.max_iter > ITERATIONS)
		of.max_iter = ITERATIONS;
	of.tol = fmax(of.tol, TOL);
	out.unit = find_unit(&some.rows, &of, matrix);
	for (size_t k = 0; k < TIMES && out.unit > 0; k++) {
		double wrong;

		of.sigma = fmax(fmin(times[k] * out.unit, DBL_MAX), DBL_TRUE_MIN);
		wrong = try(&some.rows, &of, matrix, W);
		if (wrong < out.wrong) {
			out.wrong = wrong;
			out.value = of.sigma;
			out.times = times[k];
		}
	}
	kith_pool_free(&tmp);
	return out;
}
