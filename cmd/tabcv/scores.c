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
#include "cli/cli.h"
#include "table/roles.h"
#include "table/trial.h"
#include "text/out.h"

#include <math.h>
#include <string.h>

static const char no_class[] = "\n"; /* the label of a missing prediction: no cell is a line end */

/*
 * label: the classes of TABLE, then other classes that are predicted.  pool: memory of labels and of
 * predictions.  label and pool begin anew with each task; with --loo, which scores all tasks
 * together, they keep what they have.
 */
static struct kith_names label;
static struct kith_pool *pool;

struct reader {
	struct kith_rows in;
	bool table;
	size_t actual; /* column of what was true; in.name.n: there is none */
	size_t *row;   /* m: the rows of the split */
	size_t m;
};

/* Step 1. */
static bool
is_table(const char *path)
{
	struct kith_rec rec;
	bool found = false;

	if (kith_rec_open(&rec, path, NULL, 0, KITH_FORM_CSV, &failure))
		return false;
	if (kith_rec_next(&rec, &failure) > 0)
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

	if (!r->table && auc && rows.label[TARGET].n != 2)
		return kith_fail(err, EX_DATAERR, "auc needs two classes");
	t->score = kith_new(&kept, name->n, sizeof(*t->score));
	r->actual = r->table ? kith_names_find(name, "actual") : name->n;
	for (size_t j = 0; j < name->n; j++) {
		const char *k = r->table ? name->name[j] + strlen("predicted") : "";
		struct score *s = &t->score[t->scores];
		struct kith_scores *of = &s->scores;

		if (r->table && !kith_is_prediction(name->name[j]))
			continue;
		t->scores++;
		*s = (struct score){.at = j,
		    .number = j,
		    .k = kith_text(&kept, "%s", *k ? k + 1 : k),
		    .n = r->m,
		    .positive = 1,
		    .p = kith_new(pool, r->m, sizeof(*s->p))};
		if (r->table)
			*of = kith_scores_find(name->name[j], &r->in, &scratch);
		if (log_loss && of->c == 0)
			return kith_fail(err, EX_DATAERR,
			    "log_loss needs columns probability:CLASS or score:CLASS");
		if (r->table && auc && of->c != 2)
			return kith_fail(
			    err, EX_DATAERR, "auc needs two columns %sCLASS", of->prefix);
		if (r->table && auc) {
			s->number = of->from[kith_scores_second(of)];
			s->positive = kith_names_find(&label, of->class[kith_scores_second(of)]);
		}
	}
	return 0;
}

/* Step 3: reads the prediction of a column for row p->row. */
static int
read_prediction(
    const struct reader *r, const struct score *s, struct prediction *p, struct kith_err *err)
{
	const struct kith_cell *cell = kith_rec_cell(&r->in.rec, s->at);
	const struct value *actual = &rows.of[TARGET][p->row];
	long double difference, brier;

	if ((how.task == KITH_REGRESS || how.measure == KITH_SCORE_AUC) &&
	    kith_value_required(&r->in, s->number, &p->number, err))
		return -1;
	if (how.task == KITH_REGRESS) {
		difference = (long double)p->number - actual->number;
		p->loss = how.measure == KITH_SCORE_MAE ? fabsl(difference)
							: difference * difference;
		return 0;
	}
	p->class = kith_names_add(&label, kith_cell_missing(cell) ? no_class : cell->s, pool);
	p->loss = p->class != actual->level;
	return how.measure == KITH_SCORE_LOG_LOSS
	    ? kith_scores_losses(
		  &s->scores, &r->in, rows.label[TARGET].name[actual->level], &p->loss, &brier, err)
	    : 0;
}

/* Step 3. */
static int
read_row(const struct reader *r, struct task *t, struct kith_err *err)
{
	const size_t i = r->in.n - 1, row = r->row[i];
	const struct value *actual = &rows.of[TARGET][row];
	const char *cell;
	double x;

	if (r->actual < r->in.name.n) {
		cell = kith_rec_cell(&r->in.rec, r->actual)->s;
		if (how.task == KITH_REGRESS && kith_value_required(&r->in, r->actual, &x, err))
			return -1;
		if (how.task == KITH_REGRESS
			? x != actual->number
			: strcmp(cell, rows.label[TARGET].name[actual->level]) != 0)
			return kith_rows_fail(&r->in, r->actual, err,
			    "row %zu of the table is not " KITH_CELL, row + 1, cell);
	}
	for (struct score *s = t->score; s < t->score + t->scores; s++) {
		s->p[i].row = row;
		if (read_prediction(r, s, &s->p[i], err))
			return -1;
	}
	return 0;
}

bool
is_mean_of_losses(void)
{
	return !kith_score_measures[how.measure].larger_is_better; /* brier is no --measure */
}

/* The value of a part, or NaN: its rows do not define it. */
static double
value_of_part(const struct score *s, size_t *queries)
{
	double *actual_number, *number, score[KITH_SCORE_MEASURES];
	size_t *actual, *class, *query;

	KITH_NEW_REALS(&scratch, s->n, 1, &actual_number, &number);
	KITH_NEW_SIZES(&scratch, s->n, 1, &actual, &class, &query);
	for (size_t i = 0; i < s->n; i++) {
		const struct prediction *p = &s->p[i];

		actual_number[i] = rows.of[TARGET][p->row].number;
		actual[i] = rows.of[TARGET][p->row].level;
		query[i] = rows.of[QUERY] ? rows.of[QUERY][p->row].level : 0;
		number[i] = p->number;
		class[i] = p->class;
	}
	if (how.measure == KITH_SCORE_NDCG)
		return kith_score_ndcg(actual_number, number, query, s->n, how.ndcg, queries);
	if (how.measure == KITH_SCORE_AUC)
		return kith_score_auc(actual, s->positive, number, NULL, s->n);
	if (how.measure == KITH_SCORE_R2)
		kith_score_numbers(actual_number, number, NULL, s->n, score);
	else
		kith_score_classes(actual, class, NULL, s->n, label.n, score);
	return score[how.measure];
}

/* Step 4: sets errors, loss, weight and row_se. */
static void
score_predictions(struct score *s)
{
	long double *loss = kith_new(&scratch, s->n, sizeof(*loss));
	double *weight = kith_new(&scratch, s->n, sizeof(*weight)), value;
	struct kith_trial t = {.se = NAN};
	size_t queries = 1;

	if (is_mean_of_losses()) {
		for (size_t i = 0; i < s->n; i++) {
			weight[i] = rows.of[WEIGHT] ? rows.of[WEIGHT][s->p[i].row].number : 1;
			if (weight[i] > 0) /* an infinite loss times 0 is no number */
				loss[i] = weight[i] * s->p[i].loss;
			s->loss += loss[i];
			s->weight += weight[i];
			s->errors += s->p[i].loss > 0;
		}
		kith_trial_sums(loss, weight, s->n, how.measure == KITH_SCORE_RMSE, &t);
	} else if (!isnan(value = value_of_part(s, &queries))) {
		s->loss = (long double)value * (long double)queries;
		s->weight = (double)queries;
	}
	s->row_se = t.se;
}

int
read_predictions(const char *path, struct task *t, struct kith_err *err)
{
	const char *const files[] = {path, NULL};
	struct reader r = {.table = is_table(path)};
	const struct kith_format format = {.form = KITH_FORM_CSV,
	    .text_only = true,
	    .header = r.table,
	    .no_header = !r.table,
	    .sep = r.table ? 0 : KITH_SEP_NONE};
	int got;

	r.row = kith_new(&scratch, rows.n, sizeof(*r.row));
	for (size_t i = 0; i < rows.n; i++)
		if (predicts(&splits.v[t->split], i))
			r.row[r.m++] = i;
	pool = how.loo ? &kept : &scratch;
	if (!how.loo)
		label = (struct kith_names){0};
	for (size_t h = 0; h < rows.label[TARGET].n; h++)
		kith_names_add(&label, rows.label[TARGET].name[h], pool);
	got = kith_rows_open(&r.in, files, &format, &scratch, err);
	if (got == 0) {
		got = find_columns(&r, t, err);
		while (got == 0 && (got = kith_rows_next(&r.in, err)) > 0)
			got = r.in.n <= r.m ? read_row(&r, t, err) : 0;
		kith_rows_close(&r.in);
		if (got == 0 && r.in.n != r.m)
			got = kith_fail(
			    err, EX_DATAERR, "%zu predictions for %zu rows", r.in.n, r.m);
	}
	for (size_t a = 0; got == 0 && a < t->scores; a++)
		score_predictions(&t->score[a]);
	return got;
}

/* ---- Trials ---- */

/* A combination of parameters, or the choices of several parts. */
struct trial {
	size_t combination;
	const char *k;    /* of a column predicted_K, or "" */
	size_t undefined; /* parts without a value */
	struct kith_trial
	    sums; /* error: the value, se; NaN: not known; n is 0 where a task failed */
};

/* Returns column k of a task, or NULL where it has none. */
static const struct score *
find_score(const struct task *t, const char *k)
{
	for (size_t i = 0; i < t->scores; i++)
		if (strcmp(t->score[i].k, k) == 0)
			return &t->score[i];
	return NULL;
}

/* Returns the trial of n parts with these scores; NULL: a task failed. */
static struct trial
sum_scores(size_t combination, const char *k, const struct score *const *s, size_t n)
{
	struct trial t = {combination, k, 0, {.error = NAN, .se = NAN}};
	struct score all = {.n = n};
	const struct score *const together = &all;
	long double *loss = kith_new(&scratch, n, sizeof(*loss));
	double *weight = kith_new(&scratch, n, sizeof(*weight));

	for (size_t i = 0; i < n; i++)
		if (!s[i])
			return t;
	if (how.loo) { /* all rows together, each of which is a part */
		all.p = kith_new(&scratch, n, sizeof(*all.p));
		for (size_t i = 0; i < n; i++)
			all.p[i] = *s[i]->p;
		all.positive = s[0]->positive;
		score_predictions(&all);
		s = &together;
		n = 1;
	}
	for (size_t i = 0; i < n; i++) {
		t.sums.n += s[i]->n;
		t.sums.errors += s[i]->errors;
		loss[i] = s[i]->loss;
		weight[i] = s[i]->weight;
		t.undefined += !(weight[i] > 0);
	}
	if (t.undefined < n)
		kith_trial_sums(loss, weight, n, how.measure == KITH_SCORE_RMSE, &t.sums);
	if (how.loo || how.test)
		t.sums.se = s[0]->row_se;
	return t;
}

/* Returns the trials of the tasks of m splits and all combinations; their number in *n. */
static struct trial *
sum_trials(const struct task *task, size_t m, size_t *n)
{
	const struct score **s = kith_new(&kept, m, sizeof(const struct score *));
	struct trial *trial = NULL;
	size_t room = 0;

	*n = 0;
	for (size_t c = 0; c < grid.combinations; c++) {
		const struct task *named = &task[c]; /* the first part that did not fail */

		for (size_t i = 0; i < m && !named->scores; i++)
			named = &task[i * grid.combinations + c];
		for (size_t a = 0; a == 0 || a < named->scores; a++, kith_pool_free(&scratch)) {
			const char *k = named->scores ? named->score[a].k : "";

			for (size_t i = 0; i < m; i++)
				s[i] = find_score(&task[i * grid.combinations + c], k);
			trial = kith_more(&kept, trial, *n, &room, sizeof(*trial));
			trial[(*n)++] = sum_scores(c, k, s, m);
		}
	}
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

/*
 * Returns the best of n trials: the best value, then the smallest k, then the first; or
 * (KITH_BEST_SE) the first within one standard error of the best value.  NULL: no value is known.
 */
static const struct trial *
choose_best(const struct trial *t, size_t n, int how_best)
{
	const double sign = kith_score_measures[how.measure].larger_is_better ? -1 : 1;
	const struct trial *best = NULL;
	double within;

	for (size_t i = 0; i < n; i++)
		if (!isnan(t[i].sums.error) &&
		    (!best || sign * (t[i].sums.error - best->sums.error) < 0 ||
			(t[i].sums.error == best->sums.error && number_k(&t[i]) < number_k(best))))
			best = &t[i];
	/* A value whose se is not known is within one se of itself alone. */
	within = best ? sign * best->sums.error + (best->sums.se > 0 ? best->sums.se : 0) : NAN;
	for (size_t i = 0; how_best == KITH_BEST_SE && i < n; i++)
		if (sign * t[i].sums.error <= within)
			return &t[i];
	return best;
}

/*
 * Prints a note for each parameter of the best of n trials, of three numbers or more, that is the
 * smallest or largest of them, unless one between is as good, or it is 0 or 1, below which counts
 * have no value.
 */
static void
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
				tie |= t[j].sums.error == best->sums.error;
			}
		if (inner && !tie && (x == most || (x == least && x != 0 && x != 1)))
			kith_remark(KITH_NOTE, NULL, 0,
			    "%s=%.60s is the %s value tried, a %s one may be better",
			    i < grid.n ? grid.v[i].name : "k",
			    i < grid.n ? value_of(&grid.v[i], best->combination) : best->k,
			    x == most ? "largest" : "smallest", x == most ? "larger" : "smaller");
	}
}

/*
 * Writes n trials as a table, or with --best the best alone (NULL: no line).  With --nested the
 * trials are a line for each outer part, and the mean of the parts.
 */
static void
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
	name[columns++] = how.measure_name;
	if (!how.nested)
		name[columns++] = "se";
	kith_out_header(out, name, columns);
	for (size_t i = 0; i < n; i++) {
		const bool mean = how.nested && i == n - 1;

		if (how.best && best != &t[i])
			continue;
		if (how.nested)
			kith_out_put(out, "%s\t", mean ? "mean" : kith_text(&kept, "%zu", i + 1));
		for (size_t j = 0; j < grid.n; j++)
			kith_out_put(
			    out, "%s\t", mean ? NULL : value_of(&grid.v[j], t[i].combination));
		if (k)
			kith_out_put(out, "%s\t", *t[i].k ? t[i].k : NULL);
		kith_out_put(
		    out, "%s\t", t[i].sums.n > 0 ? kith_text(&kept, "%zu", t[i].sums.n) : NULL);
		if (how.measure == KITH_SCORE_ERROR)
			kith_out_put(out, "%s\t",
			    t[i].sums.n > 0 ? kith_text(&kept, "%zu", t[i].sums.errors) : NULL);
		kith_out_put(out, "%G", t[i].sums.error);
		if (!how.nested)
			kith_out_put(out, "\t%G", t[i].sums.se);
		kith_out_row(out);
	}
}

int
run_trials(struct task *task, struct kith_out *out)
{
	const struct trial *t, *best = NULL;
	size_t n, undefined = 0, length;
	bool failed;
	char *printed;
	int status = 1;

	run_tasks(task, splits.n * grid.combinations);
	failed = report_tasks();
	t = sum_trials(task, splits.n, &n);
	for (size_t i = 0; i < n; i++)
		undefined = t[i].undefined > undefined ? t[i].undefined : undefined;
	if (undefined > 0)
		kith_warn("%s has no value in %zu of %zu parts, which are left out",
		    how.measure_name, undefined, splits.n);
	if (how.best && !(best = choose_best(t, n, how.best)))
		kith_say("no combination has a value to choose by");
	if (best) {
		const char *words = words_of(best->combination, best->k);

		kith_chosen("%s%s(%s %.4g, se %.4g, %zu part%s)", words, *words ? " " : "",
		    how.measure_name, best->sums.error, best->sums.se, splits.n,
		    splits.n == 1 ? "" : "s");
		kith_log_text("chosen", words);
	}
	if (best && how.best == KITH_BEST)
		note_ends(t, n, best);
	if (how.then && best) {
		struct task final = {.combination = best->combination, .k = best->k};

		status = run_line(how.then, &final, false, &printed, &length);
		if (status > 1)
			fail(status, NULL, "the final command failed with status %d", status);
		kith_out_bytes(out, printed, length);
	}
	if (how.then)
		return status || failed;
	put_trials(t, n, best, out);
	return failed || (how.best && !best);
}

int
run_nested(struct task *task, struct kith_out *out)
{
	const size_t c = grid.combinations, m = splits.outer;
	struct task *chosen = kith_new(&kept, m, sizeof(*chosen));
	const struct score **score = kith_new(&kept, m, sizeof(const struct score *));
	struct trial *t = kith_new(&kept, m + 1, sizeof(*t));
	bool failed;

	run_tasks(task + m * c, (splits.n - m) * c);
	for (size_t i = 0; i < m; i++) {
		const size_t first = splits.inner[i];
		size_t n;
		const struct trial *of = sum_trials(
		    &task[first * c], splits.inner[i + 1] - first, &n);
		const struct trial *best = choose_best(of, n, KITH_BEST);

		t[i] = best ? *best : *of; /* where all failed */
		chosen[i] = task[i * c + t[i].combination];
	}
	run_tasks(chosen, m);
	failed = report_tasks();
	for (size_t i = 0; i < m; i++) {
		score[i] = find_score(&chosen[i], t[i].k);
		t[i] = sum_scores(t[i].combination, t[i].k, &score[i], 1);
	}
	t[m] = sum_scores(0, "", score, m);
	put_trials(t, m + 1, NULL, out);
	return failed;
}
