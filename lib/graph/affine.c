/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/affine.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/edges.h"
#include "table/graph.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* How far the sum of a row may be from 1. */
static const double SUM = 1e-9;

/* Whether each node is the end of some edge. */
static bool *
met(const struct kith_graph *lists, struct kith_pool *tmp)
{
	bool *node = kith_new(tmp, lists->m + 1, sizeof(*node));

	for (size_t i = 0; i < lists->m; i++)
		for (size_t e = lists->start[i]; e < lists->start[i + 1]; e++)
			node[i] = node[lists->to[e]] = true;
	return node;
}

/* Judge the sum of a row. */
static int
check(const char *const *files, const struct kith_ends *nodes, size_t i, double sum,
    struct kith_err *err)
{
	char name[KITH_NUM_ROOM], text[KITH_NUM_ROOM];
	const bool one = files[0] && !files[1];

	if (fabs(sum - 1) <= SUM)
		return 0;
	kith_format_real(text, isnan(sum) ? INFINITY : sum);
	return kith_fail_at(err, EX_DATAERR, one ? files[0] : NULL, 0,
	    "weights from " KITH_CELL " sum to %s, not 1 (nnkgraph --method lle-signed?)",
	    kith_ends_name(nodes, i, name), text);
}

/* I - W, each row divided by its sum. */
static int
subtract(const struct kith_graph *lists, const char *const *files, const struct kith_ends *nodes,
    struct kith_affine *a, struct kith_pool *pool, struct kith_err *err)
{
	const size_t n = lists->m;
	struct kith_pool tmp = {0};
	const bool *has = met(lists, &tmp);
	size_t at = 0;
	int got = 0;

	a->start = kith_new(pool, n + 1, sizeof(*a->start));
	a->column = kith_new(pool, lists->start[n] + n, sizeof(*a->column));
	a->x = kith_new(pool, lists->start[n] + n, sizeof(*a->x));
	for (size_t i = 0; i < n && got == 0; i++) {
		double sum = 0;

		for (size_t e = lists->start[i]; e < lists->start[i + 1]; e++)
			sum += lists->w[e];
		if (has[i]) {
			got = check(files, nodes, i, sum, err);
			a->column[at] = (uint32_t)i;
			a->x[at++] = 1;
		}
		for (size_t e = lists->start[i]; e < lists->start[i + 1]; e++) {
			a->column[at] = (uint32_t)lists->to[e];
			a->x[at++] = -lists->w[e] / sum;
		}
		a->start[i + 1] = at;
	}
	kith_pool_free(&tmp);
	return got;
}

/* Where the rows of I - W have each column, and what. */
struct turned {
	size_t *start;
	uint32_t *row;
	double *x;
};

static struct turned
turn(const struct kith_affine *a, size_t n, struct kith_pool *tmp)
{
	const size_t entries = a->start[n];
	struct turned t = {kith_new(tmp, n + 2, sizeof(*t.start)),
	    kith_new(tmp, entries, sizeof(*t.row)), kith_new(tmp, entries, sizeof(*t.x))};

	/* start[j + 1] is where column j goes on, and in the end where it ends. */
	for (size_t e = 0; e < entries; e++)
		t.start[a->column[e] + 2]++;
	for (size_t j = 0; j < n; j++)
		t.start[j + 2] += t.start[j + 1];
	for (size_t i = 0; i < n; i++)
		for (size_t e = a->start[i]; e < a->start[i + 1]; e++) {
			const size_t at = t.start[a->column[e] + 1]++;

			t.row[at] = (uint32_t)i;
			t.x[at] = a->x[e];
		}
	return t;
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

/* A row of M, as it is made: where[j] is 1 + the place of column j, or 0. */
struct row {
	struct entry *entry;
	size_t n, room;
	size_t *where;
	struct kith_pool pool;
};

static void
add(struct row *row, uint32_t j, double x)
{
	if (row->where[j] > 0) {
		row->entry[row->where[j] - 1].x += x;
		return;
	}
	row->entry = kith_more(&row->pool, row->entry, row->n, &row->room, sizeof(*row->entry));
	row->entry[row->n++] = (struct entry){j, x};
	row->where[j] = row->n;
}

/* Put row i behind the others, its diagonal apart. */
static void
put(struct kith_sparse *M, size_t i, struct row *row, size_t *room, struct kith_pool *pool)
{
	size_t at = M->start[i];

	qsort(row->entry, row->n, sizeof(*row->entry), by_column);
	if (at + row->n > *room) {
		*room = 2 * (at + row->n);
		M->column = kith_grow(pool, M->column, *room, sizeof(*M->column));
		M->x = kith_grow(pool, M->x, *room, sizeof(*M->x));
	}
	for (size_t e = 0; e < row->n; e++) {
		row->where[row->entry[e].column] = 0;
		if (row->entry[e].column == i) {
			M->diagonal[i] = row->entry[e].x;
			continue;
		}
		M->column[at] = row->entry[e].column;
		M->x[at++] = row->entry[e].x;
	}
	M->start[i + 1] = at;
}

/* M = B'B, B = I - W: row i is the sum of b_ri times row r of B. */
static void
square(struct kith_affine *a, size_t n, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const struct turned t = turn(a, n, &tmp);
	struct kith_sparse *M = &a->graph.W;
	struct row row = {.room = 0};
	size_t room = n + 1;

	row.where = kith_new(&row.pool, n, sizeof(*row.where));
	M->n = n;
	M->start = kith_new(pool, n + 1, sizeof(*M->start));
	M->diagonal = kith_new(pool, n, sizeof(*M->diagonal));
	M->column = kith_grow(pool, NULL, room, sizeof(*M->column));
	M->x = kith_grow(pool, NULL, room, sizeof(*M->x));
	for (size_t i = 0; i < n; i++) {
		row.n = 0;
		for (size_t c = t.start[i]; c < t.start[i + 1]; c++) {
			const size_t r = t.row[c];

			for (size_t e = a->start[r]; e < a->start[r + 1]; e++)
				add(&row, a->column[e], t.x[c] * a->x[e]);
		}
		put(M, i, &row, &room, pool);
	}
	kith_pool_free(&row.pool);
	kith_pool_free(&tmp);
}

int
kith_affine_read(const char *const *files, const struct kith_ends *nodes,
    struct kith_affine *affine, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_edges_how how = {
	    .from = nodes, .to = nodes, .weights = true, .any_sign = true};
	struct kith_pool tmp = {0};
	struct kith_graph lists;
	int got;

	*affine = (struct kith_affine){.graph = {.edges = 0}};
	got = kith_edges_read(files, &how, &lists, &tmp, err);
	if (got == 0)
		got = subtract(&lists, files, nodes, affine, pool, err);
	if (got == 0) {
		const struct kith_sparse *M = &affine->graph.W;

		affine->graph.edges = lists.start[nodes->n];
		square(affine, nodes->n, pool);
		kith_undirected_connect(&affine->graph, pool);
		for (size_t i = 0; i < M->n && got == 0; i++)
			if (!isfinite(M->diagonal[i]))
				got = kith_fail(
				    err, EX_DATAERR, "weights too large for their squares");
	}
	kith_pool_free(&tmp);
	return got;
}
