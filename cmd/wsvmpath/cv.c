/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How paths do on rows that were not learnt from.
 *
 *	1. Follow the path of each machine of each part (make_subset()), and measure
 *	   its pieces on the rows of the part.
 *	2. Add the measures of the parts.
 */
#include "wsvmpath.h"

#include "score/score.h"

#include <assert.h>

/* Sets y, a number, or 1 or -1 for a class learnt, and the class of row i; NaN: it has none. */
static int
read_target(const struct kith_table *t, size_t i, const struct kith_names *learnt, double *y,
    size_t *class, struct kith_err *err)
{
	*class = KITH_NO_CLASS;
	*y = t->y ? NAN : t->t[i];
	if (options.task == KITH_SVM_RANK && (*y < 0 || *y > KITH_RELEVANCE_MOST))
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "row %zu: column " KITH_NAME ": a relevance is from 0 to %d",
		    kith_table_number(t, i), t->target, KITH_RELEVANCE_MOST);
	if (!t->y || t->y[i] == KITH_NO_CLASS)
		return 0;
	*class = kith_names_find(learnt, t->class.name[t->y[i]]);
	if (*class == learnt->n)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "row %zu: class " KITH_CELL " is not among those learnt",
		    kith_table_number(t, i), t->class.name[t->y[i]]);
	*y = learnt->n == 1 || *class == 1 ? 1 : -1;
	if (learnt->n <= 2)
		*class = 1;
	return 0;
}

int
read_test(const struct kith_svm_task *task, struct test *test, struct kith_err *err)
{
	const struct kith_table *t = options.validate ? &task->test : &task->rows;
	const size_t m = t->X.n;
	double *y, *cost, most = 0;
	size_t *query, *class, n = 0;

	KITH_NEW_REALS(task->pool, m, 1, &y, &cost);
	KITH_NEW_SIZES(task->pool, m, 1, &query, &class);
	if (!t->y && !t->t)
		return kith_fail_at(err, EX_DATAERR, t->file, t->head,
		    "column " KITH_NAME ": not found", task->rows.target);
	for (size_t i = 0; i < m; i++) {
		if (read_target(t, i, &task->rows.class, &y[i], &class[i], err))
			return -1;
		n += isnan(y[i]) ? 0 : 1;
	}
	if (n == 0)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "column " KITH_NAME ": missing in all rows", t->target);
	*test = (struct test){.y = y, .class = class, .cost = cost, .query = query, .classes = 2};
	if (kith_machine_has_pairs(&task->model))
		test->classes = task->rows.class.n;
	if (read_weights(t, KITH_SVM_COST, 1, cost, err) ||
	    read_queries(t, query, &test->queries, task->pool, err))
		return -1;
	for (size_t i = 0; i < m; i++)
		most = fmax(most, isnan(y[i]) ? 0 : cost[i]);
	if (!(most > 0))
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "column " KITH_NAME ": all weights are 0", t->kept[KITH_SVM_COST]);
	return options.task == KITH_SVM_RANK
	    ? check_queries(t, KITH_SVM_COST, query, cost, task->pool, err)
	    : 0;
}

/* The paths of all parts: machine o of part i is path i * machines + o. */
struct validation {
	const struct kith_svm_task *task;
	const struct test *test;
	size_t machines; /* of each part */
	struct measure *path;
	struct kith_krows *rows; /* kernel rows that all parts share; NULL: each path has its own */

	/* Probabilities: f of each row at theta, by the machine of its part; machines x n. */
	double theta, *score;
};

/* Follows and measures a path. */
static void
measure_path(void *blocks, size_t number, size_t thread)
{
	struct block *block = (struct block *)blocks + number;
	const struct validation *x = block->to;
	const size_t part = options.parts ? number / x->machines : KITH_SVM_NONE;
	const size_t machine = number % x->machines;
	struct measure *m = &x->path[number];
	struct kith_wsvm_piece piece;
	struct kith_wsvm *solver;
	double *f0, *f1;
	struct subset s;

	(void)thread;
	if (make_subset(&s, x->task, part, machine, &block->err) == 0) {
		measure_begin(m, x->test, s.test, s.m);
		KITH_NEW_REALS(&s.pool, s.m, 1, &f0, &f1);
		s.task.problem.rows = x->rows;
		solver = s.task.problem.variables > 0 ? start_path(&s, block) : NULL;
		while (solver && kith_wsvm_next(solver, &piece, NULL, NULL)) {
			kith_wsvm_scores(&piece, s.item, s.m, f0, f1);
			measure_piece(m, piece.from, piece.to, f0, f1);
		}
		if (solver)
			kith_wsvm_count(solver, &block->count);
		if (x->rows)
			block->count.rows = 0; /* measure_paths() counts shared rows */
	}
	kith_pool_free(&s.pool);
}

/*
 * Returns kernel rows that all parts share, in the pool, if one part is followed at a time or all
 * rows fit into the cache, else NULL.
 */
static struct kith_krows *
share_rows(const struct kith_wsvm_problem *p, struct kith_pool *pool)
{
	const size_t threads = options.threads, n = options.parts;
	const size_t at_once = threads < n ? threads : n;
	struct kith_krows *rows;

	assert(at_once > 0);
	rows = kith_krows_new(p->kern, p->X, p->cache, threads / at_once, pool);
	if (at_once == 1 || kith_krows_fill(rows, threads))
		return rows;
	kith_pool_free(pool);
	return NULL;
}

int
measure_paths(const struct kith_svm_task *task, const struct test *test, struct intervals *out,
    size_t *rows, struct kith_wsvm_count *count, struct kith_err *err)
{
	struct kith_pool tmp = {0}, rows_pool = {0};
	const size_t machines = kith_machine_outputs(&task->model);
	const size_t parts = options.parts ? options.parts : 1, paths = parts * machines;
	struct validation x = {.task = task, .test = test, .machines = machines};
	struct kith_par_phase phase = {"paths", paths, "machines"};
	int status;

	x.path = kith_new(&tmp, paths, sizeof(*x.path));
	if (options.parts && machines == 1) {
		phase = (struct kith_par_phase){"cross-validation", paths, "parts"};
		if (!task->unscaled.v)
			x.rows = share_rows(&task->problem, &rows_pool);
	}
	status = run_blocks(task, &phase, measure_path, &x, count, err);
	if (x.rows)
		count->rows += kith_krows_computed(x.rows);
	kith_pool_free(&rows_pool);
	if (status == 0)
		*rows = add_measures(x.path, parts, machines, out);
	for (size_t i = 0; i < paths; i++)
		kith_pool_free(&x.path[i].pool);
	kith_pool_free(&tmp);
	return status;
}

/* Solves a machine of a part at theta, and scores the rows of the part. */
static void
score_part(void *blocks, size_t number, size_t thread)
{
	struct block *block = (struct block *)blocks + number;
	const struct validation *x = block->to;
	const size_t part = number / x->machines, machine = number % x->machines;
	double *score = x->score + machine * x->task->n;
	struct subset s;
	struct kith_svm_task *task = &s.task;
	struct kith_wsvm_solution at;
	struct kith_wsvm *solver;

	(void)thread;
	if (make_subset(&s, x->task, part, machine, &block->err) == 0 &&
	    task->problem.variables > 0) {
		for (size_t v = 0; v < task->problem.variables; v++)
			task->from[v] = task->to[v] = kith_wsvm_weight_at(
			    task->from[v], task->to[v], x->theta);
		solver = start_path(&s, block);
		kith_wsvm_get(solver, &at);
		for (size_t i = 0; i < s.m; i++)
			score[s.test[i]] = at.f[s.item[i]] + at.b;
		kith_wsvm_count(solver, &block->count);
	}
	kith_pool_free(&s.pool);
}

int
fit_probabilities(
    struct kith_svm_task *task, double theta, struct kith_wsvm_count *count, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct validation x = {
	    .task = task, .machines = kith_machine_outputs(&task->model), .theta = theta};
	double *A, *B, *f;
	bool *plus;
	size_t flat = 0;
	int status;

	if (task->rows.class.n < 2)
		return 0;
	KITH_NEW_REALS(&tmp, x.machines, task->n, &x.score);
	status = run_blocks(task,
	    &(struct kith_par_phase){"probabilities", options.parts * x.machines, "machines"},
	    score_part, &x, count, err);
	KITH_NEW_REALS(task->pool, x.machines, 1, &A, &B);
	KITH_NEW_REALS(&tmp, task->n, 1, &f);
	plus = kith_new(&tmp, task->n, sizeof(*plus));
	for (size_t o = 0; status == 0 && o < x.machines; o++) {
		size_t n = 0; /* rows of the two classes */

		for (size_t i = 0; i < task->n; i++) {
			const double sign = sign_of_class(task, o, task->rows.y[i]);

			if (sign == 0)
				continue;
			plus[n] = sign > 0;
			f[n++] = x.score[o * task->n + i];
		}
		kith_platt_fit(f, plus, n, &A[o], &B[o]);
		flat += !(A[o] < 0);
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
