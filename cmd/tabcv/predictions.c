/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. The first record tells a table, whose header names a prediction, from a list.
 * 2. Find the columns of predictions, of what was true, and of the scores that the measure needs.
 * 3. Row i of the file is row i of the split: compare what was true, and append each prediction to
 *    the outcome of its column.
 * 4. Score the outcomes.
 */
#include "tabcv.h"

#include "score/columns.h"
#include "table/roles.h"

#include <string.h>

static const char no_class[] = "\n"; /* the label of a missing prediction: no cell is a line end */

/* A column of predictions. */
struct column {
	const char *k;             /* behind predicted_, or "" */
	size_t at;                 /* of the file */
	size_t score;              /* auc: column of the scores of the positive class */
	struct kith_scores scores; /* of a table */
	struct outcome o;
};

struct reader {
	struct kith_rows in;
	bool table;
	size_t actual;            /* column of what was true; in.name.n: there is none */
	struct kith_names *label; /* the classes of TABLE, then others that are predicted */
	struct column *column;    /* n */
	size_t n;
	const size_t *row; /* m: the rows of the split */
	size_t m;
	struct kith_pool *pool;
};

/* Step 1. */
static bool
is_table(const char *path)
{
	struct kith_rec rec;
	struct kith_err err;
	bool found = false;

	if (kith_rec_open(&rec, path, 0, KITH_FORM_CSV, &err))
		return false;
	if (kith_rec_next(&rec, &err) > 0)
		for (size_t j = 0; j < rec.n; j++)
			found |= kith_is_prediction(kith_rec_cell(&rec, j)->s);
	kith_rec_close(&rec);
	return found;
}

/* Step 2: the scores of a column of a table. */
static int
find_scores(struct reader *r, struct column *c, struct kith_err *err)
{
	struct kith_scores *s = &c->scores;

	kith_scores_find(s, r->in.name.name[c->at], &r->in, r->pool);
	if (how.measure == KITH_SCORE_LOG_LOSS && s->c == 0)
		return kith_fail(
		    err, EX_DATAERR, "log_loss needs columns probability:CLASS or score:CLASS");
	if (how.measure == KITH_SCORE_AUC) { /* of the second class */
		const size_t second = kith_scores_second(s);

		if (second == s->c)
			return kith_fail(
			    err, EX_DATAERR, "auc needs two columns %sCLASS", s->prefix);
		c->score = s->from[second];
		c->o.positive = kith_names_find(r->label, s->class[second]);
	}
	return 0;
}

static void
make_outcome(struct outcome *o, size_t m, struct kith_pool *pool)
{
	KITH_NEW_REALS(pool, m, 1, &o->weight);
	if (how.task == KITH_CLASSIFY)
		KITH_NEW_SIZES(pool, m, 1, &o->actual_class, &o->class);
	else
		KITH_NEW_REALS(pool, m, 1, &o->actual, &o->number);
	if (how.measure == KITH_SCORE_AUC)
		KITH_NEW_REALS(pool, m, 1, &o->score);
	if (how.measure == KITH_SCORE_LOG_LOSS)
		o->log_loss = kith_new(pool, m, sizeof(*o->log_loss));
	if (how.measure == KITH_SCORE_NDCG)
		KITH_NEW_SIZES(pool, m, 1, &o->query);
}

/* Step 2. */
static int
find_columns(struct reader *r, struct kith_err *err)
{
	const struct kith_names *name = &r->in.name;

	r->column = kith_new(r->pool, name->n, sizeof(*r->column));
	r->actual = r->table ? kith_names_find(name, "actual") : name->n;
	for (size_t j = 0; j < name->n; j++) {
		struct column *c = &r->column[r->n];

		if (r->table && !kith_is_prediction(name->name[j]))
			continue;
		c->at = c->score = j;
		c->k = r->table ? name->name[j] + strlen("predicted") : "";
		c->k += *c->k == '_';
		c->o.positive = 1;
		make_outcome(&c->o, r->m, r->pool);
		r->n++;
		if (r->table && find_scores(r, c, err))
			return -1;
	}
	if (!r->table && how.measure == KITH_SCORE_LOG_LOSS)
		return kith_fail(err, EX_DATAERR, "log_loss needs columns score:CLASS");
	if (!r->table && how.measure == KITH_SCORE_AUC && rows.label[TARGET].n != 2)
		return kith_fail(err, EX_DATAERR, "auc needs two classes");
	return 0;
}

/* Step 3: fails where the column actual is not what is true of the row. */
static int
check_actual(const struct reader *r, size_t row, struct kith_err *err)
{
	const struct kith_cell *c = kith_rec_cell(&r->in.rec, r->actual);
	double x;
	bool same;

	if (how.task == KITH_REGRESS && kith_value_required(&r->in, r->actual, &x, err))
		return -1;
	same = how.task == KITH_REGRESS
	    ? x == rows.number[TARGET][row]
	    : strcmp(c->s, rows.label[TARGET].name[rows.level[TARGET][row]]) == 0;
	return same ? 0
		    : kith_rows_fail(&r->in, r->actual, err,
			  "row %zu of the table is not " KITH_CELL, row + 1, c->s);
}

/* Step 3: appends a prediction to the outcome of its column. */
static int
add_prediction(struct reader *r, struct column *c, size_t row, struct kith_err *err)
{
	const struct kith_cell *cell = kith_rec_cell(&r->in.rec, c->at);
	struct outcome *o = &c->o;
	const size_t i = o->n++;
	long double brier;

	o->weight[i] = rows.number[WEIGHT] ? rows.number[WEIGHT][row] : 1;
	if (o->query)
		o->query[i] = rows.level[QUERY][row];
	if (how.task == KITH_REGRESS) {
		o->actual[i] = rows.number[TARGET][row];
		return kith_value_required(&r->in, c->at, &o->number[i], err);
	}
	o->actual_class[i] = rows.level[TARGET][row];
	o->class[i] = kith_names_add(
	    r->label, kith_cell_missing(cell) ? no_class : cell->s, r->pool);
	if (o->score && kith_value_required(&r->in, c->score, &o->score[i], err))
		return -1;
	return o->log_loss
	    ? kith_scores_losses(&c->scores, &r->in, rows.label[TARGET].name[o->actual_class[i]],
		  &o->log_loss[i], &brier, err)
	    : 0;
}

/* Steps 2 and 3; rows beyond the m of the split are only counted. */
static int
read_all(struct reader *r, struct kith_err *err)
{
	int got = find_columns(r, err);

	while (got == 0 && (got = kith_rows_next(&r->in, err)) > 0) {
		const bool due = r->in.n <= r->m;

		got = 0;
		if (due && r->actual < r->in.name.n)
			got = check_actual(r, r->row[r->in.n - 1], err);
		for (size_t a = 0; due && got == 0 && a < r->n; a++)
			got = add_prediction(r, &r->column[a], r->row[r->in.n - 1], err);
	}
	if (got == 0 && r->in.n != r->m)
		got = kith_fail(err, EX_DATAERR, "%zu predictions for %zu rows", r->in.n, r->m);
	return got;
}

int
read_predictions(
    const char *path, const size_t *row, size_t m, struct task *t, struct kith_err *err)
{
	/* With --loo the predictions are kept, and the classes of all tasks numbered together. */
	static struct kith_names kept_label;
	const char *const files[] = {path, NULL};
	struct kith_pool tmp = {0};
	struct kith_names label = {0};
	struct kith_format format = {.form = KITH_FORM_CSV, .text_only = true};
	struct reader r = {.row = row, .m = m, .table = is_table(path)};
	int got;

	r.pool = how.loo ? &kept : &tmp;
	r.label = how.loo ? &kept_label : &label;
	for (size_t h = 0; h < rows.label[TARGET].n; h++)
		kith_names_add(r.label, rows.label[TARGET].name[h], r.pool);
	format.header = r.table;
	format.no_header = !r.table;
	format.sep = r.table ? 0 : KITH_SEP_NONE;
	got = kith_rows_open(&r.in, files, &format, r.pool, err);
	if (got == 0) {
		got = read_all(&r, err);
		kith_rows_close(&r.in);
	}
	t->score = kith_new(&kept, got ? 0 : r.n, sizeof(*t->score));
	t->scores = got ? 0 : r.n;
	for (size_t a = 0; a < t->scores; a++) {
		r.column[a].o.classes = r.label->n;
		t->score[a].k = text(&kept, "%s", r.column[a].k);
		score_outcome(&r.column[a].o, &t->score[a]);
		if (how.loo)
			t->score[a].kept = r.column[a].o;
	}
	if (got && err->line > 0) { /* the file itself is gone soon */
		const struct kith_err at = *err;

		kith_fail(err, at.status, "line %zu: %.380s", at.line, at.msg);
	}
	kith_pool_free(&tmp);
	return got;
}
