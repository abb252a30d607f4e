/* SPDX-License-Identifier: BSD-2-Clause */
#include "score/outcome.h"

#include "base/err.h"
#include "base/pool.h"
#include "score/score.h"
#include "table/holes.h"
#include "table/roles.h"
#include "text/columns.h"
#include "text/rows.h"
#include "text/value.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What reading a table needs beside the table. */
struct reader {
	struct kith_rows rows;
	const struct kith_outcome_how *how;
	struct kith_outcome *o;
	struct kith_pool *pool;
	size_t actual, id, query; /* their columns, or NONE */
	size_t *from, *score;     /* those of each prediction, or NONE */
	size_t *used, n_used;     /* all of these, but id */
	size_t room, all_room;    /* of the arrays with an element a row */
	struct kith_names label;  /* classes as they come */
	struct kith_names asked;  /* queries as they come */
};

static const size_t NONE = SIZE_MAX;
static const char stem[] = "predicted";
enum { STEM = sizeof(stem) - 1 };

static int
not_found(const struct reader *in, const char *name, const char *hint,
    struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, in->o->file, in->o->head,
	    "column " KITH_NAME ": not found%s", name,
	    kith_rows_hint(&in->rows, hint));
}

/* Whether a column holds predictions. */
static bool
is_prediction(const char *name)
{
	return strncmp(name, stem, STEM) == 0 &&
	    (name[STEM] == '_' || !name[STEM]);
}

/* What the names of the scores of a prediction start with: score_K: */
static char *
score_prefix(const char *name, struct kith_pool *pool)
{
	char *prefix = kith_new(pool, strlen(name) + sizeof("score:"), 1);

	sprintf(prefix, "score%s:", name + STEM);
	return prefix;
}

/* Of two score columns that of the second class, NONE if they are not two. */
static size_t
second_of_two(const struct kith_names *name, const char *prefix)
{
	const size_t len = strlen(prefix);
	size_t found = 0, last = NONE;

	for (size_t j = 0; j < name->n; j++)
		if (strncmp(name->name[j], prefix, len) == 0) {
			if (last == NONE ||
			    strcmp(name->name[j], name->name[last]) > 0)
				last = j;
			found++;
		}
	return found == 2 ? last : NONE;
}

/* The column of the scores of one class for a prediction, or NONE. */
static size_t
find_score(struct reader *in, const char *prefix)
{
	const struct kith_names *name = &in->rows.name;
	const char *class = in->how->positive;
	struct kith_pool tmp = {0};
	char *due;
	size_t at;

	if (!class)
		return second_of_two(name, prefix);
	due = kith_new(&tmp, strlen(prefix) + strlen(class) + 1, 1);
	sprintf(due, "%s%s", prefix, class);
	at = kith_names_find(name, due);
	kith_pool_free(&tmp);
	return at < name->n ? at : NONE;
}

/* Find the columns of scores. */
static int
find_scores(struct reader *in, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_outcome *o = in->o;
	bool found = false;
	int got = 0;

	for (size_t a = 0; a < o->m; a++) {
		const char *prefix = score_prefix(o->column[a].name, &tmp);

		in->score[a] = find_score(in, prefix);
		if (in->score[a] == NONE)
			continue;
		found = true;
		in->used[in->n_used++] = in->score[a];
		o->column[a].positive = in->rows.name.name[in->score[a]] +
		    strlen(prefix);
	}
	if (!found && in->how->positive)
		got = kith_fail_at(err, EX_DATAERR, o->file, o->head,
		    "no column of scores for class " KITH_CELL
		    " (knnclf --scores?)",
		    in->how->positive);
	kith_pool_free(&tmp);
	return got;
}

/* Find the columns of probabilities. */
static int
find_chances(struct reader *in, struct kith_err *err)
{
	struct kith_outcome *o = in->o;
	int got = 0;

	for (size_t a = 0; got == 0 && a < o->m; a++) {
		struct kith_outcome_column *c = &o->column[a];

		got = kith_chance_find(&c->chance, c->name,
		    score_prefix(c->name, in->pool), &in->rows, in->pool, err);
		for (size_t h = 0; h < c->chance.c; h++)
			in->used[in->n_used++] = c->chance.from[h];
	}
	return got;
}

/* Find the columns of predictions. */
static void
find_predictions(struct reader *in)
{
	const struct kith_names *name = &in->rows.name;
	struct kith_outcome *o = in->o;

	for (size_t j = 0; j < name->n; j++)
		o->m += is_prediction(name->name[j]);
	o->column = kith_new(in->pool, o->m, sizeof(*o->column));
	KITH_NEW_SIZES(in->pool, o->m, 1, &in->from, &in->score);
	KITH_NEW_SIZES(in->pool, 2 * o->m + 2 + name->n, 1, &in->used);
	for (size_t j = 0, a = 0; j < name->n; j++)
		if (is_prediction(name->name[j])) {
			o->column[a].name = name->name[j];
			in->score[a] = NONE;
			in->from[a++] = j;
			in->used[in->n_used++] = j;
		}
}

/* The first header: find the columns that are to be read. */
static int
begin(struct reader *in, struct kith_err *err)
{
	const struct kith_outcome_how *how = in->how;
	const struct kith_names *name = &in->rows.name;

	in->o->file = in->rows.first;
	in->o->head = in->rows.head;
	find_predictions(in);
	if (in->o->m == 0)
		return not_found(in, stem, "", err);
	in->actual = kith_names_find(name, "actual");
	if (in->actual == name->n)
		return not_found(
		    in, "actual", " (rows without the target?)", err);
	in->used[in->n_used++] = in->actual;
	in->id = how->id ? kith_names_find(name, "id") : NONE;
	if (in->id == name->n)
		return not_found(in, "id", "", err);
	in->query = how->query ? kith_column(name, how->query) : NONE;
	if (in->query == name->n)
		return not_found(in, how->query, "", err);
	if (how->query)
		in->used[in->n_used++] = in->query;
	if (how->score && find_scores(in, err))
		return -1;
	return how->chance ? find_chances(in, err) : 0;
}

/* Make room for one more row. */
static void
make_room(struct reader *in)
{
	struct kith_outcome *o = in->o;
	const bool classify = in->how->task == KITH_CLASSIFY;
	const size_t n = in->room;

	if (in->how->id)
		o->row = kith_more(
		    in->pool, o->row, o->read, &in->all_room, sizeof(*o->row));
	if (o->n < n)
		return;
	in->room = 2 * n + 64;
	if (classify)
		o->y = kith_grow(in->pool, o->y, in->room, sizeof(*o->y));
	else
		o->t = kith_grow(in->pool, o->t, in->room, sizeof(*o->t));
	if (in->query != NONE)
		o->query = kith_grow(
		    in->pool, o->query, in->room, sizeof(*o->query));
	for (struct kith_outcome_column *c = o->column; c < o->column + o->m;
	     c++) {
		if (classify)
			c->p = kith_grow(
			    in->pool, c->p, in->room, sizeof(*c->p));
		else
			c->v = kith_grow(
			    in->pool, c->v, in->room, sizeof(*c->v));
		if (c->positive)
			c->score = kith_grow(
			    in->pool, c->score, in->room, sizeof(*c->score));
	}
}

/* Remember which row this is: at, or none of the n. */
static int
add_id(struct reader *in, size_t at, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;
	struct kith_outcome *o = in->o;

	if (kith_cell_missing(kith_rec_cell(rec, in->id)))
		return kith_value_missing(&in->rows, in->id, "", err);
	if (kith_names_add(&o->id, kith_rec_cell(rec, in->id)->s, in->pool) <
	    o->read)
		return kith_rows_fail(&in->rows, in->id, err,
		    "listed twice: " KITH_CELL, kith_rec_cell(rec, in->id)->s);
	o->row[o->read] = (struct kith_outcome_row){rec->file, rec->line, at};
	return 0;
}

/* Whether no cell of the row is missing that should be there: 1, 0 or -1. */
static int
is_whole(struct reader *in, struct kith_err *err)
{
	for (size_t i = 0; i < in->n_used; i++) {
		const size_t column = in->used[i];

		if (!kith_cell_missing(kith_rec_cell(&in->rows.rec, column)))
			continue;
		if (in->how->omit)
			return 0;
		return kith_holes_fail(
		    &in->rows, in->used, in->n_used, " (--na omit?)", err);
	}
	return 1;
}

static int
add_number(struct reader *in, size_t column, double *x, struct kith_err *err)
{
	if (kith_value(&in->rows, column, x, " (--task?)", err))
		return -1;
	if (in->query != NONE && column == in->actual &&
	    !(0 <= *x && *x <= KITH_RELEVANCE_MOST))
		return kith_rows_fail(&in->rows, column, err,
		    "not a relevance from 0 to %d: " KITH_CELL,
		    KITH_RELEVANCE_MOST,
		    kith_rec_cell(&in->rows.rec, column)->s);
	return 0;
}

/* Take the cells of a whole row as row n. */
static int
add_cells(struct reader *in, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;
	const bool classify = in->how->task == KITH_CLASSIFY;
	struct kith_outcome *o = in->o;
	const size_t n = o->n;

	if (classify)
		o->y[n] = kith_names_add(
		    &in->label, kith_rec_cell(rec, in->actual)->s, in->pool);
	else if (add_number(in, in->actual, &o->t[n], err))
		return -1;
	if (in->query != NONE)
		o->query[n] = kith_names_add(
		    &in->asked, kith_rec_cell(rec, in->query)->s, in->pool);
	for (size_t a = 0; a < o->m; a++) {
		struct kith_outcome_column *c = &o->column[a];

		if (classify)
			c->p[n] = kith_names_add(&in->label,
			    kith_rec_cell(rec, in->from[a])->s, in->pool);
		else if (add_number(in, in->from[a], &c->v[n], err))
			return -1;
		if (c->positive &&
		    add_number(in, in->score[a], &c->score[n], err))
			return -1;
		if (in->how->chance &&
		    kith_chance_add(&c->chance, &in->rows,
			kith_rec_cell(rec, in->actual)->s, err))
			return -1;
	}
	return 0;
}

static int
add_row(struct reader *in, struct kith_err *err)
{
	struct kith_outcome *o = in->o;
	const int whole = is_whole(in, err);

	if (whole < 0)
		return -1;
	make_room(in);
	if (in->how->id && add_id(in, whole ? o->n : NONE, err))
		return -1;
	o->read++;
	if (!whole)
		return 0;
	if (add_cells(in, err))
		return -1;
	o->n++;
	return 0;
}

/* Number the classes in byte order. */
static void
sort_classes(struct reader *in)
{
	struct kith_pool tmp = {0};
	struct kith_outcome *o = in->o;
	size_t *was, *now = kith_new(&tmp, in->label.n, sizeof(*now));

	kith_names_sort(&in->label, &was, &tmp);
	for (size_t h = 0; h < in->label.n; h++)
		now[was[h]] = h;
	for (size_t i = 0; i < o->n; i++) {
		o->y[i] = now[o->y[i]];
		for (size_t a = 0; a < o->m; a++)
			o->column[a].p[i] = now[o->column[a].p[i]];
	}
	o->class = in->label;
	kith_pool_free(&tmp);
}

int
kith_outcome_read(const char *const *files, const struct kith_outcome_how *how,
    struct kith_outcome *o, struct kith_pool *pool, struct kith_err *err)
{
	struct reader in = {.how = how, .o = o, .pool = pool};
	int got;

	assert(!how->query || how->task == KITH_REGRESS);
	assert(!how->score || how->task == KITH_CLASSIFY);
	*o = (struct kith_outcome){0};
	if (kith_rows_open(&in.rows, files, &how->format, pool, err))
		return -1;
	got = begin(&in, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = add_row(&in, err);
	kith_rows_close(&in.rows);
	if (got == 0 && o->n == 0)
		got = kith_fail_at(err, EX_DATAERR, o->file, 0,
		    "every row has a missing cell");
	if (got)
		return -1;
	if (how->task == KITH_CLASSIFY)
		sort_classes(&in);
	return 0;
}
