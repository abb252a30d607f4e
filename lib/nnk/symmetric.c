/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Undirected graphs from directed lists, section 3.5 of Shekkizhar and Ortega.
 *
 * 1. Transpose the lists: list j of the transpose has the rows i that have j, in increasing order.
 *    Transposed once more, the lists themselves are sorted.
 * 2. Merge list i with list i of the transpose: each pair i < j comes with both weights, in order.
 */
#include "nnk/nnk.h"

#include "base/pool.h"
#include "base/sets.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Writes entry j of list i of `from` as entry i of list j of `to`, whose lists become sorted. */
static void
scatter(const struct kith_graph *from, struct kith_graph *to)
{
	struct kith_pool tmp = {0};
	size_t *next = kith_new(&tmp, to->m, sizeof(*next));

	memcpy(next, to->start, to->m * sizeof(*next));
	for (size_t i = 0; i < from->m; i++)
		for (size_t e = from->start[i]; e < from->start[i + 1]; e++) {
			const size_t at = next[from->to[e]]++;

			to->to[at] = i;
			if (from->w)
				to->w[at] = from->w[e];
			if (from->d)
				to->d[at] = from->d[e];
		}
	kith_pool_free(&tmp);
}

/* The transpose, in the pool, of lists of rows 0 .. n - 1. */
static struct kith_graph
transpose(const struct kith_graph *graph, size_t n, struct kith_pool *pool)
{
	const size_t edges = graph->start[graph->m];
	struct kith_graph out = {.m = n, .start = kith_new(pool, n + 1, sizeof(*out.start))};

	out.to = kith_new(pool, edges, sizeof(*out.to));
	out.w = graph->w ? kith_new(pool, edges, sizeof(*out.w)) : NULL;
	out.d = graph->d ? kith_new(pool, edges, sizeof(*out.d)) : NULL;
	for (size_t e = 0; e < edges; e++)
		out.start[graph->to[e] + 1]++;
	for (size_t j = 0; j < n; j++)
		out.start[j + 1] += out.start[j];
	scatter(graph, &out);
	return out;
}

void
kith_graph_sort(struct kith_graph *graph, size_t n)
{
	struct kith_pool tmp = {0};
	const struct kith_graph transposed = transpose(graph, n, &tmp);

	scatter(&transposed, graph);
	kith_pool_free(&tmp);
}

/* The weight of a pair i < j: up = w_ij and down = w_ji, NULL where the row has not the other. */
static double
decide(enum kith_symm rule, double J_i, double J_j, const double *up, const double *down)
{
	const double a = up ? *up : 0, b = down ? *down : 0, larger = a > b ? a : b;

	switch (rule) {
	case KITH_SYMM_NODE:
		return J_i <= J_j || isnan(J_j) ? a : b;
	case KITH_SYMM_MAX:
		return larger;
	case KITH_SYMM_MIN:
		return a < b ? a : b;
	case KITH_SYMM_MEAN:
		return a / 2 + b / 2;
	case KITH_SYMM_PAPER:
		if (!up || !down)
			return 0;
		break;
	default: /* KITH_SYMM_ERROR */
		if (!up || !down)
			return larger;
	}
	return J_i == J_j ? larger : J_i < J_j ? a : b;
}

void
kith_symmetrize(struct kith_graph *directed, enum kith_symm rule, struct kith_graph *out,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = directed->m, edges = directed->start[n];
	const struct kith_graph T = transpose(directed, n, &tmp);
	double *J = kith_new(pool, n, sizeof(*J));
	size_t to = 0;

	assert(directed->first == 0 && directed->w && rule != KITH_SYMM_NONE);
	assert(directed->J || !kith_symm_compares(rule));
	scatter(&T, directed);
	for (size_t i = 0; i < n && directed->J; i++) {
		bool gives = rule != KITH_SYMM_NODE;

		for (size_t e = directed->start[i]; e < directed->start[i + 1] && !gives; e++)
			gives = directed->w[e] > 0;
		J[i] = gives ? directed->J[i] : NAN;
	}
	*out = (struct kith_graph){.m = n,
	    .start = kith_new(pool, n + 1, sizeof(*out->start)),
	    .to = kith_new(pool, edges, sizeof(*out->to)),
	    .w = kith_new(pool, edges, sizeof(*out->w)),
	    .d = directed->d ? kith_new(pool, edges, sizeof(*out->d)) : NULL,
	    .J = directed->J ? J : NULL};
	for (size_t i = 0; i < n; i++) {
		size_t a = directed->start[i], b = T.start[i];
		const size_t a_end = directed->start[i + 1], b_end = T.start[i + 1];

		while (a < a_end && directed->to[a] < i)
			a++;
		while (b < b_end && T.to[b] < i)
			b++;
		while (a < a_end || b < b_end) {
			const size_t up = a < a_end ? directed->to[a] : n;
			const size_t down = b < b_end ? T.to[b] : n, j = up < down ? up : down;
			const double w = decide(rule, J[i], J[j], up == j ? &directed->w[a] : NULL,
			    down == j ? &T.w[b] : NULL);

			if (w > 0) {
				out->to[to] = j;
				out->w[to] = w;
				if (out->d)
					out->d[to] = up == j ? directed->d[a] : T.d[b];
				to++;
			}
			a += up == j;
			b += down == j;
		}
		out->start[i + 1] = to;
	}
	kith_pool_free(&tmp);
}

struct kith_graph_count
kith_graph_count(const struct kith_graph *graph, size_t n)
{
	struct kith_graph_count count = {0, n, n};
	struct kith_pool tmp = {0};
	size_t *parent = kith_new(&tmp, n, sizeof(*parent));
	bool *seen = kith_new(&tmp, n, sizeof(*seen));

	for (size_t i = 0; i < n; i++)
		parent[i] = i;
	for (size_t l = 0; l < graph->m; l++)
		for (size_t e = graph->start[l]; e < graph->start[l + 1]; e++) {
			const size_t i = graph->first + l, j = graph->to[e];

			if (graph->w[e] == 0)
				continue;
			count.edges++;
			count.isolated -= !seen[i] + (size_t)!seen[j];
			seen[i] = seen[j] = true;
			count.components -= kith_sets_join(parent, i, j);
		}
	kith_pool_free(&tmp);
	return count;
}

void
kith_pairs_of(const struct kith_candidates *candidates, size_t n, struct kith_graph *pairs,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct kith_graph lists = {.m = n, .start = candidates->start};
	const size_t entries = candidates->start[n];

	lists.to = kith_new(&tmp, entries, sizeof(*lists.to));
	KITH_NEW_REALS(&tmp, entries, 1, &lists.w, &lists.d);
	for (size_t e = 0; e < entries; e++) {
		lists.to[e] = candidates->nn[e].row;
		lists.d[e] = candidates->nn[e].d;
		lists.w[e] = 1;
	}
	kith_symmetrize(&lists, KITH_SYMM_MAX, pairs, pool);
	kith_pool_free(&tmp);
}

void
kith_pairs_roots(struct kith_graph *pairs)
{
	for (size_t e = 0; e < pairs->start[pairs->m]; e++)
		pairs->d[e] = sqrt(pairs->d[e]);
}

size_t
kith_pairs_fill(const struct kith_graph *edges, struct kith_graph *pairs)
{
	size_t foreign = 0;

	memset(pairs->w, 0, pairs->start[pairs->m] * sizeof(*pairs->w));
	for (size_t i = 0; i < edges->m; i++)
		for (size_t e = edges->start[i]; e < edges->start[i + 1]; e++) {
			const size_t low = i < edges->to[e] ? i : edges->to[e];
			const size_t high = i < edges->to[e] ? edges->to[e] : i;
			size_t from = pairs->start[low], to = pairs->start[low + 1];

			if (!(edges->w[e] > 0))
				continue;
			while (from < to) { /* the first entry of the list that is >= high */
				const size_t mid = from + (to - from) / 2;

				if (pairs->to[mid] < high)
					from = mid + 1;
				else
					to = mid;
			}
			if (from < pairs->start[low + 1] && pairs->to[from] == high &&
			    pairs->w[from] == 0)
				pairs->w[from] = edges->w[e];
			else
				foreign++;
		}
	return foreign;
}
