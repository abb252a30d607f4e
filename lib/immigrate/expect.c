/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For a row z and a class with rows x_1 .. x_n:
 *
 * 1. d_i = d(z, x_i) - m, m being the smallest distance: exp(-m / sigma) cancels, and no sum of
 *    weights is 0, whatever sigma is.
 * 2. a_i = exp(-d_i / sigma); the row that is left out has a = 0.
 * 3. V = m + sum a_i d_i / sum a_i, and the mean of numbers is sum a_i t_i / sum a_i.
 */
#include "immigrate/expect.h"

#include "base/par.h"
#include "base/pool.h"
#include "base/sort.h"
#include "la/kernels.h"
#include "la/mat.h"
#include "la/vec.h"
#include "near/metric.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

enum { BLOCK = 16 }; /* rows of Z that a thread takes at a time */

/* The work on all rows of Z; p features have a weight that is not 0. */
struct job {
	struct kith_metric metric; /* of the p features */
	struct kith_mat X, Z;      /* n x p, sorted by class; m x p */
	const struct kith_expect *e;
	size_t *start;       /* c + 1: where the rows of each class start in X */
	size_t *row, *place; /* n: X_k was row row[k] before sorting; row i is X_place[i] */
	const size_t *self;  /* m rows before sorting, or NULL */
	const double *t;     /* n numbers before sorting, or NULL: distances are wanted */
	double *out;         /* m x c distances, or m means */
	double *room;        /* threads x 2 n */
};

/*
 * Steps 1 and 2 for n rows x from X on, `out` being the one left out (n or more: none), into d and
 * a; returns m, infinite where no row is left.
 */
static double
weigh_rows(const struct job *job, const double *z, const double *X, size_t n, size_t out, double *d,
    double *a)
{
	double nearest = INFINITY;

	kith_dist_rows(&job->metric, z, X, n, d);
	if (out < n)
		d[out] = INFINITY;
	for (size_t i = 0; i < n; i++)
		nearest = d[i] < nearest ? d[i] : nearest;
	if (isinf(nearest))
		return nearest;
	for (size_t i = 0; i < n; i++) {
		d[i] -= nearest;
		a[i] = -d[i] / job->e->sigma;
	}
	kith_vexp(n, a, a);
	if (out < n)
		d[out] = a[out] = 0;
	return nearest;
}

/* Step 3 for class h; the row left out stands at place `out` of X. */
static double
find_distance(const struct job *job, const double *z, size_t h, size_t out, double *d, double *a)
{
	const size_t from = job->start[h], n = job->start[h + 1] - from;
	const double nearest = weigh_rows(job, z, kith_row(&job->X, from), n, out - from, d, a);
	double sum = 0, total = 0;

	if (isinf(nearest))
		return nearest;
	for (size_t i = 0; i < n; i++) {
		sum += a[i] * d[i];
		total += a[i];
	}
	return nearest + sum / total;
}

/* Step 3 for numbers, whose sum a long double holds. */
static double
find_mean(const struct job *job, const double *z, size_t out, double *d, double *a)
{
	long double sum = 0, total = 0;

	weigh_rows(job, z, job->X.v, job->X.n, out, d, a);
	for (size_t i = 0; i < job->X.n; i++) {
		sum += (long double)a[i] * job->t[job->row[i]];
		total += a[i];
	}
	return (double)(sum / total);
}

static void
work(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	double *d = job->room + thread * 2 * job->X.n, *a = d + job->X.n;

	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < job->Z.n; i++) {
		const double *z = kith_row(&job->Z, i);
		const size_t out = job->self ? job->place[job->self[i]] : SIZE_MAX;

		if (job->t)
			job->out[i] = find_mean(job, z, out, d, a);
		else
			for (size_t h = 0; h < job->e->c; h++)
				job->out[i * job->e->c + h] = find_distance(job, z, h, out, d, a);
	}
}

/* Sorts the rows by class, leaves out features of weight 0, and does the work. */
static void
run(struct job *job, const struct kith_mat *Z, size_t threads)
{
	struct kith_pool tmp = {0};
	const struct kith_expect *e = job->e;
	const size_t n = e->X->n;

	assert(n >= 1 && e->X->p == e->metric->p && e->c >= 1 && e->sigma > 0);
	KITH_NEW_SIZES(&tmp, n, 1, &job->row, &job->place);
	job->start = kith_new(&tmp, e->c + 1, sizeof(*job->start));
	kith_sort_by_class(e->y, n, e->c, job->row, job->start);
	for (size_t i = 0; i < n; i++)
		job->place[job->row[i]] = i;
	job->metric = *e->metric;
	job->X = kith_mat_rows(e->X, job->row, n, &tmp);
	job->Z = *Z;
	kith_dist_pack_rows(&job->metric, &job->X, &job->Z, &tmp);
	job->room = kith_new(&tmp, threads, 2 * n * sizeof(*job->room));
	kith_par_told(threads, (Z->n + BLOCK - 1) / BLOCK, work, job,
	    &(struct kith_par_phase){"votes of all rows", Z->n, "rows"});
	kith_pool_free(&tmp);
}

void
kith_expect_distances(const struct kith_expect *e, const struct kith_mat *Z, const size_t *self,
    size_t threads, double *V)
{
	run(&(struct job){.e = e, .self = self, .out = V}, Z, threads);
}

void
kith_expect_means(const struct kith_expect *e, const double *t, const struct kith_mat *Z,
    const size_t *self, size_t threads, double *out)
{
	assert(e->c == 1 && e->X->n >= 1 + (size_t)(self != NULL));
	run(&(struct job){.e = e, .self = self, .t = t, .out = out}, Z, threads);
}

void
kith_expect_shares(const double *V, size_t c, double *share)
{
	const double least = V[kith_vec_argmin(c, V)];
	double sum = 0;

	for (size_t h = 0; h < c; h++) {
		share[h] = V[h] == least ? 1 : least > 0 ? least / V[h] : 0;
		sum += share[h];
	}
	for (size_t h = 0; h < c; h++)
		share[h] /= sum;
}
