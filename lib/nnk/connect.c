/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/connect.h"

#include "base/err.h"
#include "base/pool.h"
#include "la/mat.h"
#include "near/heap.h"
#include "near/knn.h"
#include "nnk/local.h"
#include "nnk/plain.h"
#include "nnk/symm.h"
#include "table/graph.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the weights of the edges are computed from. */
struct scene {
	const struct kith_local_rows *rows;
	const struct kith_nnk_connect *how;
	const struct kith_knn *knn;
	struct kith_nnk_plain *plain;
	double sigma; /* 0: each row its own */
};

/* The bandwidth of a row: a third of the distance to its k-th neighbour. */
static double
own_sigma(const struct scene *of, size_t row)
{
	struct kith_pool tmp = {0};
	const struct kith_mat *X = of->rows->X;
	const struct kith_mat Z = {1, X->p, kith_row(X, row)};
	const size_t k = of->how->k < X->n - 1 ? of->how->k : X->n - 1;
	struct kith_neighbour *nn = kith_new(&tmp, k, sizeof(*nn));
	double sigma;

	kith_knn_search(of->knn, &Z, &row, k, of->rows->threads, nn);
	sigma = kith_sigma_local(nn, k);
	kith_pool_free(&tmp);
	return sigma;
}

/* The kernel of the rows of an edge, with the bandwidth of row `by`. */
static double
kernel(const struct scene *of, const struct kith_knn_edge *it, size_t by)
{
	const struct kith_neighbour nn = {it->to, it->d};
	const bool local = of->how->kernel == KITH_KERN_GAUSSIAN && of->sigma == 0;
	double w;

	kith_nnk_plain(of->plain, kith_row(of->rows->X, it->from), &nn, 1,
	    local ? own_sigma(of, by) : of->sigma, false, &w);
	return w;
}

/* The weight of an edge; of local bandwidths the larger one of two. */
static double
weigh(const struct scene *of, const struct kith_knn_edge *it)
{
	const double w = kernel(of, it, it->from);

	if (of->how->kernel != KITH_KERN_GAUSSIAN || of->sigma > 0)
		return w;
	return fmax(w, kernel(of, it, it->to));
}

static int
by_rows(const void *a, const void *b)
{
	const struct kith_knn_edge *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* The lists with n more edges, of these weights, in order of their rows. */
static void
insert(struct kith_graph *graph, const struct kith_knn_edge *edge, const double *w, size_t n,
    struct kith_pool *pool)
{
	struct kith_graph to = *graph;
	const size_t all = graph->start[graph->m] + n;
	size_t next = 0, at = 0;

	to.start = kith_new(pool, graph->m + 1, sizeof(*to.start));
	to.to = kith_new(pool, all, sizeof(*to.to));
	to.w = kith_new(pool, all, sizeof(*to.w));
	to.d = graph->d ? kith_new(pool, all, sizeof(*to.d)) : NULL;
	for (size_t i = 0; i < graph->m; i++) {
		size_t e = graph->start[i];

		for (;; at++) {
			const bool old = e < graph->start[i + 1];
			const bool new = next < n &&edge[next].from == i;

			if (!old && !new)
				break;
			if (old && (!new || graph->to[e] < edge[next].to)) {
				to.to[at] = graph->to[e];
				to.w[at] = graph->w[e];
				if (to.d)
					to.d[at] = graph->d[e];
				e++;
			} else {
				to.to[at] = edge[next].to;
				to.w[at] = w[next];
				if (to.d)
					to.d[at] = sqrt(edge[next].d);
				next++;
			}
		}
		to.start[i + 1] = at;
	}
	*graph = to;
}

/* The weights of n edges, in the order of their rows, into the graph. */
static void
put(const struct scene *of, struct kith_nnk_connect *how, struct kith_knn_edge *edge, size_t n,
    struct kith_graph *graph, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	double *w = kith_new(&tmp, n, sizeof(*w));

	how->longest = sqrt(edge[n - 1].d);
	qsort(edge, n, sizeof(*edge), by_rows);
	for (size_t e = 0; e < n; e++) {
		w[e] = weigh(of, &edge[e]);
		how->vanished += !(w[e] > 0);
		w[e] = w[e] > 0 ? w[e] : DBL_TRUE_MIN;
	}
	insert(graph, edge, w, n, pool);
	kith_pool_free(&tmp);
}

int
kith_nnk_connect(const struct kith_local_rows *rows, struct kith_nnk_connect *how,
    struct kith_graph *graph, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = rows->X->n;
	size_t *part = kith_new(&tmp, n, sizeof(*part));
	const size_t parts = kith_symm_parts(graph, n, part);
	struct kith_knn_edge *edge = kith_new(&tmp, parts, sizeof(*edge));
	struct scene of = {.rows = rows, .how = how};
	struct kith_sigma_data data = {NULL, rows->X, rows->metric, rows->threads, NULL, 0};
	struct kith_local_pack pack;
	bool flat;
	int got = 0;

	assert(!rows->Z && graph->m == n);
	how->added = how->vanished = 0;
	how->longest = 0;
	if (parts > 1) {
		of.knn = data.knn = kith_knn_new(rows->X, rows->metric, n, &tmp);
		pack = kith_local_pack_new(rows->metric, &tmp);
		of.plain = kith_nnk_plain_new(how->kernel, rows->X, &pack, 1, &tmp);
		kith_knn_connect(of.knn, part, parts, rows->threads, edge);
		how->added = parts - 1;
		if (edge[0].d < 0)
			got = kith_fail(err, EX_DATAERR, "the weights make a distance below 0");
		else if (how->kernel == KITH_KERN_GAUSSIAN)
			got = kith_sigma_fit(&how->sigma, &data, &how->k, 1, &of.sigma, &flat, err);
		if (got == 0)
			put(&of, how, edge, parts - 1, graph, pool);
	}
	kith_pool_free(&tmp);
	return got;
}
