/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *	1. Candidates, sigma, pairs.
 *	2. v = log s / s(start) = 0; E / E(start) is minimised over v by L-BFGS.
 *	3. Where a line search fails, it begins anew from there, as long as that
 *	   lowers E.
 *	4. Weights of the pairs at the end.
 */
#include "nnk/aew.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "la/mat.h"
#include "la/vec.h"
#include "nnk/either.h"
#include "nnk/local.h"

#include <assert.h>
#include <lbfgs.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
	MEMORY = 10,  /* steps that L-BFGS remembers */
	TRIALS = 100, /* of a line search */
	WHOLE = 16    /* variables that the library may add */
};

/* Above any E / E(start) that is looked for. */
#define REFUSED 1e3

struct search {
	struct kith_aew_model *model;
	size_t p;
	const double *first; /* p: c at the start */
	double *c;           /* p */
	double unit;         /* E(start) */
	double tol;
	size_t done, iterations;
};

/* E / E(start), its gradient by v; the library may add variables. */
static double
value(void *to, const double *v, double *g, int variables, double step)
{
	struct search *it = to;
	double E;

	(void)variables, (void)step;
	for (size_t f = 0; f < it->p; f++)
		it->c[f] = it->first[f] * exp(-2 * v[f]);
	E = kith_aew_objective(it->model, it->c, g) / it->unit;
	for (size_t f = 0; f < it->p; f++)
		g[f] /= it->unit;
	if (isfinite(E) && isfinite(kith_vec_largest(it->p, g)))
		return E;
	memset(g, 0, it->p * sizeof(*g));
	return REFUSED;
}

/* Called after each iteration: not 0 ends the search. */
static int /* NOLINTNEXTLINE(readability-function-size): the library's */
look(void *to, const double *v, const double *g, double E, double v_norm, double g_norm,
    double step, int variables, int iteration, int trials)
{
	struct search *it = to;

	(void)v, (void)v_norm, (void)g_norm;
	(void)step, (void)variables, (void)trials;
	it->iterations = it->done + (size_t)iteration;
	kith_progress_value("iteration", (double)it->iterations);
	kith_progress_value("objective", E * it->unit);
	return kith_vec_largest(it->p, g) <= it->tol;
}

/* Minimise from v; returns E / E(start), its gradient in g. */
static double
descend(struct search *it, size_t max_iter, double *v, double *g)
{
	const int p = (int)it->p;
	lbfgs_parameter_t how;
	double E = value(it, v, g, p, 0), before;

	lbfgs_parameter_init(&how);
	how.m = MEMORY;
	how.epsilon = 0;
	how.max_linesearch = TRIALS;
	do {
		int end;

		if (kith_vec_largest(it->p, g) <= it->tol || it->iterations >= max_iter)
			return E;
		before = E;
		how.max_iterations = (int)fmin((double)(max_iter - it->done), INT_MAX);
		end = lbfgs(p, v, NULL, value, look, it, &how);
		if (end == LBFGSERR_OUTOFMEMORY)
			kith_no_memory(it->p, (size_t)2 * MEMORY * sizeof(*v));
		it->done = it->iterations;
		E = value(it, v, g, p, 0);
	} while (E < before);
	return E;
}

/* Learn c from where it is. */
static void
learn(const struct kith_aew_how *how, const struct kith_mat *X, double *c, size_t threads,
    struct kith_aew *out)
{
	struct kith_pool tmp = {0};
	const size_t p = X->p;
	double *first = kith_new(&tmp, p, sizeof(*first));
	double *v = kith_new(&tmp, p + WHOLE, sizeof(*v));
	double *g = kith_new(&tmp, p + WHOLE, sizeof(*g));
	struct search it = {.model = kith_aew_model(X, &out->graph, threads, &tmp),
	    .p = p,
	    .first = first,
	    .c = c,
	    .unit = 1,
	    .tol = how->tol};

	memcpy(first, c, p * sizeof(*c));
	it.unit = out->start = kith_aew_objective(it.model, c, g);
	out->converged = !(it.unit > 0) || p == 0;
	kith_progress_phase("aew", 0, NULL);
	if (!out->converged && isfinite(it.unit)) {
		out->objective = descend(&it, how->max_iter, v, g) * it.unit;
		out->gradient = kith_vec_largest(p, g);
		out->converged = out->gradient <= how->tol;
	}
	kith_progress_end();
	out->iterations = it.iterations;
	kith_pool_free(&tmp);
}

/* The weights of the pairs, and how many rows are left with none. */
static void
weigh(const struct kith_mat *X, const double *c, struct kith_aew *out)
{
	const struct kith_graph *graph = &out->graph;
	struct kith_pool tmp = {0};
	bool *has = kith_new(&tmp, X->n, sizeof(*has));
	bool *due = kith_new(&tmp, X->n, sizeof(*due));

	for (size_t i = 0; i < X->n; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			const size_t j = graph->to[e];
			const double *x = kith_row(X, i), *z = kith_row(X, j);
			double sum = 0;

			for (size_t f = 0; f < X->p; f++)
				sum += c[f] * ((x[f] - z[f]) * (x[f] - z[f]));
			graph->w[e] = exp(-sum);
			due[i] = due[j] = true;
			if (graph->w[e] > 0)
				has[i] = has[j] = true;
		}
	for (size_t i = 0; i < X->n; i++)
		out->lost += due[i] && !has[i];
	kith_pool_free(&tmp);
}

/* The features that count. */
static struct kith_mat
pack_rows(
    const struct kith_local_rows *rows, const struct kith_local_pack *pack, struct kith_pool *pool)
{
	const size_t n = rows->X->n, p = pack->metric.p;
	const struct kith_mat X = {n, p, kith_new(pool, n * p, sizeof(double))};

	for (size_t i = 0; i < n; i++)
		kith_local_pack_row(pack, kith_row(rows->X, i), kith_row(&X, i));
	return X;
}

/* Find candidates and bandwidth. */
static int
find(const struct kith_local_rows *rows, const struct kith_aew_how *how, struct kith_local *local,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_local_how wanted = {
	    .k = how->k, .radius = -1, .given = how->given, .bandwidth = true, .sigma = how->sigma};

	if (rows->metric->kind != KITH_SQUARED)
		return kith_fail(err, EX_DATAERR,
		    "--method aew needs weights of single features, not of "
		    "pairs");
	return kith_local_find(rows, &wanted, local, pool, err);
}

int
kith_aew(const struct kith_local_rows *rows, const struct kith_aew_how *how, struct kith_aew *out,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_local local = {0};
	struct kith_local_pack pack;
	struct kith_mat X;
	double *c;

	assert(!rows->Z && how->sigma.rule != KITH_SIGMA_LOCAL);
	*out = (struct kith_aew){0};
	if (find(rows, how, &local, &tmp, err)) {
		kith_pool_free(&tmp);
		return -1;
	}
	kith_either(&local, rows->m, &out->graph, pool);
	pack = kith_local_pack_new(rows->metric, &tmp);
	X = pack_rows(rows, &pack, &tmp);
	c = kith_new(&tmp, X.p, sizeof(*c));
	for (size_t f = 0; f < X.p; f++)
		c[f] = (pack.metric.w ? pack.metric.w[f] : 1) / local.sigma / local.sigma / 2;
	learn(how, &X, c, rows->threads, out);
	weigh(&X, c, out);
	kith_either_distances(&out->graph);
	out->weight = kith_new(pool, rows->X->p, sizeof(*out->weight));
	for (size_t f = 0; f < X.p; f++)
		out->weight[pack.kept ? pack.kept[f] : f] = c[f];
	out->sigma = local.sigma;
	out->flat = local.flat;
	kith_pool_free(&tmp);
	return 0;
}
