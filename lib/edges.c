#include "edges.h"

#include "err.h"
#include "graph.h"
#include "num.h"
#include "pool.h"
#include "rows.h"
#include "table.h"
#include "value.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An edge as it was read: file is the number of one, in the order of reading.
 */
struct entry {
	size_t from, to, file, line;
	double w, d;
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
	double *error; /* of the rows seen, else NaN; or NULL */
	struct kith_pool *pool;
};

static const size_t NONE = SIZE_MAX;

int
kith_ends_of(const struct kith_table *table, struct kith_ends *ends,
    struct kith_pool *pool, struct kith_err *err)
{
	const size_t n = table->X.n;
	char **name;
	size_t twin;

	*ends = (struct kith_ends){n, table->read, table->number, NULL, {0}};
	if (!table->id_name)
		return 0;
	ends->column = table->id_name;
	name = kith_new(pool, n, sizeof(*name));
	for (size_t i = 0; i < n; i++) {
		const struct kith_cell c = kith_texts_at(&table->id, i);

		name[i] = kith_strndup(pool, c.s, c.len);
	}
	twin = kith_names_index(&ends->id, name, n, pool);
	if (twin == n)
		return 0;
	return kith_fail_at(err, EX_DATAERR, table->file, 0,
	    "column " KITH_NAME ": there twice: " KITH_CELL, table->id_name,
	    name[twin]);
}

/* The row of this number, or n: by halving, where numbers have gaps. */
static size_t
row_of_number(const struct kith_ends *ends, size_t number)
{
	size_t lo = 0, hi = ends->n;

	if (!ends->number)
		return number - 1 < ends->n ? number - 1 : ends->n;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (ends->number[mid] < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < ends->n && ends->number[lo] == number ? lo : ends->n;
}

/* Find the row that a cell names. */
static int
find_row(const struct reader *in, size_t column, const struct kith_ends *ends,
    size_t *row, struct kith_err *err)
{
	const struct kith_cell *c = &in->rows.rec.cell[column];
	size_t number;

	*row = ends->n;
	if (kith_cell_missing(c))
		return kith_value_missing(&in->rows, column, "", err);
	if (ends->column)
		*row = kith_names_find(&ends->id, c->s);
	else if (!kith_parse_size(c->s, &number))
		*row = row_of_number(ends, number);
	if (*row < ends->n)
		return 0;
	return kith_rows_fail(&in->rows, column, err,
	    ends->column ? "no row has this id: " KITH_CELL
			 : "no number of a row: " KITH_CELL,
	    c->s);
}

/* Read a number that may not be negative; x stays where there is no column. */
static int
find_size(
    const struct reader *in, size_t column, double *x, struct kith_err *err)
{
	if (column == NONE)
		return 0;
	switch (kith_value(&in->rows, column, x, "", err)) {
	case KITH_VALUE_BAD:
		return -1;
	case KITH_VALUE_MISSING:
		return kith_value_missing(&in->rows, column, "", err);
	default:
		break;
	}
	if (*x >= 0)
		return 0;
	return kith_rows_fail(&in->rows, column, err, "negative: " KITH_CELL,
	    in->rows.rec.cell[column].s);
}

/* Read the local error of the row that the edge goes from: one for each row. */
static int
take_error(struct reader *in, size_t from, struct kith_err *err)
{
	const size_t column = in->column.error;
	double x = 0;

	switch (kith_value(&in->rows, column, &x, "", err)) {
	case KITH_VALUE_BAD:
		return -1;
	case KITH_VALUE_MISSING:
		return kith_value_missing(&in->rows, column, "", err);
	default:
		break;
	}
	if (!isnan(in->error[from]) && in->error[from] != x)
		return kith_rows_fail(&in->rows, column, err,
		    "another edge from this row has another: " KITH_CELL,
		    in->rows.rec.cell[column].s);
	in->error[from] = x;
	return 0;
}

/* The number of the file that the row comes from. */
static size_t
number_file(struct reader *in)
{
	const char *file = in->rows.rec.file;

	if (in->files == 0 || in->file[in->files - 1] != file) {
		in->file = kith_grow(
		    in->pool, in->file, in->files + 1, sizeof(*in->file));
		in->file[in->files++] = file;
	}
	return in->files - 1;
}

/* Take the edge of the row that was read. */
static int
take(struct reader *in, struct kith_err *err)
{
	const struct kith_edges_how *how = in->how;
	struct entry e = {.line = in->rows.rec.line};

	if (find_row(in, in->column.from, how->from, &e.from, err) ||
	    find_row(in, in->column.to, how->to, &e.to, err))
		return -1;
	if (how->from == how->to && e.from == e.to)
		return kith_rows_fail(&in->rows, in->column.to, err,
		    "the row itself: " KITH_CELL,
		    in->rows.rec.cell[in->column.to].s);
	if (find_size(in, in->column.weight, &e.w, err) ||
	    find_size(in, in->column.distance, &e.d, err))
		return -1;
	if (in->error && take_error(in, e.from, err))
		return -1;
	e.file = number_file(in);
	if (in->n == in->room) {
		in->room = 2 * in->n + 64;
		in->entry = kith_grow(
		    in->pool, in->entry, in->room, sizeof(*in->entry));
	}
	in->entry[in->n++] = e;
	return 0;
}

/* Find the columns. */
static int
header(struct reader *in, struct kith_err *err)
{
	const struct kith_names *name = &in->rows.name;
	const bool weights = in->how->weights;
	const struct {
		const char *name;
		size_t *column;
		bool read, due;
	} all[] = {
	    {"from", &in->column.from, true, true},
	    {"to", &in->column.to, true, true},
	    {"weight", &in->column.weight, weights, true},
	    {"distance", &in->column.distance, weights, in->how->distances},
	    {"error", &in->column.error, weights, in->how->errors},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const size_t at = kith_names_find(name, all[i].name);

		*all[i].column = all[i].read && at < name->n ? at : NONE;
		if (all[i].read && all[i].due && at == name->n)
			return kith_fail_at(err, EX_DATAERR, in->rows.rec.file,
			    in->rows.head, "column \"%s\": not found%s",
			    all[i].name,
			    all[i].column == &in->column.error
				? " (nnkgraph --full?)"
				: "");
	}
	if (in->column.error == NONE)
		return 0;
	in->error = kith_new(in->pool, in->how->from->n, sizeof(*in->error));
	for (size_t i = 0; i < in->how->from->n; i++)
		in->error[i] = NAN;
	return 0;
}

static int
by_place(const void *a, const void *b)
{
	const struct entry *s = a, *t = b;

	if (s->from != t->from)
		return s->from < t->from ? -1 : 1;
	if (s->to != t->to)
		return s->to < t->to ? -1 : 1;
	if (s->file != t->file)
		return s->file < t->file ? -1 : 1;
	return s->line < t->line ? -1 : s->line > t->line;
}

/* What row i of these is called, into text. */
static const char *
name_row(const struct kith_ends *ends, size_t i, char text[KITH_NUM_ROOM])
{
	if (ends->column)
		return ends->id.name[i];
	kith_format_size(text, ends->number ? ends->number[i] : i + 1);
	return text;
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
		    (!twin || e[i].file < twin->file ||
			(e[i].file == twin->file && e[i].line < twin->line)))
			twin = &e[i];
	if (!twin)
		return 0;
	return kith_fail_at(err, EX_DATAERR, in->file[twin->file], twin->line,
	    "edge there twice: from " KITH_CELL " to " KITH_CELL,
	    name_row(in->how->from, twin->from, from),
	    name_row(in->how->to, twin->to, to));
}

/* Lay the sorted entries out row by row. */
static void
build(const struct reader *in, struct kith_graph *graph, struct kith_pool *pool)
{
	const size_t n = in->how->from->n;

	graph->m = n;
	graph->start = kith_new(pool, n + 1, sizeof(*graph->start));
	graph->to = kith_new(pool, in->n, sizeof(*graph->to));
	if (in->column.weight != NONE)
		graph->w = kith_new(pool, in->n, sizeof(*graph->w));
	if (in->column.distance != NONE)
		graph->d = kith_new(pool, in->n, sizeof(*graph->d));
	for (size_t e = 0; e < in->n; e++) {
		graph->start[in->entry[e].from + 1]++;
		graph->to[e] = in->entry[e].to;
		if (graph->w)
			graph->w[e] = in->entry[e].w;
		if (graph->d)
			graph->d[e] = in->entry[e].d;
	}
	for (size_t i = 0; i < n; i++)
		graph->start[i + 1] += graph->start[i];
	if (!in->error)
		return;
	graph->J = kith_new(pool, n, sizeof(*graph->J));
	memcpy(graph->J, in->error, n * sizeof(*graph->J));
}

int
kith_edges_read(const char *const *files, const struct kith_edges_how *how,
    struct kith_graph *graph, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_format format = {.rowless = true};
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
		build(&in, graph, pool);
	kith_pool_free(&tmp);
	return got;
}

bool
kith_edges_full(const struct kith_graph *graph)
{
	const size_t *start = graph->start;
	bool equal = true;

	for (size_t e = start[0]; e < start[graph->m]; e++)
		if (graph->w[e] <= 0)
			return true;
	for (size_t i = 0; i < graph->m && equal; i++)
		equal = start[i + 1] - start[i] == start[1] - start[0];
	return equal;
}
