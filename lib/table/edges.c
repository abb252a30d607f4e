/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/edges.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/sort.h"
#include "table/graph.h"
#include "text/rows.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* An edge as it was read: files are numbered in the order of reading. */
struct entry {
	size_t from, to, file, line;
	double w, d, J;
};

struct reader {
	struct kith_rows rows;
	const struct kith_edges_how *how;
	struct {
		size_t from, to, weight, distance, error;
	} column; /* of the table; NONE where there is none */
	struct entry *entry;
	size_t n, room;
	const char **file;
	size_t files;
	struct kith_pool *pool;
};

static const size_t NONE = SIZE_MAX;

/* Find the row that a cell names. */
static int
find_row(const struct reader *in, size_t column, const struct kith_ends *ends, size_t *row,
    struct kith_err *err)
{
	const struct kith_cell *c = kith_rec_cell(&in->rows.rec, column);
	size_t number;

	*row = ends->n;
	if (kith_cell_missing(c))
		return kith_value_missing(&in->rows, column, "", err);
	if (ends->column && !in->rows.rec.entries)
		*row = kith_names_find(&ends->id, c->s);
	else if (!kith_parse_size(c->s, &number))
		*row = kith_ends_row(ends, number);
	if (*row < ends->n)
		return 0;
	return kith_rows_fail(&in->rows, column, err,
	    ends->column && !in->rows.rec.entries ? "no row has this id: " KITH_CELL
						  : "not the number of a row: " KITH_CELL,
	    c->s);
}

/* The number of the file that the row comes from. */
static size_t
number_file(struct reader *in)
{
	const char *file = in->rows.rec.file;

	if (in->files == 0 || in->file[in->files - 1] != file) {
		in->file = kith_grow(in->pool, in->file, in->files + 1, sizeof(*in->file));
		in->file[in->files++] = file;
	}
	return in->files - 1;
}

/* The edge of the row that was read. */
static int
parse(const struct reader *in, struct entry *e, struct kith_err *err)
{
	const struct kith_edges_how *how = in->how;
	int (*const weight)(const struct kith_rows *, size_t, double *,
	    struct kith_err *) = how->any_sign ? kith_value_due : kith_value_size;

	*e = (struct entry){.line = in->rows.rec.line};
	if (find_row(in, in->column.from, how->from, &e->from, err) ||
	    find_row(in, in->column.to, how->to, &e->to, err))
		return -1;
	if (how->from == how->to && e->from == e->to && !how->selves)
		return kith_rows_fail(&in->rows, in->column.to, err, "the row itself: " KITH_CELL,
		    kith_rec_cell(&in->rows.rec, in->column.to)->s);
	if ((in->column.weight != NONE && weight(&in->rows, in->column.weight, &e->w, err)) ||
	    (in->column.distance != NONE &&
		kith_value_size(&in->rows, in->column.distance, &e->d, err)) ||
	    (in->column.error != NONE && kith_value_due(&in->rows, in->column.error, &e->J, err)))
		return -1;
	return 0;
}

/* Keep it. */
static int
take(struct reader *in, struct kith_err *err)
{
	struct entry e;

	if (parse(in, &e, err))
		return -1;
	e.file = number_file(in);
	in->entry = kith_more(in->pool, in->entry, in->n, &in->room, sizeof(*in->entry));
	in->entry[in->n++] = e;
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

/* Find the columns. */
static int
header(struct reader *in, struct kith_err *err)
{
	const struct kith_names *name = &in->rows.name;
	const bool weights = in->how->weights;
	const char *const weight = in->how->weight, *kind;
	const struct {
		const char *name;
		size_t *column;
		bool read, due;
	} all[] = {
	    {"from", &in->column.from, true, true},
	    {"to", &in->column.to, true, true},
	    {weight ? weight : "weight", &in->column.weight, weights, true},
	    {"distance", &in->column.distance, weights && !weight, in->how->distances},
	    {"error", &in->column.error, weights && !weight, in->how->errors},
	};

	for (size_t i = 0; i < in->rows.rec.notes; i++)
		if (strcmp(in->rows.rec.note[i].key, "reference-shard") == 0) {
			if (in->how->blocks)
				*in->how->blocks = true;
			return kith_fail_at(err, EX_DATAERR, in->rows.rec.file,
			    in->rows.rec.note[i].line,
			    "edges to a block of the reference: only "
			    "nnkgraph --merge reads them, from regular files");
		}
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const size_t at = kith_names_find(name, all[i].name);

		*all[i].column = all[i].read && at < name->n ? at : NONE;
		if (!all[i].read || !all[i].due || at < name->n)
			continue;
		kind = other_kind(name);
		return kith_fail_at(err, EX_DATAERR, in->rows.rec.file, in->rows.head,
		    "%scolumn \"%s\": not found%s%s%s",
		    i < 2 || (i == 2 && !weight) ? "no edges (from, to, weight): " : "",
		    all[i].name, kind ? "; the table has " : "", kind ? kind : "",
		    all[i].column == &in->column.error ? " (nnkgraph --errors?)" : "");
	}
	return 0;
}

/* Whether s was read before t. */
static bool
is_before(const struct entry *s, const struct entry *t)
{
	return s->file < t->file || (s->file == t->file && s->line < t->line);
}

static int
by_place(const void *a, const void *b)
{
	const struct entry *s = a, *t = b;

	if (s->from != t->from)
		return s->from < t->from ? -1 : 1;
	if (s->to != t->to)
		return s->to < t->to ? -1 : 1;
	return is_before(s, t) ? -1 : is_before(t, s);
}

/* Sort the entries; the first that is there a second time is an error. */
static int
sort(struct reader *in, struct kith_err *err)
{
	const struct entry *e = in->entry, *twin = NULL;
	char from[KITH_NUM_ROOM], to[KITH_NUM_ROOM];
	bool sorted = true;

	/* What nnkgraph has written is in order, its shards too. */
	for (size_t i = 1; i < in->n && sorted; i++)
		sorted = by_place(&e[i - 1], &e[i]) < 0;
	if (!sorted)
		qsort(in->entry, in->n, sizeof(*in->entry), by_place);
	for (size_t i = 1; i < in->n; i++)
		if (e[i].from == e[i - 1].from && e[i].to == e[i - 1].to &&
		    (!twin || is_before(&e[i], twin)))
			twin = &e[i];
	if (!twin)
		return 0;
	return kith_fail_at(err, EX_DATAERR, in->file[twin->file], twin->line,
	    "edge listed twice: from " KITH_CELL " to " KITH_CELL,
	    kith_ends_name(in->how->from, twin->from, from),
	    kith_ends_name(in->how->to, twin->to, to));
}

/*
 * All edges from a row have the error of its first one; the first that has not
 * is an error.
 */
static int
check_errors(const struct reader *in, struct kith_err *err)
{
	const struct entry *e = in->entry, *odd = NULL;
	char text[KITH_NUM_ROOM];

	for (size_t i = 0, next; in->column.error != NONE && i < in->n; i = next) {
		const struct entry *first = &e[i];

		for (next = i; next < in->n && e[next].from == e[i].from; next++)
			if (is_before(&e[next], first))
				first = &e[next];
		for (size_t l = i; l < next; l++)
			if (e[l].J != first->J && (!odd || is_before(&e[l], odd)))
				odd = &e[l];
	}
	if (!odd)
		return 0;
	kith_format_real(text, odd->J);
	return kith_fail_at(err, EX_DATAERR, in->file[odd->file], odd->line,
	    "column \"error\": differs from that of "
	    "another edge of this row: " KITH_CELL,
	    text);
}

/* The rows that edges name, in order, into the pool; their number. */
static size_t
meet(const struct reader *in, size_t **row, struct kith_pool *pool)
{
	size_t n = 0, *all = *row = kith_new(pool, in->n, 2 * sizeof(*all));

	for (size_t e = 0; e < in->n; e++) {
		all[2 * e] = in->entry[e].from + 1;
		all[2 * e + 1] = in->entry[e].to + 1;
	}
	kith_sort_sizes(all, 2 * in->n);
	for (size_t i = 0; i < 2 * in->n; i++)
		if (i == 0 || all[i] != all[n - 1])
			all[n++] = all[i];
	return n;
}

/* Number the rows anew, without those that have no edge, if most have none. */
static void
shrink(struct reader *in, struct kith_ends *met, struct kith_pool *pool)
{
	const size_t most = in->how->from->n;
	size_t *number;

	*met = *in->how->from;
	if (most / 8 <= in->n)
		return;
	met->n = meet(in, &number, pool);
	met->number = number;
	for (size_t e = 0; e < in->n; e++) {
		in->entry[e].from = kith_ends_row(met, in->entry[e].from + 1);
		in->entry[e].to = kith_ends_row(met, in->entry[e].to + 1);
	}
}

/* Lay the sorted entries out row by row, for n rows. */
static void
build(const struct reader *in, size_t n, struct kith_graph *graph, struct kith_pool *pool)
{
	graph->m = n;
	graph->start = kith_new(pool, n + 1, sizeof(*graph->start));
	graph->to = kith_new(pool, in->n, sizeof(*graph->to));
	if (in->column.weight != NONE)
		graph->w = kith_new(pool, in->n, sizeof(*graph->w));
	if (in->column.distance != NONE)
		graph->d = kith_new(pool, in->n, sizeof(*graph->d));
	if (in->column.error != NONE)
		graph->J = kith_new(pool, n, sizeof(*graph->J));
	for (size_t i = 0; graph->J && i < n; i++)
		graph->J[i] = NAN;
	for (size_t e = 0; e < in->n; e++) {
		const struct entry *it = &in->entry[e];

		graph->start[it->from + 1]++;
		graph->to[e] = it->to;
		if (graph->w)
			graph->w[e] = it->w;
		if (graph->d)
			graph->d[e] = it->d;
		if (graph->J)
			graph->J[it->from] = it->J;
	}
	for (size_t i = 0; i < n; i++)
		graph->start[i + 1] += graph->start[i];
}

int
kith_edges_read(const char *const *files, const struct kith_edges_how *how,
    struct kith_graph *graph, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_format format = {.rowless = true, .form = KITH_FORM_ENTRIES};
	struct reader in = {.how = how, .pool = &tmp};
	int got;

	assert(how->weights || (!how->distances && !how->errors));
	*graph = (struct kith_graph){0};
	if (kith_rows_open(&in.rows, files, &format, &tmp, err)) {
		kith_pool_free(&tmp);
		return -1;
	}
	got = header(&in, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = take(&in, err);
	kith_rows_close(&in.rows);
	if (got == 0)
		got = sort(&in, err);
	if (got == 0)
		got = check_errors(&in, err);
	if (got == 0 && how->met)
		shrink(&in, how->met, pool);
	if (got == 0)
		build(&in, how->met ? how->met->n : how->from->n, graph, pool);
	kith_pool_free(&tmp);
	return got;
}

int
kith_edges_each(const char *const *files, const struct kith_edges_how *how, kith_edges_take *give,
    void *to, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_format format = {.rowless = true, .form = KITH_FORM_ENTRIES};
	struct reader in = {.how = how, .pool = &tmp};
	struct entry e;
	int got;

	if (kith_rows_open(&in.rows, files, &format, &tmp, err)) {
		kith_pool_free(&tmp);
		return -1;
	}
	got = header(&in, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0) {
		got = parse(&in, &e, err);
		if (got == 0)
			got = give(to,
			    &(struct kith_edge){e.from, e.to, e.w, in.rows.rec.file, e.line}, err);
	}
	kith_rows_close(&in.rows);
	kith_pool_free(&tmp);
	return got;
}

bool
kith_edges_full(const struct kith_graph *graph, size_t rows)
{
	const size_t *start = graph->start;
	bool equal = graph->m == rows || start[graph->m] == start[0];

	for (size_t e = start[0]; e < start[graph->m]; e++)
		if (graph->w[e] == 0)
			return true;
	for (size_t i = 0; i < graph->m && equal; i++)
		equal = start[i + 1] - start[i] == start[1] - start[0];
	return equal;
}
