/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Undirected graphs from directed ones, section 3.5 of Shekkizhar and Ortega; and functions of
 * pairs i < j, which are undirected graphs whose list i has the rows j > i.
 *
 * A directed graph has a list of edges i -> j for each row i.  To get one weight for each pair:
 *
 * 1. Transpose the graph: list j of the transpose has the rows i with i -> j, in increasing order.
 *    Transpose the transpose: this sorts the lists of the graph itself.
 * 2. Merge list i of the graph (w_ij) with list i of the transpose (w_ji) in increasing order of j,
 *    and make one weight of the two for each j > i (enum kith_symm).
 */
#include "nnk/nnk.h"

#include "base/pool.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * Writes each edge i -> j of `from` as the edge j -> i of `to`, whose start is set and whose lists
 * become sorted.
 */
static void
transpose_into(const struct kith_graph *from, struct kith_graph *to)
{
	struct kith_pool tmp = {0};
	size_t *next = kith_new(&tmp, to->m, sizeof(*next));

	memcpy(next, to->start, to->m * sizeof(*next));
	for (size_t i = 0; i < from->m; i++)
		for (size_t e = from->start[i]; e < from->start[i + 1]; e++) {
			const size_t at = next[from->to[e]]++;

			to->to[at] = i;
			to->w[at] = from->w[e];
			to->d[at] = from->d[e];
		}
	kith_pool_free(&tmp);
}

/* The transpose, in the pool, of a graph whose edges lead to rows 0 .. n - 1. */
static struct kith_graph
transpose(const struct kith_graph *graph, size_t n, struct kith_pool *pool)
{
	const size_t edges = graph->start[graph->m];
	struct kith_graph out = {.m = n, .start = kith_new(pool, n + 1, sizeof(*out.start))};

	out.to = kith_new(pool, edges, sizeof(*out.to));
	KITH_NEW_REALS(pool, edges, 1, &out.w, &out.d);
	for (size_t e = 0; e < edges; e++)
		out.start[graph->to[e] + 1]++;
	for (size_t j = 0; j < n; j++)
		out.start[j + 1] += out.start[j];
	transpose_into(graph, &out);
	return out;
}

void
kith_graph_sort(struct kith_graph *graph, size_t n)
{
	struct kith_pool tmp = {0};
	const struct kith_graph transposed = transpose(graph, n, &tmp);

	transpose_into(&transposed, graph);
	kith_pool_free(&tmp);
}

/*
 * The weight of a pair i < j by a rule (enum kith_symm) from *w_ij and *w_ji; NULL: the graph has
 * no edge i -> j, or j -> i.  J_i, J_j: the local errors of the rows (nnk/nnk.h); with
 * KITH_SYMM_NODE NaN for a row without a positive weight, so that the other row gives the weight.
 */
static double
merge_weights(enum kith_symm rule, double J_i, double J_j, const double *w_ij, const double *w_ji)
{
	const double a = w_ij ? *w_ij : 0, b = w_ji ? *w_ji : 0, larger = a > b ? a : b;
	const bool both = w_ij && w_ji;

	if (rule == KITH_SYMM_MAX || (rule == KITH_SYMM_ERROR && !both))
		return larger;
	if (rule == KITH_SYMM_MIN)
		return a < b ? a : b;
	if (rule == KITH_SYMM_MEAN)
		return a / 2 + b / 2;
	if (rule == KITH_SYMM_NODE)
		return J_i <= J_j || isnan(J_j) ? a : b;
	if (!both)
		return 0;
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
	size_t edge = 0; /* edges of out so far */

	assert(directed->first == 0 && rule != KITH_SYMM_NONE);
	assert(directed->J || !kith_symm_compares(rule));
	transpose_into(&T, directed); /* sorts the lists */
	for (size_t i = 0; i < n && directed->J; i++) {
		bool has_weight = rule != KITH_SYMM_NODE;

		for (size_t e = directed->start[i]; e < directed->start[i + 1] && !has_weight; e++)
			has_weight = directed->w[e] > 0;
		J[i] = has_weight ? directed->J[i] : NAN;
	}
	*out = (struct kith_graph){.m = n,
	    .start = kith_new(pool, n + 1, sizeof(*out->start)),
	    .to = kith_new(pool, edges, sizeof(*out->to)),
	    .J = directed->J ? J : NULL};
	KITH_NEW_REALS(pool, edges, 1, &out->w, &out->d);
	for (size_t i = 0; i < n; i++) {
		size_t a = directed->start[i], b = T.start[i];
		const size_t a_end = directed->start[i + 1], b_end = T.start[i + 1];

		while (a < a_end || b < b_end) {
			const size_t up = a < a_end ? directed->to[a] : n;
			const size_t down = b < b_end ? T.to[b] : n, j = up < down ? up : down;
			const double w = merge_weights(rule, J[i], J[j],
			    up == j ? &directed->w[a] : NULL, down == j ? &T.w[b] : NULL);

			if (w > 0 && j > i) {
				out->to[edge] = j;
				out->w[edge] = w;
				out->d[edge++] = up == j ? directed->d[a] : T.d[b];
			}
			a += up == j;
			b += down == j;
		}
		out->start[i + 1] = edge;
	}
	kith_pool_free(&tmp);
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
		lists.w[e] = 1; /* only the pairs count; KITH_SYMM_MAX keeps 1 */
	}
	kith_symmetrize(&lists, KITH_SYMM_MAX, pairs, pool);
	kith_pool_free(&tmp);
}

void
kith_pairs_ends(const struct kith_graph *pairs, size_t *start, uint32_t *to)
{
	size_t *end = start + 1; /* end[i + 1] counts list i, then end[i] is its next free place */

	memset(start, 0, (pairs->m + 2) * sizeof(*start));
	for (size_t i = 0; i < pairs->m; i++)
		for (size_t e = pairs->start[i]; e < pairs->start[i + 1]; e++)
			if (pairs->w[e] > 0) {
				end[i + 1]++;
				end[pairs->to[e] + 1]++;
			}
	for (size_t i = 0; i < pairs->m; i++)
		end[i + 1] += end[i];
	for (size_t i = 0; i < pairs->m; i++)
		for (size_t e = pairs->start[i]; e < pairs->start[i + 1]; e++)
			if (pairs->w[e] > 0) {
				to[end[i]++] = (uint32_t)pairs->to[e];
				to[end[pairs->to[e]]++] = (uint32_t)i;
			}
}

size_t
kith_pairs_fill(const struct kith_graph *edges, struct kith_graph *pairs)
{
	size_t foreign = 0; /* edges that are no pair, or whose pair has a weight already */

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
