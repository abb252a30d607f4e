#include "symm.h"

#include "graph.h"
#include "pool.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One side of a pair: what one row says of another. */
struct side {
	size_t to;
	double w, d;
};

static struct side
side_of(const struct kith_graph *graph, size_t e)
{
	return (struct side){graph->to[e], graph->w ? graph->w[e] : 0,
	    graph->d ? graph->d[e] : 0};
}

static int
by_row(const void *a, const void *b)
{
	const struct side *s = a, *t = b;

	return (s->to > t->to) - (s->to < t->to);
}

void
kith_symm_sort(struct kith_graph *graph)
{
	struct kith_pool tmp = {0};
	struct side *list = NULL;

	for (size_t i = 0; i < graph->m; i++) {
		const size_t start = graph->start[i];
		const size_t k = graph->start[i + 1] - start;

		list = kith_grow(&tmp, list, k + 1, sizeof(*list));
		for (size_t j = 0; j < k; j++)
			list[j] = side_of(graph, start + j);
		qsort(list, k, sizeof(*list), by_row);
		for (size_t j = 0; j < k; j++) {
			graph->to[start + j] = list[j].to;
			if (graph->w)
				graph->w[start + j] = list[j].w;
			if (graph->d)
				graph->d[start + j] = list[j].d;
		}
	}
	kith_pool_free(&tmp);
}

void
kith_symm_cut(struct kith_graph *graph, double least)
{
	for (size_t i = 0; i < graph->m; i++) {
		const size_t start = graph->start[i], end = graph->start[i + 1];
		double most = 0;

		for (size_t e = start; e < end; e++)
			most = graph->w[e] > most ? graph->w[e] : most;
		for (size_t e = start; e < end; e++)
			if (!(graph->w[e] > least * most))
				graph->w[e] = 0;
	}
}

/*
 * For each row, in order, what it has of larger rows (up), and the larger rows
 * that have it (down): list i of each is start[i]..start[i+1]-1.
 */
struct pairs {
	size_t *start;
	struct side *side;
};

static struct pairs
pairs_new(const struct kith_graph *graph, bool down, struct kith_pool *pool)
{
	const size_t n = graph->m;
	struct pairs pairs = {kith_new(pool, n + 2, sizeof(size_t)), NULL};
	size_t *at = pairs.start + 1; /* where the next of a row goes */

	for (size_t i = 0; i < n; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			const size_t j = graph->to[e];

			if (down ? j < i : j > i)
				at[(down ? j : i) + 1]++;
		}
	for (size_t i = 0; i < n; i++)
		at[i + 1] += at[i];
	pairs.side = kith_new(pool, at[n], sizeof(*pairs.side));
	for (size_t i = 0; i < n; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			struct side side = side_of(graph, e);
			const size_t j = side.to;

			if (down ? j >= i : j <= i)
				continue;
			side.to = down ? i : j;
			pairs.side[at[down ? j : i]++] = side;
		}
	for (size_t i = 0; i < n && !down; i++) /* down is in order */
		qsort(pairs.side + pairs.start[i],
		    pairs.start[i + 1] - pairs.start[i], sizeof(*pairs.side),
		    by_row);
	return pairs;
}

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

/* The weight of a pair i < j of which each side, or NULL, has the other. */
static double
decide(enum kith_symm mode, const double *J, size_t i, size_t j,
    const struct side *up, const struct side *down)
{
	const double a = up ? up->w : 0, b = down ? down->w : 0;

	switch (mode) {
	case KITH_SYMM_MAX:
		return larger(a, b);
	case KITH_SYMM_MIN:
		return a < b ? a : b;
	case KITH_SYMM_MEAN:
		return a / 2 + b / 2;
	case KITH_SYMM_PAPER:
		if (!up || !down)
			return 0;
		break;
	case KITH_SYMM_ERROR:
		if (!up || !down)
			return larger(a, b);
		break;
	}
	if (J[i] == J[j])
		return larger(a, b);
	return J[i] < J[j] ? a : b;
}

static void
put(struct kith_graph *out, size_t j, double w, const struct side *side)
{
	const size_t e = out->start[out->m];

	if (!(w > 0))
		return;
	out->to[e] = j;
	out->w[e] = w;
	if (out->d)
		out->d[e] = side->d;
	out->start[out->m]++;
}

void
kith_symm(const struct kith_graph *directed, enum kith_symm mode,
    struct kith_graph *out, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = directed->m;
	const struct pairs up = pairs_new(directed, false, &tmp);
	const struct pairs down = pairs_new(directed, true, &tmp);
	const size_t most = up.start[n] + down.start[n];

	assert(directed->first == 0 && directed->w);
	assert(directed->J || mode >= KITH_SYMM_MAX);
	*out = (struct kith_graph){0};
	out->start = kith_new(pool, n + 1, sizeof(*out->start));
	out->to = kith_new(pool, most, sizeof(*out->to));
	out->w = kith_new(pool, most, sizeof(*out->w));
	if (directed->d)
		out->d = kith_new(pool, most, sizeof(*out->d));
	for (size_t i = 0; i < n; i++) {
		const struct side *a = up.side + up.start[i];
		const struct side *b = down.side + down.start[i];
		const struct side *a_end = up.side + up.start[i + 1];
		const struct side *b_end = down.side + down.start[i + 1];

		out->m = i + 1;
		out->start[i + 1] = out->start[i];
		while (a < a_end || b < b_end) {
			const bool is_a = b == b_end ||
			    (a < a_end && a->to <= b->to);
			const bool is_b = a == a_end ||
			    (b < b_end && b->to <= a->to);
			const struct side *side = is_a ? a : b;

			put(out, side->to,
			    decide(mode, directed->J, i, side->to,
				is_a ? a : NULL, is_b ? b : NULL),
			    side);
			a += is_a;
			b += is_b;
		}
	}
	kith_pool_free(&tmp);
}

/* The first row of the component that i is in; halves the path to it. */
static size_t
root(size_t *parent, size_t i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

struct kith_symm_count
kith_symm_count(const struct kith_graph *graph, size_t n)
{
	struct kith_symm_count count = {0, n, n};
	struct kith_pool tmp = {0};
	size_t *parent = kith_new(&tmp, n, sizeof(*parent));
	bool *seen = kith_new(&tmp, n, sizeof(*seen));

	for (size_t i = 0; i < n; i++)
		parent[i] = i;
	for (size_t l = 0; l < graph->m; l++)
		for (size_t e = graph->start[l]; e < graph->start[l + 1]; e++) {
			const size_t i = graph->first + l, j = graph->to[e];
			const size_t a = root(parent, i), b = root(parent, j);

			if (!(graph->w[e] > 0))
				continue;
			count.edges++;
			count.isolated -= !seen[i] + (size_t)!seen[j];
			seen[i] = seen[j] = true;
			count.components -= a != b;
			parent[a > b ? a : b] = a > b ? b : a;
		}
	kith_pool_free(&tmp);
	return count;
}
