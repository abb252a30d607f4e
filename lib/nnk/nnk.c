/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/nnk.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/chol.h"
#include "la/mat.h"
#include "near/knn.h"
#include "nnk/all.h"
#include "nnk/plain.h"
#include "nnk/pursuit.h"
#include "nnk/row.h"
#include "nnk/signed.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows of a block of work */

/* What one thread uses, and has seen. */
struct worker {
	struct kith_nnk_row *row;
	struct kith_nnk_plain *plain;
	struct kith_pursuit pursuit;
	struct kith_nnk_all *all;
	struct kith_chol chol; /* lle-signed, with index */
	size_t *index;
	double residual;
	size_t lost, doubts;
};

struct job {
	const struct kith_local_rows *rows;
	const struct kith_nnk_how *how;
	struct kith_local local;
	struct kith_local_pack pack;
	struct worker *worker; /* threads */
	size_t *count;         /* m: lengths of the lists */
	double *w;             /* as local.nn; in the end the graph's */
	double *J;             /* m */
};

static bool
is_plain(const struct kith_nnk_how *how)
{
	return how->method == KITH_NNK_KNN || how->method == KITH_NNK_RADIUS;
}

static bool
is_pursuit(const struct kith_nnk_how *how)
{
	return how->method == KITH_NNK_MP || how->method == KITH_NNK_OMP;
}

static bool
is_lle(const struct kith_nnk_how *how)
{
	return how->method >= KITH_NNK_LLE;
}

static void
make_worker(struct job *job, struct worker *worker, const struct kith_nnk_atoms *atoms,
    struct kith_pool *pool)
{
	const struct kith_nnk_how *how = job->how;
	const struct kith_mat *X = job->rows->X;
	const size_t most = job->local.most;
	const bool orthogonal = how->method == KITH_NNK_OMP;
	enum kith_nnk_form form = KITH_NNK_KERNEL;

	if (how->method == KITH_NNK_LLE)
		form = KITH_NNK_ANGLES;
	if (how->method == KITH_NNK_LLE_GRAM)
		form = KITH_NNK_GRAM;
	if (how->method == KITH_NNK_LLE_SIGNED) {
		form = KITH_NNK_SIGNED;
		worker->chol = kith_chol_new(most, pool);
		worker->index = kith_new(pool, most, sizeof(*worker->index));
	}
	if (atoms)
		worker->all = kith_nnk_all_new(atoms, most, orthogonal, pool);
	else if (is_plain(how))
		worker->plain = kith_nnk_plain_new(how->kernel, X, &job->pack, most, pool);
	else
		worker->row = kith_nnk_row_new(form, how->kernel, X, &job->pack, most, pool);
	if (is_pursuit(how) && !atoms)
		worker->pursuit = kith_pursuit_new(most, most, orthogonal, pool);
}

static const double *
column(void *of, size_t s, size_t j)
{
	const struct kith_nnk_row *row = of;

	(void)s;
	return row->A + j * row->ld;
}

/* Pursue among the candidates of a row; the rest have weight 0. */
static double
pursue(struct worker *worker, size_t k)
{
	struct kith_nnk_row *row = worker->row;
	struct kith_pursuit *it = &worker->pursuit;

	it->n = row->n;
	it->most = k < row->n ? k : row->n;
	it->b = row->b;
	it->diagonal = row->A;
	it->step = row->ld + 1;
	it->column = column;
	it->of = row;
	kith_pursuit(it);
	memset(row->t, 0, row->n * sizeof(*row->t));
	for (size_t s = 0; s < it->taken; s++)
		row->t[it->atom[s]] = it->t[s];
	memcpy(row->r, it->r, row->n * sizeof(*row->r));
	return it->residual;
}

/* Weights of lle-gram sum to 1. */
static void
normalise(struct kith_nnk_row *row)
{
	double sum = 0;

	for (size_t i = 0; i < row->n; i++)
		sum += row->t[i];
	for (size_t i = 0; i < row->n && sum > 0; i++)
		row->t[i] /= sum;
}

/* The local problem of row i, its weights into w and its error into J. */
static void
solve_local(struct job *job, struct worker *worker, size_t i, double sigma)
{
	const struct kith_nnk_how *how = job->how;
	const size_t start = job->local.start[i], n = job->count[i];
	struct kith_nnk_row *row = worker->row;
	double got;

	kith_nnk_row_pose(row, kith_local_query(job->rows, i), job->local.nn + start, n, sigma);
	if (how->method == KITH_NNK_LLE_SIGNED)
		got = kith_nnk_signed(row, &worker->chol, worker->index, &job->J[i]);
	else if (is_pursuit(how))
		got = pursue(worker, how->k);
	else
		got = kith_nnk_row_solve(row, is_lle(how) ? 0 : how->eta);
	worker->residual = fmax(worker->residual, got);
	if (how->method == KITH_NNK)
		worker->doubts += !kith_nnk_row_is_sure(row, how->least, got);
	if (how->method != KITH_NNK_LLE_SIGNED)
		job->J[i] = kith_nnk_row_error(row);
	if (how->method == KITH_NNK_LLE_GRAM)
		normalise(row);
	for (size_t j = 0; j < n; j++)
		job->w[start + j] = kith_nnk_row_weight(row, j);
}

/* Put the n atoms of a list, with their weights, in order. */
static void
sort_atoms(struct kith_neighbour *nn, double *w, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = i; j > 0; j--) {
			const struct kith_neighbour other = nn[j];
			const double v = w[j];

			if (!kith_neighbour_before(&other, &nn[j - 1]))
				break;
			nn[j] = nn[j - 1];
			w[j] = w[j - 1];
			nn[j - 1] = other;
			w[j - 1] = v;
		}
}

/* The same with all rows for atoms, which become the list. */
static void
solve_all(struct job *job, struct worker *worker, size_t i, double sigma)
{
	const struct kith_local_rows *rows = job->rows;
	const size_t start = job->local.start[i], n = job->count[i];
	struct kith_neighbour *nn = job->local.nn + start;
	double *w = job->w + start;
	const struct kith_nnk_pursued got = kith_nnk_all(worker->all, kith_local_query(rows, i),
	    rows->Z ? SIZE_MAX : rows->first + i, n, sigma, nn, w);

	for (size_t j = 0; j < got.n; j++)
		w[j] *= got.factor;
	sort_atoms(nn, w, got.n);
	job->count[i] = got.n;
	job->J[i] = got.error;
	worker->residual = fmax(worker->residual, got.residual);
}

/* Whether weights can only be 0 because a double has no room for them. */
static bool
vanishes(const struct kith_nnk_how *how)
{
	return how->kernel == KITH_KERN_GAUSSIAN && !is_lle(how) &&
	    !(how->method == KITH_NNK && how->eta > 0);
}

static void
solve_block(void *to, size_t block, size_t thread)
{
	struct job *job = to;
	struct worker *worker = job->worker + thread;

	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < job->rows->m; i++) {
		const size_t start = job->local.start[i], n = job->count[i];
		const struct kith_neighbour *nn = job->local.nn + start;
		const double *w = job->w + start;
		const double sigma = kith_local_sigma(job->local.sigma, nn, n);
		bool none = true;

		if (worker->plain)
			job->J[i] = kith_nnk_plain(worker->plain, kith_local_query(job->rows, i),
			    nn, n, sigma, job->how->errors, job->w + start);
		else if (worker->all)
			solve_all(job, worker, i, sigma);
		else
			solve_local(job, worker, i, sigma);
		for (size_t j = 0; j < job->count[i] && none; j++)
			none = !(w[j] > 0);
		worker->lost += none && n > 0 && vanishes(job->how);
	}
}

/* The lists as a graph, in the pool. */
static void
collect(struct job *job, struct kith_nnk *out, struct kith_pool *pool)
{
	const struct kith_local *local = &job->local;
	struct kith_graph *graph = &out->graph;
	const size_t m = job->rows->m;
	size_t edges = 0;

	graph->first = job->rows->first;
	graph->m = m;
	graph->start = kith_new(pool, m + 1, sizeof(*graph->start));
	for (size_t i = 0; i < m; i++)
		graph->start[i + 1] = graph->start[i] + job->count[i];
	edges = graph->start[m];
	graph->to = kith_new(pool, edges, sizeof(*graph->to));
	graph->w = job->w;
	if (!job->how->bare)
		graph->d = kith_new(pool, edges, sizeof(*graph->d));
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < job->count[i]; j++) {
			const size_t e = graph->start[i] + j;
			const size_t from = local->start[i] + j;

			graph->to[e] = local->nn[from].row;
			graph->w[e] = job->w[from]; /* e <= from */
			if (graph->d)
				graph->d[e] = sqrt(local->nn[from].d);
		}
	if (job->how->errors)
		graph->J = job->J;
	out->sigma = local->sigma;
	out->flat = local->flat;
	out->search = local->search;
}

/* Solve them, with weights and errors in the pool, all else in tmp. */
static void
solve_rows(struct job *job, struct kith_nnk *out, struct kith_pool *pool, struct kith_pool *tmp)
{
	const struct kith_local_rows *rows = job->rows;
	const struct kith_nnk_how *how = job->how;
	const size_t m = rows->m;
	struct kith_nnk_atoms *atoms = NULL;

	job->pack = kith_local_pack_new(rows->metric, tmp);
	if (is_pursuit(how) && how->all)
		atoms = kith_nnk_atoms_new(how->kernel, rows->X, &job->pack, tmp);
	job->worker = kith_new(tmp, rows->threads, sizeof(*job->worker));
	for (size_t i = 0; i < rows->threads; i++)
		make_worker(job, job->worker + i, atoms, tmp);
	job->count = kith_new(tmp, m, sizeof(*job->count));
	for (size_t i = 0; i < m; i++)
		job->count[i] = job->local.start[i + 1] - job->local.start[i];
	job->w = kith_new(pool, job->local.start[m], sizeof(*job->w));
	job->J = kith_new(how->errors ? pool : tmp, m, sizeof(*job->J));
	kith_par_told(rows->threads, (m + BLOCK - 1) / BLOCK, solve_block, job,
	    &(struct kith_par_phase){"weights", m, "rows"});
	for (size_t i = 0; i < rows->threads; i++) {
		out->residual = fmax(out->residual, job->worker[i].residual);
		out->lost += job->worker[i].lost;
		out->doubts += job->worker[i].doubts;
	}
}

int
kith_nnk(const struct kith_local_rows *rows, const struct kith_nnk_how *how, struct kith_nnk *out,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct job job = {.rows = rows, .how = how};
	const struct kith_local_how local = {
	    .k = how->k,
	    .radius = how->method == KITH_NNK_RADIUS ? how->radius : -1,
	    .given = how->given,
	    .bandwidth = !is_lle(how) && how->kernel == KITH_KERN_GAUSSIAN,
	    .sigma = how->sigma,
	};

	assert(!(how->all && how->given));
	assert(how->method < KITH_NNK_SMOOTH);
	*out = (struct kith_nnk){0};
	if (kith_local_find(rows, &local, &job.local, &tmp, err)) {
		kith_pool_free(&tmp);
		return -1;
	}
	solve_rows(&job, out, pool, &tmp);
	collect(&job, out, pool);
	kith_pool_free(&tmp);
	return 0;
}
