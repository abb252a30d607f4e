/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/solution.h"

#include "base/pool.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "machine/libsvm.h"
#include "machine/model.h"
#include "text/out.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/print.h"
#include "wsvmpath/task.h"
#include "wsvmpath/variables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void
kith_wsvm_keep(struct kith_wsvm_piece *piece, double theta, struct kith_wsvm_kept *at)
{
	at->b = kith_wsvm_point(piece, theta, at->alpha);
	at->theta = theta;
	at->known = true;
}

/* Whether a model in this file is one of LIBSVM. */
static bool
is_libsvm(const char *file)
{
	static const char end[] = ".libsvm";
	const size_t n = strlen(file);

	return n >= strlen(end) && strcmp(file + n - strlen(end), end) == 0;
}

int
kith_wsvm_open_model(const struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	const char *file = job->call->save_model;

	if (is_libsvm(file) && kith_libsvm_check(&job->learnt, err)) {
		err->file = job->rows.file;
		return -1;
	}
	return kith_out_open(out, file, err);
}

int
kith_wsvm_write_model(const struct kith_wsvm_job *job, const struct kith_machine *machine,
    struct kith_out *out, struct kith_err *err)
{
	kith_log_size("model rows", machine->X.n);
	if (is_libsvm(job->call->save_model))
		kith_libsvm_write(machine, out);
	else if (kith_model_write(machine, out, err))
		return -1;
	return kith_out_close(out, err);
}

int
kith_wsvm_save(const struct kith_wsvm_job *job, double theta, const double *alpha, double b,
    struct kith_out *out, struct kith_err *err)
{
	struct kith_machine machine;
	double C;

	kith_wsvm_machine(job, alpha, b, &machine);
	if (kith_wsvm_C(job->call, theta, &C))
		machine.C = &C;
	return kith_wsvm_write_model(job, &machine, out, err);
}

/* Go to theta: the solution into *at, or printed. */
static void
go(const struct kith_wsvm_job *job, struct kith_wsvm *solver, double theta,
    struct kith_wsvm_print *print, struct kith_wsvm_kept *at)
{
	struct kith_wsvm_piece piece = {.to = -1};

	kith_wsvm_aim(solver, job->to);
	kith_progress_phase("path", 0, "events");
	while (piece.to < theta && kith_wsvm_next(solver, &piece, NULL, NULL)) {
		if (print)
			kith_wsvm_print_piece(print, &piece);
		else if (piece.to >= theta)
			kith_wsvm_keep(&piece, theta, at);
	}
	kith_progress_end();
}

int
kith_wsvm_give(const struct kith_wsvm_job *job, double theta, struct kith_out *out,
    struct kith_out *saved, struct kith_wsvm_count *count, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_wsvm_call call = *job->call;
	struct kith_wsvm_job at = *job;
	struct kith_wsvm_kept kept = {.known = false};
	struct kith_wsvm_print *print = NULL;
	struct kith_wsvm *solver;
	struct kith_wsvm_count done;
	int got = 0;

	call.print = KITH_WSVM_COEF;
	call.at = (struct kith_reals){1, &theta};
	at.call = &call;
	KITH_NEW_REALS(&tmp, job->problem.variables, 1, &kept.alpha);
	if (!saved)
		print = kith_wsvm_print_new(&at, out, &tmp);
	solver = kith_wsvm_new(&job->problem, job->from, NULL, &tmp);
	go(job, solver, theta, print, &kept);
	kith_wsvm_count(solver, &done);
	kith_wsvm_count_add(count, &done);
	if (saved)
		got = kith_wsvm_save(job, theta, kept.alpha, kept.b, saved, err);
	kith_pool_free(&tmp);
	return got;
}

void
kith_wsvm_count_add(struct kith_wsvm_count *count, const struct kith_wsvm_count *more)
{
	const double events = (double)(count->events + more->events);

	if (events > 0)
		count->margin = ((double)count->events * count->margin +
				    (double)more->events * more->margin) /
		    events;
	count->events += more->events;
	count->rows += more->rows;
	count->fallbacks += more->fallbacks;
	count->residual = fmax(count->residual, more->residual);
	count->mended += more->mended;
	if (count->faults == 0 || more->fault.off > count->fault.off)
		count->fault = more->fault;
	count->faults += more->faults;
	count->wrong_ends += more->wrong_ends;
	if (count->lost_length == 0)
		count->lost = more->lost;
	count->lost_length = fmax(count->lost_length, more->lost_length);
}

/* Report and log what was done. */
static void
report_work(const struct kith_wsvm_count *count)
{
	kith_log_size("events", count->events);
	kith_log_real("mean margin", count->margin);
	kith_log_size("kernel rows", count->rows);
	kith_log_size("cold solves", count->fallbacks);
	kith_log_real("residual", count->residual);
	kith_log_size("solved anew", count->mended);
}

/* ", C ..." at theta, where that is a number; else nothing. */
static const char *
say_C(const struct kith_wsvm_call *call, double theta, char text[64])
{
	double C;

	text[0] = '\0';
	if (kith_wsvm_C(call, theta, &C))
		snprintf(text, 64, ", C %.6g", C);
	return text;
}

/* How far restarts went: "up to ... of theta, ... of C further on", or there. */
static const char *
say_length(const struct kith_wsvm_call *call, double length, char text[96])
{
	double from, to;
	int n;

	if (!(length > 0))
		return "there";
	n = snprintf(text, 96, "up to %.2g of theta", length);
	if (kith_wsvm_C(call, 0, &from) && kith_wsvm_C(call, 1, &to))
		n += snprintf(text + n, 96 - (size_t)n, ", %.2g of C", length * fabs(to - from));
	snprintf(text + n, 96 - (size_t)n, " further on");
	return text;
}

int
kith_wsvm_report_count(const struct kith_wsvm_call *call, const struct kith_wsvm_count *count)
{
	const struct kith_wsvm_fault *fault = &count->fault;
	char at[64], far[96];

	report_work(count);
	if (count->fallbacks > 0)
		kith_warn("%zu times events could not be told apart, first at "
			  "theta %.17g%s: solved anew %s, and what lies "
			  "between judged",
		    count->fallbacks, count->lost, say_C(call, count->lost, at),
		    say_length(call, count->lost_length, far));
	if (count->faults == 0)
		return 0;
	kith_warn("%zu solutions are off, the worst up to theta %.17g%s: %s is "
		  "%.3g times its limit",
	    count->faults, fault->theta, say_C(call, fault->theta, at), fault->what, fault->off);
	return 1;
}
