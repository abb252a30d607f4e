/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/either.h"

#include "base/pool.h"
#include "near/heap.h"
#include "nnk/local.h"
#include "nnk/symm.h"
#include "table/graph.h"

#include <math.h>

void
kith_either(
    const struct kith_local *local, size_t n, struct kith_graph *pairs, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct kith_graph lists = {.m = n, .start = local->start};
	const size_t entries = local->start[n];

	lists.to = kith_new(&tmp, entries, sizeof(*lists.to));
	lists.w = kith_new(&tmp, entries, sizeof(*lists.w));
	lists.d = kith_new(&tmp, entries, sizeof(*lists.d));
	for (size_t e = 0; e < entries; e++) {
		lists.to[e] = local->nn[e].row;
		lists.w[e] = 1;
		lists.d[e] = local->nn[e].d;
	}
	kith_symm(&lists, KITH_SYMM_MAX, pairs, pool);
	kith_pool_free(&tmp);
}

void
kith_either_distances(struct kith_graph *pairs)
{
	for (size_t e = 0; e < pairs->start[pairs->m]; e++)
		pairs->d[e] = sqrt(pairs->d[e]);
}

/* The entry of the pair i < j, or the end of the list of i. */
static size_t
find(const struct kith_graph *pairs, size_t i, size_t j)
{
	size_t lo = pairs->start[i], hi = pairs->start[i + 1];
	const size_t end = hi;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (pairs->to[mid] < j)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < end && pairs->to[lo] == j ? lo : end;
}

size_t
kith_either_put(const struct kith_graph *edges, struct kith_graph *pairs)
{
	size_t foreign = 0;

	for (size_t e = 0; e < pairs->start[pairs->m]; e++)
		pairs->w[e] = 0;
	for (size_t i = 0; i < edges->m; i++)
		for (size_t e = edges->start[i]; e < edges->start[i + 1]; e++) {
			const size_t j = edges->to[e], low = i < j ? i : j;
			const size_t at = find(pairs, low, i < j ? j : i);

			if (!(edges->w[e] > 0))
				continue;
			if (at == pairs->start[low + 1] || pairs->w[at] > 0)
				foreign++;
			else
				pairs->w[at] = edges->w[e];
		}
	return foreign;
}
