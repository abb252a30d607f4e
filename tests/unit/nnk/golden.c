/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/nnk.h against tests/golden/nnk: edges of nnk.py there, to 1e-8
 * where cases.tsv says that the solution is unique, local errors where it is not.
 */
#include "nnk/nnk.h"

#include "base/err.h"
#include "base/pool.h"
#include "golden.h"
#include "la/mat.h"
#include "near/metric.h"
#include "tap.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOL 9e-9 /* and half a unit of the tenth digit: below 1e-8 */

/* A line of cases.tsv. */
struct golden_case {
	const char *name;
	bool unique;
	struct kith_nnk_how how;
	bool symmetric;
	enum kith_symm mode;
	struct kith_mat X, Z;
	struct kith_metric metric;
};

static struct kith_pool pool;
static struct kith_err err;

static struct kith_mat
read_rows(const struct golden *t, size_t row, const char *column)
{
	char name[64];

	snprintf(name, sizeof(name), "nnk/%s.csv", golden_cell(t, row, column));
	return golden_matrix(name, &pool);
}

static void
read_case(const struct golden *t, size_t row, struct golden_case *g)
{
	static const char *const method[] = {
	    "nnk", "knn", "radius", "mp", "omp", "lle", "lle-gram"};
	static const char *const kernel[] = {"gaussian", "cosine", "linear"};
	static const char *const mode[] = {"union", "paper", "max", "min", "mean"};
	static const enum kith_symm rule[] = {
	    KITH_SYMM_ERROR, KITH_SYMM_PAPER, KITH_SYMM_MAX, KITH_SYMM_NONE, KITH_SYMM_MEAN};

	*g = (struct golden_case){.name = golden_cell(t, row, "case"),
	    .unique = golden_is(t, row, "unique", "yes"),
	    .how = {.errors = true, .k = golden_count(t, row, "k")},
	    .symmetric = !golden_is(t, row, "sym", "-"),
	    .X = read_rows(t, row, "data")};
	g->how.method = (enum kith_nnk_method)golden_word(t, row, "method", method, 7);
	g->how.kernel = (enum kith_kern_kind)golden_word(t, row, "kernel", kernel, 3);
	if (!golden_is(t, row, "sigma", "auto"))
		g->how.sigma = (struct kith_sigma){
		    KITH_SIGMA_FIXED, golden_number(t, row, "sigma")};
	g->how.all = golden_is(t, row, "pool", "all");
	if (g->symmetric)
		g->mode = rule[golden_word(t, row, "sym", mode, 5)];
	if (!golden_is(t, row, "ref", "-")) {
		g->Z = g->X;
		g->X = read_rows(t, row, "ref");
	}
	g->metric = (struct kith_metric){KITH_SQUARED, g->X.p, NULL};
}

static double
distance(const double *x, const double *z, size_t p)
{
	double d = 0;

	assert(x && z);
	for (size_t j = 0; j < p; j++)
		d += (x[j] - z[j]) * (x[j] - z[j]);
	return d;
}

static int
by_size(const void *a, const void *b)
{
	const double *s = a, *t = b;

	return (*s > *t) - (*s < *t);
}

/* With queries, nnk.py takes its bandwidth from them. */
static void
fix_sigma(struct golden_case *g)
{
	double *d = kith_new(&pool, g->X.n, sizeof(*d)), sum = 0;

	if (!g->Z.n)
		return;
	for (size_t i = 0; i < g->Z.n; i++) {
		for (size_t j = 0; j < g->X.n; j++)
			d[j] = distance(kith_row(&g->Z, i), kith_row(&g->X, j), g->X.p);
		qsort(d, g->X.n, sizeof(*d), by_size);
		sum += sqrt(d[g->how.k - 1]);
	}
	g->how.sigma.rule = KITH_SIGMA_FIXED;
	g->how.sigma.value = sum / (double)g->Z.n / 3;
}

static struct kith_nnk_rows
rows_of(const struct golden_case *g, size_t threads)
{
	const struct kith_mat *Z = g->Z.n ? &g->Z : NULL;

	return (struct kith_nnk_rows){&g->X, &g->metric, Z, 0, Z ? Z->n : g->X.n, threads};
}

/* The graph as a full matrix. */
static double *
spread(const struct kith_graph *graph, size_t n)
{
	double *W = kith_new(&pool, graph->m * n, sizeof(*W));

	for (size_t i = 0; i < graph->m; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++)
			W[i * n + graph->to[e]] = graph->w[e];
	return W;
}

/* The weights of a case in edges.tsv as a full matrix. */
static double *
read_edges(const struct golden *edges, const char *name, size_t m, size_t n)
{
	double *W = kith_new(&pool, m * n, sizeof(*W));

	for (size_t e = 0; e < edges->rows; e++) {
		size_t i, count;
		double *to, *w;

		if (!golden_is(edges, e, "case", name))
			continue;
		i = golden_count(edges, e, "row");
		count = golden_length(edges, e, "to");
		to = golden_numbers(edges, e, "to", count, &pool);
		w = golden_numbers(edges, e, "weight", count, &pool);
		for (size_t k = 0; k < count; k++)
			W[i * n + (size_t)to[k]] = w[k];
	}
	return W;
}

/*
 * Whether two weights of a row are the same; `most` is the largest of it.  In
 * edges.tsv there are none up to 1e-10, and no more than 13 decimals.
 */
static bool
same(double w, double v, double most)
{
	if (fmax(w, v) <= TOL * most)
		return true;
	if (v == 0)
		return w <= 1e-10 * (1 + TOL);
	return fabs(w - v) <= TOL * (v + 1e-4);
}

/* The pairs that differ in weight. */
static size_t
differ(const double *W, const double *V, size_t m, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < m; i++, W += n, V += n) {
		double most = 0;

		for (size_t j = 0; j < n; j++)
			most = fmax(most, V[j]);
		for (size_t j = 0; j < n; j++)
			count += !same(W[j], V[j], most);
	}
	return count;
}

/* The kernel of two rows; of directions from q, where that is not NULL. */
static double
kernel(const struct golden_case *g, double sigma, const double *x, const double *z, const double *q)
{
	double xz = 0, xx = 0, zz = 0;

	assert(x && z);
	if (g->how.kernel == KITH_KERN_GAUSSIAN && !q)
		return exp(-distance(x, z, g->X.p) / (2 * sigma * sigma));
	for (size_t j = 0; j < g->X.p; j++) {
		const double a = x[j] - (q ? q[j] : 0);
		const double b = z[j] - (q ? q[j] : 0);

		xz += a * b;
		xx += a * a;
		zz += b * b;
	}
	if (g->how.kernel == KITH_KERN_LINEAR)
		return xz;
	if (xx * zz == 0)
		return 1;
	return 0.5 + xz / sqrt(xx * zz) / 2;
}

/* The local error of row i at the weights w (n), written out. */
static double
error_of(const struct golden_case *g, double sigma, size_t i, const double *w)
{
	const struct kith_mat *X = &g->X;
	const double *x = kith_row(g->Z.n ? &g->Z : X, i);
	const double *q = g->how.method == KITH_NNK_LLE ? x : NULL;
	double J = (q ? 1 : kernel(g, sigma, x, x, q)) / 2;

	for (size_t j = 0; j < X->n; j++) {
		const double *z = kith_row(X, j);

		if (w[j] == 0)
			continue;
		J -= w[j] * (q ? 1 : kernel(g, sigma, x, z, q));
		for (size_t l = 0; l < X->n; l++)
			if (w[l] != 0)
				J += w[j] * w[l] / 2 * kernel(g, sigma, z, kith_row(X, l), q);
	}
	return J;
}

/* The local errors J; where the solution is not unique, no worse than V's. */
static void
test_errors(const struct golden_case *g, const struct kith_nnk *out, size_t m, const double *W,
    const double *V)
{
	const size_t n = g->X.n;
	const bool other = !g->unique && !g->symmetric && g->how.method != KITH_NNK_KNN;
	double worst = 0;

	for (size_t i = 0; i < m && g->how.method != KITH_NNK_LLE_GRAM; i++)
		worst = fmax(worst, fabs(error_of(g, out->sigma, i, W + i * n) - out->graph.J[i]));
	ok(worst <= 1e-13, "J as defined: %.1e", worst);
	worst = 0;
	for (size_t i = 0; i < m && other; i++)
		worst = fmax(worst, out->graph.J[i] - error_of(g, out->sigma, i, V + i * n));
	if (other)
		ok(worst <= 1e-11, "no worse: %.1e", worst);
}

static void
test_golden(struct golden_case *g, const struct golden *edges)
{
	struct kith_nnk_rows rows;
	struct kith_graph graph;
	struct kith_nnk out;
	double *W, *V;

	fix_sigma(g);
	rows = rows_of(g, 2);
	if (g->how.kernel == KITH_KERN_COSINE)
		kith_kern_unit_rows(&g->X, &g->metric);
	if (!ok(kith_nnk(&rows, &g->how, &out, &pool, &err) == 0, "%s: done", g->name))
		return;
	ok(out.residual <= 1e-12 || g->how.method == KITH_NNK_LLE_GRAM, "KKT residual %.1e",
	    out.residual);
	V = read_edges(edges, g->name, rows.m, g->X.n);
	W = spread(&out.graph, g->X.n);
	test_errors(g, &out, rows.m, W, V);
	if (!g->unique && g->how.method != KITH_NNK_KNN)
		return;
	if (g->symmetric) {
		if (g->mode == KITH_SYMM_NONE)
			return; /* the smaller weight: no rule of this version */
		kith_symmetrize(&out.graph, g->mode, &graph, &pool);
		W = spread(&graph, g->X.n);
	}
	is_size(differ(W, V, rows.m, g->X.n), 0, "edges that differ");
}

int
main(void)
{
	struct kith_pool tables = {0};
	const struct golden cases = golden_read("nnk/cases.tsv", &tables);
	const struct golden edges = golden_read("nnk/edges.tsv", &tables);

	for (size_t i = 0; i < cases.rows; i++) {
		struct golden_case g;

		read_case(&cases, i, &g);
		test_golden(&g, &edges);
		kith_pool_free(&pool);
	}
	is_size(cases.rows, 140, "cases");
	kith_pool_free(&tables);
	return done();
}
