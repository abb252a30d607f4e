#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "la/vexp.h"
#include "relief/method.h"
#include "relief/soft.h"
#include "solve/lbfgs.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
	MEMORY = 10,
	WIDEST = 500 /* exponent of a range whose squares fit a double */
};

struct run {
	const struct kith_by_class *s;
	struct kith_relief_soft soft;
	double unit; /* v of a scaled row is unit times that of the row */
	double *w;   /* p: squares of v, of the scaled rows */
};

/*
 * Factors p_ij (p_i - 1) of hits and p_ij p_i of misses; returns p_i.  Kernels
 * are relative to that of the nearest row.
 */
static double
weigh(void *to, size_t i, double *d)
{
	const struct run *run = to;
	const struct kith_by_class *s = run->s;
	const size_t n = s->X.n, from = s->first[s->y[i]];
	const size_t end = s->first[s->y[i] + 1];
	double least = INFINITY, H = 0, M = 0;

	for (size_t j = 0; j < n; j++)
		if (j != i && d[j] < least)
			least = d[j];
	for (size_t j = 0; j < n; j++)
		d[j] = least - d[j];
	kith_vexp(n, d, d);
	d[i] = 0;
	for (size_t j = from; j < end; j++)
		H += d[j];
	for (size_t j = 0; j < from; j++)
		M += d[j];
	for (size_t j = end; j < n; j++)
		M += d[j];
	for (size_t j = 0; j < n; j++)
		d[j] *= (from <= j && j < end ? -M : H) / (H + M) / (H + M);
	return H / (H + M);
}

/* -(1/n) sum_i p_i and its gradient at v. */
static double
value(void *to, const double *v, double *g)
{
	struct run *run = to;
	const size_t p = run->soft.p;
	const double n = (double)run->soft.n;
	double sum;

	for (size_t a = 0; a < p; a++) {
		run->w[a] = v[a] * run->unit * (v[a] * run->unit);
		if (!isfinite(run->w[a] * (double)p))
			return INFINITY;
	}
	sum = kith_relief_soft_sum(&run->soft, run->w, g);
	for (size_t a = 0; a < p; a++)
		g[a] *= -2 * v[a] * run->unit * run->unit / n;
	return -sum / n;
}

/*
 * Whether a search ended as it should: by the derivatives, or where no step
 * shows, by those of the logarithms of v, which have no unit.
 */
static bool
is_there(struct run *run, const struct kith_relief_how *how,
    const struct kith_lbfgs *got, const double *v)
{
	struct kith_pool tmp = {0};
	const size_t p = run->soft.p;
	double *g = kith_new(&tmp, p, sizeof(*g)), most = 0;

	if (got->end == KITH_LBFGS_FLAT) {
		value(run, v, g);
		for (size_t a = 0; a < p; a++)
			most = fmax(most, fabs(v[a] * g[a]));
	}
	kith_pool_free(&tmp);
	return got->end == KITH_LBFGS_GRADIENT ||
	    (got->end == KITH_LBFGS_FLAT && most <= how->tol);
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

int
kith_relief_nca(struct kith_relief_job *job, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t p = job->s.X.p;
	double *v, best = INFINITY;
	struct run run = {.s = &job->s, .unit = ldexp(1, job->exponent)};
	const struct kith_lbfgs_how how = {
	    value, &run, MEMORY, job->how->max_iter, job->how->tol, 0};

	if (job->exponent > WIDEST)
		return kith_fail(err, EX_DATAERR,
		    "squares of differences do not fit a double: scale the "
		    "rows (tabscale)");
	v = kith_new(&tmp, p, sizeof(*v));
	run.w = kith_new(&tmp, p, sizeof(*run.w));
	run.soft = (struct kith_relief_soft){.kind = KITH_SQUARED,
	    .weigh = weigh,
	    .to = &run,
	    .threads = job->how->threads};
	kith_relief_soft_new(&job->s, &run.soft, &tmp);
	for (size_t start = 0; start < job->how->starts; start++) {
		struct kith_lbfgs got;

		start_at(job, start, v);
		got = kith_lbfgs(&how, p, v);
		if (got.f >= best)
			continue;
		best = got.f;
		for (size_t a = 0; a < p; a++)
			job->w[a] = v[a] * v[a];
		job->out->converged = is_there(&run, job->how, &got, v);
		job->out->stuck = got.end == KITH_LBFGS_FLAT;
		job->out->iterations = got.iterations;
		job->out->best = start + 1;
		job->out->objective = -got.f * (double)job->s.X.n;
	}
	kith_pool_free(&tmp);
	return 0;
}
