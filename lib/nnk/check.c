/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/check.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/mat.h"
#include "near/knn.h"
#include "nnk/check_row.h"
#include "table/graph.h"

#include <assert.h>
#include <float.h>
#include <math.h>

enum { BLOCK = 64 }; /* rows of a block of work */

/* What rounding may leave of a lambda. */
#define EXACT 1e-11

/* What one thread uses, and has seen. */
struct worker {
	struct kith_check_nnk_row row;
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

/* Find the edges of row i among its n candidates, and count what is wrong. */
static void
place(const struct job *job, struct worker *worker, size_t i, size_t n)
{
	const struct kith_graph *edges = job->edges;
	const struct kith_neighbour *nn = job->local.nn + job->local.start[i];

	for (size_t j = 0; j < n; j++)
		worker->row.t[j] = 0;
	for (size_t e = edges->start[i]; e < edges->start[i + 1]; e++) {
		size_t j = 0;

		while (j < n && nn[j].row != edges->to[e])
			j++;
		if (j == n)
			worker->foreign++;
		else if (edges->w[e] >= 0 && edges->w[e] <= DBL_MAX)
			worker->row.t[j] = edges->w[e];
		else
			worker->bad++;
	}
}

/* Bring row i and its candidates into reach. */
static void
gather(const struct job *job, struct worker *worker, size_t i)
{
	const struct kith_neighbour *nn = job->local.nn + job->local.start[i];
	struct kith_check_nnk_row *row = &worker->row;

	row->raw_q = kith_local_query(job->rows, i);
	kith_local_pack_row(&job->pack, row->raw_q, row->q);
	for (size_t j = 0; j < row->n; j++) {
		row->raw[j] = kith_row(job->rows->X, nn[j].row);
		kith_local_pack_row(&job->pack, row->raw[j], row->G + j * job->pack.metric.p);
	}
}

static void
check_row(const struct job *job, struct worker *worker, size_t i)
{
	const size_t start = job->local.start[i];
	const size_t n = job->local.start[i + 1] - start;
	const struct kith_neighbour *nn = job->local.nn + start;
	double at[2];

	place(job, worker, i, n);
	if (n == 0)
		return;
	worker->row.n = n;
	worker->row.sigma = kith_local_sigma(job->local.sigma, nn, n);
	worker->row.shift = nn[0].d;
	gather(job, worker, i);
	kith_check_nnk_row(&worker->row, at);
	worker->stationarity = fmax(worker->stationarity, at[0]);
	worker->dual = fmax(worker->dual, at[1]);
}

static void
check_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;

	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < job->rows->m; i++)
		check_row(job, job->worker + thread, i);
}

static void
make_worker(const struct job *job, struct worker *worker, struct kith_pool *pool)
{
	const size_t p = job->pack.metric.p, most = job->local.most;
	struct kith_check_nnk_row *row = &worker->row;

	*row = (struct kith_check_nnk_row){.kernel = job->how->kernel,
	    .eta = job->how->eta,
	    .least = job->how->least,
	    .limit = job->limit,
	    .metric = job->rows->metric,
	    .packed = &job->pack.metric};
	row->q = kith_new(pool, p, sizeof(*row->q));
	row->G = kith_new(pool, most * p, sizeof(*row->G));
	row->raw = kith_new(pool, most, sizeof(*row->raw));
	row->t = kith_new(pool, most, sizeof(*row->t));
	row->unit = kith_new(pool, most, sizeof(*row->unit));
	row->lambda = kith_new(pool, most, sizeof(*row->lambda));
	row->cut = kith_new(pool, most, sizeof(*row->cut));
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
		out[2].value = fmax(out[2].value, it->stationarity);
		out[3].value = fmax(out[3].value, it->dual);
	}
}

int
kith_check_nnk(const struct kith_local_rows *rows, const struct kith_check_nnk_how *how,
    const struct kith_graph *edges, struct kith_check out[KITH_CHECK_NNK], struct kith_err *err)
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
	job.pack = kith_local_pack_new(rows->metric, &tmp);
	job.limit = EXACT + (double)job.local.most * how->least;
	job.worker = kith_new(&tmp, rows->threads, sizeof(*job.worker));
	for (size_t i = 0; i < rows->threads; i++)
		make_worker(&job, job.worker + i, &tmp);
	kith_par_told(rows->threads, (rows->m + BLOCK - 1) / BLOCK, check_block, &job,
	    &(struct kith_par_phase){"check", rows->m, "rows"});
	report(&job, out);
	kith_pool_free(&tmp);
	return 0;
}
