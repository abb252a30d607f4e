/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/nca.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "la/vec.h"
#include "la/vexp.h"
#include "relief/ascent.h"
#include "relief/job.h"
#include "relief/soft.h"

#include <math.h>
#include <string.h>

enum { WIDEST = 500 }; /* exponent of a range whose squares fit a double */

struct run {
	const struct kith_by_class *s;
	struct kith_relief_soft soft;
	double unit; /* v of a scaled row is unit times that of the row */
	double *w;   /* p: squares of v, of the scaled rows */
	const double *weight; /* n by place, or NULL */
	double total;         /* of the weights */
};

/*
 * Factors p_ij (p_i - 1) of hits and p_ij p_i of misses, times the weight of
 * row i; returns p_i times it.  Kernels are relative to that of the nearest row.
 */
static double
weigh(void *to, size_t i, double *d)
{
	const struct run *run = to;
	const struct kith_by_class *s = run->s;
	const size_t n = s->X.n, from = s->first[s->y[i]];
	const size_t end = s->first[s->y[i] + 1];
	const double share = run->weight ? run->weight[i] : 1;
	double least = INFINITY, H, M;

	for (size_t j = 0; j < n; j++)
		if (j != i && d[j] < least)
			least = d[j];
	for (size_t j = 0; j < n; j++)
		d[j] = least - d[j];
	kith_vexp(n, d, d);
	d[i] = 0;
	for (size_t j = 0; run->weight && j < n; j++)
		d[j] *= run->weight[j];
	H = kith_vec_sum(end - from, d + from);
	M = kith_vec_sum(from, d);
	for (size_t j = end; j < n; j++)
		M += d[j];
	for (size_t j = 0; j < n; j++)
		d[j] *= share * (from <= j && j < end ? -M : H) / (H + M) /
		    (H + M);
	return share * (H / (H + M));
}

/*
 * -(1/n) sum_i p_i, which is in -1..0, and its gradient at v; where weights do
 * not fit a double it is 1, so that the step is too long.
 */
static double
value(void *to, const double *v, double *g)
{
	struct run *run = to;
	const size_t p = run->soft.p;
	const double n = run->total;
	double sum;

	for (size_t a = 0; a < p; a++) {
		run->w[a] = v[a] * run->unit * (v[a] * run->unit);
		if (!isfinite(run->w[a] * (double)p)) {
			memset(g, 0, p * sizeof(*g));
			return 1;
		}
	}
	sum = kith_relief_soft_sum(&run->soft, run->w, g);
	for (size_t a = 0; a < p; a++)
		g[a] *= -2 * v[a] * run->unit * run->unit / n;
	return -sum / n;
}

/* The first start is all 1, the others are random. */
static void
start_at(const struct kith_relief_job *job, size_t start, double *v)
{
	struct kith_rng rng;

	kith_rng_seed(&rng, job->how->seed, KITH_RNG_START, start);
	for (size_t a = 0; a < job->s.X.p; a++)
		v[a] = start == 0 ? 1 : 2 * kith_rng_unit(&rng);
}

static int
too_wide(struct kith_err *err)
{
	return kith_fail(err, EX_DATAERR,
	    "squares of differences do not fit a double: scale the rows "
	    "(tabscale)");
}

/* Climb from each start, and keep the best end. */
static void
climb(struct kith_relief_job *job, struct kith_relief_ascent *search,
    struct kith_pool *tmp)
{
	const size_t p = search->n;
	double *v = kith_relief_ascent_room(p, tmp);
	double *g = kith_new(tmp, p, sizeof(*g)), best = INFINITY;

	kith_progress_phase("nca", job->how->starts, "starts");
	for (size_t start = 0; start < job->how->starts;
	     start++, kith_progress_add(1)) {
		enum kith_relief_end end;
		double f;

		start_at(job, start, v);
		end = kith_relief_ascend(search, v, g, &f);
		if (f >= best)
			continue;
		best = f;
		for (size_t a = 0; a < p; a++)
			job->w[a] = v[a] * v[a];
		job->out->converged = kith_relief_arrived(search, end, v, g);
		job->out->stuck = end == KITH_RELIEF_FLAT;
		job->out->iterations = search->iterations;
		job->out->best = start + 1;
		job->out->objective = -f * search->rows;
	}
	kith_progress_end();
}

int
kith_relief_nca(struct kith_relief_job *job, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t p = job->s.X.p;
	struct run run = {.s = &job->s,
	    .unit = ldexp(1, job->exponent),
	    .weight = job->weight,
	    .total = kith_relief_total(job)};
	struct kith_relief_ascent search = {.value = value,
	    .to = &run,
	    .n = p,
	    .tol = job->how->tol,
	    .max_iter = job->how->max_iter,
	    .rows = run.total};

	if (job->exponent > WIDEST)
		return too_wide(err);
	run.w = kith_new(&tmp, p, sizeof(*run.w));
	run.soft = (struct kith_relief_soft){.kind = KITH_SQUARED,
	    .weigh = weigh,
	    .to = &run,
	    .threads = job->how->threads};
	kith_relief_soft_new(&job->s, &run.soft, &tmp);
	climb(job, &search, &tmp);
	kith_pool_free(&tmp);
	return 0;
}
