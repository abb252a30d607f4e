/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/online.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "table/roles.h"
#include "text/cell.h"
#include "text/out.h"
#include "text/rows.h"
#include "text/value.h"
#include "wsvmpath/print.h"
#include "wsvmpath/read.h"
#include "wsvmpath/solution.h"
#include "wsvmpath/task.h"
#include "wsvmpath/window.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* A queue of rows as a ring; it grows to `most` rows before one leaves. */
struct queue {
	size_t most, room, first, n, p;
	double *x;     /* room x p */
	size_t *label; /* room: a class, or NONE */
	struct kith_pool *pool;
};

struct stream {
	const struct kith_wsvm_call *call;
	struct kith_rows rows;
	struct kith_roles role;
	double *all;             /* the features of the row */
	bool whole;              /* false: --na omit leaves the row out */
	struct kith_names class; /* in the order in which they came */
	struct kith_machine learnt;
	size_t *column; /* in `all`, for each feature that counts */
	double *x;      /* the features that count, of the row */
	struct kith_kern kern;
	struct kith_wsvm_window_how how;
	struct kith_wsvm_window *window;
	struct queue unknown; /* rows whose targets are not yet known */
	struct queue batch;
	double most;
	size_t predicted, wrong, taught;
	struct kith_out *out;
	struct kith_pool *pool;
};

static const size_t NONE = SIZE_MAX;

static void
queue_add(struct queue *q, const double *x, size_t label)
{
	size_t at;

	assert(q->n < q->most);
	if (q->n == q->room) {
		assert(q->first == 0);
		q->room = q->room < q->most / 2 ? 2 * q->room + 1 : q->most;
		q->x = kith_grow(q->pool, q->x, q->room, q->p * sizeof(*x));
		q->label = kith_grow(
		    q->pool, q->label, q->room, sizeof(*q->label));
	}
	at = (q->first + q->n) % q->room;
	memcpy(q->x + at * q->p, x, q->p * sizeof(*x));
	q->label[at] = label;
	q->n++;
}

/*
 * Open the files and give the columns their roles; those of --query and
 * --instance-weight are no features.  Fails as kith_table_read() does before
 * the first row, and with KITH_EX_USAGE for --na mean, which would need all
 * rows.
 */
static int
open_rows(struct stream *s, struct kith_err *err)
{
	const struct kith_wsvm_call *call = s->call;
	const char *const others[] = {call->query, call->cost};

	if (call->how.na == KITH_NA_MEAN)
		return kith_fail(err, KITH_EX_USAGE,
		    "--na mean needs all rows, which are not there yet");
	if (kith_rows_open(
		&s->rows, call->files, &call->how.format, s->pool, err) ||
	    kith_roles_assign(
		&s->role, &s->rows, &call->how, others, 2, s->pool, err))
		return -1;
	s->all = kith_new(s->pool, s->role.feature.n, sizeof(*s->all));
	return 0;
}

/* The features that count, and where they stand in a row. */
static int
pack(struct stream *s, struct kith_err *err)
{
	struct kith_table known = {
	    .feature = s->role.feature, .X = {0, s->role.feature.n, NULL}};
	struct kith_table none = {0};
	struct kith_machine *m = &s->learnt;

	if (kith_wsvm_features(
		s->call, &known, &none, m, &s->kern, s->pool, err))
		return -1;
	if (!(s->call->gamma > 0))
		s->kern.gamma = 1 / (double)known.X.p;
	s->column = kith_new(s->pool, m->metric.p, sizeof(*s->column));
	s->x = kith_new(s->pool, m->metric.p, sizeof(*s->x));
	for (size_t j = 0; j < m->metric.p; j++)
		s->column[j] = kith_names_find(
		    &known.feature, m->feature.name[j]);
	return 0;
}

static int
make(struct stream *s, struct kith_err *err)
{
	const struct kith_wsvm_call *call = s->call;

	if (call->batch > call->online)
		return kith_fail(err, KITH_EX_USAGE,
		    "--batch is more than the rows of --online");
	s->how = (struct kith_wsvm_window_how){.kern = &s->kern,
	    .rows = call->online,
	    .batch = call->batch,
	    .a = call->forget,
	    .ridge = call->ridge,
	    .cache = call->cache << 20,
	    .threads = call->threads};
	if (!call->to || kith_wsvm_constant(call->to, &s->how.C))
		return kith_fail(err, KITH_EX_USAGE,
		    "--online: --to is a number from 0, C0 of the weights");
	if (open_rows(s, err) || pack(s, err))
		return -1;
	s->unknown = (struct queue){
	    .most = call->delay + 1, .p = s->learnt.metric.p, .pool = s->pool};
	s->batch = s->unknown;
	s->batch.most = call->batch;
	s->window = kith_wsvm_window_new(&s->how);
	s->most = 1;
	return 0;
}

/* Whether class i, of two, is the second in byte order. */
static bool
is_second(const struct stream *s, size_t i)
{
	return strcmp(s->class.name[i], s->class.name[!i]) > 0;
}

/* The class of the row, or NONE. */
static int
find_class(struct stream *s, size_t *label, struct kith_err *err)
{
	const struct kith_cell *actual = kith_rec_cell(
	    &s->rows.rec, s->role.target);
	const size_t had = s->class.n;

	*label = NONE;
	if (kith_cell_missing(actual) || !s->whole)
		return 0;
	*label = kith_names_add(&s->class, actual->s, s->pool);
	if (s->class.n > 2)
		return kith_rows_fail(&s->rows, s->role.target, err,
		    "a third class: " KITH_CELL " (" KITH_WSVM_ONE_OF_MANY ")",
		    actual->s, s->role.target + 1, s->class.name[0],
		    s->role.target + 1);
	/* The first class to come counted as the first in byte order. */
	if (had == 1 && s->class.n == 2 && is_second(s, 0))
		kith_wsvm_window_flip(s->window);
	return 0;
}

/* Take the features that count; K(x, x) bounds all kernels. */
static int
take_features(struct stream *s, struct kith_err *err)
{
	const double sum = 2 * s->how.C * (double)(s->how.rows + s->how.batch);
	double K;

	for (size_t j = 0; j < s->learnt.metric.p; j++)
		s->x[j] = s->all[s->column[j]];
	kith_kern_rows(&s->kern, s->x, s->x, 1, &K);
	s->most = fmax(s->most, K);
	if (!(fabs(K) <= 1e-4 * DBL_MAX) ||
	    !(sum * (long double)s->most * s->most <= 1e-4L * DBL_MAX))
		return kith_fail_at(err, EX_DATAERR, s->rows.rec.file,
		    s->rows.rec.line,
		    "weights and kernels are together too large for a double");
	return 0;
}

/* Predict the row, and write its row of the output. */
static void
predict(struct stream *s, size_t label)
{
	const struct kith_rec *rec = &s->rows.rec;
	const struct kith_cell *actual = kith_rec_cell(rec, s->role.target);
	const size_t id = s->role.id;
	struct kith_wsvm_prediction p = {
	    .id = id != KITH_NO_COLUMN ? kith_rec_cell(rec, id)->s : NULL,
	    .number = s->rows.n,
	    .actual = kith_cell_missing(actual) ? NULL : actual->s};

	if (kith_wsvm_window_ready(s->window)) {
		size_t is;

		p.margin = kith_wsvm_window_score(s->window, s->x);
		is = is_second(s, 1) == (p.margin > 0);
		p.predicted = s->class.name[is];
		s->predicted += label != NONE;
		s->wrong += label != NONE && label != is;
	}
	kith_wsvm_print_prediction_write(&p, s->out);
	kith_out_flush(s->out);
}

static void
learn(struct stream *s)
{
	struct kith_pool tmp = {0};
	struct queue *batch = &s->batch;
	bool *y = kith_new(&tmp, batch->n, sizeof(*y));

	for (size_t i = 0; i < batch->n; i++)
		y[i] = s->class.n > 1 && is_second(s, batch->label[i]);
	kith_progress_phase("learning", 0, "events");
	kith_wsvm_window_learn(s->window, batch->n, batch->x, y);
	kith_progress_end();
	s->taught += batch->n;
	batch->n = 0;
	kith_pool_free(&tmp);
}

/* The target of the oldest row in the queue is known now. */
static void
reveal(struct stream *s)
{
	struct queue *q = &s->unknown;
	const size_t at = q->first;

	q->first = (q->first + 1) % q->room;
	q->n--;
	if (q->label[at] != NONE)
		queue_add(&s->batch, q->x + at * q->p, q->label[at]);
	if (s->batch.n == s->batch.most)
		learn(s);
}

/*
 * Predict the row, and let it teach.  Fails on cells that are no finite number,
 * or missing, where one is due.
 */
static int
do_row(struct stream *s, struct kith_err *err)
{
	const size_t id = s->role.id;
	const int whole = kith_roles_read(&s->role, &s->rows,
	    s->call->how.na == KITH_NA_OMIT, " (--na omit?)", s->all, err);
	size_t label;

	if (whole < 0)
		return -1;
	s->whole = whole;
	if (whole && id != KITH_NO_COLUMN &&
	    kith_cell_missing(kith_rec_cell(&s->rows.rec, id)))
		return kith_value_missing(&s->rows, id, "", err);
	if (find_class(s, &label, err))
		return -1;
	if (s->whole) {
		if (take_features(s, err))
			return -1;
		predict(s, label);
	}
	queue_add(&s->unknown, s->x, label);
	if (s->unknown.n == s->unknown.most)
		reveal(s);
	return 0;
}

static int
run(struct stream *s, struct kith_err *err)
{
	struct kith_wsvm_count count;
	int got;

	if (kith_out_open_table(s->out, kith_output(), err))
		return -1;
	kith_wsvm_print_prediction_header(s->out);
	kith_out_flush(s->out);
	while (!s->out->failed && (got = kith_rows_next(&s->rows, err)) != 0)
		if (got < 0 || do_row(s, err))
			return -1;
	kith_note("%zu rows, %zu learnt, %zu of %zu predictions wrong",
	    s->rows.n, s->taught, s->wrong, s->predicted);
	kith_log_size("rows", s->rows.n);
	kith_log_size("features", s->learnt.metric.p);
	kith_log_real("gamma", s->kern.gamma);
	kith_log_size("learnt", s->taught);
	kith_log_size("predicted", s->predicted);
	kith_log_size("errors", s->wrong);
	kith_wsvm_window_count(s->window, &count);
	return kith_wsvm_report_count(s->call, &count);
}

int
kith_wsvm_online(const struct kith_wsvm_call *call, struct kith_out *out,
    struct kith_pool *pool, struct kith_err *err)
{
	struct stream s = {.call = call, .out = out, .pool = pool};
	const int made = make(&s, err);
	const int status = made ? -1 : run(&s, err);

	kith_rows_close(&s.rows);
	if (s.window)
		kith_wsvm_window_free(s.window);
	return status;
}
