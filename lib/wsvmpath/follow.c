/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/follow.h"

#include "base/pool.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "text/out.h"
#include "wsvmpath/intervals.h"
#include "wsvmpath/print.h"
#include "wsvmpath/solution.h"
#include "wsvmpath/task.h"
#include "wsvmpath/validate_rows.h"

/* A path while it is followed. */
struct follow {
	struct kith_wsvm_job *job;
	struct kith_out *out;
	struct kith_out saved; /* open where --save-model is given */
	struct kith_wsvm *solver;
	struct kith_wsvm_print *print; /* of the path, or NULL: */
	size_t steps;                  /* that it had, */
	struct kith_wsvm_valid *valid;
	struct kith_wsvm_valid_how how;
	struct kith_wsvm_intervals intervals;
	struct kith_wsvm_kept model; /* what is saved */
	struct kith_wsvm_count count;
	struct kith_pool pool, solving;
};

/* The solution that is saved, as the limit from smaller theta. */
static void
keep_model(struct follow *f, struct kith_wsvm_piece *piece)
{
	const double theta = kith_wsvm_saved_at(f->job->call);

	if (!f->model.known && theta >= 0 && theta <= piece->to)
		kith_wsvm_keep(piece, theta, &f->model);
}

static void
follow_path(struct follow *f)
{
	struct kith_wsvm_piece piece;
	const size_t m = f->job->X.n -
	    f->job->n;   /* rows to validate on, which are the last items */
	double *f0, *f1; /* m */

	KITH_NEW_REALS(&f->solving, m, 1, &f0, &f1);
	kith_wsvm_aim(f->solver, f->job->to);
	kith_progress_phase("path", 0, "events");
	while (!f->out->failed &&
	    kith_wsvm_next(f->solver, &piece, f->print ? kith_wsvm_print_event : NULL, f->print)) {
		if (f->print)
			kith_wsvm_print_piece(f->print, &piece);
		if (f->valid) {
			kith_wsvm_scores(&piece, NULL, m, f0, f1);
			kith_wsvm_valid_piece(f->valid, piece.from, piece.to, f0, f1);
		}
		keep_model(f, &piece);
	}
	kith_progress_end();
	if (f->print)
		f->steps = kith_wsvm_print_end(f->print);
	if (f->valid)
		kith_wsvm_valid_end(f->valid);
}

/* What --best says of the rows validated on. */
static int
give_best(struct follow *f, struct kith_err *err)
{
	const struct kith_wsvm_call *call = f->job->call;
	const struct kith_wsvm_interval *best = kith_wsvm_intervals_best(&f->intervals);

	kith_wsvm_intervals_say(&f->intervals, best);
	if (!call->best)
		return 0;
	return kith_wsvm_give(
	    f->job, best->theta, f->out, call->save_model ? &f->saved : NULL, &f->count, err);
}

/* Write what was asked for beside the path. */
static int
finish(struct follow *f, struct kith_err *err)
{
	const struct kith_wsvm_call *call = f->job->call;

	if (call->validate && give_best(f, err))
		return -1;
	if (!call->save_model || call->best)
		return 0;
	return kith_wsvm_save(f->job, f->model.theta, f->model.alpha, f->model.b, &f->saved, err);
}

void
kith_wsvm_report_job(const struct kith_wsvm_job *job)
{
	kith_log_size("rows", job->n);
	if (job->m > 0)
		kith_log_size("validation rows", job->m);
	kith_log_size("features", job->X.p);
	kith_log_size("variables", job->problem.variables);
	kith_log_real("gamma", job->kern.gamma);
}

/* Open all files: those that cannot be written fail before the path begins. */
static int
open_all(struct follow *f, struct kith_err *err)
{
	const struct kith_wsvm_call *call = f->job->call;

	if (call->save_model && kith_wsvm_open_model(f->job, &f->saved, err))
		return -1;
	return kith_out_open_table(f->out, kith_output(), err);
}

/* Make what the path goes through. */
static void
begin(struct follow *f)
{
	struct kith_wsvm_job *job = f->job;
	const struct kith_wsvm_call *call = job->call;

	KITH_NEW_REALS(&f->pool, job->problem.variables, 1, &f->model.alpha);
	if (!call->validate) {
		f->print = kith_wsvm_print_new(job, f->out, &f->pool);
		return;
	}
	f->intervals = (struct kith_wsvm_intervals){
	    .call = call, .pool = &f->pool, .out = !call->best || call->save_model ? f->out : NULL};
	f->valid = kith_wsvm_valid_new(&f->how, kith_wsvm_intervals_take, &f->intervals, &f->pool);
	f->intervals.rows = kith_wsvm_valid_count(f->valid, &(double){0});
	if (f->intervals.out)
		kith_wsvm_intervals_header(call, f->out);
}

static int
run(struct follow *f, struct kith_err *err)
{
	struct kith_wsvm_job *job = f->job;
	const struct kith_wsvm_call *call = job->call;

	if (call->validate && kith_wsvm_valid_rows(job, &f->how, &f->pool, err))
		return -1;
	kith_wsvm_report_job(job);
	if (open_all(f, err))
		return -1;
	begin(f);
	f->solver = kith_wsvm_new(&job->problem, job->from, NULL, &f->solving);
	follow_path(f);
	kith_wsvm_count(f->solver, &f->count);
	kith_pool_free(&f->solving);
	if (f->out->failed && call->save_model)
		kith_out_drop(&f->saved); /* the path was not followed to its end */
	else if (finish(f, err))
		return -1;
	if (f->print)
		kith_log_size("steps", f->steps);
	return kith_wsvm_report_count(call, &f->count);
}

int
kith_wsvm_follow(struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	struct follow f = {.job = job, .out = out};
	const int status = run(&f, err);

	kith_pool_free(&f.pool);
	kith_pool_free(&f.solving);
	return status;
}
