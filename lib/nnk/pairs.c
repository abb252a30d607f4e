/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/pairs.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/sort.h"
#include "table/edges.h"
#include "table/range.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLE = 2000 }; /* rows for a bandwidth */

/* By how much the directions of a pair may differ. */
#define SAME 1e-9

/* The entry from a to b; the last one of all where there is none. */
static size_t
find(const struct kith_graph *graph, size_t a, size_t b)
{
	size_t lo = graph->start[a], hi = graph->start[a + 1];

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (graph->to[mid] < b)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < graph->start[a + 1] && graph->to[lo] == b ? lo : graph->start[graph->m];
}

bool
kith_pairs_value(const struct kith_pairs *pairs, size_t a, size_t b, double *value)
{
	const struct kith_graph *graph = &pairs->graph;
	const size_t none = graph->start[graph->m];
	size_t at = find(graph, a, b);

	if (at == none)
		at = find(graph, b, a);
	if (at < none)
		*value = graph->w[at];
	else if (a == b && pairs->of == KITH_PAIRS_DISTANCE)
		*value = 0;
	else if (a == b && !pairs->selves)
		*value = 1;
	else
		return false;
	return true;
}

/* Fail because of a pair. */
static int
refuse(const struct kith_pairs *pairs, size_t a, size_t b, const char *why, struct kith_err *err)
{
	char from[KITH_NUM_ROOM], to[KITH_NUM_ROOM];

	return kith_fail_at(err, EX_DATAERR, pairs->file, 0,
	    "from " KITH_CELL " to " KITH_CELL ": %s", kith_ends_name(pairs->from, a, from),
	    kith_ends_name(pairs->to, b, to), why);
}

/* Look at the entry e, from a. */
static int
check_entry(struct kith_pairs *pairs, size_t a, size_t e, struct kith_err *err)
{
	const struct kith_graph *graph = &pairs->graph;
	const size_t b = graph->to[e], none = graph->start[graph->m];
	const double w = graph->w[e];
	size_t back;

	if (fabs(w) > KITH_RANGE_MOST)
		return refuse(pairs, a, b, "a value beyond 1e150", err);
	if (pairs->from != pairs->to)
		return 0;
	if (a == b) {
		pairs->selves = true;
		if (pairs->of == KITH_PAIRS_DISTANCE && w != 0)
			return refuse(
			    pairs, a, b, "the distance of a row from itself is not 0", err);
		if (w < 0)
			return refuse(
			    pairs, a, b, "the similarity of a row with itself is below 0", err);
		return 0;
	}
	back = a < b ? find(graph, b, a) : none;
	if (back < none && fabs(graph->w[back] - w) > SAME * fmax(fabs(w), fabs(graph->w[back])))
		return refuse(pairs, a, b, "another value than the way back", err);
	return 0;
}

static int
check(struct kith_pairs *pairs, struct kith_err *err)
{
	const struct kith_graph *graph = &pairs->graph;

	for (size_t a = 0; a < graph->m; a++)
		for (size_t e = graph->start[a]; e < graph->start[a + 1]; e++)
			if (check_entry(pairs, a, e, err))
				return -1;
	return 0;
}

static int
by_distance(const void *a, const void *b)
{
	const struct kith_neighbour *s = a, *t = b;

	return kith_neighbour_before(s, t) ? -1 : kith_neighbour_before(t, s);
}

/* Call it for each pair of rows a and b, both ways where they are the same. */
static void
each(const struct kith_pairs *pairs, void (*put)(struct kith_pairs *, size_t, size_t, double),
    struct kith_pairs *to)
{
	const struct kith_graph *graph = &pairs->graph;
	const size_t none = graph->start[graph->m];
	const bool same = pairs->from == pairs->to;

	for (size_t a = 0; a < graph->m; a++)
		for (size_t e = graph->start[a]; e < graph->start[a + 1]; e++) {
			const size_t b = graph->to[e];

			if (same && a == b)
				continue;
			put(to, a, b, graph->w[e]);
			if (same && find(graph, b, a) == none)
				put(to, b, a, graph->w[e]);
		}
}

static void
count(struct kith_pairs *pairs, size_t a, size_t b, double w)
{
	(void)b;
	(void)w;
	pairs->start[a + 2]++;
}

/* Behind what row a has by now. */
static void
append(struct kith_pairs *pairs, size_t a, size_t b, double w)
{
	pairs->nn[pairs->start[a + 1]++] = (struct kith_neighbour){
	    b, pairs->of == KITH_PAIRS_DISTANCE ? w * w : -w};
}

/* The lists of the nearest. */
static void
arrange(struct kith_pairs *pairs, struct kith_pool *pool)
{
	const size_t m = pairs->graph.m;

	pairs->start = kith_new(pool, m + 2, sizeof(*pairs->start));
	each(pairs, count, pairs);
	for (size_t i = 0; i < m; i++)
		pairs->start[i + 2] += pairs->start[i + 1];
	pairs->nn = kith_new(pool, pairs->start[m + 1], sizeof(*pairs->nn));
	each(pairs, append, pairs);
	for (size_t i = 0; i < m; i++)
		qsort(pairs->nn + pairs->start[i], pairs->start[i + 1] - pairs->start[i],
		    sizeof(*pairs->nn), by_distance);
}

int
kith_pairs_read(const char *file, enum kith_pairs_of of, const struct kith_ends *from,
    const struct kith_ends *to, struct kith_pairs *out, struct kith_pool *pool,
    struct kith_err *err)
{
	const char *const files[] = {file, NULL};
	const bool distances = of == KITH_PAIRS_DISTANCE;
	const struct kith_edges_how how = {.from = from,
	    .to = to,
	    .weights = true,
	    .any_sign = !distances,
	    .selves = true,
	    .weight = distances ? "distance" : "similarity"};

	*out = (struct kith_pairs){.file = file, .of = of, .from = from, .to = to};
	if (kith_edges_read(files, &how, &out->graph, pool, err) || check(out, err))
		return -1;
	arrange(out, pool);
	return 0;
}

double
kith_pairs_sigma(
    const struct kith_pairs *pairs, const struct kith_sigma *sigma, size_t k, bool *flat)
{
	struct kith_pool tmp = {0};
	const size_t n = pairs->graph.m, m = n < SAMPLE ? n : SAMPLE;
	double *r = kith_new(&tmp, m, sizeof(*r)), got = 0;
	size_t count = 0;

	for (size_t s = 0; s < m; s++) {
		const size_t i = s * n / m, from = pairs->start[i];
		const size_t there = pairs->start[i + 1] - from;

		if (there > 0)
			r[count++] = sqrt(pairs->nn[from + (k < there ? k : there) - 1].d);
	}
	if (sigma->rule == KITH_SIGMA_FIXED)
		got = sigma->value;
	else if (sigma->rule != KITH_SIGMA_LOCAL)
		got = kith_sigma_third(sigma, r, count);
	if (sigma->rule != KITH_SIGMA_LOCAL && got == 0) {
		got = 1;
		*flat = count > 0;
	}
	kith_pool_free(&tmp);
	return got;
}
