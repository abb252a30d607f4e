/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/graph.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/edges.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/*
 * By how much the two weights of an edge that is listed in both directions may differ, relative to
 * the larger one: more than rounding in two orders of a sum, less than any weight that means
 * another.
 */
#define SAME 1e-9

/*
 * 1. Read the edges, 16 bytes each.
 * 2. Put each into the rows of both its ends, in the row of "to" as -w: its
 *    sign tells the direction, also that of 0.
 * 3. Sort each row; an edge that stands twice is next to itself there.
 * 4. See that all stand once, or all twice, and keep one of each; where its two
 *    weights differ by rounding, their mean.
 */

struct line {
	uint32_t from, to;
	double w;
};

/* Lines that follow each other in a file: line first + i is edge at + i. */
struct stretch {
	size_t at, first;
	const char *file;
};

struct reader {
	struct line *line;
	size_t n, room;
	struct stretch *stretch;
	size_t stretches, stretch_room;
	const struct kith_ends *nodes;
	struct kith_pool pool;
};

static int
take(void *to, const struct kith_edge *edge, struct kith_err *err)
{
	struct reader *in = to;
	const struct stretch *last = in->stretches ? &in->stretch[in->stretches - 1] : NULL;

	(void)err;
	if (!last || last->file != edge->file || edge->line - last->first != in->n - last->at) {
		in->stretch = kith_more(
		    &in->pool, in->stretch, in->stretches, &in->stretch_room, sizeof(*in->stretch));
		in->stretch[in->stretches++] = (struct stretch){in->n, edge->line, edge->file};
	}
	in->line = kith_more(&in->pool, in->line, in->n, &in->room, sizeof(*in->line));
	in->line[in->n++] = (struct line){(uint32_t)edge->from, (uint32_t)edge->to, edge->w};
	return 0;
}

/*
 * Fail for the pair of an edge, at the last line that has it, in this direction
 * or, where `both`, in any.
 */
static int
fail(const struct reader *in, size_t i, size_t j, bool both, const char *what, struct kith_err *err)
{
	char from[KITH_NUM_ROOM], to[KITH_NUM_ROOM];
	size_t e = in->n, s = in->stretches;

	while (e-- > 0) {
		const struct line *l = &in->line[e];

		if ((l->from == i && l->to == j) || (both && l->from == j && l->to == i))
			break;
	}
	while (in->stretch[--s].at > e)
		continue;
	return kith_fail_at(err, EX_DATAERR, in->stretch[s].file,
	    in->stretch[s].first + (e - in->stretch[s].at),
	    "edge between " KITH_CELL " and " KITH_CELL ": %s", kith_ends_name(in->nodes, i, from),
	    kith_ends_name(in->nodes, j, to), what);
}

/* Put an entry behind those of row i. */
static void
put(struct kith_sparse *W, size_t *end, size_t i, size_t j, double w)
{
	W->column[end[i]] = (uint32_t)j;
	W->x[end[i]++] = w;
}

/* Fill the rows of W with the lines, in both directions, as they come. */
static void
fill(const struct reader *in, struct kith_sparse *W)
{
	struct kith_pool tmp = {0};
	size_t *end = kith_new(&tmp, W->n + 1, sizeof(*end));

	for (size_t e = 0; e < in->n; e++) {
		W->start[in->line[e].from + 1]++;
		W->start[in->line[e].to + 1]++;
	}
	for (size_t i = 0; i < W->n; i++) {
		W->start[i + 1] += W->start[i];
		end[i] = W->start[i];
	}
	for (size_t e = 0; e < in->n; e++) {
		const struct line *l = &in->line[e];

		put(W, end, l->from, l->to, l->w);
		put(W, end, l->to, l->from, -l->w);
	}
	kith_pool_free(&tmp);
}

struct entry {
	uint32_t column;
	double x;
};

static int
by_column(const void *a, const void *b)
{
	const struct entry *s = a, *t = b;

	if (s->column != t->column)
		return s->column < t->column ? -1 : 1;
	return !!signbit(s->x) - !!signbit(t->x);
}

/* Sort row i, if it is not; room for the entries of any row. */
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

/* An edge that stands once, and whether some do, and some twice. */
struct seen {
	size_t i, j;
	bool once, twice;
};

/*
 * Look at the entries of row i that are in one column, from e on; *e becomes
 * the last of them.
 */
static int
look(const struct reader *in, const struct kith_sparse *W, size_t i, size_t *e, struct seen *seen,
    struct kith_err *err)
{
	const size_t j = W->column[*e], next = *e + 1, end = W->start[i + 1];
	const bool again = next < end && W->column[next] == j;
	double w, again_w;

	if (!again) {
		if (!seen->once)
			*seen = (struct seen){i, j, true, seen->twice};
		return 0;
	}
	seen->twice = true;
	if (signbit(W->x[*e]) == signbit(W->x[next]))
		return signbit(W->x[*e]) ? fail(in, j, i, false, "listed twice", err)
					 : fail(in, i, j, false, "listed twice", err);
	if (next + 1 < end && W->column[next + 1] == j)
		return fail(in, j, i, false, "listed twice", err);
	w = fabs(W->x[*e]);
	again_w = fabs(W->x[next]);
	if (fabs(w - again_w) > SAME * fmax(w, again_w))
		return fail(in, i, j, true, "two weights (nnkgraph --symmetrize?)", err);
	*e = next;
	W->x[next] = w / 2 + again_w / 2;
	return 0;
}

/* Steps 3 and 4; entries of weight 0 are dropped. */
static int
settle(const struct reader *in, struct kith_sparse *W, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct seen seen = {0};
	size_t most = 0, n = 0, first = 0;
	struct entry *room;
	int got = 0;

	for (size_t i = 0; i < W->n; i++)
		if (W->start[i + 1] - W->start[i] > most)
			most = W->start[i + 1] - W->start[i];
	room = kith_new(&tmp, most, sizeof(*room));
	for (size_t i = 0; i < W->n; i++)
		sort_row(W, i, room);
	for (size_t i = 0; i < W->n && got == 0; i++) {
		const size_t end = W->start[i + 1];

		for (size_t e = first; e < end && got == 0; e++) {
			got = look(in, W, i, &e, &seen, err);
			if (W->x[e] == 0)
				continue;
			W->column[n] = W->column[e];
			W->x[n++] = fabs(W->x[e]);
		}
		first = end;
		W->start[i + 1] = n;
	}
	kith_pool_free(&tmp);
	if (got == 0 && seen.once && seen.twice)
		return fail(in, seen.i, seen.j, true,
		    "listed in one direction, others in both (nnkgraph "
		    "--symmetrize?)",
		    err);
	return got;
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
		return kith_fail(
		    err, EX_DATAERR, "weights from %g to %g are too far apart", least, most);
	for (size_t e = 0; e < entries; e++)
		W->x[e] = ldexp(W->x[e], -g->exponent);
	return 0;
}

/* By a breadth-first search from each new node. */
void
kith_undirected_connect(struct kith_undirected *g, struct kith_pool *pool)
{
	const struct kith_sparse *W = &g->W;
	uint32_t *queue = kith_new(pool, W->n + 1, sizeof(*queue));
	size_t read = 0, end = 0;

	g->order = queue;
	g->component = kith_new(pool, W->n + 1, sizeof(*g->component));
	for (size_t i = 0; i < W->n; i++)
		g->component[i] = UINT32_MAX;
	for (size_t i = 0; i < W->n; i++) {
		if (g->component[i] != UINT32_MAX)
			continue;
		queue[end++] = (uint32_t)i;
		g->component[i] = (uint32_t)g->components;
		for (; read < end; read++) {
			const size_t at = queue[read];

			for (size_t e = W->start[at]; e < W->start[at + 1]; e++)
				if (g->component[W->column[e]] == UINT32_MAX) {
					g->component[W->column[e]] = (uint32_t)g->components;
					queue[end++] = W->column[e];
				}
		}
		g->components++;
	}
}

const uint32_t *
kith_undirected_arrange(
    const struct kith_undirected *from, struct kith_undirected *to, struct kith_pool *pool)
{
	const struct kith_sparse *F = &from->W;
	const size_t n = F->n;
	struct kith_pool tmp = {0};
	struct kith_sparse *T = &to->W;
	struct entry *room = kith_new(&tmp, n, sizeof(*room));
	uint32_t *place = kith_new(pool, n + 1, sizeof(*place));

	*to = (struct kith_undirected){.exponent = from->exponent, .edges = from->edges};
	for (size_t k = 0; k < n; k++)
		place[from->order[k]] = (uint32_t)k;
	T->n = n;
	T->start = kith_new(pool, n + 1, sizeof(*T->start));
	T->column = kith_new(pool, F->start[n], sizeof(*T->column));
	T->x = kith_new(pool, F->start[n], sizeof(*T->x));
	KITH_NEW_REALS(pool, n, 1, &T->diagonal, &to->d);
	for (size_t k = 0; k < n; k++) {
		const size_t i = from->order[k];
		size_t end = T->start[k];

		to->d[k] = from->d[i];
		for (size_t e = F->start[i]; e < F->start[i + 1]; e++) {
			T->column[end] = place[F->column[e]];
			T->x[end++] = F->x[e];
		}
		T->start[k + 1] = end;
		sort_row(T, k, room);
	}
	kith_undirected_connect(to, pool);
	kith_pool_free(&tmp);
	return place;
}

/* The graph of the lines that were read; memory from the pool. */
static int
build(struct reader *in, struct kith_undirected *g, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_sparse *W = &g->W;

	W->n = in->nodes->n;
	W->start = kith_new(pool, W->n + 1, sizeof(*W->start));
	W->column = kith_grow(pool, NULL, 2 * in->n, sizeof(*W->column));
	W->x = kith_grow(pool, NULL, 2 * in->n, sizeof(*W->x));
	fill(in, W);
	if (settle(in, W, err))
		return -1;
	kith_pool_free(&in->pool);
	W->column = kith_grow(pool, W->column, W->start[W->n], sizeof(*W->column));
	W->x = kith_grow(pool, W->x, W->start[W->n], sizeof(*W->x));
	W->diagonal = kith_new(pool, W->n, sizeof(*W->diagonal));
	g->edges = W->start[W->n] / 2;
	if (scale(g, err))
		return -1;
	g->d = kith_new(pool, W->n, sizeof(*g->d));
	for (size_t i = 0; i < W->n; i++)
		for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
			g->d[i] += W->x[e];
	kith_undirected_connect(g, pool);
	return 0;
}

int
kith_undirected_read(const char *const *files, const struct kith_ends *nodes,
    struct kith_undirected *graph, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_edges_how how = {.from = nodes, .to = nodes, .weights = true};
	struct reader in = {.nodes = nodes};
	int got;

	assert(nodes->n < UINT32_MAX);
	*graph = (struct kith_undirected){0};
	got = kith_edges_each(files, &how, take, &in, err);
	if (got == 0)
		got = build(&in, graph, pool, err);
	kith_pool_free(&in.pool);
	return got;
}
