#include "nnk/check.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/mat.h"
#include "near/dist.h"
#include "near/graph.h"
#include "near/knn.h"

#include <assert.h>
#include <float.h>
#include <math.h>

enum { BLOCK = 64 }; /* rows of a block of work */

/* What rounding may leave of a lambda. */
#define EXACT 1e-11

/* What one thread uses, and has seen. */
struct worker {
	double *q, *G;       /* packed: p, most x p */
	const double **raw;  /* most: candidates as they are */
	double *t;           /* most: weights of the candidates */
	long double *lambda; /* most */
	double bad, foreign, stationarity, dual;
};

struct job {
	const struct kith_local_rows *rows;
	const struct kith_check_nnk_how *how;
	const struct kith_graph *edges;
	struct kith_local local;
	struct kith_local_pack pack;
	double limit;
	struct worker *worker; /* threads */
};

/* sum_j w_j x_j z_j */
static long double
product(const struct kith_metric *metric, const double *x, const double *z)
{
	long double sum = 0;

	for (size_t j = 0; j < metric->p; j++)
		sum += (long double)x[j] * z[j] *
		    (metric->w ? metric->w[j] : 1);
	return sum;
}

/* A row of the data, as it is and packed. */
struct point {
	const double *raw, *packed;
};

/* The kernel of two rows; gaussian: times exp(shift / (2 sigma^2)). */
static long double
kernel(const struct job *job, struct point a, struct point b, double sigma,
    double shift)
{
	const struct kith_metric *metric = job->rows->metric;
	double d;

	if (job->how->kernel == KITH_KERN_COSINE)
		return (1 + product(metric, a.raw, b.raw)) / 2;
	if (job->how->kernel == KITH_KERN_LINEAR)
		return product(metric, a.raw, b.raw);
	assert(job->how->kernel == KITH_KERN_GAUSSIAN);
	kith_dist_rows(&job->pack.metric, a.packed, b.packed, 1, &d);
	return exp(-(d - shift) / sigma / sigma / 2);
}

/* Find the edges of row i among its n candidates, and count what is wrong. */
static void
place(const struct job *job, struct worker *worker, size_t i, size_t n)
{
	const struct kith_graph *edges = job->edges;
	const struct kith_neighbour *nn = job->local.nn + job->local.start[i];

	for (size_t j = 0; j < n; j++)
		worker->t[j] = 0;
	for (size_t e = edges->start[i]; e < edges->start[i + 1]; e++) {
		size_t j = 0;

		while (j < n && nn[j].row != edges->to[e])
			j++;
		if (j == n)
			worker->foreign++;
		else if (edges->w[e] > 0 && edges->w[e] <= DBL_MAX)
			worker->t[j] = edges->w[e];
		else
			worker->bad++;
	}
}

/* Bring q and its n candidates into reach. */
static void
gather(const struct job *job, struct worker *worker, const double *q, size_t i,
    size_t n)
{
	const struct kith_neighbour *nn = job->local.nn + job->local.start[i];
	const size_t p = job->pack.metric.p;

	kith_local_pack_row(&job->pack, q, worker->q);
	for (size_t j = 0; j < n; j++) {
		worker->raw[j] = kith_row(job->rows->X, nn[j].row);
		kith_local_pack_row(
		    &job->pack, worker->raw[j], worker->G + j * p);
	}
}

static struct point
point_of(const struct job *job, const struct worker *worker, size_t j)
{
	return (struct point){
	    worker->raw[j], worker->G + j * job->pack.metric.p};
}

/* The sizes that lambda is compared with. */
struct size {
	long double b, t, A;
};

/*
 * lambda = K_SS theta - K_Sq + eta for the n candidates, everything divided
 * by factor.
 */
static struct size
find_lambda(const struct job *job, struct worker *worker, struct point q,
    size_t n, double sigma, double shift)
{
	const bool gaussian = job->how->kernel == KITH_KERN_GAUSSIAN;
	const double factor = gaussian ? exp(-shift / sigma / sigma / 2) : 1;
	struct size size = {0};

	for (size_t j = 0; j < n; j++) {
		const long double b = kernel(
		    job, q, point_of(job, worker, j), sigma, shift);

		worker->lambda[j] = -b;
		if (job->how->eta > 0)
			worker->lambda[j] += (long double)job->how->eta /
			    factor;
		size.b = b > size.b ? b : size.b;
	}
	for (size_t i = 0; i < n && factor > 0; i++) {
		const long double t = (long double)worker->t[i] / factor;

		for (size_t j = 0; j < n && t > 0; j++) {
			const long double A = kernel(job,
			    point_of(job, worker, i), point_of(job, worker, j),
			    sigma, 0);

			worker->lambda[j] += t * A;
			size.A = fabsl(A) > size.A ? fabsl(A) : size.A;
		}
		size.t = t > size.t ? t : size.t;
	}
	/* Weights too small for a double are not told exactly. */
	size.b += (long double)DBL_TRUE_MIN * (double)n / factor / job->limit;
	return size;
}

static double
larger(double a, long double b)
{
	return b > a ? (double)b : a;
}

static void
check_row(const struct job *job, struct worker *worker, size_t i)
{
	const size_t start = job->local.start[i];
	const size_t n = job->local.start[i + 1] - start;
	const struct kith_neighbour *nn = job->local.nn + start;
	const double sigma = kith_local_sigma(job->local.sigma, nn, n);
	const struct point q = {kith_local_query(job->rows, i), worker->q};
	struct size size;

	place(job, worker, i, n);
	if (n == 0)
		return;
	gather(job, worker, q.raw, i, n);
	size = find_lambda(job, worker, q, n, sigma, nn[0].d);
	size.b += size.t * size.A;
	for (size_t j = 0; j < n; j++) {
		const long double lambda = worker->lambda[j] == 0
		    ? 0
		    : worker->lambda[j] / size.b;

		if (worker->t[j] > 0)
			worker->stationarity = larger(
			    worker->stationarity, fabsl(lambda));
		else
			worker->dual = larger(worker->dual, -lambda);
	}
}

static void
check_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;

	for (size_t i = block * BLOCK;
	     i < (block + 1) * BLOCK && i < job->rows->m; i++)
		check_row(job, job->worker + thread, i);
}

static void
make_worker(
    const struct job *job, struct worker *worker, struct kith_pool *pool)
{
	const size_t p = job->pack.metric.p, most = job->local.most;

	worker->q = kith_new(pool, p, sizeof(*worker->q));
	worker->G = kith_new(pool, most * p, sizeof(*worker->G));
	worker->raw = kith_new(pool, most, sizeof(*worker->raw));
	worker->t = kith_new(pool, most, sizeof(*worker->t));
	worker->lambda = kith_new(pool, most, sizeof(*worker->lambda));
}

static void
report(const struct job *job, struct kith_check out[KITH_CHECK_NNK])
{
	out[0] = (struct kith_check){"weight", 0, 0};
	out[1] = (struct kith_check){"candidate", 0, 0};
	out[2] = (struct kith_check){"stationarity", 0, job->limit};
	out[3] = (struct kith_check){"dual", 0, job->limit};
	for (size_t i = 0; i < job->rows->threads; i++) {
		const struct worker *it = job->worker + i;

		out[0].value += it->bad;
		out[1].value += it->foreign;
		out[2].value = larger(out[2].value, it->stationarity);
		out[3].value = larger(out[3].value, it->dual);
	}
}

int
kith_check_nnk(const struct kith_local_rows *rows,
    const struct kith_check_nnk_how *how, const struct kith_graph *edges,
    struct kith_check out[KITH_CHECK_NNK], struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct job job = {.rows = rows, .how = how, .edges = edges};
	const struct kith_local_how local = {
	    .k = how->k,
	    .radius = -1,
	    .given = how->given,
	    .bandwidth = how->kernel == KITH_KERN_GAUSSIAN,
	    .sigma = how->sigma,
	};

	assert(edges->first == rows->first && edges->m == rows->m);
	if (kith_local_find(rows, &local, &job.local, &tmp, err)) {
		kith_pool_free(&tmp);
		return -1;
	}
	job.pack = kith_local_pack_new(rows->metric, job.local.unit, &tmp);
	job.limit = EXACT + (double)job.local.most * how->least;
	job.worker = kith_new(&tmp, rows->threads, sizeof(*job.worker));
	for (size_t i = 0; i < rows->threads; i++)
		make_worker(&job, job.worker + i, &tmp);
	kith_par(
	    rows->threads, (rows->m + BLOCK - 1) / BLOCK, check_block, &job);
	report(&job, out);
	kith_pool_free(&tmp);
	return 0;
}
