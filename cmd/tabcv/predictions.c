/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. The first record tells a table, whose header names a prediction, from a list.
 * 2. Find the columns of predictions, of what was true, and of the scores that the measure needs.
 * 3. Row i of the file is row i of the split: compare what was true, and read the prediction of
 *    each column.
 * 4. Score the predictions of each column: score/score.h defines the measures.
 */
#include "tabcv.h"

#include "table/roles.h"
#include "table/trial.h"

#include <math.h>
#include <string.h>

static const char no_class[] = "\n"; /* the label of a missing prediction: no cell is a line end */

/* The classes of TABLE, then others that are predicted: in a task, or with --loo in all tasks. */
static struct kith_names label;
static struct kith_pool label_pool;

/* A column of predictions. */
struct column {
	struct score *score;
	size_t at;     /* of the file */
	size_t number; /* of the file: predicted numbers, or scores of the positive class */
	struct kith_scores scores; /* of a table */
	struct prediction *p;      /* m */
};

struct reader {
	struct kith_rows in;
	bool table;
	size_t actual;         /* column of what was true; in.name.n: there is none */
	struct column *column; /* n */
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
	size_t second;

	kith_scores_find(s, r->in.name.name[c->at], &r->in, r->pool);
	if (how.measure == KITH_SCORE_LOG_LOSS && s->c == 0)
		return kith_fail(
		    err, EX_DATAERR, "log_loss needs columns probability:CLASS or score:CLASS");
	if (how.measure != KITH_SCORE_AUC)
		return 0;
	second = kith_scores_second(s);
	if (second == s->c)
		return kith_fail(err, EX_DATAERR, "auc needs two columns %sCLASS", s->prefix);
	c->number = s->from[second];
	c->score->positive = kith_names_find(&label, s->class[second]);
	return 0;
}

/* Step 2. */
static int
find_columns(struct reader *r, struct task *t, struct kith_err *err)
{
	const struct kith_names *name = &r->in.name;

	if (!r->table && how.measure == KITH_SCORE_LOG_LOSS)
		return kith_fail(err, EX_DATAERR, "log_loss needs columns score:CLASS");
	if (!r->table && how.measure == KITH_SCORE_AUC && rows.label[TARGET].n != 2)
		return kith_fail(err, EX_DATAERR, "auc needs two classes");
	r->column = kith_new(r->pool, name->n, sizeof(*r->column));
	t->score = kith_new(&kept, name->n, sizeof(*t->score));
	r->actual = r->table ? kith_names_find(name, "actual") : name->n;
	for (size_t j = 0; j < name->n; j++) {
		struct column *c = &r->column[r->n];
		const char *k = r->table ? name->name[j] + strlen("predicted") : "";

		if (r->table && !kith_is_prediction(name->name[j]))
			continue;
		c->at = c->number = j;
		c->score = &t->score[r->n++];
		c->score->k = text(&kept, "%s", *k ? k + 1 : k);
		c->score->positive = 1;
		c->p = kith_new(r->pool, r->m, sizeof(*c->p));
		if (r->table && find_scores(r, c, err))
			return -1;
	}
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

/* Step 3: reads the prediction of a column for a row. */
static int
read_prediction(
    const struct reader *r, const struct column *c, struct prediction *p, struct kith_err *err)
{
	const struct kith_cell *cell = kith_rec_cell(&r->in.rec, c->at);
	const size_t actual = rows.level[TARGET][p->row];
	long double difference, brier;

	if ((how.task == KITH_REGRESS || how.measure == KITH_SCORE_AUC) &&
	    kith_value_required(&r->in, c->number, &p->number, err))
		return -1;
	if (how.task == KITH_REGRESS) {
		difference = (long double)p->number - rows.number[TARGET][p->row];
		p->loss = how.measure == KITH_SCORE_MAE ? fabsl(difference)
							: difference * difference;
		return 0;
	}
	p->class = kith_names_add(
	    &label, kith_cell_missing(cell) ? no_class : cell->s, &label_pool);
	p->loss = p->class != actual;
	return how.measure == KITH_SCORE_LOG_LOSS
	    ? kith_scores_losses(
		  &c->scores, &r->in, rows.label[TARGET].name[actual], &p->loss, &brier, err)
	    : 0;
}

/* Steps 2 and 3; rows beyond the m of the split are only counted. */
static int
read_all(struct reader *r, struct task *t, struct kith_err *err)
{
	int got = find_columns(r, t, err);

	while (got == 0 && (got = kith_rows_next(&r->in, err)) > 0) {
		const size_t i = r->in.n - 1;

		got = 0;
		if (i < r->m && r->actual < r->in.name.n)
			got = check_actual(r, r->row[i], err);
		for (size_t a = 0; i < r->m && got == 0 && a < r->n; a++) {
			r->column[a].p[i].row = r->row[i];
			got = read_prediction(r, &r->column[a], &r->column[a].p[i], err);
		}
	}
	if (got == 0 && r->in.n != r->m)
		got = kith_fail(err, EX_DATAERR, "%zu predictions for %zu rows", r->in.n, r->m);
	return got;
}

bool
is_mean_of_losses(void)
{
	return how.measure == KITH_SCORE_ERROR || how.measure == KITH_SCORE_LOG_LOSS ||
	    how.measure == KITH_SCORE_RMSE || how.measure == KITH_SCORE_MAE ||
	    how.measure == KITH_SCORE_SQUARED;
}

/* The value of a part, or NaN: its rows do not define it. */
static double
value_of_part(const struct prediction *p, const struct score *s, size_t *queries)
{
	struct kith_pool tmp = {0};
	double *actual_number, *number, score[KITH_SCORE_MEASURES];
	size_t *actual, *class, *query;

	KITH_NEW_REALS(&tmp, s->n, 1, &actual_number, &number);
	KITH_NEW_SIZES(&tmp, s->n, 1, &actual, &class, &query);
	for (size_t i = 0; i < s->n; i++) {
		actual_number[i] = rows.number[TARGET][p[i].row];
		number[i] = p[i].number;
		actual[i] = rows.level[TARGET][p[i].row];
		class[i] = p[i].class;
		query[i] = rows.level[QUERY] ? rows.level[QUERY][p[i].row] : 0;
	}
	if (how.measure == KITH_SCORE_NDCG)
		score[KITH_SCORE_NDCG] = kith_score_ndcg(
		    &(struct kith_score_ranking){actual_number, number, query, s->n}, how.ndcg,
		    queries);
	else if (how.measure == KITH_SCORE_AUC)
		score[KITH_SCORE_AUC] = kith_score_auc(actual, s->positive, number, NULL, s->n);
	else if (how.measure == KITH_SCORE_R2)
		kith_score_numbers(actual_number, number, NULL, s->n, score);
	else
		kith_score_classes(actual, class, NULL, s->n, s->classes, score);
	kith_pool_free(&tmp);
	return score[how.measure];
}

void
score_predictions(const struct prediction *p, struct score *s)
{
	struct kith_pool tmp = {0};
	long double *loss = kith_new(&tmp, s->n, sizeof(*loss));
	double *weight = kith_new(&tmp, s->n, sizeof(*weight)), value;
	struct kith_trial t = {.se = NAN};
	size_t queries = 1;

	if (!is_mean_of_losses()) {
		value = value_of_part(p, s, &queries);
		s->loss = isnan(value) ? 0 : (long double)value * (long double)queries;
		s->weight = isnan(value) ? 0 : (double)queries;
	} else {
		for (size_t i = 0; i < s->n; i++) {
			weight[i] = rows.number[WEIGHT] ? rows.number[WEIGHT][p[i].row] : 1;
			if (weight[i] > 0) /* an infinite loss times 0 is no number */
				loss[i] = weight[i] * p[i].loss;
			s->loss += loss[i];
			s->weight += weight[i];
			s->errors += p[i].loss > 0;
		}
		kith_trial_sums(loss, weight, s->n, how.measure == KITH_SCORE_RMSE, &t);
	}
	s->row_se = t.se;
	kith_pool_free(&tmp);
}

int
read_predictions(
    const char *path, const size_t *row, size_t m, struct task *t, struct kith_err *err)
{
	const char *const files[] = {path, NULL};
	struct kith_pool tmp = {0};
	struct kith_format format = {.form = KITH_FORM_CSV, .text_only = true};
	struct reader r = {.row = row, .m = m, .table = is_table(path), .pool = &tmp};
	int got;

	if (!how.loo) {
		kith_pool_free(&label_pool);
		label = (struct kith_names){0};
	}
	for (size_t h = 0; h < rows.label[TARGET].n; h++)
		kith_names_add(&label, rows.label[TARGET].name[h], &label_pool);
	format.header = r.table;
	format.no_header = !r.table;
	format.sep = r.table ? 0 : KITH_SEP_NONE;
	got = kith_rows_open(&r.in, files, &format, &tmp, err);
	if (got == 0) {
		got = read_all(&r, t, err);
		kith_rows_close(&r.in);
	}
	for (size_t a = 0; got == 0 && a < r.n; a++, t->scores++) {
		t->score[a].n = m;
		t->score[a].classes = label.n;
		t->score[a].last = r.column[a].p[m - 1];
		score_predictions(r.column[a].p, &t->score[a]);
	}
	if (got && err->line > 0) { /* the file itself is gone soon */
		const struct kith_err at = *err;

		kith_fail(err, at.status, "line %zu: %.380s", at.line, at.msg);
	}
	kith_pool_free(&tmp);
	return got;
}
