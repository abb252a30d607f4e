/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/expect.h"

#include "base/par.h"
#include "base/pool.h"
#include "base/sort.h"
#include "la/mat.h"
#include "la/vexp.h"
#include "near/metric.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 16 }; /* rows that a thread takes at a time */

struct kith_expect {
	struct kith_metric metric; /* without the features of weight 0 */
	struct kith_mat X;         /* n x metric.p: the rows sorted by class */
	size_t *kept;              /* metric.p: the features */
	size_t n, c;
	size_t *start; /* c + 1: where the rows of each class start */
	size_t *place; /* n: where each row went */
	size_t *row;   /* n: the row at each place */
	double sigma;
};

struct kith_expect *
kith_expect_new(const struct kith_mat *X, const size_t *y, size_t c,
    const struct kith_metric *metric, double sigma, struct kith_pool *pool)
{
	struct kith_expect *e = kith_new(pool, 1, sizeof(*e));
	struct kith_mat sorted;
	size_t p;

	assert(X->n >= 1 && X->p == metric->p && c >= 1 && sigma > 0);
	e->n = X->n;
	e->c = c;
	e->start = kith_new(pool, c + 1, sizeof(*e->start));
	e->place = kith_new(pool, X->n, sizeof(*e->place));
	e->row = kith_new(pool, X->n, sizeof(*e->row));
	kith_sort_by_class(y, X->n, c, e->row, e->start);
	for (size_t i = 0; i < X->n; i++)
		e->place[e->row[i]] = i;
	sorted = kith_mat_rows(X, e->row, X->n, pool);
	e->kept = kith_new(pool, metric->p, sizeof(*e->kept));
	p = kith_dist_kept(metric, e->kept);
	e->metric = kith_dist_pack(metric, e->kept, p, pool);
	e->X = p == metric->p ? sorted : kith_mat_take(&sorted, e->kept, p, pool);
	e->sigma = sigma;
	return e;
}

/*
 * The weights of the rows of class h, without the one at place `out` or none
 * (SIZE_MAX), times a factor, into alpha; what their distances have above the
 * nearest into d, which is returned.  *n becomes the number of rows.
 */
static double
weigh(const struct kith_expect *e, const double *z, size_t h, size_t out, size_t *n, double *d,
    double *alpha)
{
	const size_t from = e->start[h], all = e->start[h + 1] - from;
	const size_t at = out - from;
	double nearest = INFINITY;

	*n = all;
	if (all == 0)
		return INFINITY;
	kith_dist_rows(&e->metric, z, kith_row(&e->X, from), all, d);
	if (out != SIZE_MAX && from <= out && at < all) {
		memmove(d + at, d + at + 1, (all - at - 1) * sizeof(*d));
		--*n;
	}
	for (size_t i = 0; i < *n; i++)
		nearest = d[i] < nearest ? d[i] : nearest;
	if (isinf(nearest))
		return nearest;
	for (size_t i = 0; i < *n; i++) {
		const double above = d[i] - nearest;

		d[i] = above < DBL_MAX ? above : DBL_MAX;
		alpha[i] = -d[i] / e->sigma;
	}
	kith_vexp(*n, alpha, alpha);
	return nearest;
}

/* What the threads share, and what each has of its own. */
struct job {
	const struct kith_expect *e;
	const struct kith_mat *Z;
	const size_t *self;
	const double *t; /* means are asked for */
	double *out;     /* m x c values, or m means */
	double *room;    /* threads x (2 n + p) */
};

/* V of class h: the nearest distance and the mean of what is above it. */
static double
expected(
    const struct kith_expect *e, const double *z, size_t h, size_t out, double *d, double *alpha)
{
	double sum = 0, total = 0, nearest;
	size_t n;

	nearest = weigh(e, z, h, out, &n, d, alpha);
	if (isinf(nearest))
		return nearest;
	for (size_t i = 0; i < n; i++) {
		sum += alpha[i] * d[i];
		total += alpha[i];
	}
	return nearest + sum / total;
}

/* The mean of t, whose sum a long double holds. */
static double
mean(const struct job *job, const double *z, size_t out, double *d, double *alpha)
{
	const struct kith_expect *e = job->e;
	long double sum = 0, total = 0;
	size_t n;
	const bool far = isinf(weigh(e, z, 0, out, &n, d, alpha));

	for (size_t i = 0; i < n; i++) {
		const double weight = far ? 1 : alpha[i];

		sum += (long double)weight * job->t[e->row[i + (i >= out)]];
		total += weight;
	}
	return (double)(sum / total);
}

static void
work(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_expect *e = job->e;
	const size_t from = block * BLOCK, p = e->metric.p;
	const size_t end = from + BLOCK < job->Z->n ? from + BLOCK : job->Z->n;
	double *d = job->room + thread * (2 * e->n + p);
	double *alpha = d + e->n, *packed = alpha + e->n;

	for (size_t i = from; i < end; i++) {
		const double *z = packed;
		const size_t out = job->self ? e->place[job->self[i]] : SIZE_MAX;

		for (size_t j = 0; j < p; j++)
			packed[j] = kith_row(job->Z, i)[e->kept[j]];
		if (job->t)
			job->out[i] = mean(job, z, out, d, alpha);
		else
			for (size_t h = 0; h < e->c; h++)
				job->out[i * e->c + h] = expected(e, z, h, out, d, alpha);
	}
}

static void
run(struct job *job, size_t threads)
{
	struct kith_pool tmp = {0};
	const struct kith_expect *e = job->e;

	job->room = kith_new(&tmp, threads, (2 * e->n + e->metric.p) * sizeof(*job->room));
	kith_par_told(threads, (job->Z->n + BLOCK - 1) / BLOCK, work, job,
	    &(struct kith_par_phase){"votes of all rows", job->Z->n, "rows"});
	kith_pool_free(&tmp);
}

void
kith_expect_values(const struct kith_expect *e, const struct kith_mat *Z, const size_t *self,
    size_t threads, double *V)
{
	struct job job = {e, Z, self, NULL, V, NULL};

	run(&job, threads);
}

void
kith_expect_means(const struct kith_expect *e, const double *t, const struct kith_mat *Z,
    const size_t *self, size_t threads, double *out)
{
	struct job job = {e, Z, self, t, out, NULL};

	assert(e->c == 1 && e->n >= 1 + (size_t)(self != NULL));
	run(&job, threads);
}

size_t
kith_expect_class(const double *V, size_t c)
{
	size_t best = 0;

	for (size_t h = 1; h < c; h++)
		if (V[h] < V[best])
			best = h;
	return best;
}

void
kith_expect_shares(const double *V, size_t c, double *share)
{
	const double least = V[kith_expect_class(V, c)];
	double sum = 0;

	for (size_t h = 0; h < c; h++) {
		if (V[h] == least)
			share[h] = 1;
		else
			share[h] = least > 0 ? least / V[h] : 0;
		sum += share[h];
	}
	for (size_t h = 0; h < c; h++)
		share[h] /= sum;
}
