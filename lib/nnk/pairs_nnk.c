/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/pairs_nnk.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "la/chol.h"
#include "nnk/pairs.h"
#include "solve/nn.h"
#include "table/edges.h"
#include "table/graph.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

enum { BLOCK = 64 }; /* rows of a block of work */

/* What rounding may add to the eigenvalues of a matrix, per row of it. */
#define ROUNDING 1e-12

/* What one thread uses, and has seen. */
struct worker {
	struct kith_qp_nn *qp;
	struct kith_chol chol;
	double *A, *b, *lin, *t, *g; /* a problem of at most k candidates */
	double kqq, factor;          /* K_qq; K_Sq = factor * b */
	double residual;
	size_t lost, indefinite, first;
	size_t row, a, c; /* the first row with a pair that is not there */
};

struct job {
	const struct kith_pairs *pairs;
	const struct kith_nnk_how *how;
	size_t first, m;
	double sigma;        /* 0: each row its own */
	const size_t *start; /* m + 1 */
	double *w, *J;
	struct worker *worker;
};

static bool
is_gaussian(const struct job *job)
{
	return job->pairs->of == KITH_PAIRS_DISTANCE;
}

static double
kernel(double d, double sigma)
{
	return exp(-(d / sigma) * (d / sigma) / 2);
}

/* K_SS of n candidates; false where a pair is not there. */
static bool
pose_candidates(const struct job *job, struct worker *it, size_t i, const struct kith_neighbour *nn,
    size_t n, double sigma)
{
	const size_t ld = kith_qp_nn_stride(n);

	for (size_t s = 0; s < n; s++)
		for (size_t u = s; u < n; u++) {
			double v;

			if (!kith_pairs_value(job->pairs, nn[s].row, nn[u].row, &v)) {
				if (i < it->row) {
					it->row = i;
					it->a = nn[s].row;
					it->c = nn[u].row;
				}
				return false;
			}
			if (is_gaussian(job))
				v = kernel(v, sigma);
			it->A[s * ld + u] = it->A[u * ld + s] = v;
		}
	return true;
}

/* b and K_qq. */
static bool
pose_row(const struct job *job, struct worker *it, size_t i, const struct kith_neighbour *nn,
    size_t n, double sigma)
{
	const double nearest = n > 0 ? nn[0].d : 0;

	it->factor = 1;
	if (is_gaussian(job)) {
		it->kqq = 1;
		it->factor = kernel(sqrt(nearest), sigma);
		for (size_t s = 0; s < n; s++)
			it->b[s] = exp(-(nn[s].d - nearest) / sigma / sigma / 2);
		return true;
	}
	for (size_t s = 0; s < n; s++)
		it->b[s] = -nn[s].d;
	it->kqq = 0;
	if (n > 0 && job->pairs->from == job->pairs->to &&
	    (job->how->errors || job->how->method == KITH_NNK) &&
	    !kith_pairs_value(job->pairs, i, i, &it->kqq)) {
		if (i < it->row) {
			it->row = i;
			it->a = it->c = i;
		}
		return false;
	}
	return true;
}

/* Whether the K_SS of n candidates is semidefinite. */
static bool
is_semidefinite(struct worker *it, size_t n)
{
	const size_t ld = kith_qp_nn_stride(n);
	double most = 0;
	bool yes = true;

	for (size_t s = 0; s < n; s++)
		for (size_t u = 0; u < n; u++)
			most = fmax(most, fabs(it->A[s * ld + u]));
	kith_chol_clear(&it->chol);
	for (size_t s = 0; s < n && yes && most > 0; s++) {
		const double *row = it->A + s * ld;

		yes = kith_chol_append(&it->chol, row, row[s] + ROUNDING * (double)n * most, 0);
	}
	return yes;
}

/* The weights t of n candidates. */
static void
weigh(const struct job *job, struct worker *it, size_t i, size_t n)
{
	const bool nnk = job->how->method == KITH_NNK;
	const double eta = nnk && n > 0 && job->how->eta > 0 ? job->how->eta / it->factor : 0;
	double got;

	for (size_t s = 0; s < n; s++) {
		it->lin[s] = it->b[s] - fmin(eta, 0x1p1000);
		it->t[s] = fmax(it->b[s], 0);
	}
	if (!nnk)
		return;
	got = kith_qp_nn(it->qp, n, it->A, it->lin, it->t, it->g);
	if (is_semidefinite(it, n)) {
		it->residual = fmax(it->residual, got);
		return;
	}
	it->indefinite++;
	it->first = i < it->first ? i : it->first;
}

/* Eq. (5) at the weights t, with K_SS t summed anew. */
static double
error_of(const struct worker *it, size_t n)
{
	const size_t ld = kith_qp_nn_stride(n);
	double sum = 0;

	for (size_t s = 0; s < n; s++) {
		double r = 2 * it->b[s];

		for (size_t u = 0; u < n; u++)
			r -= it->A[s * ld + u] * it->t[u];
		sum += it->t[s] * r;
	}
	return (it->kqq - it->factor * it->factor * sum) / 2;
}

/* Row i of the pairs, 0..m-1 of the job. */
static void
solve_row(const struct job *job, struct worker *it, size_t at)
{
	const struct kith_pairs *pairs = job->pairs;
	const size_t i = job->first + at, from = job->start[at];
	const size_t n = job->start[at + 1] - from;
	const struct kith_neighbour *nn = pairs->nn + pairs->start[i];
	const bool whole = job->how->errors || job->how->method == KITH_NNK;
	const double sigma = is_gaussian(job) && job->sigma == 0 && n > 0 ? kith_sigma_local(nn, n)
									  : job->sigma;
	bool none = true;

	if (!pose_row(job, it, i, nn, n, sigma) ||
	    (whole && !pose_candidates(job, it, i, nn, n, sigma)))
		return;
	weigh(job, it, i, n);
	for (size_t s = 0; s < n; s++) {
		job->w[from + s] = it->factor * it->t[s];
		none = none && !(job->w[from + s] > 0);
	}
	it->lost += none && n > 0 && is_gaussian(job) &&
	    !(job->how->method == KITH_NNK && job->how->eta > 0);
	if (job->how->errors)
		job->J[at] = error_of(it, n);
}

static void
solve_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;

	for (size_t at = block * BLOCK; at < (block + 1) * BLOCK && at < job->m; at++)
		solve_row(job, job->worker + thread, at);
}

/* The candidates of the rows, in the pool; the longest list of them. */
static size_t
list(struct job *job, struct kith_graph *graph, bool bare, struct kith_pool *pool)
{
	const struct kith_pairs *pairs = job->pairs;
	const size_t k = job->how->k;
	size_t most = 0;

	graph->first = job->first;
	graph->m = job->m;
	graph->start = kith_new(pool, job->m + 1, sizeof(*graph->start));
	for (size_t at = 0; at < job->m; at++) {
		const size_t i = job->first + at;
		size_t n = pairs->start[i + 1] - pairs->start[i];

		n = n < k ? n : k;
		most = n > most ? n : most;
		graph->start[at + 1] = graph->start[at] + n;
	}
	graph->to = kith_new(pool, graph->start[job->m], sizeof(*graph->to));
	graph->w = kith_new(pool, graph->start[job->m], sizeof(*graph->w));
	if (!bare)
		graph->d = kith_new(pool, graph->start[job->m], sizeof(*graph->d));
	for (size_t at = 0; at < job->m; at++)
		for (size_t e = graph->start[at]; e < graph->start[at + 1]; e++) {
			const struct kith_neighbour *nn = pairs->nn +
			    pairs->start[job->first + at] + (e - graph->start[at]);

			graph->to[e] = nn->row;
			if (!bare)
				graph->d[e] = sqrt(nn->d);
		}
	return most;
}

/* Room for one thread. */
static struct worker
make_worker(size_t most, struct kith_pool *pool)
{
	struct worker it = {.qp = kith_qp_nn_new(most, pool),
	    .chol = kith_chol_new(most, pool),
	    .first = SIZE_MAX,
	    .row = SIZE_MAX};

	it.A = kith_new(pool, most, kith_qp_nn_stride(most) * sizeof(*it.A));
	it.b = kith_new(pool, most, sizeof(*it.b));
	it.lin = kith_new(pool, most, sizeof(*it.lin));
	it.t = kith_new(pool, most, sizeof(*it.t));
	it.g = kith_new(pool, most, sizeof(*it.g));
	return it;
}

/* What the threads have seen; fails where a pair is not there. */
static int
gather(const struct job *job, size_t threads, struct kith_pairs_nnk *out, struct kith_err *err)
{
	const struct kith_pairs *pairs = job->pairs;
	const char *const what = is_gaussian(job) ? "distance" : "similarity";
	char row[KITH_NUM_ROOM], a[KITH_NUM_ROOM], c[KITH_NUM_ROOM];
	const struct worker *bad = job->worker;

	out->first = SIZE_MAX;
	for (size_t i = 0; i < threads; i++) {
		const struct worker *it = job->worker + i;

		out->nnk.residual = fmax(out->nnk.residual, it->residual);
		out->nnk.lost += it->lost;
		out->indefinite += it->indefinite;
		out->first = it->first < out->first ? it->first : out->first;
		bad = it->row < bad->row ? it : bad;
	}
	if (bad->row == SIZE_MAX)
		return 0;
	if (bad->a == bad->c)
		return kith_fail_at(err, EX_DATAERR, pairs->file, 0,
		    "no %s of " KITH_CELL " with itself, though others have one", what,
		    kith_ends_name(pairs->to, bad->a, a));
	return kith_fail_at(err, EX_DATAERR, pairs->file, 0,
	    "no %s of " KITH_CELL " and " KITH_CELL ", which row " KITH_CELL " needs", what,
	    kith_ends_name(pairs->to, bad->a, a), kith_ends_name(pairs->to, bad->c, c),
	    kith_ends_name(pairs->from, bad->row, row));
}

int
kith_pairs_nnk(const struct kith_pairs *pairs, size_t first, size_t m,
    const struct kith_nnk_how *how, size_t threads, struct kith_pairs_nnk *out,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct job job = {.pairs = pairs, .how = how, .first = first, .m = m};
	struct kith_graph *graph = &out->nnk.graph;
	size_t most;
	int got;

	assert(how->method == KITH_NNK || how->method == KITH_NNK_KNN);
	*out = (struct kith_pairs_nnk){0};
	most = list(&job, graph, how->bare || !is_gaussian(&job), pool);
	if (is_gaussian(&job))
		job.sigma = kith_pairs_sigma(pairs, &how->sigma, how->k, &out->nnk.flat);
	out->nnk.sigma = job.sigma;
	job.start = graph->start;
	job.w = graph->w;
	job.J = kith_new(how->errors ? pool : &tmp, m, sizeof(*job.J));
	job.worker = kith_new(&tmp, threads, sizeof(*job.worker));
	for (size_t i = 0; i < threads; i++)
		job.worker[i] = make_worker(most + !most, &tmp);
	kith_par_told(threads, (m + BLOCK - 1) / BLOCK, solve_block, &job,
	    &(struct kith_par_phase){"weights", m, "rows"});
	if (how->errors)
		graph->J = job.J;
	got = gather(&job, threads, out, err);
	kith_pool_free(&tmp);
	return got;
}
