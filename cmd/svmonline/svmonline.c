/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svmonline - predict the rows of a stream by an SVM of the rows before them (window.h).
 *
 * Row t is predicted from the rows up to t - 1 - delay: after its prediction, the target of row
 * t - delay becomes known.  Known rows wait until there is a batch of them, which is then learnt.
 * Rows without a target are predicted and never learnt.  The second class in byte order is +1;
 * until rows of both classes, or with --task regress any rows, were learnt, nothing is predicted.
 */
#include "window.h"

#include "base/progress.h"
#include "text/out.h"
#include "text/rows.h"

#include <assert.h>
#include <string.h>

struct kith_svm_options options = {KITH_SVM_DEFAULTS};
struct stream_options how = {.window = 500, .batch = 1, .C = 1, .forget = 3};

static const struct kith_opt opts[] = {
    {0, "window", KITH_SIZE(&how.window, 1, 0x1p53),
	"learn from the last N rows whose class is known [500]", "What is learnt"},
    {'C', NULL, KITH_REAL(&how.C, 0, DBL_MAX),
	"cost of an error in the middle row of the window [1]", NULL},
    {0, "forget", KITH_REAL(&how.forget, 0, DBL_MAX),
	"how much less old rows of the window cost; 0: the same [3]", NULL},
    {0, "task", KITH_CHOICE(&options.task, "classify|regress"),
	"the target is a class or a number [classify]", NULL},
    {0, "epsilon", KITH_REAL(&options.epsilon, DBL_TRUE_MIN, DBL_MAX),
	"--task regress: errors up to X cost nothing (needed)", NULL},
    {0, "delay", KITH_SIZE(&how.delay, 0, 0x1p53),
	"the class of a row becomes known N rows later [0]", "The stream"},
    {0, "batch", KITH_SIZE(&how.batch, 1, 0x1p53), "learn after every N rows [1]", NULL},
    KITH_SVM_KERNEL_OPTIONS(&options, "1 / features"),
    KITH_TARGET_OPTION(&options.how),
    KITH_FEATURE_OPTIONS(&options.how),
    KITH_NA_OPTION(&options.how),
    KITH_LAST_OPTIONS(&options.how, &options.threads),
};

static const struct kith_tool tool = {
    .name = "svmonline",
    .args = "[FILE]...",
    .about = "Predict the rows of a stream, each by an SVM of the rows before it.",
    .examples = "  svmonline --window 200 -C 10 < stream.tsv\n"
		"  tabscale --apply scale.tsv stream.tsv | svmonline --delay 5 --batch 5\n",
    .opts = opts,
};

/* A queue of rows, at most `most`, as a ring, which grows before a row leaves. */
struct queue {
	size_t most, capacity, first, n, p;
	double *x; /* capacity x p */
	double *y; /* capacity: the class (0, 1), or a number; NaN: none */
	struct kith_pool *pool;
};

struct stream {
	struct kith_rows rows;
	struct kith_roles role;
	double *cells;           /* the features of the row */
	struct kith_names class; /* in the order in which they came */
	struct kith_machine model;
	size_t *column; /* where each feature of the model is in cells */
	double *x;      /* the features of the model, of the row */
	struct kith_kern kern;
	struct window *window;
	struct queue unknown; /* rows whose targets are not yet known */
	struct queue batch;
	double most;              /* the largest K(x, x) so far, at least 1 */
	size_t predicted, learnt; /* rows with a target that were predicted; rows learnt */
	size_t wrong;             /* classify: rows that were predicted wrongly */
	double squares;           /* regress: the sum of squared errors */
	struct kith_out *out;
	struct kith_pool *pool;
};

static void
queue_add(struct queue *q, const double *x, double y)
{
	size_t at;

	assert(q->n < q->most);
	if (q->n == q->capacity) {
		assert(q->first == 0);
		q->capacity = q->capacity < q->most / 2 ? 2 * q->capacity + 1 : q->most;
		q->x = kith_grow(q->pool, q->x, q->capacity, q->p * sizeof(*x));
		q->y = kith_grow(q->pool, q->y, q->capacity, sizeof(*q->y));
	}
	at = (q->first + q->n) % q->capacity;
	memcpy(q->x + at * q->p, x, q->p * sizeof(*x));
	q->y[at] = y;
	q->n++;
}

/* Opens the files, gives the columns their roles, and makes the window. */
static int
begin(struct stream *s, struct kith_err *err)
{
	struct kith_table known = {.X.n = 0}, none = {.X.n = 0};
	struct kith_machine *m = &s->model;

	if (options.how.na == KITH_NA_MEAN)
		return kith_fail(
		    err, KITH_EX_USAGE, "--na mean needs all rows, which are not there yet");
	if (kith_rows_open(&s->rows, options.files, &options.how.format, s->pool, err) ||
	    kith_roles_assign(&s->role, &s->rows, &options.how, NULL, 0, s->pool, err))
		return -1;
	known.feature = s->role.feature;
	known.X.p = known.feature.n;
	if (kith_svm_features(&options, &known, &none, m, &s->kern, s->pool, err))
		return -1;
	if (!(options.gamma > 0))
		s->kern.gamma = 1 / (double)known.X.p;
	s->cells = kith_new(s->pool, s->role.feature.n, sizeof(*s->cells));
	s->column = kith_new(s->pool, m->metric.p, sizeof(*s->column));
	s->x = kith_new(s->pool, m->metric.p, sizeof(*s->x));
	for (size_t j = 0; j < m->metric.p; j++)
		s->column[j] = kith_names_find(&known.feature, m->feature.name[j]);
	s->unknown = s->batch = (struct queue){.p = m->metric.p, .pool = s->pool};
	s->unknown.most = how.delay + 1;
	s->batch.most = how.batch;
	s->window = window_new(&s->kern);
	s->most = 1;
	return 0;
}

/* Sets the number of the row, or NaN. */
static int
read_number(struct stream *s, double *y, struct kith_err *err)
{
	const enum kith_value got = kith_value(
	    &s->rows, s->role.target, y, " (--task classify?)", err);

	if (got == KITH_VALUE_MISSING)
		*y = NAN;
	if (got == KITH_VALUE_OK && fabs(*y) > 1e-8 * DBL_MAX)
		return kith_rows_fail(
		    &s->rows, s->role.target, err, "too large to be squared with weights");
	return got == KITH_VALUE_BAD ? -1 : 0;
}

/* Sets the class of the row, or NaN. */
static int
read_class(struct stream *s, double *y, struct kith_err *err)
{
	const struct kith_cell *actual = kith_rec_cell(&s->rows.rec, s->role.target);

	*y = NAN;
	if (kith_cell_missing(actual))
		return 0;
	*y = (double)kith_names_add(&s->class, actual->s, s->pool);
	if (s->class.n > 2)
		return kith_rows_fail(&s->rows, s->role.target, err,
		    "a third class: " KITH_CELL
		    " (one against the rest: tabscale --method none | awk -F'\\t' -v OFS='\\t' "
		    "'NR > 1 && $%zu != \"%.40s\" { $%zu = \"(rest)\" } 1' | svmonline ...)",
		    actual->s, s->role.target + 1, s->class.name[0], s->role.target + 1);
	return 0;
}

/* Sets s->x, and checks its range; K(x, x) bounds all kernels. */
static int
read_features(struct stream *s, struct kith_err *err)
{
	const struct kith_origin from = {.metric = &s->model.metric, .feature = &s->model.feature};
	const double variables = options.task == KITH_SVM_REGRESS ? 2 : 1;
	const double sum = 2 * variables * how.C * (double)(how.window + how.batch);
	double K;

	for (size_t j = 0; j < s->model.metric.p; j++)
		s->x[j] = s->cells[s->column[j]];
	if (kith_range_check(&(struct kith_mat){1, s->model.metric.p, s->x}, &from, err)) {
		err->file = s->rows.rec.file;
		err->line = s->rows.rec.line;
		return -1;
	}
	kith_kern_rows(&s->kern, s->x, s->x, 1, &K);
	s->most = fmax(s->most, K);
	if (!(fabs(K) <= KITH_SVM_LARGEST) ||
	    !(sum * (long double)s->most * s->most <= KITH_SVM_LARGEST))
		return kith_fail_at(err, EX_DATAERR, s->rows.rec.file, s->rows.rec.line,
		    "weights and kernels are together too large for a double");
	return 0;
}

/* Predicts the row, and writes its row of the output. */
static void
predict(struct stream *s, double y)
{
	const struct kith_cell *actual = kith_rec_cell(&s->rows.rec, s->role.target);
	const bool ready = window_ready(s->window);
	double f = ready ? window_score(s->window, s->x) : NAN;
	char *const *class = s->class.name;
	bool late = f > 0; /* the class that came second */

	/* The second class in byte order is +1; a score of 0 is that of the first. */
	if (ready && options.task == KITH_SVM_CLASSIFY && strcmp(class[0], class[1]) > 0) {
		late = !(f < 0);
		f = 0 - f;
	}
	if (ready && !isnan(y)) {
		s->predicted++;
		s->wrong += (y > 0) != late;
		s->squares += (y - f) * (y - f);
	}
	if (s->role.id != KITH_NO_COLUMN)
		kith_out_cell(s->out, kith_rec_cell(&s->rows.rec, s->role.id)->s);
	else
		kith_out_size(s->out, s->rows.n);
	if (options.task == KITH_SVM_REGRESS)
		kith_out_put(s->out, "\t%G\t%G\n", f, y);
	else
		kith_out_put(s->out, ready ? "\t%s\t%s\t%g\n" : "\t%s\t%s\t%G\n",
		    ready ? class[late] : NULL, kith_cell_missing(actual) ? NULL : actual->s, f);
	kith_out_flush(s->out);
}

static void
learn(struct stream *s)
{
	struct kith_pool tmp = {0};
	struct queue *batch = &s->batch;
	double *y;

	KITH_NEW_REALS(&tmp, batch->n, 1, &y);
	for (size_t i = 0; i < batch->n; i++)
		y[i] = options.task == KITH_SVM_REGRESS ? batch->y[i] : batch->y[i] > 0 ? 1 : -1;
	kith_progress_phase("learning", 0, "events");
	window_learn(s->window, batch->n, batch->x, y);
	kith_progress_end();
	s->learnt += batch->n;
	batch->n = 0;
	kith_pool_free(&tmp);
}

/* Moves the oldest row whose target was unknown to the batch, and learns a full batch. */
static void
reveal(struct stream *s)
{
	struct queue *q = &s->unknown;
	const size_t at = q->first;

	q->first = (q->first + 1) % q->capacity;
	q->n--;
	if (!isnan(q->y[at]))
		queue_add(&s->batch, q->x + at * q->p, q->y[at]);
	if (s->batch.n == s->batch.most)
		learn(s);
}

/* Predicts the row, and puts it into the queue. */
static int
do_row(struct stream *s, struct kith_err *err)
{
	const size_t id = s->role.id;
	const int whole = kith_roles_read(
	    &s->role, &s->rows, options.how.na == KITH_NA_OMIT, " (--na omit?)", s->cells, err);
	double y = NAN;

	if (whole < 0)
		return -1;
	if (whole && id != KITH_NO_COLUMN && kith_cell_missing(kith_rec_cell(&s->rows.rec, id)))
		return kith_fail_missing(&s->rows, id, "", err);
	if (whole &&
	    ((options.task == KITH_SVM_REGRESS ? read_number(s, &y, err)
					       : read_class(s, &y, err)) ||
		read_features(s, err)))
		return -1;
	if (whole)
		predict(s, y);
	queue_add(&s->unknown, s->x, y);
	if (s->unknown.n == s->unknown.most)
		reveal(s);
	return 0;
}

static int
run(struct stream *s, struct kith_err *err)
{
	static const char *const column[] = {"id", "predicted", "actual", "margin"};
	struct kith_wsvm_count count;
	int got;

	if (begin(s, err) || kith_out_open_table(s->out, kith_output(), err))
		return -1;
	kith_out_header(s->out, column, options.task == KITH_SVM_REGRESS ? 3 : 4);
	kith_out_flush(s->out);
	while (!s->out->failed && (got = kith_rows_next(&s->rows, err)) != 0)
		if (got < 0 || do_row(s, err))
			return -1;
	kith_log_size("rows", s->rows.n);
	kith_log_size("features", s->model.metric.p);
	kith_log_real("gamma", s->kern.gamma);
	kith_log_size("learnt", s->learnt);
	kith_log_size("predicted", s->predicted);
	if (options.task == KITH_SVM_REGRESS)
		kith_log_real("rmse", sqrt(s->squares / (double)s->predicted));
	else
		kith_log_size("errors", s->wrong);
	window_count(s->window, &count);
	return kith_svm_count_report(&options, &count);
}

int
main(int argc, char *argv[])
{
	char **operand = kith_begin(&tool, argc, argv);
	struct kith_pool pool = {0};
	struct kith_out out;
	struct kith_err err;
	struct stream s = {.out = &out, .pool = &pool};
	int status;

	options.files = kith_inputs(operand, NULL, 0);
	if (how.batch > how.window)
		kith_misuse("--batch is more than the rows of --window");
	if (options.task == KITH_SVM_REGRESS && !(options.epsilon > 0))
		kith_misuse("--task regress needs --epsilon X: errors up to X cost nothing");
	if (options.task != KITH_SVM_REGRESS)
		kith_unused(&options.epsilon, "this --task");
	kith_svm_warn_kernel(&options);
	status = run(&s, &err);
	kith_rows_close(&s.rows);
	if (s.window)
		window_free(s.window);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&pool);
	return kith_finish(&out, status);
}
