/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/symm.h"

#include "base/pool.h"
#include "base/sets.h"
#include "table/graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	LONG = 64,  /* sides that are worth more than qsort() */
	DIGIT = 256 /* the base in which their rows are sorted */
};

/* One side of a pair: what one row says of another. */
struct side {
	size_t to;
	double w, d;
};

static struct side
side_of(const struct kith_graph *graph, size_t e)
{
	return (struct side){graph->to[e], graph->w ? graph->w[e] : 0, graph->d ? graph->d[e] : 0};
}

static int
by_row(const void *a, const void *b)
{
	const struct side *s = a, *t = b;

	return (s->to > t->to) - (s->to < t->to);
}

/*
 * Sort a long list by its rows, at most `most`, digit by digit from the lowest,
 * by turns into `other` and back; returns where it is.
 */
static struct side *
sort_long(struct side *list, struct side *other, size_t k, size_t most)
{
	for (size_t scale = 1; most / scale > 0; scale *= DIGIT) {
		size_t at[DIGIT + 1] = {0};
		struct side *sorted = other;

		for (size_t j = 0; j < k; j++)
			at[list[j].to / scale % DIGIT + 1]++;
		for (size_t b = 1; b < DIGIT; b++)
			at[b] += at[b - 1];
		for (size_t j = 0; j < k; j++)
			sorted[at[list[j].to / scale % DIGIT]++] = list[j];
		other = list;
		list = sorted;
	}
	return list;
}

/* Sort k sides by their rows, in room for twice as many; where they are. */
static struct side *
sort_sides(struct side *list, size_t k)
{
	size_t most = 0;

	if (k < LONG) {
		qsort(list, k, sizeof(*list), by_row);
		return list;
	}
	for (size_t j = 0; j < k; j++)
		most = list[j].to > most ? list[j].to : most;
	return sort_long(list, list + k, k, most);
}

void
kith_symm_sort(struct kith_graph *graph)
{
	struct kith_pool tmp = {0};
	struct side *room = NULL, *list;

	for (size_t i = 0; i < graph->m; i++) {
		const size_t start = graph->start[i];
		const size_t k = graph->start[i + 1] - start;

		room = kith_grow(&tmp, room, 2 * k + 1, sizeof(*room));
		for (size_t j = 0; j < k; j++)
			room[j] = side_of(graph, start + j);
		list = sort_sides(room, k);
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
			most = fmax(most, fabs(graph->w[e]));
		for (size_t e = start; e < end; e++)
			if (!(fabs(graph->w[e]) > least * most))
				graph->w[e] = 0;
	}
}

void
kith_symm_forget(struct kith_graph *graph, bool mute)
{
	for (size_t i = 0; graph->J && i < graph->m; i++) {
		size_t e = graph->start[i];
		const size_t end = graph->start[i + 1];

		while (mute && e < end && !(graph->w[e] > 0))
			e++;
		if (e == end)
			graph->J[i] = NAN;
	}
}

/*
 * Pairs are met in order of their larger row: for each, the smaller rows that
 * have it, with the entries that say so, list j being start[j]..start[j+1]-1.
 */
struct had {
	size_t *start;
	struct by {
		size_t row, entry;
	} * by;
};

/*
 * Fill in what is had, in order, and count in room the pairs of each smaller
 * row: those that both sides have twice.
 */
static struct had
had_new(const struct kith_graph *graph, size_t *room, struct kith_pool *pool)
{
	const size_t n = graph->m;
	struct had had = {kith_new(pool, n + 2, sizeof(size_t)), NULL};
	size_t *at = had.start + 1; /* where the next of a row goes */

	for (size_t i = 0; i < n; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			const size_t j = graph->to[e];

			room[j < i ? j : i]++;
			at[j + 1] += j > i;
		}
	for (size_t i = 0; i < n; i++)
		at[i + 1] += at[i];
	had.by = kith_new(pool, at[n], sizeof(*had.by));
	for (size_t i = 0; i < n; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++)
			if (graph->to[e] > i)
				had.by[at[graph->to[e]]++] = (struct by){i, e};
	return had;
}

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

/* The weight of a pair i < j of which each side, or NULL, has the other. */
static double
decide(
    enum kith_symm mode, const double *J, size_t i, size_t j, const double *up, const double *down)
{
	const double a = up ? *up : 0, b = down ? *down : 0;

	switch (mode) {
	case KITH_SYMM_NODE:
		return J[i] <= J[j] || isnan(J[j]) ? a : b;
	case KITH_SYMM_MAX:
		return larger(a, b);
	case KITH_SYMM_MIN:
		return a < b ? a : b;
	case KITH_SYMM_MEAN:
		return a / 2 + b / 2;
	case KITH_SYMM_NONE:
		assert(false);
		break;
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

/* What is put together. */
struct join {
	const struct kith_graph *from;
	enum kith_symm mode;
	struct kith_graph *out;
	size_t *end;   /* of the lists so far */
	size_t *entry; /* of each row in the list at hand, from 1; or 0 */
};

/* Join i to j > i, up and down being their entries, from 1, or 0. */
static void
put(struct join *join, size_t i, size_t j, size_t up, size_t down)
{
	const struct kith_graph *from = join->from, *out = join->out;
	const double a = decide(join->mode, from->J, i, j, up ? &from->w[up - 1] : NULL,
	    down ? &from->w[down - 1] : NULL);
	size_t e;

	if (!(a > 0))
		return;
	e = join->end[i]++;
	out->to[e] = j;
	out->w[e] = a;
	if (out->d && from->d)
		out->d[e] = from->d[(up ? up : down) - 1];
}

/* Join row j to the smaller rows: so each list is in order. */
static void
put_pairs(struct join *join, const struct had *had, size_t j)
{
	const struct kith_graph *from = join->from;
	size_t *entry = join->entry;

	for (size_t e = from->start[j]; e < from->start[j + 1]; e++)
		if (from->to[e] < j)
			entry[from->to[e]] = e + 1;
	for (size_t l = had->start[j]; l < had->start[j + 1]; l++) {
		const size_t i = had->by[l].row;

		put(join, i, j, had->by[l].entry + 1, entry[i]);
		entry[i] = 0;
	}
	for (size_t e = from->start[j]; e < from->start[j + 1]; e++) {
		const size_t i = from->to[e];

		if (i < j && entry[i]) {
			put(join, i, j, 0, e + 1);
			entry[i] = 0;
		}
	}
}

/* Move the lists, which start further behind, to follow each other. */
static void
close_up(struct kith_graph *graph, const size_t *end)
{
	size_t to = 0;

	for (size_t i = 0; i < graph->m; i++) {
		size_t e = graph->start[i];

		graph->start[i] = to;
		for (; e < end[i]; e++, to++) {
			graph->to[to] = graph->to[e];
			graph->w[to] = graph->w[e];
			if (graph->d)
				graph->d[to] = graph->d[e];
		}
	}
	graph->start[graph->m] = to;
}

void
kith_symm(const struct kith_graph *directed, enum kith_symm mode, struct kith_graph *out,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = directed->m;
	size_t *start = kith_new(pool, n + 1, sizeof(*start));
	const struct had had = had_new(directed, start + 1, &tmp);
	struct join join = {.from = directed, .mode = mode};

	assert(directed->first == 0 && directed->w);
	assert(directed->J || mode >= KITH_SYMM_MAX);
	for (size_t i = 0; i < n; i++)
		start[i + 1] += start[i];
	*out = (struct kith_graph){.m = n, .start = start};
	out->to = kith_new(pool, start[n], sizeof(*out->to));
	out->w = kith_new(pool, start[n], sizeof(*out->w));
	if (directed->d)
		out->d = kith_new(pool, start[n], sizeof(*out->d));
	join.out = out;
	join.end = kith_new(&tmp, n, sizeof(*join.end));
	join.entry = kith_new(&tmp, n, sizeof(*join.entry));
	for (size_t i = 0; i < n; i++)
		join.end[i] = start[i];
	for (size_t j = 0; j < n; j++)
		put_pairs(&join, &had, j);
	close_up(out, join.end);
	kith_pool_free(&tmp);
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

size_t
kith_symm_parts(const struct kith_graph *graph, size_t n, size_t *part)
{
	size_t parts = 0;

	for (size_t i = 0; i < n; i++)
		part[i] = i;
	for (size_t l = 0; l < graph->m; l++)
		for (size_t e = graph->start[l]; e < graph->start[l + 1]; e++)
			if (graph->w[e] != 0)
				kith_sets_join(part, graph->first + l, graph->to[e]);
	/* The first of a set comes before the others, and gets a number then. */
	for (size_t i = 0; i < n; i++)
		part[i] = kith_sets_first(part, i);
	for (size_t i = 0; i < n; i++)
		part[i] = part[i] == i ? parts++ : part[part[i]];
	return parts;
}
