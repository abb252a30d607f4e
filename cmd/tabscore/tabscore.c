/* SPDX-License-Identifier: BSD-2-Clause */
/* tabscore - measure how good predictions are. */
#include "tabscore.h"

#include "cli/cli.h"
#include "common/warn.h"
#include "score/score.h"
#include "table/roles.h"
#include "text/out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct how how;
static size_t ndcg; /* K, or 0 */
static bool confusion, ranks;

static const struct kith_opt opts[] = {
    {0, "task", KITH_CHOICE(&how.task, "classify|regress"),
	"predictions are classes, or numbers [classify]", "What to measure"},
    {0, "confusion", KITH_FLAG(&confusion), "count how often each class is predicted as each",
	NULL},
    {0, "paired", KITH_FILE(&how.paired),
	"the mean loss less that of FILE, row by row, and a t-test", NULL},
    {0, "ranks", KITH_FLAG(&ranks),
	"compare methods over data sets, by columns method, set and error", NULL},
    {0, "positive", KITH_TEXT(&how.positive, "CLASS"),
	"auc: the class that is to score high [second of two]", NULL},
    {0, "ndcg", KITH_SIZE(&ndcg, 1, 0x1p53), "NDCG of the first N ranks of each query of --query",
	"Rankings"},
    {0, "query", KITH_COL(&how.query), "--ndcg: the column that names the query of a row", NULL},
    {0, "weight", KITH_COL(&how.weight), "the column that says how often a row counts [once]",
	"Columns"},
    {0, "na", KITH_CHOICE(&how.omit, "error|omit"), "empty cell: stop, or omit its row [error]",
	"Columns"},
    KITH_OUTPUT_OPTIONS,
    KITH_DELIMITER_OPTION(&how.format),
    KITH_COMMON_OPTIONS,
    {0},
};

const struct kith_tool kith_tool = {
    .name = "tabscore",
    .args = "[FILE]...",
    .about = "Measure how good predictions are.",
    .examples = "  knnclf -t train.tsv -k 1,3,5 < test.tsv | tabscore\n"
		"  tabscore --paired other.tsv < predictions.tsv\n",
    .opts = opts,
    .gone = {{"--probability", "columns probability:CLASS, as kpredict --probability prints"},
	{"--skip-empty", "leave such queries out by awk: they count as 0"}},
};

static void
check_call(void)
{
	const struct kith_rule rule[] = {
	    {(how.query != NULL) != (ndcg > 0), "--query and --ndcg need each other"},
	    {confusion + (how.paired != NULL) + (ndcg > 0) + ranks > 1,
		"--confusion, --paired, --ndcg and --ranks exclude each other"},
	    {ranks && how.weight,
		"--weight counts rows, and --ranks sets: they exclude each other"},
	    {ndcg > 0 && how.weight,
		"--weight counts rows, and --ndcg queries: they exclude each other"},
	    {confusion && how.task == KITH_REGRESS, "--confusion is of classes (--task classify)"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	if (ranks || ndcg > 0)
		kith_unused(&how.task, ranks ? "--ranks" : "--ndcg");
	if (ndcg > 0)
		how.task = KITH_REGRESS;
	how.scores = how.task == KITH_CLASSIFY && !confusion && !how.paired && !ranks;
	if (!how.scores)
		kith_unused(&how.positive,
		    confusion        ? "--confusion"
			: how.paired ? "--paired"
			: ranks      ? "--ranks"
			: ndcg > 0   ? "--ndcg"
				     : "--task regress");
}

/* Prints how many rows a prediction has, and with --weight what they weigh. */
static void
print_size(const char *name, size_t n, double weight, struct kith_out *out)
{
	kith_out_put(out, "%s\t%s\t%zu\n", name, "n", n);
	if (how.weight)
		kith_out_put(out, "%s\t%s\t%G\n", name, "weight", weight);
}

/* Prints the measures of classes or of numbers. */
static void
print_measures(const struct predictions *o, const struct column *c, struct kith_out *out)
{
	double score[KITH_SCORE_MEASURES];
	bool has[] = {
	    [KITH_SCORE_OF_CLASSES] = how.task == KITH_CLASSIFY,
	    [KITH_SCORE_OF_PROBABILITIES] = c->scores.probabilities,
	    [KITH_SCORE_OF_SCORES] = c->positive,
	    [KITH_SCORE_OF_NUMBERS] = how.task == KITH_REGRESS,
	    [KITH_SCORE_OF_RELEVANCES] = false,
	};

	if (how.task == KITH_CLASSIFY)
		kith_score_classes(o->actual->p, c->p, o->weight, o->n, o->class.n, score);
	else
		kith_score_numbers(o->actual->v, c->v, o->weight, o->n, score);
	score[KITH_SCORE_LOG_LOSS] = (double)(c->log_loss / o->total);
	score[KITH_SCORE_BRIER] = (double)(c->brier / o->total);
	if (c->positive)
		score[KITH_SCORE_AUC] = kith_score_auc(o->actual->p,
		    kith_names_find(&o->class, c->positive), c->score, o->weight, o->n);
	print_size(c->name, o->n, (double)o->total, out);
	for (size_t h = 0; h < KITH_SCORE_MEASURES; h++)
		if (has[kith_score_measures[h].of] && h != KITH_SCORE_SQUARED)
			kith_out_put(
			    out, "%s\t%s\t%G\n", c->name, kith_score_measures[h].name, score[h]);
}

static void
print_ndcg(const struct predictions *o, const struct column *c, struct kith_out *out)
{
	char metric[32];
	size_t queries;
	const double mean = kith_score_ndcg(o->actual->v, c->v, o->query, o->n, ndcg, &queries);

	snprintf(metric, sizeof(metric), "ndcg@%zu", ndcg);
	print_size(c->name, o->n, 0, out);
	kith_out_put(out, "%s\t%s\t%zu\n", c->name, "queries", queries);
	kith_out_put(out, "%s\t%s\t%G\n", c->name, metric, mean);
}

/* Prints the weight of the rows of each class that are predicted as each class. */
static void
print_confusion(const struct predictions *o, const struct column *c, struct kith_out *out)
{
	struct kith_pool tmp = {0};
	const size_t classes = o->class.n;
	double *count = kith_new(&tmp, classes, classes * sizeof(*count));

	for (size_t i = 0; i < o->n; i++)
		count[o->actual->p[i] * classes + c->p[i]] += o->weight ? o->weight[i] : 1;
	for (size_t h = 0; h < classes && !out->failed; h++)
		for (size_t g = 0; g < classes; g++) {
			const double n = count[h * classes + g];

			kith_out_put(
			    out, "%s\t%s\t%s\t", c->name, o->class.name[h], o->class.name[g]);
			if (o->weight)
				kith_out_put(out, "%G\n", n);
			else
				kith_out_put(out, "%zu\n", (size_t)n);
		}
	kith_pool_free(&tmp);
}

/* Begin the output: nothing can fail from here on but writing. */
static int
begin(const char *const *column, size_t n, const struct predictions *o, struct kith_out *out,
    struct kith_err *err)
{
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	kith_log_size("rows", o->n);
	kith_log_size("left out", o->read - o->n);
	kith_out_header(out, column, n);
	return 0;
}

static const char *const measures[] = {"prediction", "metric", "value"};

/* Print what was asked for of every prediction. */
static int
score(const struct predictions *o, struct kith_out *out, struct kith_err *err)
{
	const char *const counts[] = {
	    "prediction", "actual", "predicted", o->weight ? "weight" : "n"};

	if (begin(confusion ? counts : measures, confusion ? 4 : 3, o, out, err))
		return -1;
	for (size_t a = 0; a < o->m && !out->failed; a++) {
		const struct column *c = &o->column[a];

		if (confusion)
			print_confusion(o, c, out);
		else if (ndcg > 0)
			print_ndcg(o, c, out);
		else
			print_measures(o, c, out);
	}
	return 0;
}

/* ---- Two tables of predictions ---- */

/* Rows of two tables with one id, each row the a-th of its table and the b-th of the other one. */
struct pairs {
	size_t n;
	struct pair {
		size_t a, b;
	} * v;
};

/*
 * Pairs the rows of two tables that neither leaves out, in the order of a.  Fails, with file and
 * line, when an id of one is not in the other, when what was true of it differs, and when no pair
 * is left.
 */
static int
pair_rows(const struct predictions *a, const struct predictions *b, struct pairs *pairs,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct predictions *const of[] = {a, b};

	/* Ids differ: where one table has all ids of the other, and no more rows, both have all. */
	for (size_t s = 0; s < 1 + (a->read != b->read); s++)
		for (size_t i = 0; i < of[s]->read; i++)
			if (kith_names_find(&of[1 - s]->id, of[s]->id.name[i]) == of[1 - s]->read)
				return kith_fail_at(err, EX_DATAERR, of[s]->row[i].file,
				    of[s]->row[i].line,
				    "column \"id\": " KITH_CELL ": not in %.200s",
				    of[s]->id.name[i], of[1 - s]->rows.first);
	pairs->v = kith_new(pool, a->n, sizeof(*pairs->v));
	for (size_t i = 0; i < a->read; i++) {
		const struct place *other = &b->row[kith_names_find(&b->id, a->id.name[i])];
		const struct pair p = {a->row[i].at, other->at};

		if (p.a == SIZE_MAX || p.b == SIZE_MAX)
			continue;
		if (how.task == KITH_REGRESS ? a->actual->v[p.a] != b->actual->v[p.b]
					     : strcmp(a->class.name[a->actual->p[p.a]],
						   b->class.name[b->actual->p[p.b]]) != 0)
			return kith_fail_at(err, EX_DATAERR, other->file, other->line,
			    "column \"actual\": not what %.200s has for id " KITH_CELL,
			    a->rows.first, a->id.name[i]);
		pairs->v[pairs->n++] = p;
	}
	if (pairs->n > 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, a->rows.first, 0,
	    "every row has a missing cell here and in %.200s", b->rows.first);
}

/*
 * Losses on pairs of rows, of a column of a less that of a column of b, into d.  The loss of a
 * class is 1 where it is wrong, of a number the square of its error.
 */
static void
subtract_losses(const struct column *a, const struct column *actual_a, const struct column *b,
    const struct column *actual_b, const struct pairs *pairs, long double *d)
{
	for (size_t h = 0; h < pairs->n; h++) {
		const size_t i = pairs->v[h].a, j = pairs->v[h].b;

		if (how.task == KITH_CLASSIFY) {
			d[h] = (a->p[i] != actual_a->p[i]) - (b->p[j] != actual_b->p[j]);
		} else {
			/* e^2 - f^2, without the loss of digits. */
			const long double e = (long double)a->v[i] - actual_a->v[i];
			const long double f = (long double)b->v[j] - actual_b->v[j];

			d[h] = (e - f) * (e + f);
		}
	}
}

/* Print how each prediction of a compares with the only one of b, or its namesake. */
static int
compare(const struct predictions *a, const struct predictions *b, struct kith_out *out,
    struct kith_pool *pool, struct kith_err *err)
{
	struct pairs pairs = {0};
	double *w = NULL, total = 0;
	long double *d;
	const struct column **rival = kith_new(pool, a->m, sizeof(const struct column *));

	for (size_t i = 0; i < a->m; i++) {
		const char *name = a->column[i].name;

		rival[i] = b->column;
		while (rival[i] < b->column + b->m && b->m > 1 && strcmp(rival[i]->name, name) != 0)
			rival[i]++;
		if (rival[i] == b->column + b->m)
			return kith_fail_at(err, EX_DATAERR, b->rows.first, b->rows.head,
			    "column " KITH_NAME ": not found", name);
	}
	if (pair_rows(a, b, &pairs, pool, err))
		return -1;
	if (a->weight)
		w = kith_new(pool, pairs.n, sizeof(*w));
	for (size_t i = 0; w && i < pairs.n; i++)
		total += w[i] = a->weight[pairs.v[i].a];
	if (w && !(total > 0))
		return kith_fail_at(err, EX_DATAERR, a->rows.first, 0,
		    "column " KITH_NAME ": all weights are 0", how.weight);
	if (begin(measures, 3, a, out, err))
		return -1;
	d = kith_new(pool, pairs.n, sizeof(*d));
	for (size_t i = 0; i < a->m && !out->failed; i++) {
		const char *name = a->column[i].name;
		struct kith_score_paired s;

		subtract_losses(&a->column[i], a->actual, rival[i], b->actual, &pairs, d);
		kith_score_paired(d, w, pairs.n, &s);
		print_size(name, pairs.n, total, out);
		kith_out_put(out, "%s\t%s\t%G\n", name, "difference", s.difference);
		kith_out_put(out, "%s\t%s\t%G\n", name, "t", s.t);
		if (w)
			kith_out_put(out, "%s\t%s\t%G\n", name, "df", s.df);
		else
			kith_out_put(out, "%s\t%s\t%zu\n", name, "df", pairs.n - 1);
		kith_out_put(out, "%s\t%s\t%G\n", name, "p", s.p);
	}
	return 0;
}

/* ---- Methods over data sets ---- */

/*
 * A table "method set MEASURE ...", in any order, other columns aside; MEASURE is the first column
 * that is named as a measure of which less is better (score/score.h), or else as one of which more
 * is.
 */
struct results {
	struct kith_rows rows;
	const struct kith_score_properties *measure;
	size_t column[3];              /* of the method, the set and the value */
	struct kith_names method, set; /* as they come first */
	struct result {
		size_t method, set;
		double value; /* NaN: missing */
	} * result;
	size_t n, room; /* results */
	double *x;      /* whole x methods: means of equal rows, larger being better */
	size_t whole;   /* sets that have a result of each method */
	struct kith_pool *pool;
};

static int
find_columns(struct results *in, struct kith_err *err)
{
	const struct kith_names *name = &in->rows.name;

	size_t *method = &in->column[0], *set = &in->column[1], *value = &in->column[2];

	*method = kith_names_find(name, "method");
	*set = kith_names_find(name, "set");
	*value = name->n;
	for (int larger = 0; larger < 2; larger++)
		for (size_t h = 0; h < KITH_SCORE_MEASURES && *value == name->n; h++)
			if (kith_score_measures[h].larger_is_better == larger) {
				in->measure = &kith_score_measures[h];
				*value = kith_names_find(name, in->measure->name);
			}
	if (*method < name->n && *set < name->n && *value < name->n)
		return 0;
	return kith_fail_at(err, EX_DATAERR, in->rows.first, in->rows.head,
	    "not a table of results: columns method, set and a measure, as error, expected%s",
	    kith_rows_hint(&in->rows, ""));
}

static int
add_result(struct results *in, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;
	struct result r = {.value = NAN};
	int got;

	for (size_t k = 0; k < 2; k++)
		if (kith_cell_missing(kith_rec_cell(rec, in->column[k])))
			return kith_fail_missing(&in->rows, in->column[k], "", err);
	got = kith_value(&in->rows, in->column[2], &r.value, "", err);
	if (got == KITH_VALUE_MISSING && !how.omit)
		got = kith_fail_missing(
		    &in->rows, in->column[2], " (--na omit leaves the set out)", err);
	if (got < 0)
		return -1;
	r.method = kith_names_add(&in->method, kith_rec_cell(rec, in->column[0])->s, in->pool);
	r.set = kith_names_add(&in->set, kith_rec_cell(rec, in->column[1])->s, in->pool);
	in->result = kith_more(in->pool, in->result, in->n, &in->room, sizeof(*in->result));
	in->result[in->n++] = r;
	return 0;
}

/* Sets x to the means of equal rows, on the sets that have all methods. */
static int
fill_matrix(struct results *in, struct kith_err *err)
{
	const size_t k = in->method.n;
	size_t *times = kith_new(in->pool, in->set.n, k * sizeof(*times));

	in->x = kith_new(in->pool, in->set.n, k * sizeof(*in->x));
	for (size_t i = 0; i < in->n; i++) {
		const struct result *r = &in->result[i];

		times[r->set * k + r->method]++;
		in->x[r->set * k + r->method] += in->measure->larger_is_better ? r->value
									       : -r->value;
	}
	for (size_t s = 0; s < in->set.n; s++) {
		bool whole = true;

		for (size_t j = 0; j < k; j++) {
			const size_t seen = times[s * k + j];

			if (seen == 0 && !how.omit)
				return kith_fail_at(err, EX_DATAERR, in->rows.first, 0,
				    "set " KITH_CELL ": no row of method " KITH_CELL
				    " (--na omit leaves the set out)",
				    in->set.name[s], in->method.name[j]);
			in->x[in->whole * k + j] = in->x[s * k + j] / (double)seen;
			whole = whole && seen > 0 && isfinite(in->x[in->whole * k + j]);
		}
		in->whole += whole;
	}
	if (k >= 2 && in->whole >= 2)
		return 0;
	return kith_fail_at(err, EX_DATAERR, in->rows.first, 0,
	    "%zu method%s and %zu set%s with a result of each: two and more are needed", k,
	    k == 1 ? "" : "s", in->whole, in->whole == 1 ? "" : "s");
}

/*
 * Prints the mean rank of each method, and whether the methods differ: score/score.h.  Several rows
 * of a method and set are repetitions, whose mean counts.  With --na omit, sets are left out that
 * lack a result of a method, or for which one is missing.
 */
static int
rank(const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	static const char all[] = "(all)";
	struct results in = {.pool = pool};
	struct kith_friedman test;
	int got;

	if (kith_rows_open(&in.rows, files, &how.format, pool, err))
		return -1;
	got = find_columns(&in, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = add_result(&in, err);
	kith_rows_close(&in.rows);
	if (got || fill_matrix(&in, err))
		return -1;
	test.rank = kith_new(pool, in.method.n, sizeof(*test.rank));
	kith_friedman(in.x, in.whole, in.method.n, &test);
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	kith_log_text("measure", in.measure->name);
	kith_out_header(out, measures, 3);
	for (size_t j = 0; j < in.method.n && !out->failed; j++)
		kith_out_put(out, "%s\t%s\t%G\n", in.method.name[j], "mean_rank", test.rank[j]);
	kith_out_put(out, "%s\t%s\t%zu\n", all, "sets", in.whole);
	kith_out_put(out, "%s\t%s\t%zu\n", all, "left_out", in.set.n - in.whole);
	kith_out_put(out, "%s\t%s\t%G\n", all, "friedman", test.chi2);
	kith_out_put(out, "%s\t%s\t%zu\n", all, "df", in.method.n - 1);
	kith_out_put(out, "%s\t%s\t%G\n", all, "p", test.p);
	kith_out_put(out, "%s\t%s\t%G\n", all, "critical_difference", test.critical);
	return 0;
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	const char *const others[] = {how.paired, NULL};
	struct predictions rows = {0}, other = {0};

	check_call();
	if (ranks)
		return rank(files, out, pool, err);
	if (read_predictions(files, how.weight, &rows, pool, err) ||
	    (*others && read_predictions(others, NULL, &other, pool, err)))
		return -1;
	if (how.task == KITH_CLASSIFY)
		kith_warn_classes("actual", &rows.class, rows.actual->p, rows.n, "--task regress?");
	return *others ? compare(&rows, &other, out, pool, err) : score(&rows, out, err);
}
