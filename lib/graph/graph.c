/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. Read the edges, 16 bytes each; line numbers are kept as runs of consecutive lines.
 * 2. Sort them into the rows of a matrix V, by counting: a bucket for each column, then a
 *    transposition, which leaves each row with increasing columns.  An undirected edge is an entry
 *    of both rows: w in the row of "from", -w in that of "to".
 * 3. Undirected: W has one entry in place of two, w and -w, for edges listed in both directions.
 *    Locally linear embedding: B = I - V with each row divided by its sum, and M = B'B.
 * 4. Components, by breadth-first search.
 */
#include "graph/graph.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/sort.h"
#include "table/edges.h"
#include "table/roles.h"
#include "table/table.h"
#include "table/unit.h"
#include "text/rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Relative difference of the two weights of one edge: rounding in two orders of a sum. */
static const double ALIKE = 1e-9;
/* Locally linear embedding: difference of the sum of a row from 1. */
static const double SUM = 1e-9;

/* The edge of a line of the list. */
struct line {
	uint32_t from, to;
	double w;
};

struct lines {
	struct line *line;
	size_t n, room;
	bool directed;
	struct kith_places place; /* of the edges in the files */
	const struct kith_node_names *nodes;
	struct kith_pool pool;
};

static int
add_line(void *to, const struct kith_edge *edge, struct kith_err *err)
{
	struct lines *in = to;

	(void)err;
	kith_places_add(&in->place, in->n, edge->file, edge->line, &in->pool);
	in->line = kith_more(&in->pool, in->line, in->n, &in->room, sizeof(*in->line));
	in->line[in->n++] = (struct line){(uint32_t)edge->from, (uint32_t)edge->to, edge->w};
	return 0;
}

/* Fails at the last line of the edge from i to j or, with `both`, from j to i. */
static int
fail_edge(
    const struct lines *in, size_t i, size_t j, bool both, const char *what, struct kith_err *err)
{
	char from[KITH_NUM_ROOM], to[KITH_NUM_ROOM];
	struct kith_place at;
	size_t e = in->n;

	while (e-- > 0) {
		const struct line *l = &in->line[e];

		if ((l->from == i && l->to == j) || (both && l->from == j && l->to == i))
			break;
	}
	at = kith_places_find(&in->place, e);
	return kith_fail_at(err, EX_DATAERR, at.file, at.line,
	    "edge between " KITH_CELL " and " KITH_CELL ": %s", kith_node_name(in->nodes, i, from),
	    kith_node_name(in->nodes, j, to), what);
}

/* Turns counts of entries, start[i + 1] of row i, into starts; end[i] = start[i]. */
static size_t *
sum_counts(struct kith_sparse *A, struct kith_pool *pool)
{
	size_t *end = kith_new(pool, A->n + 1, sizeof(*end));

	for (size_t i = 0; i < A->n; i++)
		end[i + 1] = A->start[i + 1] += A->start[i];
	return end;
}

/* T = A'; each row of T has increasing columns, whatever the order in A. */
static void
transpose(const struct kith_sparse *A, struct kith_sparse *T, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	size_t *end;

	*T = kith_sparse_new(A->n, A->start[A->n], pool);
	memcpy(T->diagonal, A->diagonal, A->n * sizeof(*A->diagonal));
	for (size_t e = 0; e < A->start[A->n]; e++)
		T->start[A->column[e] + 1]++;
	end = sum_counts(T, &tmp);
	for (size_t i = 0; i < A->n; i++)
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
			const size_t at = end[A->column[e]]++;

			T->column[at] = (uint32_t)i;
			T->x[at] = A->x[e];
		}
	kith_pool_free(&tmp);
}

/* Steps 1 and 2. */
static int
read_entries(const char *const *files, struct lines *in, struct kith_sparse *V,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_edges_how how = {
	    .from = in->nodes, .to = in->nodes, .weights = true, .any_sign = in->directed};
	struct kith_pool tmp = {0};
	struct kith_sparse T;
	size_t *end;

	if (in->nodes->n >= UINT32_MAX) {
		kith_fail(err, EX_DATAERR, "%zu nodes are too many", in->nodes->n);
		return -1;
	}
	if (kith_edges_each(files, &how, add_line, in, err))
		return -1;
	T = kith_sparse_new(in->nodes->n, in->directed ? in->n : 2 * in->n, &tmp);
	for (size_t e = 0; e < in->n; e++) {
		T.start[in->line[e].to + 1]++;
		T.start[in->line[e].from + 1] += !in->directed;
	}
	end = sum_counts(&T, &tmp);
	for (size_t e = 0; e < in->n; e++) {
		const struct line *l = &in->line[e];

		T.column[end[l->to]] = l->from;
		T.x[end[l->to]++] = l->w;
		if (in->directed)
			continue;
		T.column[end[l->from]] = l->to;
		T.x[end[l->from]++] = -l->w;
	}
	transpose(&T, V, pool);
	kith_pool_free(&tmp);
	for (size_t i = 0; i < V->n; i++) {
		size_t last = SIZE_MAX; /* the last end of an edge from i */

		for (size_t e = V->start[i]; e < V->start[i + 1]; e++) {
			if (!in->directed && signbit(V->x[e]))
				continue;
			if (V->column[e] == last)
				return fail_edge(in, i, last, false, "listed twice", err);
			last = V->column[e];
		}
	}
	return 0;
}

/* Step 3: an edge of two directions gets the mean of its weights. */
static int
merge_directions(
    const struct lines *in, struct kith_sparse *W, struct kith_pool *pool, struct kith_err *err)
{
	size_t n = 0, begin = 0, once_i = SIZE_MAX, once_j = 0;
	bool twice = false;

	for (size_t i = 0; i < W->n; i++) {
		const size_t end = W->start[i + 1];

		for (size_t e = begin; e < end; e++) {
			const uint32_t j = W->column[e];
			const double w = fabs(W->x[e]);
			const bool both = e + 1 < end && W->column[e + 1] == j;
			const double other = both ? fabs(W->x[++e]) : w;

			if (fabs(w - other) > ALIKE * fmax(w, other))
				return fail_edge(
				    in, i, j, true, "two weights (nnkgraph --symmetrize?)", err);
			if (!both && once_i == SIZE_MAX) {
				once_i = i;
				once_j = j;
			}
			twice = twice || both;
			W->column[n] = j;
			W->x[n] = w + (other - w) / 2;
			n += W->x[n] > 0;
		}
		begin = end;
		W->start[i + 1] = n;
	}
	if (once_i != SIZE_MAX && twice)
		return fail_edge(in, once_i, once_j, true,
		    "listed in one direction, others in both (nnkgraph --symmetrize?)", err);
	W->column = kith_grow(pool, W->column, n + 1, sizeof(*W->column));
	W->x = kith_grow(pool, W->x, n + 1, sizeof(*W->x));
	return 0;
}

/* Divides all weights by a power of 2 where a degree or the sum of all weights might overflow. */
static int
scale_weights(struct kith_undirected *g, struct kith_err *err)
{
	const size_t entries = g->W.start[g->W.n];
	int top, rows;

	g->least = INFINITY;
	for (size_t e = 0; e < entries; e++) {
		g->most = fmax(g->most, g->W.x[e]);
		g->least = fmin(g->least, g->W.x[e]);
	}
	frexp(g->most, &top);
	frexp((double)entries, &rows);
	g->exponent = top + rows > DBL_MAX_EXP ? top + rows - DBL_MAX_EXP : 0;
	if (g->exponent > 0 && ldexp(g->least, -g->exponent) < DBL_MIN)
		return kith_fail(
		    err, EX_DATAERR, "weights from %g to %g are too far apart", g->least, g->most);
	g->least = ldexp(g->least, -g->exponent);
	g->most = ldexp(g->most, -g->exponent);
	for (size_t e = 0; e < entries && g->exponent > 0; e++)
		g->W.x[e] = ldexp(g->W.x[e], -g->exponent);
	return 0;
}

/* Step 4, for entries of any sign. */
static void
find_components(struct kith_undirected *g, struct kith_pool *pool)
{
	const struct kith_sparse *W = &g->W;
	size_t end = 0;

	g->order = kith_new(pool, W->n, sizeof(*g->order));
	KITH_NEW_SIZES(pool, W->n, 1, &g->component, &g->node, &g->place);
	for (size_t i = 0; i < W->n; i++)
		g->component[i] = SIZE_MAX;
	for (size_t i = 0; i < W->n; i++) {
		size_t next = end;

		if (g->component[i] != SIZE_MAX)
			continue;
		g->order[end++] = (uint32_t)i;
		g->component[i] = g->components;
		for (; next < end; next++) {
			const size_t at = g->order[next];

			for (size_t e = W->start[at]; e < W->start[at + 1]; e++) {
				if (g->component[W->column[e]] != SIZE_MAX)
					continue;
				g->component[W->column[e]] = g->components;
				g->order[end++] = W->column[e];
			}
		}
		g->components++;
	}
	g->start = kith_new(pool, g->components + 1, sizeof(*g->start));
	kith_sort_by_class(g->component, W->n, g->components, g->node, g->start);
	for (size_t l = 0; l < W->n; l++) {
		const size_t c = g->component[g->node[l]], top = g->largest;

		g->place[g->node[l]] = l - g->start[c];
		if (g->start[c + 1] - g->start[c] > g->start[top + 1] - g->start[top])
			g->largest = c;
	}
}

int
kith_undirected_read(const char *const *files, const struct kith_node_names *nodes,
    struct kith_undirected *g, struct kith_pool *pool, struct kith_err *err)
{
	struct lines in = {.nodes = nodes};
	int got;

	*g = (struct kith_undirected){0};
	got = read_entries(files, &in, &g->W, pool, err) || merge_directions(&in, &g->W, pool, err)
	    ? -1
	    : 0;
	kith_pool_free(&in.pool);
	if (got || scale_weights(g, err))
		return -1;
	g->edges = g->W.start[g->W.n] / 2;
	g->d = kith_new(pool, g->W.n, sizeof(*g->d));
	for (size_t i = 0; i < g->W.n; i++)
		for (size_t e = g->W.start[i]; e < g->W.start[i + 1]; e++)
			g->d[i] += g->W.x[e];
	find_components(g, pool);
	return 0;
}

/* Step 3: B = I - V, rows divided by their sums; nodes without any edge have an empty row. */
static int
subtract_from_identity(const struct kith_sparse *V, const char *const *files,
    const struct kith_node_names *nodes, struct kith_sparse *B, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	bool *is_end = kith_new(&tmp, V->n + 1, sizeof(*is_end));
	char name[KITH_NUM_ROOM], text[KITH_NUM_ROOM];
	size_t n = 0;
	int got = 0;

	for (size_t i = 0; i < V->n; i++)
		for (size_t e = V->start[i]; e < V->start[i + 1]; e++)
			is_end[i] = is_end[V->column[e]] = true;
	*B = kith_sparse_new(V->n, V->start[V->n] + V->n, pool);
	for (size_t i = 0; i < V->n && got == 0; i++) {
		double sum = 0;

		for (size_t e = V->start[i]; e < V->start[i + 1]; e++)
			sum += V->x[e];
		if (is_end[i]) {
			B->column[n] = (uint32_t)i;
			B->x[n++] = 1;
		}
		if (is_end[i] && !(fabs(sum - 1) <= SUM)) {
			kith_format_real(text, isnan(sum) ? INFINITY : sum);
			got = kith_fail_at(err, EX_DATAERR, files[0] && !files[1] ? files[0] : NULL,
			    0,
			    "weights from " KITH_CELL " sum to %s, not 1 (nnkgraph --method "
			    "lle-signed?)",
			    kith_node_name(nodes, i, name), text);
		}
		for (size_t e = V->start[i]; e < V->start[i + 1]; e++) {
			B->column[n] = V->column[e];
			B->x[n++] = -V->x[e] / sum;
		}
		B->start[i + 1] = n;
	}
	kith_pool_free(&tmp);
	return got;
}

/* M = B'B: row i is the sum over r of b_ri times row r of B. */
static int
square(const struct kith_sparse *B, struct kith_sparse *M, struct kith_pool *pool,
    struct kith_err *err)
{
	const size_t n = B->n;
	struct kith_pool tmp = {0};
	struct kith_sparse T, U;
	size_t *entry = kith_new(
	    &tmp, n, sizeof(*entry)); /* row i has U.column[entry[j] - 1] = j */
	size_t room = 0, room_x = 0;
	bool finite = true;

	transpose(B, &T, &tmp);
	U = kith_sparse_new(n, 0, &tmp);
	for (size_t i = 0, end = 0; i < n; i++) {
		for (size_t t = T.start[i]; t < T.start[i + 1]; t++)
			for (size_t e = B->start[T.column[t]]; e < B->start[T.column[t] + 1]; e++) {
				const uint32_t j = B->column[e];

				if (j != i && entry[j] <= U.start[i]) {
					U.column = kith_more(
					    &tmp, U.column, end, &room, sizeof(*U.column));
					U.x = kith_more(&tmp, U.x, end, &room_x, sizeof(*U.x));
					U.column[end] = j;
					U.x[end] = 0;
					entry[j] = ++end;
				}
				*(j == i ? &U.diagonal[i] : &U.x[entry[j] - 1]) += T.x[t] * B->x[e];
			}
		finite = finite && isfinite(U.diagonal[i]);
		U.start[i + 1] = end;
	}
	transpose(&U, M, pool); /* M is symmetric */
	kith_pool_free(&tmp);
	return finite ? 0 : kith_fail(err, EX_DATAERR, "weights too large for their squares");
}

int
kith_affine_read(const char *const *files, const struct kith_node_names *nodes,
    struct kith_undirected *g, struct kith_pool *pool, struct kith_err *err)
{
	struct lines in = {.directed = true, .nodes = nodes};
	struct kith_pool tmp = {0};
	struct kith_sparse V;
	int got;

	*g = (struct kith_undirected){0};
	got = read_entries(files, &in, &V, &tmp, err);
	g->edges = in.n;
	kith_pool_free(&in.pool);
	if (got == 0)
		got = subtract_from_identity(&V, files, nodes, &g->B, pool, err);
	kith_pool_free(&tmp);
	if (got || square(&g->B, &g->W, pool, err))
		return -1;
	find_components(g, pool);
	return 0;
}

int
kith_nodes_read(const char *file, const struct kith_how *how, bool target, struct kith_table *nodes,
    struct kith_pool *pool, struct kith_err *err)
{
	const char **files = kith_new(pool, 2, sizeof(*files));
	struct kith_how only = *how;
	int got;

	files[0] = file;
	only.featureless = only.query = true;
	only.no_target = !target;
	got = kith_table_read(files, &only, NULL, nodes, pool, err);
	if (target && nodes->target && nodes->target == nodes->id_name)
		return kith_fail(err, KITH_EX_USAGE, "column " KITH_NAME ": target and id of rows",
		    nodes->target);
	return got;
}

int
kith_node_rows_read(const char *file, const struct kith_node_names *nodes,
    int (*find_columns)(void *to, const struct kith_rows *rows, struct kith_err *err),
    int (*take)(void *to, const struct kith_rows *rows, size_t node, struct kith_err *err),
    void *to, bool *seen, struct kith_err *err)
{
	const char *const files[] = {file, NULL};
	const struct kith_format format = {.allow_no_rows = true, .header = true};
	struct kith_pool tmp = {0};
	struct kith_rows rows;
	size_t id = 0, node;
	int got = kith_rows_open(&rows, files, &format, &tmp, err);

	if (got == 0) {
		got = kith_roles_find(&rows, "id", "", &id, err) || find_columns(to, &rows, err)
		    ? -1
		    : 0;
		while (got == 0 && (got = kith_rows_next(&rows, err)) > 0) {
			got = kith_node_names_find(nodes, &rows, id, &node, err);
			if (got == 0 && seen[node])
				got = kith_rows_fail(&rows, id, err, "listed twice: " KITH_CELL,
				    kith_rec_cell(&rows.rec, id)->s);
			if (got == 0) {
				seen[node] = true;
				got = take(to, &rows, node, err);
			}
		}
		kith_rows_close(&rows);
	}
	kith_pool_free(&tmp);
	return got;
}
