#include "graph/graph.h"

#include "base/err.h"
#include "base/pool.h"
#include "near/graph.h"
#include "table/edges.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const size_t NONE = SIZE_MAX;

/* The entry of the edge from i to j in lists that are in order, or NONE. */
static size_t
find(const struct kith_graph *lists, size_t i, size_t j)
{
	size_t lo = lists->start[i], hi = lists->start[i + 1];

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (lists->to[mid] < j)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < lists->start[i + 1] && lists->to[lo] == j ? lo : NONE;
}

/* Fail for the pair of an edge. */
static int
fail(const char *const *files, const struct kith_ends *nodes, size_t i,
    size_t j, const char *what, struct kith_err *err)
{
	char from[KITH_NUM_ROOM], to[KITH_NUM_ROOM];
	const bool one = files[0] && !files[1];

	return kith_fail_at(err, EX_DATAERR, one ? files[0] : NULL, 0,
	    "edge between " KITH_CELL " and " KITH_CELL ": %s",
	    kith_ends_name(nodes, i, from), kith_ends_name(nodes, j, to), what);
}

/*
 * See that all edges stand once, or all twice with one weight; *twice tells
 * which.
 */
static int
check(const struct kith_graph *lists, const char *const *files,
    const struct kith_ends *nodes, bool *twice, struct kith_err *err)
{
	size_t once = 0, i_once = 0, j_once = 0, pairs = 0;

	for (size_t i = 0; i < lists->m; i++)
		for (size_t e = lists->start[i]; e < lists->start[i + 1]; e++) {
			const size_t j = lists->to[e], back = find(lists, j, i);

			if (back == NONE) {
				if (once++ == 0) {
					i_once = i;
					j_once = j;
				}
				continue;
			}
			pairs++;
			if (lists->w[back] != lists->w[e])
				return fail(files, nodes, i, j,
				    "two weights (nnkgraph --merge "
				    "--symmetrize?)",
				    err);
		}
	*twice = pairs > 0;
	if (once == 0 || pairs == 0)
		return 0;
	return fail(files, nodes, i_once, j_once,
	    "there in one direction, others in both (nnkgraph --merge "
	    "--symmetrize?)",
	    err);
}

/* Entries of each row of W, as start[i + 1], without edges of weight 0. */
static void
count(const struct kith_graph *lists, bool twice, size_t *start)
{
	for (size_t i = 0; i < lists->m; i++)
		for (size_t e = lists->start[i]; e < lists->start[i + 1]; e++) {
			if (lists->w[e] <= 0)
				continue;
			start[i + 1]++;
			if (!twice)
				start[lists->to[e] + 1]++;
		}
	for (size_t i = 0; i < lists->m; i++)
		start[i + 1] += start[i];
}

struct entry {
	uint32_t column;
	double x;
};

static int
by_column(const void *a, const void *b)
{
	const struct entry *s = a, *t = b;

	return s->column < t->column ? -1 : s->column > t->column;
}

/* Sort the entries of row i, if they are not; room for those of any row. */
static void
sort_row(struct kith_sparse *W, size_t i, struct entry *room)
{
	const size_t first = W->start[i], n = W->start[i + 1] - first;
	bool sorted = true;

	for (size_t e = 1; e < n && sorted; e++)
		sorted = W->column[first + e - 1] < W->column[first + e];
	if (sorted)
		return;
	for (size_t e = 0; e < n; e++)
		room[e] = (struct entry){W->column[first + e], W->x[first + e]};
	qsort(room, n, sizeof(*room), by_column);
	for (size_t e = 0; e < n; e++) {
		W->column[first + e] = room[e].column;
		W->x[first + e] = room[e].x;
	}
}

/* Put an entry behind those of row i. */
static void
put(struct kith_sparse *W, size_t *end, size_t i, size_t j, double w)
{
	W->column[end[i]] = (uint32_t)j;
	W->x[end[i]++] = w;
}

/* Fill W; where all edges go from the smaller node, rows come out in order. */
static void
fill(const struct kith_graph *lists, bool twice, struct kith_sparse *W)
{
	struct kith_pool tmp = {0};
	size_t *end = kith_new(&tmp, W->n + 1, sizeof(*end)), most = 0;
	struct entry *room;

	for (size_t i = 0; i < W->n; i++) {
		const size_t row = W->start[i + 1] - W->start[i];

		end[i] = W->start[i];
		most = row > most ? row : most;
	}
	for (size_t i = 0; i < W->n; i++)
		for (size_t e = lists->start[i]; e < lists->start[i + 1]; e++) {
			if (lists->w[e] <= 0)
				continue;
			put(W, end, i, lists->to[e], lists->w[e]);
			if (!twice)
				put(W, end, lists->to[e], i, lists->w[e]);
		}
	room = kith_new(&tmp, most, sizeof(*room));
	for (size_t i = 0; i < W->n; i++)
		sort_row(W, i, room);
	kith_pool_free(&tmp);
}

/*
 * Divide all weights by a power of 2 where a degree, or the sum of all, might
 * overflow; -1 where the smallest would lose digits.
 */
static int
scale(struct kith_undirected *g, struct kith_err *err)
{
	struct kith_sparse *W = &g->W;
	const size_t entries = W->start[W->n];
	double most = 0, least = INFINITY;
	int top, rows;

	for (size_t e = 0; e < entries; e++) {
		most = fmax(most, W->x[e]);
		least = fmin(least, W->x[e]);
	}
	frexp(most, &top);
	frexp((double)entries, &rows);
	g->exponent = top + rows > DBL_MAX_EXP ? top + rows - DBL_MAX_EXP : 0;
	if (g->exponent == 0)
		return 0;
	if (ldexp(least, -g->exponent) < DBL_MIN)
		return kith_fail(err, EX_DATAERR,
		    "weights from %g to %g are too far apart", least, most);
	for (size_t e = 0; e < entries; e++)
		W->x[e] = ldexp(W->x[e], -g->exponent);
	return 0;
}

/* Number the components, by a breadth-first search from each new node. */
static void
connect(struct kith_undirected *g, struct kith_pool *pool)
{
	const struct kith_sparse *W = &g->W;
	struct kith_pool tmp = {0};
	uint32_t *queue = kith_new(&tmp, W->n + 1, sizeof(*queue));

	g->component = kith_new(pool, W->n + 1, sizeof(*g->component));
	for (size_t i = 0; i < W->n; i++)
		g->component[i] = UINT32_MAX;
	for (size_t i = 0; i < W->n; i++) {
		size_t read = 0, end = 0;

		if (g->component[i] != UINT32_MAX)
			continue;
		queue[end++] = (uint32_t)i;
		g->component[i] = (uint32_t)g->components;
		for (; read < end; read++) {
			const size_t at = queue[read];

			for (size_t e = W->start[at]; e < W->start[at + 1]; e++)
				if (g->component[W->column[e]] == UINT32_MAX) {
					g->component[W->column[e]] =
					    (uint32_t)g->components;
					queue[end++] = W->column[e];
				}
		}
		g->components++;
	}
	kith_pool_free(&tmp);
}

/* The graph of these lists; memory from the pool. */
static int
build(const struct kith_graph *lists, bool twice, struct kith_undirected *g,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_sparse *W = &g->W;

	W->n = lists->m;
	W->start = kith_new(pool, W->n + 1, sizeof(*W->start));
	count(lists, twice, W->start);
	W->column = kith_new(pool, W->start[W->n], sizeof(*W->column));
	W->x = kith_new(pool, W->start[W->n], sizeof(*W->x));
	W->diagonal = kith_new(pool, W->n, sizeof(*W->diagonal));
	fill(lists, twice, W);
	g->edges = W->start[W->n] / 2;
	if (scale(g, err))
		return -1;
	g->d = kith_new(pool, W->n, sizeof(*g->d));
	for (size_t i = 0; i < W->n; i++)
		for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
			g->d[i] += W->x[e];
	connect(g, pool);
	return 0;
}

int
kith_undirected_read(const char *const *files, const struct kith_ends *nodes,
    struct kith_undirected *graph, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_edges_how how = {
	    .from = nodes, .to = nodes, .weights = true};
	struct kith_pool tmp = {0};
	struct kith_graph lists;
	bool twice = false;
	int got;

	assert(nodes->n < UINT32_MAX);
	*graph = (struct kith_undirected){0};
	got = kith_edges_read(files, &how, &lists, &tmp, err);
	if (got == 0)
		got = check(&lists, files, nodes, &twice, err);
	if (got == 0)
		got = build(&lists, twice, graph, pool, err);
	kith_pool_free(&tmp);
	return got;
}

size_t *
kith_undirected_sizes(
    const struct kith_undirected *graph, struct kith_pool *pool)
{
	size_t *size = kith_new(pool, graph->components + 1, sizeof(*size));

	for (size_t i = 0; i < graph->W.n; i++)
		size[graph->component[i]]++;
	return size;
}
