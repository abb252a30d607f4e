/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/print.h"

#include "base/pool.h"
#include "table/path.h"
#include "table/write.h"
#include "text/out.h"
#include "wsvmpath/task.h"
#include "wsvmpath/variables.h"

#include <math.h>
#include <stdbool.h>
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

struct kith_wsvm_print {
	const struct kith_wsvm_job *job;
	struct kith_out *out;
	size_t step, at; /* solutions written; thetas of --at among them */
	double q_least;
	bool begun;
	struct point last, now; /* where the pieces meet, from both sides */
};

const char *
kith_wsvm_row_id(const struct kith_table *t, size_t i, char number[KITH_NUM_ROOM])
{
	if (t->id_name)
		return kith_texts_at(&t->id, i).s;
	kith_format_size(number, kith_table_number(t, i));
	return number;
}

char *
kith_wsvm_name(const struct kith_wsvm_job *job, size_t v, struct kith_pool *pool)
{
	const struct kith_table *t = &job->rows;
	char number[2][KITH_NUM_ROOM], *s;
	const char *plus = kith_wsvm_row_id(t, job->plus[v], number[0]);
	const char *minus;
	size_t len;

	if (!job->minus)
		return kith_strndup(pool, plus, strlen(plus));
	minus = kith_wsvm_row_id(t, job->minus[v], number[1]);
	len = strlen(plus) + strlen(minus) + 2;
	s = kith_new(pool, len, 1);
	snprintf(s, len, "%s>%s", plus, minus);
	return s;
}

void
kith_wsvm_print_header(const struct kith_wsvm_job *job, struct kith_out *out)
{
	const bool coef = job->call->print == KITH_WSVM_COEF;
	const char *const column[] = {
	    "step", "theta", coef ? "name" : "row", coef ? "value" : "margin"};
	double C;

	if (job->call->print == KITH_WSVM_EVENTS)
		kith_path_event_header_with(
		    job->minus != NULL, kith_wsvm_C(job->call, 0, &C) ? "C" : NULL, out);
	else
		kith_out_header(out, column, 4);
}

struct kith_wsvm_print *
kith_wsvm_print_new(const struct kith_wsvm_job *job, struct kith_out *out, struct kith_pool *pool)
{
	struct kith_wsvm_print *p = kith_new(pool, 1, sizeof(*p));
	const size_t N = job->problem.variables;

	*p = (struct kith_wsvm_print){.job = job, .out = out};
	KITH_NEW_REALS(pool, N, 1, &p->last.alpha, &p->now.alpha);
	KITH_NEW_REALS(pool, job->n, 1, &p->last.f, &p->now.f);
	p->q_least = N > 0 ? INFINITY : 0;
	for (size_t v = 0; v < N; v++)
		p->q_least = fmin(p->q_least, fabs(job->q[v]));
	kith_wsvm_print_header(job, out);
	return p;
}

void
kith_wsvm_print_event(void *to, const struct kith_wsvm_event *event)
{
	static const char *const word[] = {"out", "margin", "in"};
	const struct kith_wsvm_print *p = to;
	const struct kith_wsvm_job *job = p->job;
	const size_t v = event->variable;
	double C;
	struct kith_path_event e = {.row = job->plus[v],
	    .was = word[event->was],
	    .becomes = word[event->becomes],
	    .other = job->minus ? &job->minus[v] : NULL};

	if (job->call->print != KITH_WSVM_EVENTS)
		return;
	e.event = event->becomes == KITH_WSVM_MARGIN ? "enter"
	    : event->was == KITH_WSVM_MARGIN         ? "leave"
						     : "cross";
	if (kith_wsvm_C(job->call, event->theta, &C))
		e.last = &C;
	kith_path_event(p->step + 1, event->theta, &e, job->minus != NULL, &job->rows, p->out);
}

/* The solution of the piece at theta. */
static void
take(const struct kith_wsvm_print *p, struct kith_wsvm_piece *piece, double theta, struct point *at)
{
	at->theta = theta;
	if (p->job->call->print == KITH_WSVM_EVENTS)
		return;
	at->b = kith_wsvm_point(piece, theta, at->alpha);
	if (p->job->call->print == KITH_WSVM_MARGINS)
		kith_wsvm_point_scores(piece, theta, at->f);
}

static void
write_line(struct kith_wsvm_print *p, const struct point *at, const char *name, double x)
{
	kith_out_put(p->out, "%zu\t%g\t%s\t%g\n", p->step, at->theta, name, x);
}

/* The line of a variable; regress: of both variables of its row. */
static void
write_alpha(struct kith_wsvm_print *p, const struct point *at, size_t v)
{
	const struct kith_wsvm_job *job = p->job;
	struct kith_pool tmp = {0};
	char number[KITH_NUM_ROOM];
	double a = at->alpha[v];

	if (job->call->task == KITH_WSVM_REGRESS)
		a -= at->alpha[job->n + v];
	if (a != 0)
		write_line(p, at,
		    job->minus ? kith_wsvm_name(job, v, &tmp)
			       : kith_wsvm_row_id(&job->rows, job->plus[v], number),
		    a);
	kith_pool_free(&tmp);
}

static void
write_coef(struct kith_wsvm_print *p, const struct point *at)
{
	const struct kith_wsvm_job *job = p->job;
	const bool rows = job->call->task == KITH_WSVM_REGRESS;
	const size_t n = rows ? job->n : job->problem.variables;

	write_line(p, at, "(bias)", job->problem.bias ? at->b : 0);
	for (size_t v = 0; v < n; v++)
		write_alpha(p, at, v);
}

/* The next step. */
static void
write_point(struct kith_wsvm_print *p, const struct point *at)
{
	p->step++;
	if (p->job->call->print == KITH_WSVM_COEF)
		write_coef(p, at);
	for (size_t i = 0; p->job->call->print == KITH_WSVM_MARGINS && i < p->job->n; i++) {
		kith_out_put(p->out, "%zu\t%g\t", p->step, at->theta);
		kith_table_write_id(&p->job->rows, i, p->out);
		kith_out_put(p->out, "\t%g\n", at->f[i]);
	}
	kith_out_flush(p->out);
}

static bool
jumps(const struct kith_wsvm_print *p)
{
	const double l = p->last.b, r = p->now.b;

	return fabs(l - r) > SAME * (p->q_least + fmax(fabs(l), fabs(r)));
}

/*
 * All solutions.  The end of a piece is written once the next has begun: alpha
 * is the same there, but b may be another.  A piece whose ends have the same
 * theta has but one solution, its end.
 */
static void
meet(struct kith_wsvm_print *p, struct kith_wsvm_piece *piece)
{
	p->now.b = piece->b[0];
	if (!p->begun) {
		take(p, piece, piece->from, &p->now);
		write_point(p, &p->now);
	} else if (jumps(p) && piece->from < piece->to) {
		write_point(p, &p->last);
		take(p, piece, piece->from, &p->now);
		memcpy(
		    p->now.alpha, p->last.alpha, p->job->problem.variables * sizeof(*p->now.alpha));
		write_point(p, &p->now);
	} else {
		write_point(p, &p->last);
	}
	take(p, piece, piece->to, &p->last);
	p->last.b = piece->b[1];
	p->begun = true;
}

void
kith_wsvm_print_piece(struct kith_wsvm_print *p, struct kith_wsvm_piece *piece)
{
	const struct kith_reals *at = &p->job->call->at;

	if (at->n == 0)
		meet(p, piece);
	for (; p->at < at->n && at->v[p->at] <= piece->to; p->at++) {
		take(p, piece, at->v[p->at], &p->now);
		write_point(p, &p->now);
	}
}

size_t
kith_wsvm_print_end(struct kith_wsvm_print *p)
{
	if (p->job->call->at.n == 0)
		write_point(p, &p->last);
	return p->step;
}

void
kith_wsvm_print_prediction_header(struct kith_out *out)
{
	static const char *const column[] = {"id", "predicted", "actual", "margin"};

	kith_out_header(out, column, 4);
}

void
kith_wsvm_print_prediction_write(const struct kith_wsvm_prediction *p, struct kith_out *out)
{
	if (p->id)
		kith_out_cell(out, p->id);
	else
		kith_out_size(out, p->number);
	kith_out_put(out, p->predicted ? "\t%s\t%s\t%g\n" : "\t%s\t%s\t%G\n", p->predicted,
	    p->actual, p->predicted ? p->margin : NAN);
}
