/* SPDX-License-Identifier: BSD-2-Clause */
#include "tabscore.h"

#include "score/score.h"
#include "table/roles.h"
#include "table/table.h"
#include "text/columns.h"

#include <string.h>

/* A column (KITH_NO_COLUMN: none) in which no cell may be missing. */
static void
use_column(struct predictions *o, size_t column)
{
	if (column == KITH_NO_COLUMN)
		return;
	o->used = kith_more(o->pool, o->used, o->n_used, &o->used_room, sizeof(*o->used));
	o->used[o->n_used++] = column;
}

/* Finds the columns of probabilities, which may be there, and of the scores of a class. */
static int
find_scores(struct predictions *o, struct kith_err *err)
{
	bool found = false;

	for (struct column *c = o->column; c < o->column + o->m; c++) {
		struct kith_scores *s = &c->scores;
		size_t at;

		*s = kith_scores_find(c->name, &o->rows, o->pool);
		for (size_t h = 0; s->probabilities && h < s->c; h++)
			use_column(o, s->from[h]);
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
			use_column(o, c->score_from);
	}
	if (found || !how.positive)
		return 0;
	return kith_fail_at(err, EX_DATAERR, o->rows.first, o->rows.head,
	    "no column of scores for class " KITH_CELL " (knnclf --scores?)", how.positive);
}

/* Finds the columns that are to be read, by the first header. */
static int
find_columns(struct predictions *o, const char *weight, struct kith_err *err)
{
	const struct kith_names *name = &o->rows.name;

	o->column = kith_new(o->pool, name->n + 1, sizeof(*o->column));
	for (size_t j = 0; j < name->n; j++)
		if (kith_is_prediction(name->name[j])) {
			o->column[o->m++] = (struct column){.name = name->name[j], .from = j};
			use_column(o, j);
		}
	o->actual = &o->column[o->m];
	if (o->m == 0)
		return kith_column_absent(
		    &o->rows, "predicted", " (knnclf -t TRAIN TEST | tabscore?)", err);
	if (kith_roles_find(
		&o->rows, "actual", " (rows without the target?)", &o->actual->from, err) ||
	    kith_roles_find(&o->rows, how.paired ? "id" : NULL, "", &o->id_from, err) ||
	    kith_roles_find(&o->rows, how.query, "", &o->query_from, err) ||
	    kith_roles_find(&o->rows, weight, "", &o->weight_from, err))
		return -1;
	use_column(o, o->actual->from);
	use_column(o, o->query_from);
	use_column(o, o->weight_from);
	return how.scores ? find_scores(o, err) : 0;
}

/* Makes room for one more row. */
static void
make_room(struct predictions *o)
{
	if (how.paired)
		o->row = kith_more(o->pool, o->row, o->read, &o->row_room, sizeof(*o->row));
	if (o->n < o->room)
		return;
	o->room = 2 * o->room + 64;
	o->query = kith_grow(o->pool, o->query, o->room, sizeof(*o->query));
	if (o->weight_from != KITH_NO_COLUMN)
		o->weight = kith_grow(o->pool, o->weight, o->room, sizeof(*o->weight));
	for (struct column *c = o->column; c <= o->actual; c++) {
		c->p = kith_grow(o->pool, c->p, o->room, sizeof(*c->p));
		c->v = kith_grow(o->pool, c->v, o->room, sizeof(*c->v));
		c->score = kith_grow(o->pool, c->score, o->room, sizeof(*c->score));
	}
}

/* Remembers the id and the place of the row, which is row `at` of the n, or none of them. */
static int
add_id(struct predictions *o, size_t at, struct kith_err *err)
{
	const struct kith_rec *rec = &o->rows.rec;

	if (kith_cell_missing(kith_rec_cell(rec, o->id_from)))
		return kith_fail_missing(&o->rows, o->id_from, "", err);
	if (kith_names_add(&o->id, kith_rec_cell(rec, o->id_from)->s, o->pool) < o->read)
		return kith_rows_fail(&o->rows, o->id_from, err, "listed twice: " KITH_CELL,
		    kith_rec_cell(rec, o->id_from)->s);
	o->row[o->read] = (struct place){rec->file, rec->line, at};
	return 0;
}

/* Whether no cell of the row is missing that should be there: 1, 0 or -1. */
static int
is_whole(struct predictions *o, struct kith_err *err)
{
	for (size_t i = 0; i < o->n_used; i++) {
		const size_t column = o->used[i];
		const bool text = column == o->query_from ||
		    (how.task == KITH_CLASSIFY &&
			(column == o->actual->from ||
			    kith_is_prediction(o->rows.name.name[column])));

		if (!(text ? kith_cell_missing(kith_rec_cell(&o->rows.rec, column))
			   : kith_value_is_missing(&o->rows, column)))
			continue;
		if (how.omit)
			return 0;
		return kith_cells_fail(
		    &o->rows, false, o->used, o->n_used, NULL, " (--na omit?)", err);
	}
	return 1;
}

/* Reads what a column predicts of row n, or what was true; is_whole(): no cell is missing. */
static int
read_column(struct predictions *o, struct column *c, double weight, struct kith_err *err)
{
	const size_t n = o->n;
	long double log_loss, brier;

	if (how.task == KITH_CLASSIFY)
		c->p[n] = kith_names_add(
		    &o->class, kith_rec_cell(&o->rows.rec, c->from)->s, o->pool);
	else if (kith_value(&o->rows, c->from, &c->v[n], " (--task?)", err))
		return -1;
	if (how.query && c == o->actual && !(0 <= c->v[n] && c->v[n] <= KITH_RELEVANCE_MOST))
		return kith_rows_fail(&o->rows, c->from, err,
		    "not a relevance from 0 to %d: " KITH_CELL, KITH_RELEVANCE_MOST,
		    kith_rec_cell(&o->rows.rec, c->from)->s);
	if (c->positive && kith_value(&o->rows, c->score_from, &c->score[n], " (--task?)", err))
		return -1;
	if (!c->scores.probabilities)
		return 0;
	if (kith_scores_losses(&c->scores, &o->rows,
		kith_rec_cell(&o->rows.rec, o->actual->from)->s, &log_loss, &brier, err))
		return -1;
	if (weight > 0) { /* an infinite log_loss times 0 is no number */
		c->log_loss += weight * log_loss;
		c->brier += weight * brier;
	}
	return 0;
}

static int
read_row(struct predictions *o, struct kith_err *err)
{
	const int whole = is_whole(o, err);
	double weight = 1;

	if (whole < 0)
		return -1;
	make_room(o);
	if (how.paired && add_id(o, whole ? o->n : SIZE_MAX, err))
		return -1;
	o->read++;
	if (!whole)
		return 0;
	if (o->weight_from != KITH_NO_COLUMN) {
		if (kith_value_unsigned(&o->rows, o->weight_from, &weight, err))
			return -1;
		o->weight[o->n] = weight;
	}
	o->total += weight;
	if (read_column(o, o->actual, weight, err))
		return -1;
	if (o->query_from != KITH_NO_COLUMN)
		o->query[o->n] = kith_names_add(
		    &o->asked, kith_rec_cell(&o->rows.rec, o->query_from)->s, o->pool);
	for (size_t a = 0; a < o->m; a++)
		if (read_column(o, &o->column[a], weight, err))
			return -1;
	o->n++;
	return 0;
}

/*
 * Numbers the classes in byte order; warns where a predicted class is an actual one but for how the
 * number is written.
 */
static void
sort_classes(struct predictions *o)
{
	struct kith_pool tmp = {0};
	struct kith_names actual = {0};
	bool *is_actual = kith_new(&tmp, o->class.n, sizeof(*is_actual));
	const size_t *rank;

	for (size_t i = 0; i < o->n; i++)
		is_actual[o->actual->p[i]] = true;
	for (size_t k = 0; k < o->class.n; k++)
		if (is_actual[k])
			kith_names_add(&actual, o->class.name[k], &tmp);
	kith_classes_compare(&actual, &o->class, o->rows.first);
	rank = kith_names_sort(&o->class, &tmp);
	for (struct column *c = o->column; c <= o->actual; c++)
		for (size_t i = 0; i < o->n; i++)
			c->p[i] = rank[c->p[i]];
	kith_pool_free(&tmp);
}

int
read_predictions(const char *const *files, const char *weight, struct predictions *o,
    struct kith_pool *pool, struct kith_err *err)
{
	int got;

	*o = (struct predictions){.pool = pool};
	if (kith_rows_open(&o->rows, files, &how.format, pool, err))
		return -1;
	got = find_columns(o, weight, err);
	while (got == 0 && (got = kith_rows_next(&o->rows, err)) > 0)
		got = read_row(o, err);
	kith_rows_close(&o->rows);
	if (got == 0 && o->n == 0)
		got = kith_fail_at(
		    err, EX_DATAERR, o->rows.first, 0, "every row has a missing cell");
	if (got == 0 && !(o->total > 0))
		got = kith_fail_at(err, EX_DATAERR, o->rows.first, 0,
		    "column " KITH_NAME ": all weights are 0", weight);
	if (got)
		return -1;
	if (how.task == KITH_CLASSIFY)
		sort_classes(o);
	return 0;
}
