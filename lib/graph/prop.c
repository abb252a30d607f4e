/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/prop.h"

#include "base/pool.h"
#include "graph/graph.h"
#include "table/table.h"

#include <math.h>
#include <string.h>

static const size_t NONE = SIZE_MAX;

bool
kith_prop_is_labelled(const struct kith_prop_labels *l, size_t i)
{
	return l->y ? l->y[i] != KITH_NO_CLASS : !isnan(l->u[i]);
}

double
kith_prop_label(const struct kith_prop_labels *l, size_t i, size_t k)
{
	if (l->y)
		return l->y[i] == k;
	return k > 0 ? 1 : l->u[i];
}

/* Which components have a label, and of poisson which have one class alone. */
static void
reach(struct kith_prop *p, struct kith_pool *pool)
{
	const struct kith_undirected *g = p->graph;
	const size_t n = g->W.n;
	struct kith_pool tmp = {0};
	bool *some = kith_new(&tmp, g->components, sizeof(*some));
	size_t *class = kith_new(&tmp, g->components, sizeof(*class));

	p->reached = kith_new(pool, n, sizeof(*p->reached));
	p->only = kith_new(pool, n, sizeof(*p->only));
	for (size_t i = 0; i < n; i++) {
		const size_t at = g->component[i];

		if (!kith_prop_is_labelled(p->labels, i))
			continue;
		if (!some[at])
			class[at] = p->labels->y ? p->labels->y[i] : NONE;
		else if (p->labels->y && class[at] != p->labels->y[i])
			class[at] = NONE;
		some[at] = true;
	}
	for (size_t i = 0; i < n; i++) {
		p->reached[i] = some[g->component[i]];
		p->unreached += !p->reached[i];
		p->only[i] = p->method == KITH_PROP_POISSON && p->reached[i]
		    ? class[g->component[i]]
		    : NONE;
	}
	kith_pool_free(&tmp);
}

/* The node of the largest degree of each component is out, with F = 0. */
static void
ground(struct kith_prop *p, bool *out)
{
	const struct kith_undirected *g = p->graph;
	struct kith_pool tmp = {0};
	size_t *node = kith_new(&tmp, g->components, sizeof(*node));

	for (size_t i = 0; i < g->components; i++)
		node[i] = NONE;
	for (size_t i = 0; i < g->W.n; i++) {
		size_t *best = &node[g->component[i]];

		if (*best == NONE || g->d[i] > g->d[*best])
			*best = i;
	}
	for (size_t i = 0; i < g->components; i++)
		out[node[i]] = true;
	kith_pool_free(&tmp);
}

/* The means of the labels in each component. */
static void
average(struct kith_prop *p, struct kith_pool *pool)
{
	const struct kith_undirected *g = p->graph;
	const size_t c = p->labels->c;
	struct kith_pool tmp = {0};
	size_t *count = kith_new(&tmp, g->components, sizeof(*count));

	p->mean = kith_new(pool, g->components * c, sizeof(*p->mean));
	for (size_t i = 0; i < g->W.n; i++) {
		if (!kith_prop_is_labelled(p->labels, i))
			continue;
		count[g->component[i]]++;
		for (size_t k = 0; k < c; k++)
			p->mean[g->component[i] * c + k] += kith_prop_label(p->labels, i, k);
	}
	for (size_t at = 0; at < g->components * c; at++) {
		const size_t labels = count[at / c];

		if (labels > 0)
			p->mean[at] /= (double)labels;
	}
	kith_pool_free(&tmp);
}

/* Nodes whose G is given are out. */
static bool *
choose(struct kith_prop *p, struct kith_pool *pool)
{
	const struct kith_undirected *g = p->graph;
	bool *out = kith_new(pool, g->W.n, sizeof(*out));

	if (p->method == KITH_PROP_POISSON)
		ground(p, out);
	for (size_t i = 0; i < g->W.n; i++) {
		const bool given = p->method <= KITH_PROP_NORMALIZED &&
		    kith_prop_is_labelled(p->labels, i);

		if (!p->reached[i] || g->d[i] == 0 || given || p->only[i] != NONE)
			out[i] = true;
		p->in += !out[i];
	}
	return out;
}

/* The loads of spread, and a_i = d_i / a. */
static void
load(struct kith_prop *p, struct kith_pool *pool)
{
	const struct kith_undirected *g = p->graph;
	double *e = kith_new(pool, g->W.n, sizeof(*e));
	double *a = kith_new(pool, g->W.n, sizeof(*a));

	for (size_t i = 0; i < g->W.n; i++) {
		e[i] = g->d[i] * ((1 - p->alpha) / p->alpha);
		a[i] = g->d[i] / p->alpha;
	}
	p->A.load = e;
	p->A.diagonal = a;
}

void
kith_prop_pose(const struct kith_undirected *graph, const struct kith_prop_labels *labels,
    enum kith_prop_method method, double alpha, struct kith_prop *p, struct kith_pool *pool)
{
	const struct kith_sparse *W = &graph->W;
	const bool fixed = method <= KITH_PROP_NORMALIZED;
	const size_t c = labels->c;

	*p = (struct kith_prop){.graph = graph,
	    .labels = labels,
	    .method = method,
	    .alpha = alpha,
	    .ld = c > 1 ? (c + 3) / 4 * 4 : 1};
	p->A = (struct kith_mmat){
	    .n = W->n, .start = W->start, .column = W->column, .w = W->x, .diagonal = graph->d};
	reach(p, pool);
	p->A.out = choose(p, pool);
	if (method == KITH_PROP_SPREAD)
		load(p, pool);
	if (method == KITH_PROP_POISSON)
		average(p, pool);
	if (method == KITH_PROP_NORMALIZED || method == KITH_PROP_SPREAD) {
		p->h = kith_new(pool, W->n, sizeof(*p->h));
		for (size_t i = 0; i < W->n; i++)
			p->h[i] = graph->d[i] > 0 ? sqrt(graph->d[i]) : 1;
	}
	p->X = kith_new(pool, W->n * p->ld, sizeof(*p->X));
	for (size_t i = 0; i < W->n; i++) {
		const double h = p->h ? p->h[i] : 1;

		if (!kith_prop_is_labelled(labels, i))
			continue;
		if (graph->d[i] > 0)
			p->top = fmax(p->top, 1 / h);
		for (size_t k = 0; fixed && k < c; k++)
			p->X[i * p->ld + k] = kith_prop_label(labels, i, k) / h;
		/* F = (1 - a) Y where there is no edge. */
		for (size_t k = 0; method == KITH_PROP_SPREAD && graph->d[i] == 0 && k < c; k++)
			p->X[i * p->ld + k] = (1 - alpha) * kith_prop_label(labels, i, k);
	}
}

double
kith_prop_source(const struct kith_prop *p, size_t i, size_t k)
{
	const size_t c = p->labels->c;

	if (k >= c || p->A.out[i] || p->method <= KITH_PROP_NORMALIZED ||
	    !kith_prop_is_labelled(p->labels, i))
		return 0;
	if (p->method == KITH_PROP_SPREAD)
		return p->A.load[i] / p->h[i] * kith_prop_label(p->labels, i, k);
	return kith_prop_label(p->labels, i, k) - p->mean[p->graph->component[i] * c + k];
}

void
kith_prop_rest(const struct kith_prop *p, const double *X, double *R, size_t threads)
{
	kith_mmat_rest(&p->A, p->ld, X, R, threads);
	if (p->method <= KITH_PROP_NORMALIZED)
		return;
	for (size_t i = 0; i < p->A.n; i++)
		if (kith_prop_is_labelled(p->labels, i))
			for (size_t k = 0; k < p->labels->c; k++)
				R[i * p->ld + k] += kith_prop_source(p, i, k);
}

void
kith_prop_centre(struct kith_prop *p)
{
	const struct kith_undirected *g = p->graph;
	const size_t c = p->labels->c, ld = p->ld;
	struct kith_pool tmp = {0};
	long double *sum = kith_new(&tmp, g->components * c, sizeof(*sum));
	long double *all = kith_new(&tmp, g->components, sizeof(*all));

	for (size_t i = 0; i < g->W.n; i++) {
		all[g->component[i]] += g->d[i];
		for (size_t k = 0; k < c; k++)
			sum[g->component[i] * c + k] += (long double)g->d[i] * p->X[i * ld + k];
	}
	for (size_t i = 0; i < g->W.n; i++)
		for (size_t k = 0; k < c && g->d[i] > 0; k++)
			p->X[i * ld + k] = (double)(p->X[i * ld + k] -
			    sum[g->component[i] * c + k] / all[g->component[i]]);
	kith_pool_free(&tmp);
}

double
kith_prop_score(const struct kith_prop *p, size_t i, size_t k)
{
	const double x = p->X[i * p->ld + k];

	if (p->method == KITH_PROP_POISSON)
		return ldexp(x, -p->graph->exponent);
	return p->h ? x * p->h[i] : x;
}
