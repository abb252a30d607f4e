/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/irelief.h"

#include "base/pool.h"
#include "base/progress.h"
#include "la/vec.h"
#include "la/vexp.h"
#include "relief/job.h"
#include "relief/soft.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

struct run {
	const struct kith_by_class *s;
	double sigma;         /* in units of the scaled rows */
	const double *weight; /* n by place, or NULL */
};

/* The least of d[from..to-1], that at `out` left out, or least if smaller. */
static double
smallest(const double *d, size_t from, size_t to, size_t out, double least)
{
	for (size_t j = from; j < to; j++)
		if (j != out && d[j] < least)
			least = d[j];
	return least;
}

/*
 * d = exp(-(d - least) / sigma) times the weight of the row, 0 at `out`; returns
 * the sum.
 */
static double
kernels(const struct run *run, double *d, size_t from, size_t to, size_t out,
    double least)
{
	const double sigma = run->sigma;

	for (size_t j = from; j < to; j++)
		d[j] = -(d[j] - least) / sigma;
	kith_vexp(to - from, d + from, d + from);
	if (from <= out && out < to)
		d[out] = 0;
	for (size_t j = from; run->weight && j < to; j++)
		d[j] *= run->weight[j];
	return kith_vec_sum(to - from, d + from);
}

/*
 * Kernels of hits and of misses are relative to the nearest of either, so that
 * neither sum vanishes: gamma = H e^-h / (H e^-h + M e^-m), h and m those
 * distances over sigma.
 */
static double
weigh(void *to, size_t i, double *d)
{
	const struct run *run = to;
	const struct kith_by_class *s = run->s;
	const size_t n = s->X.n, from = s->first[s->y[i]];
	const size_t end = s->first[s->y[i] + 1];
	const double h = smallest(d, from, end, i, INFINITY);
	const double m = smallest(
	    d, end, n, i, smallest(d, 0, from, i, INFINITY));
	double H, M, gamma;

	if (end - from == 1) {
		memset(d, 0, n * sizeof(*d));
		return 0;
	}
	H = kernels(run, d, from, end, i, h);
	M = kernels(run, d, 0, from, i, m) + kernels(run, d, end, n, i, m);
	gamma = 1 / (1 + M / H * exp((h - m) / run->sigma));
	H /= run->weight ? run->weight[i] : 1;
	M /= run->weight ? run->weight[i] : 1;
	for (size_t j = 0; j < n; j++)
		d[j] *= from <= j && j < end ? -gamma / H : gamma / M;
	return gamma;
}

/* w = nu+ / |nu+|_2, in place; false where that is 0. */
static bool
normalise(size_t p, double *nu)
{
	double most = 0, sum = 0;

	for (size_t a = 0; a < p; a++) {
		nu[a] = nu[a] > 0 ? nu[a] : 0;
		most = fmax(most, nu[a]);
	}
	if (!(most > 0))
		return false;
	for (size_t a = 0; a < p; a++)
		sum += nu[a] / most * (nu[a] / most);
	for (size_t a = 0; a < p; a++)
		nu[a] = nu[a] / most / sqrt(sum);
	return true;
}

static double
distance(size_t p, const double *a, const double *b)
{
	double sum = 0;

	for (size_t j = 0; j < p; j++)
		sum += (a[j] - b[j]) * (a[j] - b[j]);
	return sqrt(sum);
}

void
kith_relief_irelief(struct kith_relief_job *job)
{
	struct kith_pool tmp = {0};
	const size_t p = job->s.X.p;
	struct run run = {
	    &job->s, ldexp(job->how->sigma, -job->exponent), job->weight};
	struct kith_relief_soft soft = {.kind = KITH_ABSOLUTE,
	    .weigh = weigh,
	    .to = &run,
	    .threads = job->how->threads};
	double *before = kith_new(&tmp, p, sizeof(*before));
	bool done = false;
	double step;

	if (!(run.sigma > 0))
		run.sigma = DBL_TRUE_MIN;
	kith_relief_soft_new(&job->s, &soft, &tmp);
	for (size_t a = 0; a < p; a++)
		job->w[a] = 1 / sqrt((double)p);
	kith_progress_phase("irelief", 0, "iterations");
	for (size_t t = 0; t < job->how->max_iter && !done; t++) {
		memcpy(before, job->w, p * sizeof(*before));
		kith_relief_soft_sum(&soft, before, job->w);
		done = !normalise(p, job->w);
		step = distance(p, before, job->w);
		done = done || step < job->how->tol || step == 0;
		job->out->iterations = t + 1;
		kith_progress_add(1);
		kith_progress_value("change", step);
	}
	kith_progress_end();
	job->out->converged = done;
	kith_pool_free(&tmp);
}
