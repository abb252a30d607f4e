/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/print.h"

#include "base/pool.h"
#include "table/path.h"
#include "table/table.h"
#include "text/out.h"

#include <stdio.h>
#include <string.h>

/* A difference of b, over its size and the least |q|, that is no jump. */
#define SAME 1e-10

/* A solution. */
struct point {
	double theta, b;
	double *alpha; /* N */
	double *f;     /* n */
};

struct kith_svm_print {
	const struct kith_svm_task *task;
	int print;
	struct kith_reals at;
	struct kith_out *out;
	size_t steps, thetas; /* solutions written; thetas of `at` passed */
	double q_least;
	bool begun;
	struct point last, now; /* the end of the last piece, the beginning of this one */
};

/* Returns the id of the row of item i, or its number, written into `number`. */
static const char *
row_id(const struct kith_svm_task *task, size_t i, char number[KITH_NUM_ROOM])
{
	const size_t row = kith_svm_row(task, i);

	if (task->rows.id_name)
		return kith_texts_at(&task->rows.id, row).s;
	kith_format_size(number, kith_table_number(&task->rows, row));
	return number;
}

char *
kith_svm_name(const struct kith_svm_task *task, size_t v, struct kith_pool *pool)
{
	char number[2][KITH_NUM_ROOM], *name;
	const char *plus = row_id(task, task->plus[v], number[0]);
	const char *minus = task->minus ? row_id(task, task->minus[v], number[1]) : "";
	const size_t length = strlen(plus) + strlen(minus) + 2;

	name = kith_new(pool, length, 1);
	snprintf(name, length, "%s%s%s", plus, task->minus ? ">" : "", minus);
	return name;
}

void
kith_svm_print_header(const struct kith_svm_task *task, int print, struct kith_out *out)
{
	const bool coef = print == KITH_SVM_COEF;
	const char *const column[] = {
	    "step", "theta", coef ? "name" : "row", coef ? "value" : "margin"};
	double C;

	if (print == KITH_SVM_EVENTS)
		kith_path_event_header_with(
		    task->minus != NULL, kith_svm_C(task->options, 0, &C) ? "C" : NULL, out);
	else
		kith_out_header(out, column, 4);
}

struct kith_svm_print *
kith_svm_print_new(const struct kith_svm_task *task, int print, struct kith_reals at,
    struct kith_out *out, struct kith_pool *pool)
{
	struct kith_svm_print *p = kith_new(pool, 1, sizeof(*p));
	const size_t N = task->problem.variables;

	*p = (struct kith_svm_print){.task = task, .print = print, .at = at, .out = out};
	KITH_NEW_REALS(pool, N, 1, &p->last.alpha, &p->now.alpha);
	KITH_NEW_REALS(pool, task->n, 1, &p->last.f, &p->now.f);
	p->q_least = N > 0 ? INFINITY : 0;
	for (size_t v = 0; v < N; v++)
		p->q_least = fmin(p->q_least, fabs(task->q[v]));
	return p;
}

void
kith_svm_print_event(void *to, const struct kith_wsvm_event *event)
{
	static const char *const word[] = {"out", "margin", "in"};
	const struct kith_svm_print *p = to;
	const struct kith_svm_task *task = p->task;
	const size_t v = event->variable;
	double C;
	struct kith_path_event e = {.row = kith_svm_row(task, task->plus[v]),
	    .event = event->becomes == KITH_WSVM_MARGIN ? "enter"
		: event->was == KITH_WSVM_MARGIN        ? "leave"
							: "cross",
	    .was = word[event->was],
	    .becomes = word[event->becomes],
	    .other = task->minus ? &task->minus[v] : NULL};

	if (p->print != KITH_SVM_EVENTS)
		return;
	if (kith_svm_C(task->options, event->theta, &C))
		e.last = &C;
	kith_path_event(p->steps + 1, event->theta, &e, task->minus != NULL, &task->rows, p->out);
}

/* Sets a point to the solution of the piece at theta. */
static void
set_point(
    const struct kith_svm_print *p, struct kith_wsvm_piece *piece, double theta, struct point *at)
{
	at->theta = theta;
	if (p->print == KITH_SVM_EVENTS)
		return;
	at->b = kith_wsvm_point(piece, theta, at->alpha);
	if (p->print == KITH_SVM_MARGINS)
		kith_wsvm_point_scores(piece, theta, at->f);
}

static void
write_line(struct kith_svm_print *p, const struct point *at, const char *name, double x)
{
	kith_out_put(p->out, "%zu\t%g\t%s\t%g\n", p->steps, at->theta, name, x);
}

/* Writes b, and alpha of each variable; regress: of both variables of a row. */
static void
write_coef(struct kith_svm_print *p, const struct point *at)
{
	const struct kith_svm_task *task = p->task;
	const bool signs = task->options->task == KITH_SVM_REGRESS;
	const size_t n = signs ? task->n : task->problem.variables;

	write_line(p, at, "(bias)", task->problem.bias ? at->b : 0);
	for (size_t v = 0; v < n; v++) {
		const double a = signs ? at->alpha[v] - at->alpha[n + v] : at->alpha[v];
		struct kith_pool tmp = {0};
		char number[KITH_NUM_ROOM];

		if (a != 0)
			write_line(p, at,
			    task->minus ? kith_svm_name(task, v, &tmp)
					: row_id(task, task->plus[v], number),
			    a);
		kith_pool_free(&tmp);
	}
}

/* Writes the next step. */
static void
write_point(struct kith_svm_print *p, const struct point *at)
{
	p->steps++;
	if (p->print == KITH_SVM_COEF)
		write_coef(p, at);
	for (size_t i = 0; p->print == KITH_SVM_MARGINS && i < p->task->n; i++) {
		kith_out_put(p->out, "%zu\t%g\t", p->steps, at->theta);
		kith_table_write_id(&p->task->rows, kith_svm_row(p->task, i), p->out);
		kith_out_put(p->out, "\t%g\n", at->f[i]);
	}
	kith_out_flush(p->out);
}

/* Returns whether b jumps between two pieces. */
static bool
has_jump(const struct kith_svm_print *p)
{
	const double l = p->last.b, r = p->now.b;

	return fabs(l - r) > SAME * (p->q_least + fmax(fabs(l), fabs(r)));
}

/*
 * Writes the beginning of a piece.  The end of a piece is written once the next piece has begun:
 * alpha is the same there, but b may jump.  A piece whose ends have the same theta has one
 * solution, its end.
 */
static void
write_breakpoint(struct kith_svm_print *p, struct kith_wsvm_piece *piece)
{
	p->now.b = piece->b[0];
	if (!p->begun) {
		set_point(p, piece, piece->from, &p->now);
		write_point(p, &p->now);
	} else if (has_jump(p) && piece->from < piece->to) {
		write_point(p, &p->last);
		set_point(p, piece, piece->from, &p->now);
		memcpy(p->now.alpha, p->last.alpha,
		    p->task->problem.variables * sizeof(*p->now.alpha));
		write_point(p, &p->now);
	} else {
		write_point(p, &p->last);
	}
	set_point(p, piece, piece->to, &p->last);
	p->last.b = piece->b[1];
	p->begun = true;
}

void
kith_svm_print_piece(struct kith_svm_print *p, struct kith_wsvm_piece *piece)
{
	if (p->at.n == 0)
		write_breakpoint(p, piece);
	for (; p->thetas < p->at.n && p->at.v[p->thetas] <= piece->to; p->thetas++) {
		set_point(p, piece, p->at.v[p->thetas], &p->now);
		write_point(p, &p->now);
	}
}

size_t
kith_svm_print_end(struct kith_svm_print *p)
{
	if (p->at.n == 0)
		write_point(p, &p->last);
	return p->steps;
}

void
kith_svm_prediction_header(bool classes, struct kith_out *out)
{
	static const char *const column[] = {"id", "predicted", "actual", "margin"};

	kith_out_header(out, column, classes ? 4 : 3);
}

static void
write_id(const struct kith_svm_prediction *p, struct kith_out *out)
{
	if (p->id)
		kith_out_cell(out, p->id);
	else
		kith_out_size(out, p->number);
}

void
kith_svm_prediction_write(const struct kith_svm_prediction *p, struct kith_out *out)
{
	write_id(p, out);
	kith_out_put(out, p->predicted ? "\t%s\t%s\t%g\n" : "\t%s\t%s\t%G\n", p->predicted,
	    p->actual, p->predicted ? p->margin : NAN);
}

void
kith_svm_prediction_number(const struct kith_svm_prediction *p, double actual, struct kith_out *out)
{
	write_id(p, out);
	kith_out_put(out, "\t%G\t%G\n", p->margin, actual);
}
