/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. The first record tells a table, whose header names a prediction, from a list.
 * 2. Find the columns of predictions, of what was true, and of the scores that the measure needs.
 * 3. Row i of the file is row i of the split: compare what was true, and read the prediction of
 *    each column.
 * 4. Score the predictions of each column: score/score.h defines the measures.
 *
 * The parts of a trial have l_i / w_i (struct score), i = 1..N.  Over rows, parts or queries
 *
 *	value = sum_i l_i / sum_i w_i,			rmse: its square root,
 *	se    = sd(l_i / w_i) / sqrt(N),		rmse: / (2 value)	(table/trial.h)
 *
 * where parts without a value, w_i = 0, are left out.  With --loo and --test, value is taken over
 * all rows together, and se over the losses of the rows; NaN where the measure is no mean of
 * losses.
 */
#include "tabcv.h"

#include "base/num.h"
#include "table/roles.h"
#include "table/trial.h"
#include "text/out.h"

#include <math.h>
#include <string.h>

static const char no_class[] = "\n"; /* the label of a missing prediction: no cell is a line end */

/* The classes of TABLE, then others that are predicted: in a task, or with --loo in all tasks. */
static struct kith_names label;
static struct kith_pool label_pool;

/* A column of predictions. */
struct column {
	size_t at;     /* of the file */
	size_t number; /* of the file: predicted numbers, or scores of the positive class */
	struct kith_scores scores; /* of a table */
};

struct reader {
	struct kith_rows in;
	bool table;
	size_t actual;         /* column of what was true; in.name.n: there is none */
	struct column *column; /* n; column a has score[a] of the task */
	size_t n;
	size_t *row; /* m: the rows of the split */
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

/* Step 2. */
static int
find_columns(struct reader *r, struct task *t, struct kith_err *err)
{
	const bool log_loss = how.measure == KITH_SCORE_LOG_LOSS;
	const bool auc = how.measure == KITH_SCORE_AUC;
	const struct kith_names *name = &r->in.name;

	if (!r->table && log_loss)
		return kith_fail(err, EX_DATAERR, "log_loss needs columns score:CLASS");
	if (!r->table && auc && rows.label[TARGET].n != 2)
		return kith_fail(err, EX_DATAERR, "auc needs two classes");
	r->column = kith_new(r->pool, name->n, sizeof(*r->column));
	t->score = kith_new(&kept, name->n, sizeof(*t->score));
	r->actual = r->table ? kith_names_find(name, "actual") : name->n;
	for (size_t j = 0; j < name->n; j++) {
		struct score *score = &t->score[r->n];
		struct column *c = &r->column[r->n];
		struct kith_scores *s = &c->scores;
		const char *k = r->table ? name->name[j] + strlen("predicted") : "";

		if (r->table && !kith_is_prediction(name->name[j]))
			continue;
		c->at = c->number = j;
		r->n++;
		*score = (struct score){
		    .k = text(&kept, "%s", *k ? k + 1 : k), .n = r->m, .positive = 1};
		score->p = kith_new(how.loo ? &kept : r->pool, r->m, sizeof(*score->p));
		if (!r->table)
			continue;
		kith_scores_find(s, name->name[j], &r->in, r->pool);
		if (log_loss && s->c == 0)
			return kith_fail(err, EX_DATAERR,
			    "log_loss needs columns probability:CLASS or score:CLASS");
		if (auc && s->c != 2)
			return kith_fail(
			    err, EX_DATAERR, "auc needs two columns %sCLASS", s->prefix);
		if (auc) {
			c->number = s->from[kith_scores_second(s)];
			score->positive = kith_names_find(&label, s->class[kith_scores_second(s)]);
		}
	}
	return 0;
}

/* Step 3: reads the prediction of column a for a row of the split. */
static int
read_prediction(const struct reader *r, size_t a, struct prediction *p, struct kith_err *err)
{
	const struct column *c = &r->column[a];
	const struct kith_cell *cell = kith_rec_cell(&r->in.rec, c->at);
	const size_t actual = rows.of[TARGET][p->row].level;
	long double difference, brier;

	if ((how.task == KITH_REGRESS || how.measure == KITH_SCORE_AUC) &&
	    kith_value_required(&r->in, c->number, &p->number, err))
		return -1;
	if (how.task == KITH_REGRESS) {
		difference = (long double)p->number - rows.of[TARGET][p->row].number;
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

/* Step 3. */
static int
read_row(const struct reader *r, const struct task *t, struct kith_err *err)
{
	const size_t i = r->in.n - 1, row = r->row[i];
	const char *cell;
	double x;
	int got = 0;

	if (r->actual < r->in.name.n) {
		cell = kith_rec_cell(&r->in.rec, r->actual)->s;
		if (how.task == KITH_REGRESS && kith_value_required(&r->in, r->actual, &x, err))
			return -1;
		if (how.task == KITH_REGRESS
			? x != rows.of[TARGET][row].number
			: strcmp(cell, rows.label[TARGET].name[rows.of[TARGET][row].level]) != 0)
			return kith_rows_fail(&r->in, r->actual, err,
			    "row %zu of the table is not " KITH_CELL, row + 1, cell);
	}
	for (size_t a = 0; got == 0 && a < r->n; a++) {
		t->score[a].p[i].row = row;
		got = read_prediction(r, a, &t->score[a].p[i], err);
	}
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
value_of_part(const struct score *s, size_t *queries)
{
	struct kith_pool tmp = {0};
	double *actual_number, *number, score[KITH_SCORE_MEASURES];
	size_t *actual, *class, *query;

	KITH_NEW_REALS(&tmp, s->n, 1, &actual_number, &number);
	KITH_NEW_SIZES(&tmp, s->n, 1, &actual, &class, &query);
	for (size_t i = 0; i < s->n; i++) {
		actual_number[i] = rows.of[TARGET][s->p[i].row].number;
		number[i] = s->p[i].number;
		actual[i] = rows.of[TARGET][s->p[i].row].level;
		class[i] = s->p[i].class;
		query[i] = rows.of[QUERY] ? rows.of[QUERY][s->p[i].row].level : 0;
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
		kith_score_classes(actual, class, NULL, s->n, label.n, score);
	kith_pool_free(&tmp);
	return score[how.measure];
}

/* Step 4: sets errors, loss, weight and row_se. */
static void
score_predictions(struct score *s)
{
	struct kith_pool tmp = {0};
	long double *loss = kith_new(&tmp, s->n, sizeof(*loss));
	double *weight = kith_new(&tmp, s->n, sizeof(*weight)), value;
	struct kith_trial t = {.se = NAN};
	size_t queries = 1;

	if (!is_mean_of_losses()) {
		value = value_of_part(s, &queries);
		s->loss = isnan(value) ? 0 : (long double)value * (long double)queries;
		s->weight = isnan(value) ? 0 : (double)queries;
	} else {
		for (size_t i = 0; i < s->n; i++) {
			weight[i] = rows.of[WEIGHT] ? rows.of[WEIGHT][s->p[i].row].number : 1;
			if (weight[i] > 0) /* an infinite loss times 0 is no number */
				loss[i] = weight[i] * s->p[i].loss;
			s->loss += loss[i];
			s->weight += weight[i];
			s->errors += s->p[i].loss > 0;
		}
		kith_trial_sums(loss, weight, s->n, how.measure == KITH_SCORE_RMSE, &t);
	}
	s->row_se = t.se;
	kith_pool_free(&tmp);
}

int
read_predictions(const char *path, struct task *t, struct kith_err *err)
{
	const char *const files[] = {path, NULL};
	struct kith_pool tmp = {0};
	struct kith_format format = {.form = KITH_FORM_CSV, .text_only = true};
	struct reader r = {.table = is_table(path), .pool = &tmp};
	int got;

	r.row = kith_new(&tmp, rows.n, sizeof(*r.row));
	for (size_t i = 0; i < rows.n; i++)
		if (predicts(&splits.v[t->split], i))
			r.row[r.m++] = i;
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
		got = find_columns(&r, t, err);
		while (got == 0 && (got = kith_rows_next(&r.in, err)) > 0)
			got = r.in.n <= r.m ? read_row(&r, t, err) : 0;
		kith_rows_close(&r.in);
		if (got == 0 && r.in.n != r.m)
			got = kith_fail(
			    err, EX_DATAERR, "%zu predictions for %zu rows", r.in.n, r.m);
	}
	for (; got == 0 && t->scores < r.n; t->scores++)
		score_predictions(&t->score[t->scores]);
	if (got && err->line > 0) { /* the file itself is gone soon */
		const struct kith_err at = *err;

		kith_fail(err, at.status, "line %zu: %.380s", at.line, at.msg);
	}
	kith_pool_free(&tmp);
	return got;
}

/* ---- Trials ---- */

const struct score *
find_score(const struct task *t, const char *k)
{
	for (size_t i = 0; i < t->scores; i++)
		if (strcmp(t->score[i].k, k) == 0)
			return &t->score[i];
	return NULL;
}

struct trial
sum_scores(size_t combination, const char *k, const struct score *const *s, size_t n)
{
	struct trial t = {combination, k, 0, 0, 0, NAN, NAN};
	struct kith_pool tmp = {0};
	struct score all = {.n = n};
	const struct score *const together = &all;
	long double *loss;
	double *weight;
	struct kith_trial sum;

	for (size_t i = 0; i < n; i++)
		if (!s[i])
			return t;
	if (how.loo) { /* all rows together, each of which is a part */
		all.p = kith_new(&tmp, n, sizeof(*all.p));
		for (size_t i = 0; i < n; i++)
			all.p[i] = *s[i]->p;
		all.positive = s[0]->positive;
		score_predictions(&all);
		s = &together;
		n = 1;
	}
	loss = kith_new(&tmp, n, sizeof(*loss));
	weight = kith_new(&tmp, n, sizeof(*weight));
	for (size_t i = 0; i < n; i++) {
		t.n += s[i]->n;
		t.errors += s[i]->errors;
		loss[i] = s[i]->loss;
		weight[i] = s[i]->weight;
		t.undefined += !(weight[i] > 0);
	}
	if (t.undefined < n) {
		kith_trial_sums(loss, weight, n, how.measure == KITH_SCORE_RMSE, &sum);
		t.value = sum.error;
		t.se = how.loo || how.test ? s[0]->row_se : sum.se;
	}
	kith_pool_free(&tmp);
	return t;
}

struct trial *
sum_trials(const struct task *task, size_t m, size_t *n)
{
	struct kith_pool tmp = {0};
	const struct score **s = kith_new(&tmp, m, sizeof(const struct score *));
	struct trial *trial = NULL;
	size_t room = 0;

	*n = 0;
	for (size_t c = 0; c < grid.combinations; c++) {
		const struct task *named = &task[c]; /* the first part that did not fail */

		for (size_t i = 0; i < m && !named->scores; i++)
			named = &task[i * grid.combinations + c];
		for (size_t a = 0; a == 0 || a < named->scores; a++) {
			const char *k = named->scores ? named->score[a].k : "";

			for (size_t i = 0; i < m; i++)
				s[i] = find_score(&task[i * grid.combinations + c], k);
			trial = kith_more(&kept, trial, *n, &room, sizeof(*trial));
			trial[(*n)++] = sum_scores(c, k, s, m);
		}
	}
	kith_pool_free(&tmp);
	return trial;
}

/* The value of parameter i of a trial, or for i = grid.n its k, as a number; NaN: it is none. */
static double
number_of(const struct trial *t, size_t i)
{
	const char *s = i < grid.n ? value_of(&grid.v[i], t->combination) : t->k;
	double x;

	return kith_parse_real(s, strlen(s), &x) == KITH_NUM_OK ? x : NAN;
}

/* The number k of a trial, from a column or the grid; infinite: there is none. */
static double
number_k(const struct trial *t)
{
	const struct parameter *p = find_parameter("k");
	const double k = number_of(t, p ? (size_t)(p - grid.v) : grid.n);

	return isnan(k) ? INFINITY : k;
}

const struct trial *
choose_trial(const struct trial *t, size_t n, int how_best)
{
	const double sign = kith_score_measures[how.measure].larger_is_better ? -1 : 1;
	const struct trial *best = NULL;
	double within;

	for (size_t i = 0; i < n; i++)
		if (!isnan(t[i].value) &&
		    (!best || sign * (t[i].value - best->value) < 0 ||
			(t[i].value == best->value && number_k(&t[i]) < number_k(best))))
			best = &t[i];
	/* A value whose se is not known is within one se of itself alone. */
	within = best ? sign * best->value + (best->se > 0 ? best->se : 0) : NAN;
	for (size_t i = 0; how_best == KITH_BEST_SE && i < n; i++)
		if (sign * t[i].value <= within)
			return &t[i];
	return best;
}

void
note_ends(const struct trial *t, size_t n, const struct trial *best)
{
	for (size_t i = 0; i <= grid.n; i++) {
		const double x = number_of(best, i);
		double least = x, most = x;
		bool inner = false, tie = false;

		for (size_t j = 0; j < n; j++) {
			least = fmin(least, number_of(&t[j], i));
			most = fmax(most, number_of(&t[j], i));
		}
		for (size_t j = 0; j < n; j++)
			if (least < number_of(&t[j], i) && number_of(&t[j], i) < most) {
				inner = true;
				tie |= t[j].value == best->value;
			}
		if (inner && !tie && (x == most || (x == least && x != 0 && x != 1)))
			kith_remark(false, NULL, 0,
			    "%s=%.60s is the %s value tried, a %s one may be better",
			    i < grid.n ? grid.v[i].name : "k",
			    i < grid.n ? value_of(&grid.v[i], best->combination) : best->k,
			    x == most ? "largest" : "smallest", x == most ? "larger" : "smaller");
	}
}

const char *
measure_name(void)
{
	return how.measure == KITH_SCORE_NDCG ? text(&kept, "ndcg@%zu", how.ndcg)
					      : kith_score_measures[how.measure].name;
}

void
put_trials(const struct trial *t, size_t n, const struct trial *best, struct kith_out *out)
{
	const char **name = kith_new(&kept, grid.n + 6, sizeof(const char *));
	size_t columns = 0;
	bool k = false;

	for (size_t i = 0; i < n; i++)
		k |= *t[i].k != '\0';
	if (how.nested)
		name[columns++] = "part";
	for (size_t i = 0; i < grid.n; i++)
		name[columns++] = grid.v[i].name;
	if (k)
		name[columns++] = "k";
	name[columns++] = "n";
	if (how.measure == KITH_SCORE_ERROR)
		name[columns++] = "errors";
	name[columns++] = measure_name();
	if (!how.nested)
		name[columns++] = "se";
	kith_out_header(out, name, columns);
	for (size_t i = 0; i < n; i++) {
		const bool mean = how.nested && i == n - 1;

		if (how.best && best != &t[i])
			continue;
		if (how.nested)
			kith_out_put(out, "%s\t", mean ? "mean" : text(&kept, "%zu", i + 1));
		for (size_t j = 0; j < grid.n; j++)
			kith_out_put(
			    out, "%s\t", mean ? NULL : value_of(&grid.v[j], t[i].combination));
		if (k)
			kith_out_put(out, "%s\t", *t[i].k ? t[i].k : NULL);
		kith_out_put(out, "%s\t", t[i].n > 0 ? text(&kept, "%zu", t[i].n) : NULL);
		if (how.measure == KITH_SCORE_ERROR)
			kith_out_put(
			    out, "%s\t", t[i].n > 0 ? text(&kept, "%zu", t[i].errors) : NULL);
		kith_out_put(out, "%G", t[i].value);
		if (!how.nested)
			kith_out_put(out, "\t%G", t[i].se);
		kith_out_row(out);
	}
}
