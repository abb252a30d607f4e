#include "relief/nca.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "la/vec.h"
#include "la/vexp.h"
#include "relief/job.h"
#include "relief/soft.h"

#include <lbfgs.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
	MEMORY = 10,  /* steps that L-BFGS remembers */
	TRIALS = 100, /* of a line search */
	WHOLE = 16,   /* variables that the library may add */
	WIDEST = 500  /* exponent of a range whose squares fit a double */
};

struct run {
	const struct kith_by_class *s;
	struct kith_relief_soft soft;
	double unit; /* v of a scaled row is unit times that of the row */
	double *w;   /* p: squares of v, of the scaled rows */

	/* A search: */
	double tol;        /* ends it, where no derivative exceeds it */
	size_t iterations; /* so far */
	size_t done;       /* of these before the present call of lbfgs() */
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
	double least = INFINITY, H, M;

	for (size_t j = 0; j < n; j++)
		if (j != i && d[j] < least)
			least = d[j];
	for (size_t j = 0; j < n; j++)
		d[j] = least - d[j];
	kith_vexp(n, d, d);
	d[i] = 0;
	H = kith_vec_sum(end - from, d + from);
	M = kith_vec_sum(from, d);
	for (size_t j = end; j < n; j++)
		M += d[j];
	for (size_t j = 0; j < n; j++)
		d[j] *= (from <= j && j < end ? -M : H) / (H + M) / (H + M);
	return H / (H + M);
}

/*
 * -(1/n) sum_i p_i, which is in -1..0, and its gradient at v; where weights do
 * not fit a double it is 1, so that the step is too long.  The library may add
 * variables, which are 0.
 */
static double
value(void *to, const double *v, double *g, int variables, double step)
{
	struct run *run = to;
	const size_t p = run->soft.p;
	const double n = (double)run->soft.n;
	double sum;

	(void)variables;
	(void)step;
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

/* Called after each iteration: not 0 ends the search. */
static int /* NOLINTNEXTLINE(readability-function-size): the library's */
look(void *to, const double *v, const double *g, double f, double v_norm,
    double g_norm, double step, int variables, int iteration, int trials)
{
	struct run *run = to;

	(void)v, (void)v_norm, (void)g_norm;
	(void)step, (void)variables, (void)trials;
	run->iterations = run->done + (size_t)iteration;
	kith_progress_value("iteration", (double)run->iterations);
	kith_progress_value("objective", -f * (double)run->soft.n);
	return kith_vec_largest(run->soft.p, g) <= run->tol;
}

enum end {
	GRADIENT, /* no derivative exceeds tol */
	FLAT,     /* no step tried lowers the value: rounding hides its slope */
	LIMIT     /* max_iter iterations were not enough */
};

/*
 * Minimise from v; *f and g are value and gradient at the end.  Where a line
 * search fails, by rounding or by what the steps before have taught, begin anew
 * from there, as long as that lowers the value.
 */
static enum end
search(struct run *run, size_t max_iter, double *v, double *g, double *f)
{
	const int p = (int)run->soft.p;
	lbfgs_parameter_t how;
	double before;

	lbfgs_parameter_init(&how);
	how.m = MEMORY;
	how.epsilon = 0;
	how.max_linesearch = TRIALS;
	run->done = run->iterations = 0;
	*f = value(run, v, g, p, 0);
	do {
		int end;

		if (kith_vec_largest(run->soft.p, g) <= run->tol)
			return GRADIENT;
		if (run->iterations >= max_iter)
			return LIMIT;
		before = *f;
		how.max_iterations = (int)fmin(
		    (double)(max_iter - run->done), INT_MAX);
		end = lbfgs(p, v, NULL, value, look, run, &how);
		if (end == LBFGSERR_OUTOFMEMORY)
			kith_no_memory(
			    run->soft.p, (size_t)2 * MEMORY * sizeof(*v));
		run->done = run->iterations;
		*f = value(run, v, g, p, 0);
	} while (*f < before);
	return kith_vec_largest(run->soft.p, g) <= run->tol ? GRADIENT : FLAT;
}

/*
 * Whether a search ended as it should: by the derivatives, or where no step
 * shows, by those of the logarithms of v, which have no unit.
 */
static bool
is_there(const struct run *run, enum end end, const double *v, const double *g)
{
	double most = 0;

	for (size_t a = 0; a < run->soft.p; a++)
		most = fmax(most, fabs(v[a] * g[a]));
	return end == GRADIENT || (end == FLAT && most <= run->tol);
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
	double *v, *g, best = INFINITY;
	struct run run = {.s = &job->s,
	    .unit = ldexp(1, job->exponent),
	    .tol = job->how->tol};

	if (job->exponent > WIDEST)
		return kith_fail(err, EX_DATAERR,
		    "squares of differences do not fit a double: scale the "
		    "rows (tabscale)");
	v = kith_new(&tmp, p + WHOLE, sizeof(*v));
	g = kith_new(&tmp, p, sizeof(*g));
	run.w = kith_new(&tmp, p, sizeof(*run.w));
	run.soft = (struct kith_relief_soft){.kind = KITH_SQUARED,
	    .weigh = weigh,
	    .to = &run,
	    .threads = job->how->threads};
	kith_relief_soft_new(&job->s, &run.soft, &tmp);
	kith_progress_phase("nca", job->how->starts, "starts");
	for (size_t start = 0; start < job->how->starts;
	     start++, kith_progress_add(1)) {
		enum end end;
		double f;

		start_at(job, start, v);
		end = search(&run, job->how->max_iter, v, g, &f);
		if (f >= best)
			continue;
		best = f;
		for (size_t a = 0; a < p; a++)
			job->w[a] = v[a] * v[a];
		job->out->converged = is_there(&run, end, v, g);
		job->out->stuck = end == FLAT;
		job->out->iterations = run.iterations;
		job->out->best = start + 1;
		job->out->objective = -f * (double)job->s.X.n;
	}
	kith_progress_end();
	kith_pool_free(&tmp);
	return 0;
}
