/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/edges.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/sort.h"
#include "table/table.h"
#include "table/unit.h"
#include "text/out.h"
#include "text/rows.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names of rows ---- */

int
kith_node_names_of(const struct kith_table *table, struct kith_node_names *names,
    struct kith_pool *pool, struct kith_err *err)
{
	const size_t n = table->X.n;
	char **name;
	size_t twin;

	*names = (struct kith_node_names){n, table->number, NULL, {0}};
	if (!table->id_name)
		return 0;
	names->column = table->id_name;
	name = kith_new(pool, n, sizeof(*name));
	for (size_t i = 0; i < n; i++)
		name[i] = kith_strndup(pool, table->id.cell[i].s, table->id.cell[i].len);
	twin = kith_names_index(&names->id, name, n, pool);
	if (twin == n)
		return 0;
	return kith_fail_at(err, EX_DATAERR, table->file, 0,
	    "column " KITH_NAME ": listed twice: " KITH_CELL, table->id_name, name[twin]);
}

/* The row of this number, or names->n: by halving, where numbers have gaps. */
static size_t
find_row(const struct kith_node_names *names, size_t number)
{
	size_t lo = 0, hi = names->n;

	if (!names->number)
		return number - 1 < names->n ? number - 1 : names->n;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (names->number[mid] < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < names->n && names->number[lo] == number ? lo : names->n;
}

int
kith_node_names_find(const struct kith_node_names *names, const struct kith_rows *rows,
    size_t column, size_t *row, struct kith_err *err)
{
	const struct kith_cell *c = kith_rec_cell(&rows->rec, column);
	const bool ids = names->column && !rows->rec.entries; /* Matrix Market has numbers */
	size_t number;

	*row = names->n;
	if (kith_cell_missing(c))
		return kith_fail_missing(rows, column, "", err);
	if (ids)
		*row = kith_names_find(&names->id, c->s);
	else if (!kith_parse_size(c->s, &number))
		*row = find_row(names, number);
	if (*row < names->n)
		return 0;
	return kith_rows_fail(rows, column, err,
	    ids ? "no row has this id: " KITH_CELL : "not the number of a row: " KITH_CELL, c->s);
}

const char *
kith_node_name(const struct kith_node_names *names, size_t i, char text[KITH_NUM_ROOM])
{
	if (names->column)
		return names->id.name[i];
	kith_format_size(text, names->number ? names->number[i] : i + 1);
	return text;
}

/* ---- Reading ---- */

enum { FROM, TO, WEIGHT, DISTANCE, ERROR, COLUMNS };

/* A shard that was read. */
struct part {
	const char *file;
	struct kith_edges_shard shard;
	size_t begin, end; /* its first row with an edge, and the row behind its last; 0: no edge */
};

struct reader {
	struct kith_rows rows;
	struct kith_edges_how how;
	size_t column[COLUMNS]; /* of the table; NONE where there is none */
	/* Of the shard that is read, where distances and errors are due; NULL: no shard. */
	struct part *part;
	const struct part *first;      /* the shard that was read before all others */
	struct kith_node_names end[2]; /* a shard: its rows, and the rows of the other table */
	struct kith_graph *graph;      /* to be made; NULL: edges are given away */
	struct kith_pool *into;        /* memory of the graph */
	struct kith_edge *edge;        /* of the graph, as they come */
	size_t n, room;
	struct kith_pool *pool;
};

static const size_t NONE = SIZE_MAX;

static int
parse_edge(const struct reader *in, struct kith_edge *e, struct kith_err *err)
{
	const struct kith_edges_how *how = &in->how;
	const struct kith_rows *rows = &in->rows;
	const size_t *column = in->column;
	int (*const weight)(const struct kith_rows *, size_t, double *,
	    struct kith_err *) = how->any_sign ? kith_value_required : kith_value_unsigned;

	*e = (struct kith_edge){.file = rows->rec.file, .line = rows->rec.line};
	if (kith_node_names_find(how->from, rows, column[FROM], &e->from, err) ||
	    kith_node_names_find(how->to, rows, column[TO], &e->to, err))
		return -1;
	if (how->from == how->to && e->from == e->to)
		return kith_rows_fail(rows, column[TO], err, "the row itself: " KITH_CELL,
		    kith_rec_cell(&rows->rec, column[TO])->s);
	return (column[WEIGHT] != NONE && weight(rows, column[WEIGHT], &e->w, err)) ||
		(column[DISTANCE] != NONE &&
		    kith_value_unsigned(rows, column[DISTANCE], &e->d, err)) ||
		(column[ERROR] != NONE && kith_value_required(rows, column[ERROR], &e->J, err))
	    ? -1
	    : 0;
}

/* Appends an edge to the list of a reader, and keeps the error of its row. */
static int
add_edge(void *to, const struct kith_edge *e, struct kith_err *err)
{
	struct reader *in = to;
	double *J = in->graph->J ? &in->graph->J[e->from] : NULL;

	if (J && !isnan(*J) && *J != e->J)
		return kith_rows_fail(&in->rows, in->column[ERROR], err,
		    "differs from that of another edge of this row: " KITH_CELL,
		    kith_rec_cell(&in->rows.rec, in->column[ERROR])->s);
	if (J)
		*J = e->J;
	in->edge = kith_more(in->pool, in->edge, in->n, &in->room, sizeof(*in->edge));
	in->edge[in->n++] = *e;
	return 0;
}

/* Returns what a table without edges has, or NULL where its columns do not say so. */
static const char *
other_kind(const struct kith_names *name)
{
	static const char *const kind[][2] = {{"feature", "weights of features"},
	    {"feature1", "weights of pairs of features"}, {"predicted", "predictions"},
	    {"(id)", "a model"}, {"step", "a path"}, {"errors", "errors"}, {"metric", "measures"},
	    {"check", "what --check says"}};

	for (size_t i = 0; i < sizeof(kind) / sizeof(*kind); i++)
		if (kith_names_find(name, kind[i][0]) < name->n)
			return kind[i][1];
	return NULL;
}

static int
find_columns(struct reader *in, struct kith_err *err)
{
	static const char *const name[] = {"from", "to", "weight", "distance", "error"};
	const struct kith_names *columns = &in->rows.name;
	const char *kind;

	for (size_t i = 0; i < COLUMNS; i++) {
		const size_t at = kith_names_find(columns, name[i]);
		const bool read = i < WEIGHT || in->how.weights;

		in->column[i] = read && at < columns->n ? at : NONE;
		if (!read || at < columns->n || (i > WEIGHT && !in->part))
			continue;
		kind = other_kind(columns);
		return kith_fail_at(err, EX_DATAERR, in->rows.rec.file, in->rows.head,
		    "%scolumn \"%s\": not found%s%s",
		    i <= WEIGHT ? "no edges (from, to, weight): " : "", name[i],
		    kind ? "; the table has " : "", kind ? kind : "");
	}
	return 0;
}

/*
 * Lays the edges out as lists: sorted by `to`, then by `from`, each time in the order from before,
 * so that one that is listed twice stands behind its twin, which is an error.
 */
static int
build(struct reader *in, struct kith_err *err)
{
	const size_t n = in->n, m = in->how.from->n, others = in->how.to->n;
	struct kith_graph *graph = in->graph;
	struct kith_pool *pool = in->into;
	const struct kith_edge *last = NULL, *twin = NULL;
	size_t *to, *from, *by_to, *by_from;
	char name[2][KITH_NUM_ROOM];

	KITH_NEW_SIZES(in->pool, n, 1, &to, &from, &by_to, &by_from);
	graph->m = m;
	graph->start = kith_new(pool, (m > others ? m : others) + 1, sizeof(*graph->start));
	graph->to = kith_new(pool, n, sizeof(*graph->to));
	if (in->column[WEIGHT] != NONE)
		graph->w = kith_new(pool, n, sizeof(*graph->w));
	if (in->column[DISTANCE] != NONE)
		graph->d = kith_new(pool, n, sizeof(*graph->d));
	for (size_t e = 0; e < n; e++)
		to[e] = in->edge[e].to;
	kith_sort_by_class(to, n, others, by_to, graph->start);
	for (size_t e = 0; e < n; e++)
		from[e] = in->edge[by_to[e]].from;
	kith_sort_by_class(from, n, m, by_from, graph->start);
	for (size_t e = 0; e < n; e++) {
		const struct kith_edge *it = &in->edge[by_to[by_from[e]]];

		if (last && it->from == last->from && it->to == last->to && (!twin || it < twin))
			twin = it;
		last = it;
		graph->to[e] = it->to;
		if (graph->w)
			graph->w[e] = it->w;
		if (graph->d)
			graph->d[e] = it->d;
	}
	if (!twin)
		return 0;
	return kith_fail_at(err, EX_DATAERR, twin->file, twin->line,
	    "edge listed twice: from " KITH_CELL " to " KITH_CELL,
	    kith_node_name(in->how.from, twin->from, name[0]),
	    kith_node_name(in->how.to, twin->to, name[1]));
}

/* ---- Shards ---- */

/* Returns "I/N of ROWS rows: HOW" or "I/N of ROWS rows to OTHERS: HOW". */
static char *
format_shard(const struct kith_edges_shard *shard, const char *how, struct kith_pool *pool)
{
	return shard->others
	    ? kith_text(pool, "%zu/%zu of %zu rows to %zu: %s", shard->i, shard->n, shard->rows,
		  shard->others, how)
	    : kith_text(pool, "%zu/%zu of %zu rows: %s", shard->i, shard->n, shard->rows, how);
}

/* Reads the numbers of a shard, and compares the text with what this shard says. */
static int
parse_shard(const char *text, struct kith_edges_shard *shard, struct kith_pool *pool)
{
	const char *due;
	char *end;

	*shard = (struct kith_edges_shard){.i = strtoul(text, &end, 10)};
	if (*end == '/')
		shard->n = strtoul(end + 1, &end, 10);
	if (strncmp(end, " of ", 4) == 0)
		shard->rows = strtoul(end + 4, &end, 10);
	if (strncmp(end, " rows to ", 9) == 0)
		shard->others = strtoul(end + 9, &end, 10);
	due = format_shard(shard, "", pool);
	if (shard->i == 0 || shard->i > shard->n || shard->rows == 0 ||
	    strncmp(text, due, strlen(due)) != 0)
		return -1;
	shard->how = kith_text(pool, "%s", text + strlen(due));
	return 0;
}

/* Reads what the comment line of the opened file says, which has the rows of the shard. */
static int
read_shard(struct reader *in, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;
	const struct kith_edges_shard *first = &in->first->shard;
	struct kith_edges_shard *shard = &in->part->shard;
	size_t i = 0;

	in->part->file = rec->file;
	while (i < rec->notes && strcmp(rec->note[i].key, "shard") != 0)
		i++;
	if (i == rec->notes)
		return kith_fail_at(err, EX_DATAERR, rec->file, 0,
		    "no line \"# shard\" before the header (nnkgraph --shard?)");
	if (parse_shard(rec->note[i].value, shard, in->into))
		return kith_fail_at(err, EX_DATAERR, rec->file, rec->note[i].line,
		    "no shard I/N of a graph: " KITH_CELL, rec->note[i].value);
	if (shard->n != first->n || shard->rows != first->rows || shard->others != first->others ||
	    strcmp(shard->how, first->how) != 0)
		return kith_fail_at(err, EX_DATAERR, rec->file, 0,
		    "a shard of another graph than %.200s: other rows, shards or options",
		    in->first->file);
	in->end[0] = (struct kith_node_names){.n = shard->rows};
	in->end[1] = (struct kith_node_names){.n = shard->others};
	in->how.from = &in->end[0];
	in->how.to = &in->end[shard->others > 0];
	return 0;
}

/* Reads the files as one table, and gives each edge to `give`. */
static int
read_edges(struct reader *in, const char *const *files,
    int (*give)(void *to, const struct kith_edge *edge, struct kith_err *err), void *to,
    struct kith_err *err)
{
	const struct kith_format format = {.allow_no_rows = true, .form = KITH_FORM_ENTRIES};
	struct kith_edge e;
	int got;

	if (kith_rows_open(&in->rows, files, &format, in->pool, err))
		return -1;
	got = (in->part && read_shard(in, err)) || find_columns(in, err) ? -1 : 0;
	if (got == 0 && in->graph && !in->graph->J && in->column[ERROR] != NONE) {
		in->graph->J = kith_new(in->into, in->how.from->n, sizeof(*in->graph->J));
		for (size_t i = 0; i < in->how.from->n; i++)
			in->graph->J[i] = NAN;
	}
	while (got == 0 && (got = kith_rows_next(&in->rows, err)) > 0) {
		got = parse_edge(in, &e, err);
		if (got == 0)
			got = give(to, &e, err);
	}
	kith_rows_close(&in->rows);
	return got;
}

int
kith_edges_read(const char *const *files, const struct kith_edges_how *how,
    struct kith_graph *graph, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct reader in = {.how = *how, .graph = graph, .into = pool, .pool = &tmp};
	int got;

	*graph = (struct kith_graph){0};
	got = read_edges(&in, files, add_edge, &in, err) || build(&in, err) ? -1 : 0;
	kith_pool_free(&tmp);
	return got;
}

int
kith_edges_each(const char *const *files, const struct kith_edges_how *how,
    int (*give)(void *to, const struct kith_edge *edge, struct kith_err *err), void *to,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct reader in = {.how = *how, .pool = &tmp};
	const int got = read_edges(&in, files, give, to, err);

	kith_pool_free(&tmp);
	return got;
}

/* ---- Merging shards ---- */

static int
by_number(const void *a, const void *b)
{
	const size_t i = ((const struct part *)a)->shard.i, j = ((const struct part *)b)->shard.i;

	return (i > j) - (i < j);
}

/* Whether n parts, sorted, are the shards 1 .. n of their graph. */
static int
check_parts(const struct part *part, size_t n, struct kith_err *err)
{
	size_t rows = 0;

	for (size_t i = 0; i < n; i++) {
		const struct kith_edges_shard *shard = &part[i].shard;

		if (i > 0 && shard->i == part[i - 1].shard.i)
			return kith_fail_at(err, EX_DATAERR, part[i].file, 0,
			    "shard %zu/%zu: %.200s is this shard, too", shard->i, shard->n,
			    part[i - 1].file);
		if (part[i].end > 0 && part[i].begin < rows)
			return kith_fail_at(err, EX_DATAERR, part[i].file, 0,
			    "shard %zu/%zu has rows of a shard before it", shard->i, shard->n);
		if (part[i].end > 0)
			rows = part[i].end;
	}
	for (size_t i = 0; i < part->shard.n; i++)
		if (i == n || part[i].shard.i != i + 1)
			return kith_fail(
			    err, EX_DATAERR, "shard %zu/%zu is missing", i + 1, part->shard.n);
	return 0;
}

int
kith_edges_merge(const char *const *files, struct kith_edges_shard *shard, struct kith_graph *graph,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct reader in = {
	    .how = {.weights = true, .any_sign = true}, .graph = graph, .into = pool, .pool = &tmp};
	struct part *part;
	size_t n = 0, e = 0;
	int got = 0;

	*graph = (struct kith_graph){0};
	while (files[n])
		n++;
	in.first = part = kith_new(&tmp, n, sizeof(*part));
	assert(n > 0);
	for (size_t i = 0; i < n && got == 0; i++) {
		const char *const file[] = {files[i], NULL};

		in.part = &part[i];
		got = read_edges(&in, file, add_edge, &in, err);
		for (part[i].begin = SIZE_MAX; e < in.n; e++) {
			const size_t from = in.edge[e].from;

			part[i].begin = from < part[i].begin ? from : part[i].begin;
			part[i].end = from + 1 > part[i].end ? from + 1 : part[i].end;
		}
	}
	if (got == 0) {
		*shard = part[0].shard;
		shard->i = 0;
		qsort(part, n, sizeof(*part), by_number);
		got = check_parts(part, n, err) || build(&in, err) ? -1 : 0;
	}
	kith_pool_free(&tmp);
	return got;
}

/* ---- Writing ---- */

/* Writes the comment line of a shard. */
static void
put_shard(const struct kith_edges_shard *shard, struct kith_out *out)
{
	struct kith_pool tmp = {0};

	kith_out_note_text(out, "shard", format_shard(shard, shard->how, &tmp));
	kith_pool_free(&tmp);
}

int
kith_edges_write(const struct kith_graph *graph, const struct kith_edges_form *form,
    const struct kith_dest *to, struct kith_out *out, struct kith_err *err)
{
	const bool distance = graph->d, error = form->error && graph->J;
	const char *name[5] = {"from", "to", "weight"};
	char from[KITH_NUM_ROOM], other[KITH_NUM_ROOM];
	size_t n = 3;

	assert(graph->w && graph->first + graph->m <= form->from->n);
	if (kith_out_open_table(out, to, err))
		return -1;
	if (distance)
		name[n++] = "distance";
	if (error)
		name[n++] = "error";
	if (form->shard)
		put_shard(form->shard, out);
	kith_out_header(out, name, n);
	for (size_t i = 0; i < graph->m && !out->failed; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			if (graph->w[e] == 0 && !form->shard)
				continue;
			kith_out_put(out, "%s\t%s\t%g",
			    kith_node_name(form->from, graph->first + i, from),
			    kith_node_name(form->to, graph->to[e], other), graph->w[e]);
			if (distance)
				kith_out_put(out, "\t%g", graph->d[e]);
			if (error)
				kith_out_put(out, "\t%G", graph->J[i]);
			kith_out_row(out);
		}
	return 0;
}
