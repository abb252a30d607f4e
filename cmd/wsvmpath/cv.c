/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How paths do on rows that were not learnt from.
 *
 *	1. Follow the path of each machine of each part (make_subset(), leave_out()), and measure
 *	   its pieces on the rows of the part; of several classes, keep the signs of f.
 *	2. Several classes: count the votes of the machines of each part.
 *	3. Add the measures of the parts.
 */
#include "wsvmpath.h"

#include "base/sort.h"
#include "score/score.h"

#include <assert.h>

/* Sets the classes of the rows among the classes learnt, and y: 1 or -1, or NaN for no class. */
static int
read_classes(const struct kith_names *learnt, const struct kith_table *t, double *y, size_t *class,
    struct kith_err *err)
{
	for (size_t i = 0; i < t->X.n; i++) {
		class[i] = KITH_NO_CLASS;
		y[i] = NAN;
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
read_numbers(const struct kith_table *t, double *y, struct kith_err *err)
{
	const bool ranks = options.task == KITH_SVM_RANK;

	for (size_t i = 0; i < t->X.n; i++) {
		y[i] = t->t[i];
		if (ranks && (y[i] < 0 || y[i] > KITH_RELEVANCE_MOST))
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: column " KITH_NAME ": a relevance is from 0 to %d",
			    kith_table_number(t, i), t->target, KITH_RELEVANCE_MOST);
	}
	return 0;
}

static int
read_costs(const struct kith_table *t, size_t kept, double *cost, struct kith_err *err)
{
	double most = 0;

	for (size_t i = 0; i < t->X.n; i++) {
		if (read_weight(t, kept, i, &cost[i], err))
			return -1;
		most = fmax(most, cost[i]);
	}
	if (most > 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, t->file, 0, "column " KITH_NAME ": all weights are 0",
	    t->kept.name[kept]);
}

/* Numbers the queries as they come; the cost of a query is the cost of each of its rows. */
static int
read_queries(const struct kith_table *t, const size_t kept[KITH_SVM_ROLES], struct test *test,
    size_t *query, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_names name = {0};
	double *cost;
	bool *seen;

	for (size_t i = 0; kept[KITH_SVM_QUERY] != KITH_SVM_NONE && i < t->X.n; i++)
		query[i] = kith_names_add(&name, kith_svm_cell(t, kept[KITH_SVM_QUERY], i).s, pool);
	test->queries = name.n ? name.n : 1;
	if (!test->cost || options.measure != KITH_SVM_NDCG)
		return 0;
	test->query_cost = cost = kith_new(pool, test->queries, sizeof(*cost));
	seen = kith_new(pool, test->queries, sizeof(*seen));
	for (size_t i = 0; i < t->X.n; i++) {
		double *c = &cost[query[i]];

		if (seen[query[i]] && *c != test->cost[i])
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: column " KITH_NAME
			    ": %g, though another row of its query costs %g",
			    kith_table_number(t, i), t->kept.name[kept[KITH_SVM_COST]],
			    test->cost[i], *c);
		seen[query[i]] = true;
		*c = test->cost[i];
	}
	return 0;
}

int
read_test(const struct kith_svm_task *task, struct test *test, struct kith_err *err)
{
	const struct kith_table *t = options.validate ? &task->test : &task->rows;
	const size_t *kept = options.validate ? task->test_kept : task->kept, m = t->X.n;
	double *y, *cost;
	size_t *query, *class, n = 0;

	KITH_NEW_REALS(task->pool, m, 1, &y, &cost);
	KITH_NEW_SIZES(task->pool, m, 1, &query, &class);
	if (!t->y && !t->t)
		return kith_fail_at(err, EX_DATAERR, t->file, t->head,
		    "column " KITH_NAME ": not found", task->rows.target);
	if (t->y ? read_classes(&task->rows.class, t, y, class, err) : read_numbers(t, y, err))
		return -1;
	for (size_t i = 0; i < m; i++)
		n += isnan(y[i]) ? 0 : 1;
	if (n == 0)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "column " KITH_NAME ": missing in all rows", t->target);
	*test = (struct test){.m = m, .y = y, .class = t->y ? class : NULL, .query = query};
	if (kept[KITH_SVM_COST] != KITH_SVM_NONE) {
		test->cost = cost;
		if (read_costs(t, kept[KITH_SVM_COST], cost, err))
			return -1;
	}
	return read_queries(t, kept, test, query, task->pool, err);
}

/*
 * The votes of several machines depend on theta through the signs of f alone, so that the prediction
 * of a row changes only where f of a machine is 0: the zeros are computed from the pieces of each
 * path, and merged.
 */

/* The signs of f of m rows along the path of a machine. */
struct signs {
	size_t m;
	bool *first, *now; /* m: whether f > 0 where theta leaves 0, and after the last piece */
	bool begun;        /* there was a piece */
	struct changes changes; /* from theta on, f of a row has the other sign; by pieces */
};

static void
signs_new(struct signs *s, size_t m, struct kith_pool *pool)
{
	*s = (struct signs){.m = m, .changes.pool = pool};
	s->first = kith_new(pool, m, sizeof(*s->first));
	s->now = kith_new(pool, m, sizeof(*s->now));
}

static void
change_sign(struct signs *s, double theta, size_t row)
{
	s->now[row] = !s->now[row];
	add_change(&s->changes, theta, row, 0, s->now[row]);
}

/* The next piece of the path: f = f0 + theta f1 of the m rows. */
static void
signs_piece(struct signs *s, double from, double to, const double *f0, const double *f1)
{
	for (size_t row = 0; row < s->m; row++) {
		const double a = f0[row] + from * f1[row], b = f0[row] + to * f1[row];
		const bool left = a > 0 || (a == 0 && b > 0), right = b > 0 || (b == 0 && a > 0);

		if (!s->begun)
			s->first[row] = s->now[row] = left;
		else if (left != s->now[row])
			change_sign(s, from, row);
		if (left != right)
			change_sign(s, find_zero(from, to, a, b), row);
	}
	s->begun = true;
}

/* The votes at the present theta. */
struct count {
	const struct test *test;
	size_t c, machines;
	size_t *first, *second; /* machines: their classes */
	bool *is_second;        /* m x machines: the vote is for the second class */
	size_t *votes;          /* m x c */
	bool *wrong;            /* m */
	struct changes *changes;
};

/* Predicts row i by the present votes, and adds a change where it becomes wrong or right. */
static void
predict(struct count *k, double theta, size_t i)
{
	const size_t *votes = k->votes + i * k->c;
	const size_t class = k->test->class[test_row(k->test, i)];
	size_t best = 0;
	bool wrong;

	if (class == KITH_NO_CLASS)
		return;
	for (size_t h = 1; h < k->c; h++)
		if (votes[h] > votes[best])
			best = h;
	wrong = best != class;
	if (wrong != k->wrong[i])
		add_change(k->changes, theta, i, test_cost(k->test, i) * wrong, wrong);
	k->wrong[i] = wrong;
}

/* Counts the votes where theta leaves 0. */
static void
count_first(struct count *k, const struct signs *signs, struct kith_pool *pool)
{
	const size_t m = k->test->m, c = k->c;

	KITH_NEW_SIZES(pool, k->machines, 1, &k->first, &k->second);
	KITH_NEW_SIZES(pool, m, c, &k->votes);
	k->is_second = kith_new(pool, m, k->machines * sizeof(*k->is_second));
	k->wrong = kith_new(pool, m, sizeof(*k->wrong));
	for (size_t o = 0; o < k->machines; o++) {
		kith_machine_pair(c, o, &k->first[o], &k->second[o]);
		for (size_t i = 0; signs[o].begun && i < m; i++) {
			k->is_second[i * k->machines + o] = signs[o].first[i];
			k->votes[i * c + (signs[o].first[i] ? k->second[o] : k->first[o])]++;
		}
	}
	for (size_t i = 0; i < m; i++)
		predict(k, 0, i);
}

/*
 * Adds to `changes`, in order of theta, where rows become wrong or right by the votes of the
 * machines of c classes, whose signs are an array of c (c - 1) / 2.  A machine without a piece has
 * no vote.  Time O(T log T + T c) for T changes of signs, and O(m c^2).
 */
static void
count_votes(const struct test *test, size_t c, const struct signs *signs, struct changes *changes)
{
	const size_t machines = c * (c - 1) / 2;
	struct kith_pool tmp = {0};
	struct count k = {.test = test, .c = c, .machines = machines, .changes = changes};
	struct changes all = {
	    .pool = &tmp}; /* of the signs: row i of machine o is i machines + o */

	assert(machines > 0);
	count_first(&k, signs, &tmp);
	for (size_t o = 0; o < machines; o++)
		for (size_t i = 0; i < signs[o].changes.n; i++) {
			const struct change *s = &signs[o].changes.v[i];

			add_change(&all, s->theta, s->row * machines + o, 0, false);
		}
	sort_changes(&all);
	for (size_t i = 0; i < all.n; i++) {
		const struct change *s = &all.v[i];
		const size_t row = s->row / machines, o = s->row % machines;
		bool *is_second = &k.is_second[s->row];
		size_t *votes = k.votes + row * c;

		votes[*is_second ? k.second[o] : k.first[o]]--;
		*is_second = !*is_second;
		votes[*is_second ? k.second[o] : k.first[o]]++;
		if (i + 1 == all.n || s[1].row / machines != row || s[1].theta != s->theta)
			predict(&k, s->theta, row);
	}
	kith_pool_free(&tmp);
}

/* The paths of all parts: machine o of part i is path i * machines + o. */
struct validation {
	const struct kith_svm_task *task;
	size_t n, machines;      /* parts, or 1; machines of each */
	struct part *part;       /* n */
	struct signs *signs;     /* n x machines, of several machines */
	struct kith_pool *pool;  /* n x machines: of what the paths add to parts and signs */
	struct kith_krows *rows; /* kernel rows that all parts share; NULL: each path has its own */
};

/* Follows and measures the path of a machine; of several, sets its signs. */
static void
follow(const struct validation *x, size_t number, struct subset *s, struct block *block)
{
	struct signs *signs = x->machines > 1 ? &x->signs[number] : NULL;
	struct measure *m = NULL;
	struct kith_wsvm_piece piece;
	struct kith_wsvm *solver;
	double *f0, *f1;

	KITH_NEW_REALS(&s->pool, s->m, 1, &f0, &f1);
	if (signs)
		signs_new(signs, s->m, &x->pool[number]);
	else
		m = measure_new(&x->part[number], &s->pool);
	if (s->task.n == 0)
		return;
	solver = start_path(s, block);
	while (kith_wsvm_next(solver, &piece, NULL, NULL)) {
		kith_wsvm_scores(&piece, s->item, s->m, f0, f1);
		if (signs)
			signs_piece(signs, piece.from, piece.to, f0, f1);
		else
			measure_piece(m, piece.from, piece.to, f0, f1);
	}
	kith_wsvm_count(solver, &block->count);
	if (m)
		measure_end(m);
}

static int
measure_path(void *to, size_t number, struct block *block)
{
	const struct validation *x = to;
	const size_t machine = number % x->machines;
	const size_t part = options.parts ? number / x->machines : KITH_SVM_NONE;
	struct subset s;
	const int status = options.parts && x->machines == 1
	    ? leave_out(&s, x->task, part, &block->err)
	    : make_subset(&s, x->task, part, machine, &block->err);

	if (status == 0) {
		s.task.problem.rows = x->rows;
		follow(x, number, &s, block);
		if (x->rows)
			block->count.rows = 0; /* measure_paths() counts shared rows */
	}
	free_subset(&s);
	return status;
}

/*
 * Makes kernel rows that all parts share, in the pool, if one part is followed at a time or all rows
 * fit into the cache.
 */
static void
share_rows(struct validation *x, struct kith_pool *pool)
{
	const struct kith_wsvm_problem *p = &x->task->problem;
	const size_t threads = options.threads, at_once = threads < x->n ? threads : x->n;

	assert(at_once > 0);
	x->rows = kith_krows_new(p->kern, p->X, p->cache, threads / at_once, pool);
	if (at_once > 1 && !kith_krows_fill(x->rows, threads)) {
		x->rows = NULL;
		kith_pool_free(pool);
	}
}

/* Sets the rows of each part, and the pools of the paths. */
static void
begin_parts(struct validation *x, const struct test *test, const struct intervals *out,
    struct kith_pool *pool)
{
	size_t *row, *start;

	x->part = kith_new(pool, x->n, sizeof(*x->part));
	x->signs = kith_new(pool, x->n, x->machines * sizeof(*x->signs));
	x->pool = kith_new(pool, x->n, x->machines * sizeof(*x->pool));
	for (size_t i = 0; i < x->n; i++) {
		x->part[i].test = *test;
		x->part[i].intervals.pool = options.parts ? &x->pool[i * x->machines] : out->pool;
	}
	if (!options.parts)
		return;
	KITH_NEW_SIZES(pool, x->task->n, 1, &row);
	KITH_NEW_SIZES(pool, x->n + 1, 1, &start);
	kith_sort_by_class(x->task->part, x->task->n, x->n, row, start);
	for (size_t i = 0; i < x->n; i++) {
		x->part[i].test.row = row + start[i];
		x->part[i].test.m = start[i + 1] - start[i];
	}
}

/* Measures a part by the votes of its machines. */
static void
measure_votes(struct part *part, size_t c, const struct signs *signs)
{
	struct changes changes = {.pool = part->intervals.pool};

	count_votes(&part->test, c, signs, &changes);
	measure_changes(measure_new(part, changes.pool), &changes);
}

int
measure_paths(const struct kith_svm_task *task, const struct test *test, struct intervals *out,
    size_t *rows, struct kith_wsvm_count *count, struct kith_err *err)
{
	struct kith_pool tmp = {0}, rows_pool = {0};
	struct validation x = {.task = task,
	    .n = options.parts ? options.parts : 1,
	    .machines = kith_machine_outputs(&task->model)};
	const size_t paths = x.n * x.machines;
	struct kith_par_phase phase = {"paths", paths, "machines"};
	int status;

	begin_parts(&x, test, out, &tmp);
	if (options.parts && x.machines == 1) {
		phase = (struct kith_par_phase){"cross-validation", paths, "parts"};
		if (!task->unscaled.v)
			share_rows(&x, &rows_pool);
	}
	status = run_blocks(task, &phase, measure_path, &x, count, err);
	if (x.rows)
		count->rows += kith_krows_computed(x.rows);
	kith_pool_free(&rows_pool);
	*rows = 0;
	for (size_t i = 0; status == 0 && i < x.n; i++) {
		if (x.machines > 1)
			measure_votes(&x.part[i], task->rows.class.n, x.signs + i * x.machines);
		*rows += x.part[i].n;
	}
	if (status == 0 && options.parts)
		add_parts(x.part, x.n, out);
	else if (status == 0)
		*out = x.part->intervals;
	for (size_t i = 0; i < paths; i++)
		kith_pool_free(&x.pool[i]);
	kith_pool_free(&tmp);
	return status;
}

struct calibration {
	const struct kith_svm_task *task;
	size_t machines;
	double theta;
	double *score; /* machines x n: f of each row by the machine of its part */
};

/* Solves a machine of a part at theta, and scores the rows of the part. */
static int
score_part(void *to, size_t number, struct block *block)
{
	const struct calibration *x = to;
	const size_t part = number / x->machines, machine = number % x->machines;
	double *score = x->score + machine * x->task->n;
	struct subset s;
	struct kith_svm_task *task = &s.task;
	struct kith_wsvm_solution at;
	const int status = make_subset(&s, x->task, part, machine, &block->err);

	if (status == 0 && task->n > 0) {
		struct kith_wsvm *solver;

		for (size_t v = 0; v < task->n && x->theta < 1; v++)
			task->to[v] = task->from[v] + x->theta * (task->to[v] - task->from[v]);
		task->problem.threads = block->threads;
		task->problem.cache = block->cache;
		solver = kith_wsvm_new(&task->problem, task->to, &s.pool);
		kith_wsvm_get(solver, &at);
		for (size_t i = 0; i < s.m; i++)
			score[s.test[i]] = at.f[task->n + i] + at.b;
		kith_wsvm_count(solver, &block->count);
	}
	free_subset(&s);
	return status;
}

/* Fits a machine to the rows of its two classes. */
static void
fit(const struct calibration *x, size_t machine, double *A, double *B)
{
	const struct kith_svm_task *task = x->task;
	struct kith_pool tmp = {0};
	double *f;
	bool *plus;
	size_t n = 0;

	KITH_NEW_REALS(&tmp, task->n, 1, &f);
	plus = kith_new(&tmp, task->n, sizeof(*plus));
	for (size_t i = 0; i < task->n; i++) {
		const double sign = sign_of_class(task, machine, task->rows.y[i]);

		if (sign == 0)
			continue;
		plus[n] = sign > 0;
		f[n++] = x->score[machine * task->n + i];
	}
	kith_platt_fit(f, plus, n, A, B);
	kith_pool_free(&tmp);
}

int
fit_probabilities(
    struct kith_svm_task *task, double theta, struct kith_wsvm_count *count, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct calibration x = {
	    .task = task, .machines = kith_machine_outputs(&task->model), .theta = theta};
	double *A, *B;
	size_t flat = 0;
	int status;

	if (task->rows.class.n < 2)
		return 0;
	KITH_NEW_REALS(&tmp, x.machines, task->n, &x.score);
	status = run_blocks(task,
	    &(struct kith_par_phase){"probabilities", options.parts * x.machines, "machines"},
	    score_part, &x, count, err);
	KITH_NEW_REALS(task->pool, x.machines, 1, &A, &B);
	for (size_t o = 0; status == 0 && o < x.machines; o++) {
		fit(&x, o, &A[o], &B[o]);
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
