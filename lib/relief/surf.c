/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. SURF: the threshold T is the mean distance of all pairs, one pass.
 *    MULTISURF: that of row i follows from its own distances, when it is seen.
 * 2. For each row i, its distances to all others; rows nearer than its threshold
 *    are its neighbours.
 * 3. Each neighbour j counts by a factor f_ij, and w_a = sum_ij f_ij diff_a(i, j).
 */
#include "relief/surf.h"

#include "base/par.h"
#include "base/pool.h"
#include "base/progress.h"
#include "near/metric.h"
#include "relief/cell.h"
#include "relief/columns.h"
#include "relief/soft.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { QUERIES = 16 }; /* rows of a block, where cells are mixed */

/* A distance is below a threshold if rounding does not explain it. */
static const double clearly = 1e-12;

struct run {
	struct kith_relief_cells cells;
	const struct kith_relief_how *how;
	const double *weight; /* n by place, or NULL */
	const double *t;      /* n targets by place, or NULL: classes */
	double same;          /* targets nearer than this make a hit */
	double *in;           /* c: the weights of each class */
	double all, sampled;  /* those of all rows, of the rows sampled */
	bool measure;         /* SURF: the first pass */
	double T;             /* SURF: then the threshold */
};

static double
weight_of(const struct run *run, size_t i)
{
	return run->weight ? run->weight[i] : 1;
}

/* The mean of the distances of row i, and their standard deviation. */
static void
describe(
    const struct run *run, size_t i, const double *d, double *mean, double *sd)
{
	const size_t n = run->cells.s.X.n;
	double sum = 0, square = 0;

	*mean = 0;
	for (size_t j = 0; j < n; j++) {
		const double f = j == i ? 0 : weight_of(run, j);

		sum += f;
		*mean += f * d[j];
	}
	*mean /= sum;
	for (size_t j = 0; j < n; j++)
		if (j != i)
			square += weight_of(run, j) * (d[j] - *mean) *
			    (d[j] - *mean);
	*sd = sqrt(square / sum);
}

/* What the group of j counts as for row i: c for a hit of numbers. */
static size_t
group(const struct run *run, size_t i, size_t j)
{
	if (!run->t)
		return run->cells.s.y[j];
	return fabs(run->t[i] - run->t[j]) < run->same;
}

/* Whether group g is that of the hits of row i. */
static bool
is_hit(const struct run *run, size_t i, size_t g)
{
	return run->t ? g == 1 : g == run->cells.s.y[i];
}

/* P(c), sum of its group aside; of numbers there is one group of misses. */
static double
prior(const struct run *run, size_t g)
{
	return run->t ? 1 : run->in[g];
}

/* d (n) becomes the factors of row i. */
static void
factors(const struct run *run, size_t i, double *d)
{
	const struct kith_by_class *s = &run->cells.s;
	const size_t n = s->X.n, groups = run->t ? 2 : s->c;
	struct kith_pool tmp = {0};
	double *sum = kith_new(&tmp, groups, sizeof(*sum));
	double T = run->T, priors = 0;

	if (run->how->method == KITH_RELIEF_MULTISURF) {
		double mean, sd;

		describe(run, i, d, &mean, &sd);
		T = mean - sd / 2; /* the dead band */
	}
	for (size_t j = 0; j < n; j++) {
		d[j] = j != i && T - d[j] > clearly * T ? weight_of(run, j) : 0;
		if (d[j] > 0)
			sum[group(run, i, j)] += d[j];
	}
	for (size_t g = 0; g < groups; g++)
		if (!is_hit(run, i, g) && sum[g] > 0)
			priors += prior(run, g);
	for (size_t g = 0; g < groups; g++) {
		const double f = is_hit(run, i, g) ? -1
						   : prior(run, g) / priors;

		sum[g] = sum[g] > 0
		    ? weight_of(run, i) * f / (run->sampled * sum[g])
		    : 0;
	}
	for (size_t j = 0; j < n; j++)
		if (d[j] > 0)
			d[j] *= sum[group(run, i, j)];
	kith_pool_free(&tmp);
}

/* A kith_relief_weigh: in the first pass the share of row i in T. */
static double
weigh(void *to, size_t i, double *d)
{
	const struct run *run = to;
	double mean, sd, f;

	if (!run->measure) {
		factors(run, i, d);
		return 0;
	}
	describe(run, i, d, &mean, &sd);
	f = weight_of(run, i) * (run->all - weight_of(run, i));
	memset(d, 0, run->cells.s.X.n * sizeof(*d));
	return f * mean;
}

struct job {
	struct run *run;
	double *d;     /* threads x n */
	double *part;  /* blocks x p */
	double *value; /* blocks */
};

/* A block of rows of texts, or with missing cells. */
static void
work(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_relief_cells *in = &job->run->cells;
	const size_t n = in->s.X.n, p = in->s.X.p, from = block * QUERIES;
	const size_t end = in->s.m - from < QUERIES ? in->s.m : from + QUERIES;
	double *d = job->d + thread * n, *w = job->part + block * p;

	for (size_t l = from; l < end; l++) {
		const size_t i = in->s.asked[l];

		kith_relief_cells_from(in, false, i, 0, n, d);
		job->value[block] += weigh(job->run, i, d);
		for (size_t j = 0; j < n; j++)
			for (size_t a = 0; d[j] != 0 && a < p; a++)
				w[a] += d[j] * kith_relief_diff(in, i, j, a);
	}
}

/* Like kith_relief_soft_sum(), of mixed cells. */
static double
sum_mixed(struct run *run, double *w)
{
	struct kith_pool tmp = {0};
	const struct kith_by_class *s = &run->cells.s;
	const size_t n = s->X.n, p = s->X.p, threads = run->how->threads;
	const size_t blocks = (s->m + QUERIES - 1) / QUERIES;
	struct job job = {run, kith_new(&tmp, threads, n * sizeof(double)),
	    kith_new(&tmp, blocks, p * sizeof(double)),
	    kith_new(&tmp, blocks, sizeof(double))};
	double value = 0;

	kith_par_told(threads, blocks, work, &job,
	    &(struct kith_par_phase){"neighbours", s->m, "rows"});
	memset(w, 0, p * sizeof(*w));
	for (size_t b = 0; b < blocks; b++) {
		value += job.value[b];
		for (size_t a = 0; a < p; a++)
			w[a] += job.part[b * p + a];
	}
	kith_pool_free(&tmp);
	return value;
}

/* A pass over all pairs; what the features differ, into w. */
static double
pass(struct run *run, double *w)
{
	struct kith_pool tmp = {0};
	const struct kith_relief_cells *in = &run->cells;
	const size_t p = in->s.X.p;
	struct kith_relief_soft soft = {.kind = KITH_ABSOLUTE,
	    .weigh = weigh,
	    .to = run,
	    .asked = in->s.asked,
	    .m = in->s.m,
	    .threads = run->how->threads};
	double value;

	if (in->mixed)
		return sum_mixed(run, w);
	kith_relief_soft_new(&in->s, &soft, &tmp);
	value = kith_relief_soft_sum(
	    &soft, in->exact ? in->exact : in->factor, w);
	for (size_t a = 0; a < p; a++)
		w[a] *= in->factor[a];
	kith_pool_free(&tmp);
	return value;
}

/* The targets by place, and their standard deviation. */
static void
take_targets(struct run *run, const double *t, struct kith_pool *pool)
{
	const struct kith_by_class *s = &run->cells.s;
	const size_t n = s->X.n;
	const struct kith_mat old = {n, 1, (double *)t};
	double *own = kith_new(pool, n, sizeof(*own));
	double least, most, mean = 0, square = 0;
	int e;

	kith_mat_range(&old, 0, &least, &most);
	e = -kith_range_exponent(least, most);
	for (size_t i = 0; i < n; i++) {
		own[i] = ldexp(t[s->row[i]], e) - ldexp(least, e);
		mean += weight_of(run, i) * own[i] / run->all;
	}
	for (size_t i = 0; i < n; i++)
		square += weight_of(run, i) * (own[i] - mean) * (own[i] - mean);
	run->t = own;
	run->same = sqrt(square / run->all);
}

/* The weights of the rows, by place, and of their classes. */
static void
take_weights(struct run *run, const double *weight, struct kith_pool *pool)
{
	const struct kith_by_class *s = &run->cells.s;
	double *own = kith_new(pool, s->X.n, sizeof(*own));

	run->in = kith_new(pool, s->c, sizeof(*run->in));
	for (size_t i = 0; i < s->X.n; i++) {
		own[i] = weight ? weight[s->row[i]] : 1;
		run->in[s->y[i]] += own[i];
		run->all += own[i];
	}
	for (size_t l = 0; l < s->m; l++)
		run->sampled += own[s->asked[l]];
	run->weight = weight ? own : NULL;
}

void
kith_relief_surf(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, const size_t *sample, size_t m,
    double *w)
{
	struct kith_pool tmp = {0};
	struct run run = {.how = how};
	const struct kith_by_class *s = &run.cells.s;

	kith_relief_cells_new(rows, false, sample, m, &run.cells, &tmp);
	take_weights(&run, rows->weight, &tmp);
	if (!rows->y)
		take_targets(&run, rows->t, &tmp);
	kith_progress_phase("surf", 0, NULL);
	if (how->method == KITH_RELIEF_SURF) {
		double pairs = 0;

		for (size_t l = 0; l < s->m; l++) {
			const double f = weight_of(&run, s->asked[l]);

			pairs += f * (run.all - f);
		}
		run.measure = true;
		run.T = pass(&run, w) / pairs;
		run.measure = false;
	}
	pass(&run, w);
	kith_progress_end();
	kith_pool_free(&tmp);
}
