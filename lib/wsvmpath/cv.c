/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *	1. Follow the path of each machine of each part (kith_svm_subset_make(), _leave_out()), and
 *	   measure its pieces on the rows of the part; of several classes, keep the signs of f.
 *	2. Several classes: count the votes of the machines of each part.
 *	3. Add the measures of the parts.
 */
#include "wsvmpath/cv.h"

#include "machine/platt.h"
#include "score/score.h"
#include "wsvm/krows.h"
#include "wsvmpath/paths.h"
#include "wsvmpath/votes.h"

#include <string.h>

/* The rows, and the places of their columns with roles. */
struct source {
	const struct kith_svm_task *task;
	const struct kith_table *t;
	const size_t *kept;
	size_t m;
};

/* Sets the classes of the rows among the classes learnt, and y: 1 or -1, or 0 for no class. */
static int
read_classes(const struct source *s, double *y, size_t *class, struct kith_err *err)
{
	const struct kith_table *t = s->t;
	const struct kith_names *learnt = &s->task->rows.class;

	for (size_t i = 0; i < s->m; i++) {
		class[i] = KITH_NO_CLASS;
		if (t->y[i] == KITH_NO_CLASS)
			continue;
		class[i] = kith_names_find(learnt, t->class.name[t->y[i]]);
		if (class[i] == learnt->n)
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: class " KITH_CELL " is not among those learnt",
			    kith_table_number(t, i), t->class.name[t->y[i]]);
		y[i] = learnt->n == 1 || class[i] == 1 ? 1 : -1;
	}
	return 0;
}

static int
read_numbers(const struct source *s, double *y, struct kith_err *err)
{
	const bool ranks = s->task->options->task == KITH_SVM_RANK;
	const struct kith_table *t = s->t;

	for (size_t i = 0; i < s->m; i++) {
		y[i] = t->t[i];
		if (ranks && (y[i] < 0 || y[i] > KITH_RELEVANCE_MOST))
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: column " KITH_NAME ": a relevance is from 0 to %d",
			    kith_table_number(t, i), t->target, KITH_RELEVANCE_MOST);
	}
	return 0;
}

static int
read_costs(const struct source *s, double *cost, struct kith_err *err)
{
	const size_t kept = s->kept[KITH_SVM_COST];
	double most = 0;

	for (size_t i = 0; i < s->m; i++) {
		if (kith_svm_number(s->t, kept, i, &cost[i], err))
			return -1;
		most = fmax(most, cost[i]);
	}
	if (most > 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, s->t->file, 0,
	    "column " KITH_NAME ": all weights are 0", s->t->kept.name[kept]);
}

/* Numbers the queries as they come; the cost of a query is the cost of each of its rows. */
static int
read_queries(const struct source *s, struct kith_svm_test *test, size_t *query,
    struct kith_pool *pool, struct kith_err *err)
{
	const size_t kept = s->kept[KITH_SVM_QUERY];
	struct kith_names name = {0};
	double *cost;
	bool *seen;

	for (size_t i = 0; kept != KITH_SVM_NONE && i < s->m; i++)
		query[i] = kith_names_add(&name, kith_svm_cell(s->t, kept, i).s, pool);
	test->queries = name.n ? name.n : 1;
	if (!test->cost || test->measure != KITH_SVM_NDCG)
		return 0;
	test->query_cost = cost = kith_new(pool, test->queries, sizeof(*cost));
	seen = kith_new(pool, test->queries, sizeof(*seen));
	for (size_t i = 0; i < s->m; i++) {
		double *c = &cost[query[i]];

		if (seen[query[i]] && *c != test->cost[i])
			return kith_fail_at(err, EX_DATAERR, s->t->file, 0,
			    "row %zu: column " KITH_NAME
			    ": %g, though another row of its query costs %g",
			    kith_table_number(s->t, i), s->t->kept.name[s->kept[KITH_SVM_COST]],
			    test->cost[i], *c);
		seen[query[i]] = true;
		*c = test->cost[i];
	}
	return 0;
}

int
kith_svm_test_read(const struct kith_svm_task *task, struct kith_svm_test *test,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct source s = task->options->validate
	    ? (struct source){task, &task->test, task->test_kept, task->m}
	    : (struct source){task, &task->rows, task->kept, task->n};
	const struct kith_table *t = s.t;
	double *y, *cost;
	size_t *query, *class, n = 0;

	KITH_NEW_REALS(pool, s.m, 1, &y, &cost);
	KITH_NEW_SIZES(pool, s.m, 1, &query, &class);
	if (!t->y && !t->t)
		return kith_fail_at(err, EX_DATAERR, t->file, t->head,
		    "column " KITH_NAME ": not found", task->rows.target);
	if (t->y ? read_classes(&s, y, class, err) : read_numbers(&s, y, err))
		return -1;
	for (size_t i = 0; i < s.m; i++)
		n += t->y ? y[i] != 0 : !isnan(y[i]);
	if (n == 0)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "column " KITH_NAME ": missing in all rows", t->target);
	*test = (struct kith_svm_test){.measure = task->options->measure,
	    .m = s.m,
	    .y = y,
	    .class = t->y ? class : NULL,
	    .query = query,
	    .k = task->options->ndcg};
	if (s.kept[KITH_SVM_COST] != KITH_SVM_NONE) {
		test->cost = cost;
		if (read_costs(&s, cost, err))
			return -1;
	}
	return read_queries(&s, test, query, pool, err);
}

/* The measure of a path. */
struct result {
	struct kith_svm_test test; /* the rows validated on */
	struct kith_svm_part part;
	size_t rows;           /* that count */
	struct kith_pool pool; /* of the members above and of the signs of the path */
};

/* All paths: machine o of part i is path i * machines + o. */
struct errors {
	const struct kith_svm_task *task;
	const struct kith_svm_test *test;
	const struct kith_svm_parts *parts;
	size_t n, machines;            /* parts, or 1; machines of each */
	struct result *result;         /* n x machines */
	struct kith_svm_signs *signs;  /* n x machines */
	struct kith_krows **rows;      /* of each thread: kernel rows of all items, or NULL */
	struct kith_pool *thread_pool; /* of each thread */
};

/* Measures a path whose errors, of several classes, are known. */
static void
measure_changes(struct result *r, const struct kith_svm_changes *changes)
{
	struct kith_svm_measure *m = kith_svm_measure_new(&r->test, &r->part.intervals, &r->pool);

	r->rows = kith_svm_measure_count(m, &r->part.weight);
	kith_svm_measure_changes(m, changes);
	kith_svm_measure_end(m);
}

/* Follows and measures the path of a machine; of several, sets its signs. */
static void
follow(
    const struct errors *x, size_t number, struct kith_svm_subset *s, struct kith_svm_block *block)
{
	struct result *r = &x->result[number];
	struct kith_svm_signs *signs = x->machines > 1 ? &x->signs[number] : NULL;
	struct kith_svm_measure *m = NULL;
	struct kith_wsvm_piece piece;
	struct kith_wsvm *solver;
	double *f0, *f1;
	size_t *row;

	KITH_NEW_SIZES(&r->pool, s->m, 1, &row);
	memcpy(row, s->test, s->m * sizeof(*row));
	r->test = *x->test;
	r->test.row = row;
	r->test.m = s->m;
	r->test.sums = x->parts != NULL;
	KITH_NEW_REALS(&s->pool, s->m, 1, &f0, &f1);
	r->part.intervals.pool = &r->pool;
	if (signs) {
		kith_svm_signs_new(signs, s->m, number % x->machines, &r->pool);
		if (s->task.n == 0)
			return;
	} else {
		m = kith_svm_measure_new(&r->test, &r->part.intervals, &s->pool);
		r->rows = kith_svm_measure_count(m, &r->part.weight);
	}
	solver = kith_svm_start(&s->task, block, &s->pool);
	while (kith_wsvm_next(solver, &piece, NULL, NULL)) {
		kith_wsvm_scores(&piece, s->item, s->m, f0, f1);
		if (signs)
			kith_svm_signs_piece(signs, piece.from, piece.to, f0, f1);
		else
			kith_svm_measure_piece(m, piece.from, piece.to, f0, f1);
	}
	kith_wsvm_count(solver, &block->count);
	if (m)
		kith_svm_measure_end(m);
}

static int
measure_path(void *to, size_t number, struct kith_svm_block *block)
{
	const struct errors *x = to;
	const size_t part = number / x->machines, machine = number % x->machines;
	struct kith_svm_subset s;
	int status;

	if (x->parts && x->machines == 1)
		status = kith_svm_subset_leave_out(&s, x->task, x->parts, part, &block->err);
	else
		status = kith_svm_subset_make(&s, x->task, x->parts, part, machine, &block->err);
	if (status == 0) {
		s.task.problem.rows = x->rows ? x->rows[block->thread] : NULL;
		follow(x, number, &s, block);
		if (x->rows)
			block->count.rows = 0; /* kith_svm_errors() counts shared rows */
	}
	kith_svm_subset_free(&s);
	return status;
}

/* Makes kernel rows that all parts share if one part is followed at a time or all rows fit into the
   cache, or else rows for each thread. */
static void
share_rows(struct errors *x, size_t threads, struct kith_pool *pool)
{
	const struct kith_wsvm_problem *p = &x->task->problem;
	const size_t at_once = threads < x->n ? threads : x->n;
	struct kith_krows *first;
	bool shared;

	x->thread_pool = kith_new(pool, at_once, sizeof(*x->thread_pool));
	x->rows = kith_new(pool, at_once, sizeof(struct kith_krows *));
	first = kith_krows_new(p->kern, p->X, p->cache, threads / at_once, &x->thread_pool[0]);
	shared = at_once == 1 || kith_krows_fill(first, threads);
	for (size_t i = 0; i < at_once; i++)
		x->rows[i] = shared ? first
				    : kith_krows_new(p->kern, p->X, p->cache / at_once,
					  threads / at_once, &x->thread_pool[i]);
}

/* Returns the number of shared kernel rows computed, and frees them. */
static size_t
count_rows(struct errors *x, size_t threads)
{
	size_t sum = 0;

	for (size_t i = 0; x->rows && i < threads && i < x->n; i++)
		if (i == 0 || x->rows[i] != x->rows[0])
			sum += kith_krows_computed(x->rows[i]);
	for (size_t i = 0; x->rows && i < threads && i < x->n; i++)
		kith_pool_free(&x->thread_pool[i]);
	return sum;
}

/* Adds the measures of all parts to *out. */
static void
add_parts(struct errors *x, struct kith_svm_intervals *out, size_t *rows, struct kith_pool *pool)
{
	struct kith_svm_part *part = kith_new(pool, x->n, sizeof(*part));

	*rows = 0;
	for (size_t i = 0; i < x->n; i++) {
		struct result *r = &x->result[i * x->machines];
		struct kith_svm_changes changes = {.pool = &r->pool};

		if (x->machines > 1) {
			kith_svm_votes(
			    &r->test, x->task->rows.class.n, x->signs + i * x->machines, &changes);
			measure_changes(r, &changes);
		}
		*rows += r->rows;
		part[i] = r->part;
	}
	if (x->parts) {
		kith_svm_measure_parts(x->test->measure, part, x->n, out);
		return;
	}
	out->n = part[0].intervals.n;
	out->v = kith_new(out->pool, out->n, sizeof(*out->v));
	if (out->n > 0)
		memcpy(out->v, part[0].intervals.v, out->n * sizeof(*out->v));
}

int
kith_svm_errors(const struct kith_svm_task *task, const struct kith_svm_test *test,
    const struct kith_svm_parts *parts, struct kith_svm_intervals *out, size_t *rows,
    struct kith_wsvm_count *count, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct errors x = {.task = task,
	    .test = test,
	    .parts = parts,
	    .n = parts ? parts->n : 1,
	    .machines = kith_svm_machines(task)};
	const size_t paths = x.n * x.machines, threads = task->options->threads;
	struct kith_par_phase phase = {"paths", paths, "machines"};
	int status;

	x.result = kith_new(&tmp, paths, sizeof(*x.result));
	x.signs = kith_new(&tmp, paths, sizeof(*x.signs));
	if (parts && x.machines == 1) {
		phase = (struct kith_par_phase){"cross-validation", paths, "parts"};
		if (!task->unscaled.v)
			share_rows(&x, threads, &tmp);
	}
	status = kith_svm_blocks(task, &phase, measure_path, &x, count, err);
	count->rows += count_rows(&x, threads);
	if (status == 0)
		add_parts(&x, out, rows, &tmp);
	for (size_t i = 0; i < paths; i++)
		kith_pool_free(&x.result[i].pool);
	kith_pool_free(&tmp);
	return status;
}

struct calibration {
	const struct kith_svm_task *task;
	const struct kith_svm_parts *parts;
	size_t machines;
	double theta;
	double *score; /* machines x n: f of each row by the machine of its part */
};

/* Solves a machine of a part at theta, and scores the rows of the part. */
static int
score_part(void *to, size_t number, struct kith_svm_block *block)
{
	const struct calibration *x = to;
	const size_t part = number / x->machines, machine = number % x->machines;
	double *score = x->score + machine * x->task->n;
	struct kith_svm_subset s;
	struct kith_svm_task *task = &s.task;
	struct kith_wsvm_solution at;
	const int status = kith_svm_subset_make(&s, x->task, x->parts, part, machine, &block->err);

	if (status == 0 && task->n > 0) {
		struct kith_wsvm *solver;

		for (size_t v = 0; v < task->n && x->theta < 1; v++)
			task->to[v] = task->from[v] + x->theta * (task->to[v] - task->from[v]);
		task->problem.threads = block->threads;
		task->problem.cache = block->cache;
		solver = kith_wsvm_new(&task->problem, task->to, NULL, &s.pool);
		kith_wsvm_get(solver, &at);
		for (size_t i = 0; i < s.m; i++)
			score[s.test[i]] = at.f[task->n + i] + at.b;
		kith_wsvm_count(solver, &block->count);
	}
	kith_svm_subset_free(&s);
	return status;
}

/* Fits a machine to the rows of its two classes. */
static struct kith_platt
fit(const struct calibration *x, size_t machine)
{
	const struct kith_svm_task *task = x->task;
	struct kith_pool tmp = {0};
	struct kith_platt platt;
	double *f;
	bool *plus;
	size_t n = 0;

	KITH_NEW_REALS(&tmp, task->n, 1, &f);
	plus = kith_new(&tmp, task->n, sizeof(*plus));
	for (size_t i = 0; i < task->n; i++) {
		const double sign = kith_svm_sign(task, machine, task->rows.y[i]);

		if (sign == 0)
			continue;
		plus[n] = sign > 0;
		f[n++] = x->score[machine * task->n + i];
	}
	kith_platt_fit(f, plus, n, &platt);
	kith_pool_free(&tmp);
	return platt;
}

int
kith_svm_calibrate(struct kith_svm_task *task, const struct kith_svm_parts *parts, double theta,
    struct kith_wsvm_count *count, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct calibration x = {
	    .task = task, .parts = parts, .machines = kith_svm_machines(task), .theta = theta};
	double *A, *B;
	size_t flat = 0;
	int status;

	if (task->rows.class.n < 2)
		return 0;
	KITH_NEW_REALS(&tmp, x.machines, task->n, &x.score);
	status = kith_svm_blocks(task,
	    &(struct kith_par_phase){"probabilities", parts->n * x.machines, "machines"},
	    score_part, &x, count, err);
	KITH_NEW_REALS(task->pool, x.machines, 1, &A, &B);
	for (size_t o = 0; status == 0 && o < x.machines; o++) {
		const struct kith_platt platt = fit(&x, o);

		A[o] = platt.A;
		B[o] = platt.B;
		flat += !(platt.A < 0);
	}
	kith_pool_free(&tmp);
	if (status)
		return status;
	task->model.A = A;
	task->model.B = B;
	if (flat > 0)
		kith_warn("probabilities: %zu of %zu machines do not tell their classes apart on "
			  "rows that they have not learnt from",
		    flat, x.machines);
	return 0;
}
