/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/paths.h"

#include "base/progress.h"
#include "machine/libsvm.h"
#include "machine/model.h"
#include "text/out.h"
#include "wsvmpath/print.h"

#include <stdio.h>
#include <string.h>

const char *const kith_svm_class_columns[2] = {"class1", "class2"};

struct blocks {
	kith_svm_work *work;
	void *to;
	struct kith_svm_block *block;
};

static void
run_block(void *to, size_t number, size_t thread)
{
	const struct blocks *b = to;

	b->block[number].thread = thread;
	b->block[number].failed = b->work(b->to, number, &b->block[number]) != 0;
}

int
kith_svm_blocks(const struct kith_svm_task *task, const struct kith_par_phase *phase,
    kith_svm_work *work, void *to, struct kith_wsvm_count *count, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = phase->total, threads = task->options->threads;
	const size_t at_once = threads < n ? threads : n;
	struct blocks b = {.work = work, .to = to};
	int status = 0;

	b.block = kith_new(&tmp, n, sizeof(*b.block));
	for (size_t i = 0; i < n; i++)
		b.block[i] = (struct kith_svm_block){
		    .threads = threads / at_once, .cache = task->problem.cache / at_once};
	if (n == 1) {
		kith_progress_phase("path", 0, "events");
		run_block(&b, 0, 0);
		kith_progress_end();
	} else {
		kith_par_tasks(at_once, n, run_block, &b, phase);
	}
	for (size_t i = 0; status == 0 && i < n; i++) {
		if (b.block[i].failed) {
			*err = b.block[i].err;
			status = -1;
		} else {
			kith_svm_count_add(count, &b.block[i].count);
		}
	}
	kith_pool_free(&tmp);
	return status;
}

struct kith_wsvm *
kith_svm_start(
    struct kith_svm_task *task, const struct kith_svm_block *block, struct kith_pool *pool)
{
	struct kith_wsvm *solver;

	task->problem.threads = block->threads;
	task->problem.cache = block->cache;
	solver = kith_wsvm_new(&task->problem, task->from, NULL, pool);
	kith_wsvm_aim(solver, task->to);
	return solver;
}

/* The paths of all machines. */
struct paths {
	const struct kith_svm_task *task;
	const struct kith_svm_wanted *wanted;
	size_t machines;
	struct kith_spool spool;
	size_t *steps; /* machines */
};

/* Keeps the coefficients of a machine at the theta of the solution. */
static void
keep(struct paths *x, size_t machine, struct kith_svm_subset *s, struct kith_wsvm_piece *piece)
{
	struct kith_svm_solution *to = x->wanted->solution;
	const struct kith_svm_task *task = &s->task;
	double *alpha, *coef, b;

	KITH_NEW_REALS(&s->pool, task->problem.variables, 1, &alpha);
	KITH_NEW_REALS(&s->pool, task->n, 1, &coef);
	b = kith_wsvm_point(piece, to->theta, alpha);
	kith_svm_coef(task, alpha, coef);
	for (size_t i = 0; i < task->n; i++)
		to->coef[kith_svm_row(task, i) * x->machines + machine] = coef[i];
	to->bias[machine] = task->problem.bias ? b : 0;
}

/* Follows the path of a machine. */
static int
follow(void *to, size_t machine, struct kith_svm_block *block)
{
	struct paths *x = to;
	const struct kith_svm_wanted *wanted = x->wanted;
	struct kith_out *out = wanted->out ? kith_spool_begin(&x->spool, machine) : NULL;
	struct kith_svm_print *print = NULL;
	struct kith_wsvm_piece piece = {.to = -1};
	struct kith_wsvm *solver;
	struct kith_svm_subset s;
	bool is_kept = !wanted->solution;
	/* Without parts there is no failure. */
	int status = kith_svm_subset_make(&s, x->task, NULL, 0, machine, &block->err);

	if (out) {
		if (x->machines > 1)
			kith_out_lead_with(out, s.task.class);
		print = kith_svm_print_new(&s.task, wanted->print, wanted->at, out, &s.pool);
	}
	solver = kith_svm_start(&s.task, block, &s.pool);
	while (piece.to < wanted->until && !(out && out->failed) &&
	    kith_wsvm_next(solver, &piece, print ? kith_svm_print_event : NULL, print)) {
		if (print)
			kith_svm_print_piece(print, &piece);
		if (!is_kept && wanted->solution->theta <= piece.to) {
			keep(x, machine, &s, &piece);
			is_kept = true;
		}
	}
	if (print && piece.to >= 0)
		x->steps[machine] = kith_svm_print_end(print);
	kith_wsvm_count(solver, &block->count);
	if (out)
		kith_spool_end(&x->spool, machine);
	kith_svm_subset_free(&s);
	return status;
}

size_t
kith_svm_follow(const struct kith_svm_task *task, const struct kith_svm_wanted *wanted,
    struct kith_wsvm_count *count)
{
	struct kith_pool tmp = {0};
	struct paths x = {.task = task, .wanted = wanted, .machines = kith_svm_machines(task)};
	struct kith_err none;
	size_t steps = 0;

	KITH_NEW_SIZES(&tmp, x.machines, 1, &x.steps);
	if (wanted->solution) {
		KITH_NEW_REALS(task->pool, task->n, x.machines, &wanted->solution->coef);
		KITH_NEW_REALS(task->pool, x.machines, 1, &wanted->solution->bias);
	}
	if (wanted->out) {
		if (x.machines > 1)
			kith_out_lead(wanted->out, kith_svm_class_columns, 2);
		kith_svm_print_header(task, wanted->print, wanted->out);
		kith_spool_new(&x.spool, wanted->out, x.machines);
	}
	kith_svm_blocks(task, &(struct kith_par_phase){"paths", x.machines, "machines"}, follow, &x,
	    count, &none);
	if (wanted->out)
		kith_spool_free(&x.spool);
	for (size_t o = 0; o < x.machines; o++)
		steps += x.steps[o];
	kith_pool_free(&tmp);
	return steps;
}

/* Returns whether a model in this file has the format of LIBSVM. */
static bool
is_libsvm(const char *file)
{
	static const char end[] = ".libsvm";
	const size_t n = strlen(file);

	return n >= strlen(end) && strcmp(file + n - strlen(end), end) == 0;
}

int
kith_svm_model_open(const struct kith_svm_task *task, struct kith_out *out, struct kith_err *err)
{
	const char *file = task->options->save_model;

	if (is_libsvm(file) && kith_libsvm_check(&task->model, err)) {
		err->file = task->rows.file;
		return -1;
	}
	return kith_out_open(out, file, err);
}

int
kith_svm_model_write(const struct kith_svm_task *task, const struct kith_svm_solution *solution,
    struct kith_out *out, struct kith_err *err)
{
	const size_t machines = kith_svm_machines(task);
	struct kith_pool *pool = task->pool;
	struct kith_machine machine = task->model;
	size_t *row, *number, rows = 0;
	double *coef, C;

	KITH_NEW_SIZES(pool, task->n, 1, &row, &number);
	KITH_NEW_REALS(pool, task->n, machines, &coef);
	for (size_t i = 0; i < task->n; i++) {
		const double *from = solution->coef + i * machines;
		bool any = false;

		for (size_t o = 0; o < machines; o++)
			any |= from[o] != 0;
		if (!any)
			continue;
		if (task->rows.id_name) {
			const struct kith_cell id = kith_texts_at(&task->rows.id, i);

			kith_texts_add(&machine.id, &id, pool);
		}
		memcpy(coef + rows * machines, from, machines * sizeof(*coef));
		number[rows] = kith_table_number(&task->rows, i);
		row[rows++] = i;
	}
	machine.kern.metric = &task->model.metric;
	machine.X = kith_mat_rows(&task->X, row, rows, pool);
	machine.coef = coef;
	machine.bias = solution->bias;
	machine.number = number;
	if (kith_svm_C(task->options, solution->theta, &C))
		machine.C = &C;
	kith_log_size("model rows", rows);
	if (is_libsvm(task->options->save_model))
		kith_libsvm_write(&machine, out);
	else if (kith_model_write(&machine, out, err))
		return -1;
	return kith_out_close(out, err);
}

void
kith_svm_count_add(struct kith_wsvm_count *count, const struct kith_wsvm_count *more)
{
	const double before = (double)count->events, events = (double)more->events;

	if (before == 0)
		count->margin = more->margin;
	else
		count->margin = (before * count->margin + events * more->margin) /
		    (before + events);
	count->events += more->events;
	count->rows += more->rows;
	count->restarts += more->restarts;
	count->residual = fmax(count->residual, more->residual);
	count->solved_anew += more->solved_anew;
	if (count->faults == 0 || more->fault.violation > count->fault.violation)
		count->fault = more->fault;
	count->faults += more->faults;
	count->end_faults += more->end_faults;
	if (count->longest_restart == 0)
		count->restart_at = more->restart_at;
	count->longest_restart = fmax(count->longest_restart, more->longest_restart);
}

/* Returns ", C ..." at theta, or "" where --from and --to are no numbers. */
static const char *
text_of_C(const struct kith_svm_options *options, double theta, char text[64])
{
	double C;

	text[0] = '\0';
	if (kith_svm_C(options, theta, &C))
		snprintf(text, 64, ", C %.6g", C);
	return text;
}

/* Returns how far restarts went: "up to ... of theta, ... of C further on", or "there". */
static const char *
text_of_length(const struct kith_svm_options *options, double length, char text[96])
{
	double from, to;
	int n;

	if (!(length > 0))
		return "there";
	n = snprintf(text, 96, "up to %.2g of theta", length);
	if (kith_svm_C(options, 0, &from) && kith_svm_C(options, 1, &to))
		n += snprintf(text + n, 96 - (size_t)n, ", %.2g of C", length * fabs(to - from));
	snprintf(text + n, 96 - (size_t)n, " further on");
	return text;
}

int
kith_svm_count_report(const struct kith_svm_options *options, const struct kith_wsvm_count *count)
{
	const struct kith_wsvm_fault *fault = &count->fault;
	char at[64], length[96];

	kith_log_size("events", count->events);
	kith_log_real("mean margin", count->margin);
	kith_log_size("kernel rows", count->rows);
	kith_log_size("cold solves", count->restarts);
	kith_log_real("residual", count->residual);
	kith_log_size("solved anew", count->solved_anew);
	if (count->restarts > 0)
		kith_warn(
		    "%zu times events could not be told apart, first at theta %.17g%s: solved "
		    "anew %s, and what lies between judged",
		    count->restarts, count->restart_at, text_of_C(options, count->restart_at, at),
		    text_of_length(options, count->longest_restart, length));
	if (count->faults == 0)
		return 0;
	kith_warn(
	    "%zu solutions are off, the worst up to theta %.17g%s: %s is %.3g times its limit",
	    count->faults, fault->theta, text_of_C(options, fault->theta, at), fault->what,
	    fault->violation);
	return 1;
}
