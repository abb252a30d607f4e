/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The paths of all machines of a task, as tables.
 *
 *	1. Solve the problem of a machine at theta 0 (start_path()).
 *	2. For each piece of its path, write the events at its beginning (write_event()), then the
 *	   solutions at its ends or at the thetas of --at (write_piece()), and set the coefficients
 *	   of a model at its theta (set_solution()).
 *	3. Machines are followed on several threads (run_blocks()); a spool keeps their tables in
 *	   order.
 */
#include "wsvmpath.h"

#include "base/progress.h"
#include "table/weights.h"

#include <stdatomic.h>

int
run_blocks(const struct kith_svm_task *task, const struct kith_par_phase *phase,
    kith_par_work *work, void *to, struct kith_wsvm_count *count, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = phase->total, threads = options.threads;
	const size_t at_once = threads < n ? threads : n;
	struct block *block = kith_new(&tmp, n, sizeof(*block));
	int status = 0;

	for (size_t i = 0; i < n; i++)
		block[i] = (struct block){
		    .to = to, .threads = threads / at_once, .cache = task->problem.cache / at_once};
	if (n == 1) {
		kith_progress_phase("path", 0, "events");
		work(block, 0, 0);
		kith_progress_end();
	} else {
		kith_par_tasks(at_once, n, work, block, phase);
	}
	for (size_t i = 0; status == 0 && i < n; i++) {
		if (block[i].err.status) {
			*err = block[i].err;
			status = -1;
		} else {
			kith_svm_count_add(count, &block[i].count);
		}
	}
	kith_pool_free(&tmp);
	return status;
}

struct kith_wsvm *
start_path(struct subset *s, const struct block *block)
{
	struct kith_svm_task *task = &s->task;
	struct kith_wsvm *solver;

	task->problem.threads = block->threads;
	task->problem.cache = block->cache;
	solver = kith_wsvm_new(&task->problem, task->from, &s->pool);
	kith_wsvm_aim(solver, task->to);
	return solver;
}

void
log_task(const struct kith_svm_task *task)
{
	kith_log_size("rows", task->n);
	if (task->m > 0)
		kith_log_size("validation rows", task->m);
	kith_log_size("features", task->X.p);
	kith_log_size("variables", task->problem.variables);
	kith_log_real("gamma", task->kern.gamma);
	if (options.parts)
		kith_log_size("parts", options.parts);
	if (kith_machine_has_pairs(&task->model)) {
		kith_log_size("classes", task->rows.class.n);
		kith_log_size("machines", kith_machine_outputs(&task->model));
	}
}

/* A difference of b, over its size and the least |q|, that is no jump. */
#define SAME 1e-10

/* A path that is written as a table. */
struct table {
	const struct kith_svm_task *task;
	struct kith_out *out;
	size_t steps, thetas; /* solutions written; thetas of --at passed */
	double q_least, b;    /* the least |q|; the bias at the end of the last piece */
	double *alpha, *f;    /* N, n: the last solution written */
};

/* Returns the id of the row of item i, or its number, written into `number`. */
static const char *
name_row(const struct kith_svm_task *task, size_t i, char number[KITH_NUM_ROOM])
{
	const size_t row = task->row[i];

	if (task->rows.id_name)
		return task->rows.id.cell[row].s;
	kith_format_size(number, kith_table_number(&task->rows, row));
	return number;
}

char *
name_variable(const struct kith_svm_task *task, size_t v, struct kith_pool *pool)
{
	char number[2][KITH_NUM_ROOM];
	const char *plus = name_row(task, task->plus[v], number[0]);
	const char *minus = task->minus ? name_row(task, task->minus[v], number[1]) : "";

	return kith_text(pool, "%s%s%s", plus, task->minus ? ">" : "", minus);
}

static void
write_header(const struct kith_svm_task *task, struct kith_out *out)
{
	const bool coef = options.print == KITH_SVM_COEF;
	const char *const column[] = {
	    "step", "theta", coef ? "name" : "row", coef ? "value" : "margin"};
	const char *event[8] = {"step", "theta", "event", "row", "was", "becomes"};
	size_t n = 6;

	if (task->minus)
		event[n++] = "other";
	if (!isnan(kith_svm_C(&options, 0)))
		event[n++] = "C";
	if (options.print == KITH_SVM_EVENTS)
		kith_out_header(out, event, n);
	else
		kith_out_header(out, column, 4);
}

/* Begins to write the path of a machine, behind its header. */
static void
begin_table(struct table *p, struct subset *s, struct kith_out *out)
{
	const struct kith_svm_task *task = &s->task;
	const size_t N = task->problem.variables;

	*p = (struct table){.task = task, .out = out, .q_least = N > 0 ? INFINITY : 0};
	KITH_NEW_REALS(&s->pool, N, 1, &p->alpha);
	KITH_NEW_REALS(&s->pool, task->n, 1, &p->f);
	for (size_t v = 0; v < N; v++)
		p->q_least = fmin(p->q_least, fabs(task->q[v]));
	if (task->class[0])
		kith_out_lead_with(out, task->class);
}

/* Writes an event; `to` is the table. */
static void
write_event(void *to, const struct kith_wsvm_event *event)
{
	static const char *const word[] = {"out", "margin", "in"};
	const struct table *p = to;
	const struct kith_svm_task *task = p->task;
	const size_t v = event->variable;
	/* The step before; with --at, the next one. */
	const size_t step = p->steps + (options.at.n > 0 || p->steps == 0);
	char number[KITH_NUM_ROOM];
	const double C = kith_svm_C(&options, event->theta);

	if (options.print != KITH_SVM_EVENTS)
		return;
	kith_out_put(p->out, "%zu\t%g\t%s\t%s\t%s\t%s", step, event->theta,
	    event->becomes == KITH_WSVM_MARGIN   ? "enter"
		: event->was == KITH_WSVM_MARGIN ? "leave"
						 : "cross",
	    name_row(task, task->plus[v], number), word[event->was], word[event->becomes]);
	if (task->minus)
		kith_out_put(p->out, "\t%s", name_row(task, task->minus[v], number));
	if (!isnan(C))
		kith_out_put(p->out, "\t%g", C);
	kith_out_row(p->out);
}

static void
write_line(struct table *p, double theta, const char *name, double x)
{
	kith_out_put(p->out, "%zu\t%g\t%s\t%g\n", p->steps, theta, name, x);
}

/* Writes b, and alpha of each variable; regress: of both variables of a row. */
static void
write_coef(struct table *p, double theta, double b)
{
	const struct kith_svm_task *task = p->task;
	const bool signs = options.task == KITH_SVM_REGRESS;
	const size_t n = signs ? task->n : task->problem.variables;

	write_line(p, theta, "(bias)", task->problem.bias ? b : 0);
	for (size_t v = 0; v < n; v++) {
		const double a = signs ? p->alpha[v] - p->alpha[n + v] : p->alpha[v];
		struct kith_pool tmp = {0};
		char number[KITH_NUM_ROOM];

		if (a != 0)
			write_line(p, theta,
			    task->minus ? name_variable(task, v, &tmp)
					: name_row(task, task->plus[v], number),
			    a);
		kith_pool_free(&tmp);
	}
}

/*
 * Writes the solution of the piece at theta as the next step; after a jump of b, at the beginning
 * of the piece, with the alpha of the step before.
 */
static void
write_step(struct table *p, struct kith_wsvm_piece *piece, double theta, bool jumped)
{
	char number[KITH_NUM_ROOM];

	p->steps++;
	if (options.print == KITH_SVM_COEF)
		write_coef(
		    p, theta, jumped ? piece->b[0] : kith_wsvm_point(piece, theta, p->alpha));
	if (options.print == KITH_SVM_MARGINS)
		kith_wsvm_point_scores(piece, theta, p->f);
	for (size_t i = 0; options.print == KITH_SVM_MARGINS && i < p->task->n; i++)
		write_line(p, theta, name_row(p->task, i, number), p->f[i]);
	kith_out_flush(p->out);
}

/*
 * Writes the solutions of a piece, behind its events: at the thetas of --at, or at its end, and at
 * its beginning where the path begins or b jumps.  A piece whose ends have the same theta has one
 * solution, its end.
 */
static void
write_piece(struct table *p, struct kith_wsvm_piece *piece)
{
	const double l = p->b, r = piece->b[0];
	const bool jumped = fabs(l - r) > SAME * (p->q_least + fmax(fabs(l), fabs(r)));

	for (; p->thetas < options.at.n && options.at.v[p->thetas] <= piece->to; p->thetas++)
		write_step(p, piece, options.at.v[p->thetas], false);
	if (options.at.n > 0)
		return;
	if (p->steps == 0 || (jumped && piece->from < piece->to))
		write_step(p, piece, piece->from, p->steps > 0);
	write_step(p, piece, piece->to, false);
	p->b = piece->b[1];
}

/* The paths of all machines. */
struct paths {
	const struct kith_svm_task *task;
	double until;
	struct kith_out *out; /* NULL: nothing is written */
	struct kith_svm_solution *solution;
	size_t machines;
	struct kith_spool spool;
	atomic_size_t steps; /* written */
};

/* Sets the coefficients of a machine at the theta of the solution. */
static void
set_solution(struct paths *x, size_t machine, struct subset *s, struct kith_wsvm_piece *piece)
{
	struct kith_svm_solution *to = x->solution;
	const struct kith_svm_task *task = &s->task;
	double *alpha, *coef, b;

	KITH_NEW_REALS(&s->pool, task->problem.variables, 1, &alpha);
	KITH_NEW_REALS(&s->pool, task->n, 1, &coef);
	b = kith_wsvm_point(piece, to->theta, alpha);
	kith_svm_coef(task, alpha, coef);
	for (size_t i = 0; i < task->n; i++)
		to->coef[task->row[i] * x->machines + machine] = coef[i];
	to->bias[machine] = task->problem.bias ? b : 0;
}

/* Follows the path of a machine. */
static void
follow(void *blocks, size_t machine, size_t thread)
{
	struct block *block = (struct block *)blocks + machine;
	struct paths *x = block->to;
	struct kith_out *out = x->out ? kith_spool_begin(&x->spool, machine) : NULL;
	struct table table;
	struct kith_wsvm_piece piece = {.to = -1};
	struct kith_wsvm *solver;
	struct subset s;
	bool is_set = !x->solution;

	(void)thread;
	/* With all rows there is no failure. */
	make_subset(&s, x->task, KITH_SVM_NONE, machine, &block->err);
	if (out)
		begin_table(&table, &s, out);
	solver = start_path(&s, block);
	while (piece.to < x->until && !(out && out->failed) &&
	    kith_wsvm_next(solver, &piece, out ? write_event : NULL, &table)) {
		if (out)
			write_piece(&table, &piece);
		if (!is_set && x->solution->theta <= piece.to) {
			set_solution(x, machine, &s, &piece);
			is_set = true;
		}
	}
	kith_wsvm_count(solver, &block->count);
	if (out) {
		atomic_fetch_add(&x->steps, table.steps);
		kith_spool_end(&x->spool, machine);
	}
	kith_pool_free(&s.pool);
}

size_t
follow_paths(const struct kith_svm_task *task, double until, struct kith_out *out,
    struct kith_svm_solution *solution, struct kith_wsvm_count *count)
{
	const size_t machines = kith_machine_outputs(&task->model);
	struct paths x = {
	    .task = task, .until = until, .out = out, .solution = solution, .machines = machines};
	struct kith_err none;

	if (solution) {
		KITH_NEW_REALS(task->pool, task->n, machines, &solution->coef);
		KITH_NEW_REALS(task->pool, machines, 1, &solution->bias);
	}
	if (out) {
		if (machines > 1)
			kith_out_lead(out, class_columns, 2);
		write_header(task, out);
		kith_spool_new(&x.spool, out, machines);
	}
	run_blocks(task, &(struct kith_par_phase){"paths", machines, "machines"}, follow, &x, count,
	    &none);
	if (out)
		kith_spool_free(&x.spool);
	return x.steps;
}
