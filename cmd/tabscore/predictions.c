/* SPDX-License-Identifier: BSD-2-Clause */
#include "tabscore.h"

#include "score/score.h"
#include "table/roles.h"
#include "table/table.h"
#include "text/columns.h"

#include <string.h>

/* What reading a table needs beside the table. */
struct reader {
	struct kith_rows rows;
	struct predictions *o;
	struct kith_pool *pool;
	size_t actual, id, query, weight; /* their columns, or KITH_NO_COLUMN */
	size_t *used, n_used; /* all columns that are read but id; a column may be listed twice */
	size_t used_room, room, row_room; /* elements of used, of arrays of rows, of o->row */
	struct kith_names label, asked;   /* classes and queries, as they come */
};

/* A column in which no cell may be missing. */
static void
use_column(struct reader *in, size_t column)
{
	in->used = kith_more(in->pool, in->used, in->n_used, &in->used_room, sizeof(*in->used));
	in->used[in->n_used++] = column;
}

/* Finds and uses the column of an option, if it is given. */
static int
find_option(struct reader *in, const char *col, size_t *column, struct kith_err *err)
{
	if (kith_roles_find(&in->rows, col, "", column, err))
		return -1;
	if (col)
		use_column(in, *column);
	return 0;
}

/* Finds the columns of probabilities, which may be there, and of the scores of a class. */
static int
find_scores(struct reader *in, struct kith_err *err)
{
	struct predictions *o = in->o;
	bool found = false;

	for (struct column *c = o->column; c < o->column + o->m; c++) {
		struct kith_scores *s = &c->scores;
		size_t at;

		kith_scores_find(s, c->name, &in->rows, in->pool);
		for (size_t h = 0; s->probabilities && h < s->c; h++)
			use_column(in, s->from[h]);
		if (how.positive)
			for (at = 0; at < s->c && strcmp(s->class[at], how.positive) != 0;)
				at++;
		else
			at = kith_scores_second(s);
		if (at == s->c)
			continue;
		found = true;
		c->positive = s->class[at];
		c->score_from = s->from[at];
		if (!s->probabilities)
			use_column(in, c->score_from);
	}
	if (found || !how.positive)
		return 0;
	return kith_fail_at(err, EX_DATAERR, o->file, o->head,
	    "no column of scores for class " KITH_CELL " (knnclf --scores?)", how.positive);
}

static void
find_predictions(struct reader *in)
{
	const struct kith_names *name = &in->rows.name;
	struct predictions *o = in->o;

	for (size_t j = 0; j < name->n; j++)
		o->m += kith_is_prediction(name->name[j]);
	o->column = kith_new(in->pool, o->m, sizeof(*o->column));
	for (size_t j = 0, a = 0; j < name->n; j++)
		if (kith_is_prediction(name->name[j])) {
			o->column[a].name = name->name[j];
			o->column[a++].from = j;
			use_column(in, j);
		}
}

/* Finds the columns that are to be read, by the first header. */
static int
find_columns(struct reader *in, const char *weight, struct kith_err *err)
{
	in->o->file = in->rows.first;
	in->o->head = in->rows.head;
	find_predictions(in);
	if (in->o->m == 0)
		return kith_roles_absent(
		    &in->rows, "predicted", " (knnclf -t TRAIN TEST | tabscore?)", err);
	if (kith_roles_find(&in->rows, "actual", " (rows without the target?)", &in->actual, err))
		return -1;
	use_column(in, in->actual);
	if (kith_roles_find(&in->rows, how.paired ? "id" : NULL, "", &in->id, err) ||
	    find_option(in, how.query, &in->query, err) ||
	    find_option(in, weight, &in->weight, err))
		return -1;
	return how.scores ? find_scores(in, err) : 0;
}

/* Makes room for one more row. */
static void
make_room(struct reader *in)
{
	struct predictions *o = in->o;
	const bool classify = how.task == KITH_CLASSIFY;

	if (how.paired)
		o->row = kith_more(in->pool, o->row, o->read, &in->row_room, sizeof(*o->row));
	if (o->n < in->room)
		return;
	in->room = 2 * in->room + 64;
	if (classify)
		o->y = kith_grow(in->pool, o->y, in->room, sizeof(*o->y));
	else
		o->t = kith_grow(in->pool, o->t, in->room, sizeof(*o->t));
	if (in->query != KITH_NO_COLUMN)
		o->query = kith_grow(in->pool, o->query, in->room, sizeof(*o->query));
	if (in->weight != KITH_NO_COLUMN)
		o->weight = kith_grow(in->pool, o->weight, in->room, sizeof(*o->weight));
	for (struct column *c = o->column; c < o->column + o->m; c++) {
		if (classify)
			c->p = kith_grow(in->pool, c->p, in->room, sizeof(*c->p));
		else
			c->v = kith_grow(in->pool, c->v, in->room, sizeof(*c->v));
		if (c->positive)
			c->score = kith_grow(in->pool, c->score, in->room, sizeof(*c->score));
	}
}

/* Remembers the id and the place of the row, which is row `at` of the n, or none of them. */
static int
add_id(struct reader *in, size_t at, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;
	struct predictions *o = in->o;

	if (kith_cell_missing(kith_rec_cell(rec, in->id)))
		return kith_fail_missing(&in->rows, in->id, "", err);
	if (kith_names_add(&o->id, kith_rec_cell(rec, in->id)->s, in->pool) < o->read)
		return kith_rows_fail(&in->rows, in->id, err, "listed twice: " KITH_CELL,
		    kith_rec_cell(rec, in->id)->s);
	o->row[o->read] = (struct place){rec->file, rec->line, at};
	return 0;
}

/* Whether no cell of the row is missing that should be there: 1, 0 or -1. */
static int
is_whole(struct reader *in, struct kith_err *err)
{
	for (size_t i = 0; i < in->n_used; i++) {
		const size_t column = in->used[i];

		if (how.task == KITH_REGRESS && column != in->query
			? !kith_value_is_missing(&in->rows, column)
			: !kith_cell_missing(kith_rec_cell(&in->rows.rec, column)))
			continue;
		if (how.omit)
			return 0;
		return kith_holes_fail(&in->rows, in->used, in->n_used, NULL, " (--na omit?)", err);
	}
	return 1;
}

static int
read_number(struct reader *in, size_t column, double *x, struct kith_err *err)
{
	const enum kith_value got = kith_value(&in->rows, column, x, " (--task?)", err);

	if (got)
		return got < 0 ? -1 : kith_fail_missing(&in->rows, column, "", err);
	if (in->query != KITH_NO_COLUMN && column == in->actual &&
	    !(0 <= *x && *x <= KITH_RELEVANCE_MOST))
		return kith_rows_fail(&in->rows, column, err,
		    "not a relevance from 0 to %d: " KITH_CELL, KITH_RELEVANCE_MOST,
		    kith_rec_cell(&in->rows.rec, column)->s);
	return 0;
}

/* Reads the weight of row n, 1 without a column of weights. */
static int
read_weight(struct reader *in, double *weight, struct kith_err *err)
{
	struct predictions *o = in->o;

	*weight = 1;
	if (in->weight != KITH_NO_COLUMN) {
		if (kith_value_required(&in->rows, in->weight, weight, err))
			return -1;
		if (*weight < 0)
			return kith_rows_fail(&in->rows, in->weight, err,
			    "a weight below 0: " KITH_CELL,
			    kith_rec_cell(&in->rows.rec, in->weight)->s);
		o->weight[o->n] = *weight;
	}
	o->total += *weight;
	return 0;
}

static size_t
read_label(struct reader *in, size_t column, struct kith_names *label)
{
	return kith_names_add(label, kith_rec_cell(&in->rows.rec, column)->s, in->pool);
}

/* Reads what a column predicts of row n. */
static int
read_prediction(struct reader *in, struct column *c, double weight, struct kith_err *err)
{
	const size_t n = in->o->n;
	long double log_loss, brier;

	if (how.task == KITH_CLASSIFY)
		c->p[n] = read_label(in, c->from, &in->label);
	else if (read_number(in, c->from, &c->v[n], err))
		return -1;
	if (c->positive && read_number(in, c->score_from, &c->score[n], err))
		return -1;
	if (!c->scores.probabilities)
		return 0;
	if (kith_scores_losses(&c->scores, &in->rows, kith_rec_cell(&in->rows.rec, in->actual)->s,
		&log_loss, &brier, err))
		return -1;
	if (weight > 0) { /* an infinite log_loss times 0 is no number */
		c->log_loss += weight * log_loss;
		c->brier += weight * brier;
	}
	return 0;
}

static int
read_row(struct reader *in, struct kith_err *err)
{
	struct predictions *o = in->o;
	const int whole = is_whole(in, err);
	double weight;

	if (whole < 0)
		return -1;
	make_room(in);
	if (how.paired && add_id(in, whole ? o->n : SIZE_MAX, err))
		return -1;
	o->read++;
	if (!whole)
		return 0;
	if (read_weight(in, &weight, err))
		return -1;
	if (how.task == KITH_CLASSIFY)
		o->y[o->n] = read_label(in, in->actual, &in->label);
	else if (read_number(in, in->actual, &o->t[o->n], err))
		return -1;
	if (in->query != KITH_NO_COLUMN)
		o->query[o->n] = read_label(in, in->query, &in->asked);
	for (size_t a = 0; a < o->m; a++)
		if (read_prediction(in, &o->column[a], weight, err))
			return -1;
	o->n++;
	return 0;
}

/* Warns where a predicted class is an actual one but for how the number is written. */
static void
compare_classes(const struct reader *in)
{
	struct kith_pool tmp = {0};
	struct kith_names actual = {0};
	bool *is_actual = kith_new(&tmp, in->label.n, sizeof(*is_actual));

	for (size_t i = 0; i < in->o->n; i++)
		is_actual[in->o->y[i]] = true;
	for (size_t k = 0; k < in->label.n; k++)
		if (is_actual[k])
			kith_names_add(&actual, in->label.name[k], &tmp);
	kith_classes_compare(&actual, &in->label, in->o->file);
	kith_pool_free(&tmp);
}

/* Numbers the classes in byte order. */
static void
sort_classes(struct reader *in)
{
	struct kith_pool tmp = {0};
	struct predictions *o = in->o;
	size_t *rank;

	kith_names_sort(&in->label, &rank, &tmp);
	for (size_t i = 0; i < o->n; i++) {
		o->y[i] = rank[o->y[i]];
		for (size_t a = 0; a < o->m; a++)
			o->column[a].p[i] = rank[o->column[a].p[i]];
	}
	o->class = in->label;
	kith_pool_free(&tmp);
}

int
read_predictions(const char *const *files, const char *weight, struct predictions *o,
    struct kith_pool *pool, struct kith_err *err)
{
	struct reader in = {.o = o, .pool = pool};
	int got;

	*o = (struct predictions){0};
	if (kith_rows_open(&in.rows, files, &how.format, pool, err))
		return -1;
	got = find_columns(&in, weight, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = read_row(&in, err);
	kith_rows_close(&in.rows);
	if (got == 0 && o->n == 0)
		got = kith_fail_at(err, EX_DATAERR, o->file, 0, "every row has a missing cell");
	if (got == 0 && !(o->total > 0))
		got = kith_fail_at(
		    err, EX_DATAERR, o->file, 0, "column " KITH_NAME ": all weights are 0", weight);
	if (got)
		return -1;
	if (how.task == KITH_CLASSIFY) {
		compare_classes(&in);
		sort_classes(&in);
	}
	return 0;
}

/* Fails: row i of the file of o has an id that the other table lacks. */
static int
lacks(const struct predictions *o, size_t i, const struct predictions *other, struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, o->row[i].file, o->row[i].line,
	    "column \"id\": " KITH_CELL ": not in %.200s", o->id.name[i], other->file);
}

/* Whether the same was true of row i of a and row j of b. */
static bool
agree(const struct predictions *a, size_t i, const struct predictions *b, size_t j)
{
	if (a->y)
		return strcmp(a->class.name[a->y[i]], b->class.name[b->y[j]]) == 0;
	return a->t[i] == b->t[j];
}

int
pair_rows(const struct predictions *a, const struct predictions *b, struct pair **pair, size_t *n,
    struct kith_pool *pool, struct kith_err *err)
{
	*pair = kith_new(pool, a->n, sizeof(**pair));
	*n = 0;
	for (size_t i = 0; i < a->read; i++) {
		const size_t j = kith_names_find(&b->id, a->id.name[i]);
		struct pair both;

		if (j == b->read)
			return lacks(a, i, b, err);
		both.a = a->row[i].at;
		both.b = b->row[j].at;
		if (both.a == SIZE_MAX || both.b == SIZE_MAX)
			continue;
		if (!agree(a, both.a, b, both.b))
			return kith_fail_at(err, EX_DATAERR, b->row[j].file, b->row[j].line,
			    "column \"actual\": not what %.200s has for "
			    "id " KITH_CELL,
			    a->file, a->id.name[i]);
		(*pair)[(*n)++] = both;
	}
	for (size_t j = 0; j < b->read; j++)
		if (kith_names_find(&a->id, b->id.name[j]) == a->read)
			return lacks(b, j, a, err);
	if (*n > 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, a->file, 0,
	    "every row has a missing cell here and in %.200s", b->file);
}

void
subtract_losses(const struct predictions *a, size_t column_a, const struct predictions *b,
    size_t column_b, const struct pair *pair, size_t n, long double *d)
{
	for (size_t h = 0; h < n; h++) {
		const size_t i = pair[h].a, j = pair[h].b;

		if (a->y) {
			d[h] = (a->column[column_a].p[i] != a->y[i]) -
			    (b->column[column_b].p[j] != b->y[j]);
		} else {
			/* e^2 - f^2, without the loss of digits. */
			const long double e = (long double)a->column[column_a].v[i] - a->t[i];
			const long double f = (long double)b->column[column_b].v[j] - b->t[j];

			d[h] = (e - f) * (e + f);
		}
	}
}
