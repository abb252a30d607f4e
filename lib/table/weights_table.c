/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/weights_table.h"

#include "base/err.h"
#include "base/pool.h"
#include "text/rows.h"
#include "text/value.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	struct kith_rows rows;
	const struct kith_names *feature; /* those there are */
	const struct kith_weights_rules *rules;
	struct kith_weights_table *table;
	size_t first, second, weight; /* columns of the table */
	size_t step; /* column "step" or "learner", or no column */
	size_t alpha, sigma;
	char *step_text;       /* what stands there in every row */
	size_t room, learners; /* of the arrays */
	struct kith_pool *pool;
};

/* Find the columns of a path or of an ensemble. */
static void
find_steps(struct reader *in)
{
	const struct kith_names *name = &in->rows.name;
	const size_t none = name->n;

	in->step = kith_names_find(name, "step");
	if (in->step == none)
		in->step = kith_names_find(name, "learner");
	in->alpha = kith_names_find(name, "alpha");
	in->sigma = kith_names_find(name, "sigma");
	if (in->rules->ensemble && in->alpha < none && in->sigma < none &&
	    kith_names_find(name, "learner") < none) {
		in->step = kith_names_find(name, "learner");
		in->table->boosted = true;
	}
}

static int
header(struct reader *in, struct kith_err *err)
{
	const struct kith_names *name = &in->rows.name;
	const size_t none = name->n;
	const size_t square = kith_names_find(name, "weight");
	const size_t abs = kith_names_find(name, "weight_abs");
	const size_t feature = kith_names_find(name, "feature");
	const char *lacks = NULL;
	bool matrix;

	in->first = kith_names_find(name, "feature1");
	in->second = kith_names_find(name, "feature2");
	matrix = feature == none && (in->first < none || in->second < none);
	if (!matrix)
		in->first = in->second = feature;
	if (in->first == none)
		lacks = matrix ? "feature1" : "feature";
	else if (in->second == none)
		lacks = "feature2";
	else if (square == none && abs == none)
		lacks = "weight";
	if (lacks)
		return kith_fail_at(err, EX_DATAERR, in->rows.rec.file,
		    in->rows.head, "column \"%s\": not found", lacks);
	if (square < none && abs < none)
		return kith_fail_at(err, EX_DATAERR, in->rows.rec.file,
		    in->rows.head,
		    "columns \"weight\" and \"weight_abs\": one too many");
	in->weight = square < none ? square : abs;
	if (matrix)
		in->table->kind = square < none ? KITH_SQUARED_MATRIX
						: KITH_ABSOLUTE_MATRIX;
	else
		in->table->kind = square < none ? KITH_SQUARED : KITH_ABSOLUTE;
	find_steps(in);
	return 0;
}

/* Refuse a path or an ensemble: it holds several tables of weights. */
static int
check_step(struct reader *in, struct kith_err *err)
{
	const struct kith_cell *c = kith_rec_cell(&in->rows.rec, in->step);
	const char *name = in->rows.name.name[in->step];

	if (!in->step_text)
		in->step_text = kith_strndup(in->pool, c->s, c->len);
	if (strcmp(c->s, in->step_text) == 0)
		return 0;
	return kith_rows_fail(&in->rows, in->step, err,
	    "several of them: " KITH_CELL " and " KITH_CELL
	    " (choose one, with awk?%s)",
	    in->step_text, c->s,
	    strcmp(name, "learner") == 0 ? " knnclf --vote expected?" : "");
}

/* Read a number above 0 that all rows of the learner share. */
static int
take_shared(struct reader *in, size_t column, double *x, bool first,
    struct kith_err *err)
{
	const char *text = kith_rec_cell(&in->rows.rec, column)->s;
	double got;

	if (kith_value_due(&in->rows, column, &got, err))
		return -1;
	if (!(got > 0))
		return kith_rows_fail(
		    &in->rows, column, err, "not above 0: " KITH_CELL, text);
	if (!first && got != *x)
		return kith_rows_fail(&in->rows, column, err,
		    "not the same in all rows of the learner: " KITH_CELL,
		    text);
	*x = got;
	return 0;
}

static int
take_learner(
    struct reader *in, struct kith_weights_entry *e, struct kith_err *err)
{
	struct kith_weights_table *t = in->table;
	const size_t n = t->learner.n;
	const char *text = kith_rec_cell(&in->rows.rec, in->step)->s;

	e->learner = kith_names_add(&t->learner, text, in->pool);
	if (n == in->learners) {
		in->learners = 2 * n + 16;
		t->alpha = kith_grow(
		    in->pool, t->alpha, in->learners, sizeof(*t->alpha));
		t->sigma = kith_grow(
		    in->pool, t->sigma, in->learners, sizeof(*t->sigma));
	}
	return take_shared(in, in->alpha, &t->alpha[e->learner],
		   e->learner == n, err) ||
		take_shared(
		    in, in->sigma, &t->sigma[e->learner], e->learner == n, err)
	    ? -1
	    : 0;
}

static int
find_feature(struct reader *in, size_t column, size_t *j, struct kith_err *err)
{
	const char *name = kith_rec_cell(&in->rows.rec, column)->s;

	*j = kith_names_find(in->feature, name);
	if (*j < in->feature->n)
		return 0;
	return kith_rows_fail(
	    &in->rows, column, err, "not among the features: " KITH_CELL, name);
}

static int
take_weight(
    struct reader *in, struct kith_weights_entry *e, struct kith_err *err)
{
	const struct kith_rows *t = &in->rows;
	const bool vector = in->first == in->second;

	if (kith_value_due(t, in->weight, &e->w, err))
		return -1;
	if (e->w < 0 && e->i == e->j && (vector || !in->rules->full))
		return kith_rows_fail(t, in->weight, err,
		    "negative%s: " KITH_CELL "%s",
		    vector ? "" : " on the diagonal",
		    kith_rec_cell(&t->rec, in->weight)->s,
		    vector ? " (relief --clip?)" : "");
	return 0;
}

static int
take(struct reader *in, struct kith_err *err)
{
	struct kith_weights_table *t = in->table;
	struct kith_weights_entry e = {.line = in->rows.rec.line};

	if (t->boosted) {
		if (take_learner(in, &e, err))
			return -1;
	} else if (in->step < in->rows.name.n && check_step(in, err))
		return -1;
	if (find_feature(in, in->first, &e.i, err) ||
	    find_feature(in, in->second, &e.j, err) || take_weight(in, &e, err))
		return -1;
	if (e.i > e.j && !in->rules->full) {
		const size_t i = e.i;

		e.i = e.j;
		e.j = i;
	}
	t->entry = kith_more(
	    in->pool, t->entry, t->n, &in->room, sizeof(*t->entry));
	t->entry[t->n++] = e;
	return 0;
}

static int
by_place(const void *a, const void *b)
{
	const struct kith_weights_entry *s = a, *t = b;

	if (s->learner != t->learner)
		return s->learner < t->learner ? -1 : 1;
	if (s->i != t->i)
		return s->i < t->i ? -1 : 1;
	if (s->j != t->j)
		return s->j < t->j ? -1 : 1;
	return s->line < t->line ? -1 : s->line > t->line;
}

/* Sort the entries; the first that stands twice is an error. */
static int
sort(struct reader *in, struct kith_err *err)
{
	const struct kith_weights_table *t = in->table;
	const struct kith_weights_entry *twin = NULL, *e = t->entry;

	qsort(t->entry, t->n, sizeof(*t->entry), by_place);
	for (size_t i = 1; i < t->n; i++)
		if (e[i].learner == e[i - 1].learner && e[i].i == e[i - 1].i &&
		    e[i].j == e[i - 1].j && (!twin || e[i].line < twin->line))
			twin = &e[i];
	if (!twin)
		return 0;
	if (in->first == in->second)
		return kith_fail_at(err, EX_DATAERR, in->rows.rec.file,
		    twin->line, "column \"feature\": named twice: " KITH_CELL,
		    in->feature->name[twin->i]);
	return kith_fail_at(err, EX_DATAERR, in->rows.rec.file, twin->line,
	    "pair named twice: " KITH_CELL ", " KITH_CELL,
	    in->feature->name[twin->i], in->feature->name[twin->j]);
}

/* List the features that have an entry. */
static void
list_columns(const struct reader *in)
{
	struct kith_weights_table *t = in->table;
	struct kith_pool tmp = {0};
	bool *there = kith_new(&tmp, in->feature->n, sizeof(*there));

	for (size_t e = 0; e < t->n; e++)
		there[t->entry[e].i] = there[t->entry[e].j] = true;
	t->column = kith_new(in->pool, in->feature->n, sizeof(*t->column));
	for (size_t j = 0; j < in->feature->n; j++)
		if (there[j])
			t->column[t->p++] = j;
	kith_pool_free(&tmp);
}

int
kith_weights_table_read(const char *file, const struct kith_names *feature,
    const struct kith_weights_rules *rules, struct kith_weights_table *table,
    struct kith_pool *pool, struct kith_err *err)
{
	const char *const files[] = {file, NULL};
	const struct kith_format format = {0};
	struct reader in = {
	    .feature = feature, .rules = rules, .table = table, .pool = pool};
	int got;

	*table = (struct kith_weights_table){0};
	if (kith_rows_open(&in.rows, files, &format, pool, err))
		return -1;
	table->file = in.rows.rec.file;
	got = header(&in, err);
	if (got == 0)
		got = kith_needs_read(&in.rows.rec, &table->needs, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = take(&in, err);
	kith_rows_close(&in.rows);
	if (got == 0)
		got = sort(&in, err);
	if (got == 0 && kith_metric_is_matrix(table->kind))
		list_columns(&in);
	return got;
}

static struct kith_metric
vector(const struct kith_weights_table *t, size_t from, size_t to,
    size_t features, struct kith_pool *pool)
{
	double *w = kith_new(pool, features, sizeof(*w));

	for (size_t e = from; e < to; e++)
		w[t->entry[e].i] = t->entry[e].w;
	return (struct kith_metric){t->kind, features, w};
}

struct kith_metric
kith_weights_table_metric(const struct kith_weights_table *t, size_t from,
    size_t to, size_t features, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t p = t->p;
	size_t *at;
	bool *named;
	double *w;

	if (!kith_metric_is_matrix(t->kind))
		return vector(t, from, to, features, pool);
	at = kith_new(&tmp, features, sizeof(*at));
	named = kith_new(&tmp, p, p * sizeof(*named));
	w = kith_new(pool, p, p * sizeof(*w));
	for (size_t j = 0; j < p; j++)
		at[t->column[j]] = j;
	for (size_t e = from; e < to; e++) {
		const size_t i = at[t->entry[e].i], j = at[t->entry[e].j];

		w[i * p + j] = t->entry[e].w;
		named[i * p + j] = true;
		if (!named[j * p + i])
			w[j * p + i] = t->entry[e].w;
	}
	kith_pool_free(&tmp);
	return (struct kith_metric){t->kind, p, w};
}
