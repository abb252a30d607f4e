#include "nnk/check.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/mat.h"
#include "near/dist.h"
#include "near/graph.h"
#include "near/knn.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>

enum { BLOCK = 64 }; /* rows of a block of work */

/* What rounding may leave of a lambda. */
#define EXACT 1e-11

/* Exponents of lengths that may share a unit differ by so much at most. */
enum { GRADE = 20 };

/* What one thread uses, and has seen. */
struct worker {
	double *q, *G;       /* packed: p, most x p */
	const double **raw;  /* most: candidates as they are */
	int *unit;           /* most: rows are divided by 2^unit */
	double *t;           /* most: weights of the candidates */
	long double *lambda; /* most */
	long double *cut;    /* most: weights that may have been cut */
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
	int unit; /* linear: the row counts divided by 2^unit */
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
		return scalbnl(product(metric, a.raw, b.raw), -a.unit - b.unit);
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
		else if (edges->w[e] >= 0 && edges->w[e] <= DBL_MAX)
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
	return (struct point){worker->raw[j],
	    worker->G + j * job->pack.metric.p, worker->unit[j]};
}

/* The exponent of the length of a row; INT_MIN: it is 0. */
static int
length(const struct job *job, const double *raw)
{
	const long double square = product(job->rows->metric, raw, raw);

	return square > 0 ? ilogbl(square) / 2 : INT_MIN;
}

/* Choose the units of q and its n candidates; rows of 0 need none. */
static void
choose_units(
    const struct job *job, struct worker *worker, struct point *q, size_t n)
{
	int most = INT_MIN, least = INT_MAX;

	q->unit = INT_MIN;
	for (size_t j = 0; j <= n; j++) {
		int *unit = j < n ? &worker->unit[j] : &q->unit;

		*unit = INT_MIN;
		if (job->how->kernel == KITH_KERN_LINEAR)
			*unit = length(job, j < n ? worker->raw[j] : q->raw);
		if (*unit == INT_MIN)
			continue;
		most = *unit > most ? *unit : most;
		least = *unit < least ? *unit : least;
	}
	for (size_t j = 0; j <= n; j++) {
		int *unit = j < n ? &worker->unit[j] : &q->unit;

		if (*unit == INT_MIN || most - least <= GRADE)
			*unit = most > INT_MIN ? most : 0;
	}
}

/*
 * The problem of a row with n candidates, everything divided by factor, and in
 * the units of its rows.
 */
struct problem {
	struct point q;
	size_t n;
	double sigma, shift, factor;
	long double b, t, A; /* the sizes that lambda is compared with */
	long double sum;     /* of t */
	long double rounding;
};

/* What is printed as w stands for this weight of candidate j. */
static long double
weight_of(
    const struct worker *worker, const struct problem *of, double w, size_t j)
{
	return scalbnl(w, worker->unit[j] - of->q.unit) / of->factor;
}

/* lambda += t K_Sj for all candidates; the largest |K_Sj|. */
static long double
add_column(const struct job *job, struct worker *worker,
    const struct problem *of, size_t j, long double t)
{
	const struct point x = point_of(job, worker, j);
	long double most = 0;

	for (size_t i = 0; i < of->n; i++) {
		const long double A = kernel(
		    job, x, point_of(job, worker, i), of->sigma, 0);

		worker->lambda[i] += t * A;
		most = fabsl(A) > most ? fabsl(A) : most;
	}
	return most;
}

/* lambda = K_SS theta - K_Sq + eta, and the sizes. */
static void
find_lambda(const struct job *job, struct worker *worker, struct problem *of)
{
	for (size_t j = 0; j < of->n; j++) {
		const struct point x = point_of(job, worker, j);
		const long double b = kernel(
		    job, of->q, x, of->sigma, of->shift);

		worker->lambda[j] = -b;
		if (job->how->eta > 0)
			worker->lambda[j] += scalbnl(job->how->eta,
						 -of->q.unit - x.unit) /
			    of->factor;
		of->b = b > of->b ? b : of->b;
	}
	for (size_t j = 0; j < of->n && of->factor > 0; j++) {
		const long double t = weight_of(worker, of, worker->t[j], j);
		long double A = 0;

		if (t > 0)
			A = add_column(job, worker, of, j, t);
		of->A = A > of->A ? A : of->A;
		of->t = t > of->t ? t : of->t;
		of->sum += t;
	}
}

/* What rounding makes of lambda. */
static long double
rounding(const struct job *job, const struct problem *of)
{
	const double n = (double)of->n, p = (double)job->rows->metric->p;
	long double most = 1;

	if (job->how->kernel == KITH_KERN_LINEAR && of->A > 1)
		most = of->A;
	return DBL_EPSILON * (n + p + 8) * most * (1 + of->sum);
}

/* What lambda is relative to. */
static long double
size_of(const struct job *job, const struct problem *of)
{
	/* Weights too small for a double are not told exactly. */
	const long double tiny = (long double)DBL_TRUE_MIN * (double)of->n /
	    of->factor;

	return of->b + of->t * of->A + (tiny + of->rounding) / job->limit;
}

/*
 * Give candidate j, which has no edge, its best weight up to `most`; whether
 * that is another one than before.
 */
static bool
put_back_one(const struct job *job, struct worker *worker,
    const struct problem *of, size_t j, double most)
{
	const struct point x = point_of(job, worker, j);
	const long double A = kernel(job, x, x, of->sigma, 0);
	const long double limit = weight_of(worker, of, most, j);
	const long double was = worker->cut[j];
	long double t = was;

	if (!(A > 0) ||
	    (was == 0 && !(worker->lambda[j] < -job->limit * size_of(job, of))))
		return false;
	t -= worker->lambda[j] / A;
	t = t < 0 ? 0 : t > limit ? limit : t;
	add_column(job, worker, of, j, t - was);
	worker->cut[j] = t;
	return t != was;
}

/* Put back what was cut, as far as that lowers the objective. */
static void
put_back(const struct job *job, struct worker *worker, struct problem *of)
{
	double most = 0;
	bool more = true;

	for (size_t j = 0; j < of->n; j++)
		most = fmax(most, worker->t[j]);
	for (size_t round = 0; round < of->n && more; round++) {
		more = false;
		for (size_t j = 0; j < of->n; j++)
			if (!(worker->t[j] > 0) &&
			    put_back_one(
				job, worker, of, j, job->how->least * most))
				more = true;
	}
}

static double
larger(double a, long double b)
{
	return b > a ? (double)b : a;
}

/* The largest lambda of edges, and -lambda of others, into at. */
static void
measure(const struct job *job, const struct worker *worker,
    const struct problem *of, double at[2])
{
	const long double size = size_of(job, of);

	at[0] = at[1] = 0;
	for (size_t j = 0; j < of->n; j++) {
		const long double lambda = worker->lambda[j] == 0
		    ? 0
		    : worker->lambda[j] / size;

		if (worker->t[j] > 0)
			at[0] = larger(at[0], fabsl(lambda));
		else
			at[1] = larger(at[1],
			    worker->cut[j] > 0 ? fabsl(lambda) : -lambda);
	}
}

static void
check_row(const struct job *job, struct worker *worker, size_t i)
{
	const size_t start = job->local.start[i];
	const struct kith_neighbour *nn = job->local.nn + start;
	struct problem of = {.n = job->local.start[i + 1] - start, .factor = 1};
	double at[2];

	place(job, worker, i, of.n);
	if (of.n == 0)
		return;
	of.q = (struct point){kith_local_query(job->rows, i), worker->q, 0};
	of.sigma = kith_local_sigma(job->local.sigma, nn, of.n);
	of.shift = nn[0].d;
	if (job->how->kernel == KITH_KERN_GAUSSIAN)
		of.factor = exp(-of.shift / of.sigma / of.sigma / 2);
	gather(job, worker, of.q.raw, i, of.n);
	choose_units(job, worker, &of.q, of.n);
	find_lambda(job, worker, &of);
	for (size_t j = 0; j < of.n; j++)
		worker->cut[j] = 0;
	measure(job, worker, &of, at);
	if (fmax(at[0], at[1]) > job->limit && of.factor > 0) {
		of.rounding = rounding(job, &of);
		put_back(job, worker, &of);
		measure(job, worker, &of, at);
	}
	worker->stationarity = fmax(worker->stationarity, at[0]);
	worker->dual = fmax(worker->dual, at[1]);
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
	worker->unit = kith_new(pool, most, sizeof(*worker->unit));
	worker->lambda = kith_new(pool, most, sizeof(*worker->lambda));
	worker->cut = kith_new(pool, most, sizeof(*worker->cut));
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
