/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The local methods, row by row.
 *
 * 1. Find the candidates of all rows, and the bandwidth.
 * 2. For each row: build and solve its problem (nnk/problem.c), and set tiny weights to 0; or read
 *    its weights from a claimed graph.  The judge (nnk/check.c) is asked of claims, and where
 *    rounding may matter.
 * 3. Collect the lists as a graph.
 */
#include "nnk/nnk.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "la/mat.h"
#include "near/metric.h"
#include "nnk/problem.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows of a block of work */

/* ---- Candidates, from a search or from given lists, and the bandwidth ---- */

/* Searches the k nearest rows, or all rows within the radius. */
static void
search(const struct kith_nnk_rows *rows, const struct kith_knn *knn, const struct kith_nnk_how *how,
    struct kith_candidates *out, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t others = rows->X->n - !rows->Z, k = how->k < others ? how->k : others;
	size_t *self = NULL;

	if (!rows->Z) {
		self = kith_new(&tmp, rows->m, sizeof(*self));
		for (size_t i = 0; i < rows->m; i++)
			self[i] = rows->first + i;
	}
	if (how->method == KITH_NNK_RADIUS)
		out->start = kith_knn_within(knn, &out->rows, self, kith_dist_limit(how->radius),
		    rows->threads, &out->nn, pool);
	else {
		out->start = kith_new(pool, rows->m + 1, sizeof(*out->start));
		for (size_t i = 0; i <= rows->m; i++)
			out->start[i] = i * k;
		out->nn = kith_new(pool, rows->m * k, sizeof(*out->nn));
		if (rows->m > 0 && k > 0)
			kith_knn_search(knn, !rows->Z && rows->m == rows->X->n ? NULL : &out->rows,
			    self, k, rows->threads, out->nn);
	}
	kith_pool_free(&tmp);
}

/* Computes the distances of given candidates and sorts each list. */
static void
measure_given(const struct kith_graph *given, struct kith_candidates *out, struct kith_pool *pool)
{
	out->start = kith_new(pool, given->m + 1, sizeof(*out->start));
	memcpy(out->start, given->start, (given->m + 1) * sizeof(*out->start));
	out->nn = kith_new(pool, out->start[given->m], sizeof(*out->nn));
	for (size_t i = 0; i < given->m; i++) {
		for (size_t e = out->start[i]; e < out->start[i + 1]; e++) {
			out->nn[e].row = given->to[e];
			kith_dist_rows(&out->metric, kith_row(&out->rows, i),
			    kith_row(&out->X, given->to[e]), 1, &out->nn[e].d);
		}
		kith_neighbours_sort(out->nn + out->start[i], out->start[i + 1] - out->start[i]);
	}
}

bool
kith_nnk_has_bandwidth(enum kith_nnk_method method, enum kith_kern_kind kernel)
{
	return method == KITH_NNK_AEW ||
	    (kith_nnk_traits[method].kernel && kernel == KITH_KERN_GAUSSIAN);
}

int
kith_candidates_find(const struct kith_nnk_rows *rows, const struct kith_nnk_how *how,
    struct kith_candidates *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const bool nearest = !how->given && how->method != KITH_NNK_RADIUS;
	const bool bandwidth = kith_nnk_has_bandwidth(how->method, how->kernel);
	const size_t samples = bandwidth ? kith_sigma_asks(&how->sigma, rows->X->n) : 0;
	struct kith_mat all = rows->Z ? *rows->Z : *rows->X;
	struct kith_sigma_data data = {.X = &out->X, .threads = rows->threads};
	int got = 0;

	assert(how->k >= 1 && rows->X->n >= 1);
	assert(!how->given || (how->given->first == rows->first && how->given->m == rows->m));
	*out = (struct kith_candidates){.X = *rows->X, .metric = *rows->metric};
	kith_dist_pack_rows(&out->metric, &out->X, rows->Z ? &all : NULL, pool);
	all = rows->Z ? all : out->X;
	out->rows = (struct kith_mat){rows->m, all.p, kith_row(&all, rows->first)};
	data.knn = kith_knn_new(&out->X, &out->metric, rows->m + samples, &tmp);
	if (how->given)
		measure_given(how->given, out, pool);
	else {
		search(rows, data.knn, how, out, pool);
		out->search = kith_knn_choice(data.knn, nearest ? how->k : 0);
	}
	for (size_t i = 0; i < rows->m; i++) {
		const size_t n = out->start[i + 1] - out->start[i];

		out->most = n > out->most ? n : out->most;
		if (n > 0 && out->nn[out->start[i]].d < 0)
			got = kith_fail(err, EX_DATAERR, "the weights make a distance below 0");
	}
	if (nearest && !rows->Z && rows->m == rows->X->n && rows->m > 1) {
		data.nn = out->nn; /* the sample's neighbours are known already */
		data.most = out->most;
	}
	if (got == 0 && bandwidth)
		got = kith_sigma_fit(&how->sigma, &data, &how->k, 1, &out->sigma, &out->flat, err);
	kith_pool_free(&tmp);
	return got;
}

/* ---- Weights ---- */

/* What one thread uses, and has found. */
struct worker {
	struct kith_problem *problem;
	struct kith_judge *judge; /* nnk */
	double residual;
	double proof[KITH_NNK_CHECKS];
	size_t lost;
};

struct job {
	const struct kith_nnk_rows *rows;
	const struct kith_nnk_how *how;
	struct kith_candidates candidates;
	struct worker *worker; /* threads */
	/* w as candidates.nn, start[i + 1] the length of list i, until collect() closes the gaps. */
	struct kith_graph graph;
};

/*
 * Sets the weights w of the candidates nn of row i by its problem, and tiny ones to 0; with
 * how->all the atoms become the list.  Returns the length of the list.
 */
static size_t
solve_row(struct job *job, struct worker *worker, size_t i, struct kith_neighbour *nn, size_t n,
    double sigma, double *w)
{
	const struct kith_nnk_how *how = job->how;
	const bool underflow = kith_nnk_has_bandwidth(how->method, how->kernel) && !(how->eta > 0);
	struct kith_problem *it = worker->problem;
	const size_t listed = n;
	double most = 0;

	kith_problem_build(it, kith_row(&job->candidates.rows, i), nn, n,
	    how->all && !job->rows->Z ? job->rows->first + i : SIZE_MAX, sigma);
	kith_problem_solve(it);
	job->graph.J[i] = it->J;
	worker->residual = fmax(worker->residual, it->residual);
	if (how->all)
		n = it->n_atoms;
	for (size_t s = 0; s < n; s++) {
		const size_t j = how->all ? it->atom[s] : s;

		if (how->all)
			nn[s] = (struct kith_neighbour){j, it->d[j]};
		w[s] = it->factor * it->t[j];
		most = fmax(most, kith_problem_size(it, w[s], s));
	}
	for (size_t s = 0; s < n; s++)
		if (!(kith_problem_size(it, w[s], s) > KITH_NNK_CUT * most))
			w[s] = 0;
	worker->lost += listed > 0 && most == 0 && underflow;
	return n;
}

/* Sets the weights w of the n candidates nn of row i as claimed; counts what is no such weight. */
static void
read_claim(const struct kith_graph *claim, size_t i, const struct kith_neighbour *nn, size_t n,
    double *w, double proof[KITH_NNK_CHECKS])
{
	for (size_t e = claim->start[i]; e < claim->start[i + 1]; e++) {
		size_t j = 0;

		while (j < n && nn[j].row != claim->to[e])
			j++;
		if (j == n)
			proof[1]++;
		else if (claim->w[e] >= 0 && claim->w[e] <= DBL_MAX)
			w[j] = claim->w[e];
		else
			proof[0]++;
	}
}

static void
weigh_row(struct job *job, struct worker *worker, size_t i)
{
	const struct kith_candidates *from = &job->candidates;
	const size_t n = from->start[i + 1] - from->start[i];
	struct kith_neighbour *nn = from->nn + from->start[i];
	const double sigma = from->sigma > 0 || n == 0 ? from->sigma : kith_sigma_local(nn, n);
	double *w = job->graph.w + from->start[i], worst[2];

	job->graph.start[i + 1] = n;
	if (job->how->claim)
		read_claim(job->how->claim, i, nn, n, w, worker->proof);
	else
		job->graph.start[i + 1] = solve_row(job, worker, i, nn, n, sigma, w);
	if (n == 0)
		job->graph.J[i] = NAN;
	if (!worker->judge || n == 0 || (!job->how->claim && worker->problem->sure))
		return;
	kith_judge_row(worker->judge, kith_row(&from->rows, i), nn, n, sigma, w, worst);
	for (int c = 0; c < 2; c++)
		worker->proof[2 + c] = fmax(worker->proof[2 + c], worst[c]);
}

static void
weigh_block(void *to, size_t block, size_t thread)
{
	struct job *job = to;

	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < job->rows->m; i++)
		weigh_row(job, job->worker + thread, i);
}

/* Moves w towards its front, and adds the rows and distances of the lists, in the pool. */
static void
collect(struct kith_graph *graph, const struct kith_candidates *from, struct kith_pool *pool)
{
	size_t e = 0;

	for (size_t i = 0; i < graph->m; i++)
		graph->start[i + 1] += graph->start[i];
	graph->to = kith_new(pool, graph->start[graph->m], sizeof(*graph->to));
	graph->d = kith_new(pool, graph->start[graph->m], sizeof(*graph->d));
	for (size_t i = 0; i < graph->m; i++)
		for (size_t j = from->start[i]; e < graph->start[i + 1]; j++, e++) {
			graph->to[e] = from->nn[j].row;
			graph->w[e] = graph->w[j];
			graph->d[e] = sqrt(from->nn[j].d);
		}
}

int
kith_nnk(const struct kith_nnk_rows *rows, const struct kith_nnk_how *how, struct kith_nnk *out,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct job job = {.rows = rows, .how = how};
	const size_t m = rows->m;
	const struct kith_candidates *found = &job.candidates;
	double limit;

	if (how->method == KITH_NNK_SMOOTH)
		return kith_smooth(rows, how, out, pool, err);
	if (how->method == KITH_NNK_AEW)
		return kith_aew(rows, how, out, pool, err);
	assert(!(how->all && how->given));
	assert(!how->claim || (how->claim->first == rows->first && how->claim->m == m));
	if (kith_candidates_find(rows, how, &job.candidates, &tmp, err)) {
		kith_pool_free(&tmp);
		return -1;
	}
	limit = kith_judge_limit(found->most);
	*out = (struct kith_nnk){.sigma = found->sigma,
	    .flat = found->flat,
	    .search = found->search,
	    .proof = {{"weight", 0, 0}, {"candidate", 0, 0}, {"stationarity", 0, limit},
		{"dual", 0, limit}}};
	job.worker = kith_new(&tmp, rows->threads, sizeof(*job.worker));
	for (size_t i = 0; i < rows->threads; i++) {
		job.worker[i].problem = kith_problem_new(
		    how, &found->X, &found->metric, found->most, &tmp);
		if (how->method == KITH_NNK)
			job.worker[i].judge = kith_judge_new(
			    how, &found->X, &found->metric, found->most, &tmp);
	}
	job.graph = (struct kith_graph){.first = rows->first,
	    .m = m,
	    .start = kith_new(pool, m + 1, sizeof(*job.graph.start)),
	    .w = kith_new(pool, found->start[m], sizeof(*job.graph.w)),
	    .J = kith_new(pool, m, sizeof(*job.graph.J))};
	kith_par_told(rows->threads, (m + BLOCK - 1) / BLOCK, weigh_block, &job,
	    &(struct kith_par_phase){how->claim ? "check" : "weights", m, "rows"});
	for (size_t i = 0; i < rows->threads; i++) {
		const struct worker *worker = job.worker + i;

		out->residual = fmax(out->residual, worker->residual);
		out->lost += worker->lost;
		for (int c = 0; c < KITH_NNK_CHECKS; c++)
			out->proof[c].value = c < 2 ? out->proof[c].value + worker->proof[c]
						    : fmax(out->proof[c].value, worker->proof[c]);
	}
	collect(&job.graph, found, pool);
	out->graph = job.graph;
	if (!how->errors)
		out->graph.J = NULL;
	kith_pool_free(&tmp);
	return 0;
}
