/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/resample.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "base/rng.h"
#include "base/sort.h"
#include "relief/relief.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A fit, and what it failed with. */
struct fit {
	double *w; /* p */
	bool converged;
	int got;
	struct kith_err err;
};

struct jobs {
	const struct kith_relief_rows *rows;
	const struct kith_relief_how *how;
	size_t bootstrap;
	struct fit *fit; /* samples, then permutations */
};

/* Whether rows of these weights have two classes, or two targets. */
static bool
is_enough(const struct kith_relief_rows *rows, const double *weight)
{
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < rows->X.n; i++) {
		if (!(weight[i] > 0))
			continue;
		if (first == SIZE_MAX)
			first = i;
		if (rows->y ? rows->y[i] != rows->y[first]
			    : rows->t[i] != rows->t[first])
			return true;
	}
	return false;
}

/* The weights of the rows in sample b; how many have one above 0. */
static size_t
draw(const struct jobs *jobs, size_t b, double *weight)
{
	const struct kith_relief_rows *rows = jobs->rows;
	const size_t n = rows->X.n;
	struct kith_rng rng;
	size_t some = 0;

	kith_rng_seed(&rng, jobs->how->seed, KITH_RNG_BOOTSTRAP, b);
	do {
		memset(weight, 0, n * sizeof(*weight));
		for (size_t i = 0; i < n; i++) {
			const size_t at = kith_rng_below(&rng, n);

			weight[at] += rows->weight ? rows->weight[at] : 1;
		}
	} while (!is_enough(rows, weight));
	for (size_t i = 0; i < n; i++)
		some += weight[i] > 0;
	return some;
}

/* The rows with their targets in the order of permutation m. */
static void
permute(const struct jobs *jobs, size_t m, struct kith_relief_rows *rows,
    struct kith_pool *pool)
{
	const size_t n = rows->X.n;
	size_t *at = kith_new(pool, n, sizeof(*at));
	size_t *y = kith_new(pool, n, sizeof(*y));
	double *t = kith_new(pool, n, sizeof(*t));
	struct kith_rng rng;

	for (size_t i = 0; i < n; i++)
		at[i] = i;
	kith_rng_seed(&rng, jobs->how->seed, KITH_RNG_PERMUTE, m);
	kith_rng_shuffle(&rng, at, n);
	for (size_t i = 0; i < n; i++)
		if (rows->y)
			y[i] = rows->y[at[i]];
		else
			t[i] = rows->t[at[i]];
	if (rows->y)
		rows->y = y;
	else
		rows->t = t;
}

static void
work(void *to, size_t block, size_t thread)
{
	struct jobs *jobs = to;
	struct fit *fit = &jobs->fit[block];
	struct kith_pool tmp = {0};
	struct kith_relief_rows rows = *jobs->rows;
	struct kith_relief_how how = *jobs->how;
	struct kith_relief got;

	(void)thread;
	how.threads = 1;
	if (block < jobs->bootstrap) {
		double *weight = kith_new(&tmp, rows.X.n, sizeof(*weight));
		const size_t some = draw(jobs, block, weight);

		how.samples = how.samples < some ? how.samples : some;
		rows.weight = weight;
	} else
		permute(jobs, block - jobs->bootstrap, &rows, &tmp);
	fit->got = kith_relief(&rows, &how, &got, &tmp, &fit->err);
	if (fit->got == 0) {
		fit->converged = got.converged;
		memcpy(fit->w, got.w, rows.X.p * sizeof(*fit->w));
	}
	kith_pool_free(&tmp);
}

/* Mean and deviation of feature a over the samples. */
static void
describe(const struct jobs *jobs, size_t a, double *mean, double *se)
{
	const double B = (double)jobs->bootstrap;
	double square = 0;

	*mean = 0;
	for (size_t b = 0; b < jobs->bootstrap; b++)
		*mean += jobs->fit[b].w[a] / B;
	for (size_t b = 0; b < jobs->bootstrap; b++) {
		const double d = jobs->fit[b].w[a] - *mean;

		square += d * d / (B - 1);
	}
	*se = sqrt(square);
}

/* Count the features that are among the first of a sample. */
static void
count_top(const struct fit *fit, size_t p, size_t top, double *sum)
{
	struct kith_pool tmp = {0};
	struct kith_ranked *e = kith_new(&tmp, p, sizeof(*e));

	for (size_t a = 0; a < p; a++)
		e[a] = (struct kith_ranked){fit->w[a], a};
	kith_sort_ranked(e, p);
	for (size_t r = 0; r < p && r < top; r++)
		sum[e[r].of]++;
	kith_pool_free(&tmp);
}

/* Sum up what the fits have found. */
static void
sum_up(const struct jobs *jobs, const struct kith_relief_resample *what,
    const double *w, struct kith_relief_spread *out, struct kith_pool *pool)
{
	const size_t p = jobs->rows->X.p, B = what->bootstrap;

	if (B)
		KITH_NEW_REALS(pool, p, 1, &out->mean, &out->se, &out->top);
	if (what->permute)
		KITH_NEW_REALS(pool, p, 1, &out->p);
	for (size_t a = 0; a < p; a++) {
		size_t above = 1;

		if (B)
			describe(jobs, a, &out->mean[a], &out->se[a]);
		for (size_t m = B; m < B + what->permute; m++)
			above += jobs->fit[m].w[a] >= w[a];
		if (out->p)
			out->p[a] = (double)above / (double)(what->permute + 1);
	}
	for (size_t b = 0; b < B; b++)
		count_top(&jobs->fit[b], p, what->top, out->top);
	for (size_t a = 0; a < p && B; a++)
		out->top[a] /= (double)B;
}

int
kith_relief_resample(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, const struct kith_relief_resample *what,
    const double *w, struct kith_relief_spread *out, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = what->bootstrap + what->permute;
	struct jobs jobs = {
	    rows, how, what->bootstrap, kith_new(&tmp, n, sizeof(*jobs.fit))};
	int got = 0;

	*out = (struct kith_relief_spread){0};
	for (size_t i = 0; i < n; i++)
		jobs.fit[i].w = kith_new(&tmp, rows->X.p, sizeof(double));
	kith_par_told(how->threads, n, work, &jobs,
	    &(struct kith_par_phase){"resampling", n, "fits"});
	for (size_t i = 0; i < n && got == 0; i++) {
		got = jobs.fit[i].got;
		if (got)
			*err = jobs.fit[i].err;
		else
			out->doubts += !jobs.fit[i].converged;
	}
	if (got == 0)
		sum_up(&jobs, what, w, out, pool);
	kith_pool_free(&tmp);
	return got;
}
