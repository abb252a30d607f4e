#include "wsvmpath/follow.h"

#include "base/pool.h"
#include "cli/cli.h"
#include "machine/write.h"
#include "text/out.h"
#include "wsvm/feasible.h"
#include "wsvmpath/print.h"
#include "wsvmpath/state_file.h"
#include "wsvmpath/task.h"
#include "wsvmpath/tell_cost.h"
#include "wsvmpath/validate.h"
#include "wsvmpath/validate_rows.h"
#include "wsvmpath/variables.h"

#include <assert.h>
#include <math.h>

/* The largest KKT violation, over its scale, that is rounding. */
#define EXACT 1e-9

/* A solution, once it is known. */
struct solution {
	double *alpha; /* N, within the bounds */
	double b;
	bool known;
};

/* A path while it is followed. */
struct follow {
	struct kith_wsvm_job *job;
	struct kith_out *out;
	struct kith_out state, saved; /* open where they are asked for */
	struct kith_wsvm *solver;
	struct kith_wsvm_print *print; /* of the path, or NULL: */
	size_t steps;                  /* that it had, */
	struct kith_wsvm_valid *valid;
	struct kith_wsvm_valid_how how;
	struct kith_wsvm_interval best;
	bool found;                 /* best is the best interval yet */
	struct solution model, end; /* for the model; at theta = 1 */
	double *C;                  /* N */
	double *f;                  /* n */
	bool doubtful;              /* the state is no solution */
	struct kith_pool pool;
};

int
kith_wsvm_report_count(const struct kith_wsvm_count *count)
{
	kith_note("%zu events, mean margin %.4g, %zu rows of the kernel",
	    count->events, count->margin, count->rows);
	kith_note("worst KKT residual %g", count->residual);
	kith_log_size("events", count->events);
	kith_log_real("mean margin", count->margin);
	kith_log_size("kernel rows", count->rows);
	kith_log_size("cold solves", count->fallbacks);
	kith_log_real("residual", count->residual);
	if (count->fallbacks > 0)
		kith_warn("%zu times events could not be told apart: solved "
			  "anew a little further on",
		    count->fallbacks);
	if (count->residual <= EXACT)
		return 0;
	kith_warn(
	    "worst KKT residual %g: the path may be off", count->residual);
	return 1;
}

int
kith_wsvm_save(const struct kith_wsvm_job *job, const double *alpha, double b,
    struct kith_out *out, struct kith_err *err)
{
	struct kith_machine machine;

	kith_wsvm_machine(job, alpha, b, &machine);
	kith_note("a model of %zu rows", machine.X.n);
	kith_log_size("model rows", machine.X.n);
	return kith_machine_write(&machine, out, err)
	    ? -1
	    : kith_out_close(out, err);
}

/* Write an interval of the validation path, and keep the best one. */
static void
take_interval(void *to, const struct kith_wsvm_interval *interval)
{
	struct follow *f = to;
	const struct kith_wsvm_call *call = f->job->call;

	if (!call->best || call->save_model)
		kith_wsvm_valid_write(f->valid, interval, f->out);
	if (f->found &&
	    !kith_wsvm_valid_better(f->how.measure, interval, &f->best))
		return;
	f->best = *interval;
	f->found = true;
}

/* Keep the solution at theta of the piece and weights C. */
static void
keep(struct follow *f, struct kith_wsvm_piece *piece, double theta,
    const double *C, struct solution *at)
{
	kith_wsvm_scores(piece);
	for (size_t v = 0; v < f->job->problem.variables; v++)
		at->alpha[v] = piece->alpha0[v] + theta * piece->alpha1[v];
	at->b = piece->b0 + theta * piece->b1;
	for (size_t i = 0; i < f->job->n; i++)
		f->f[i] = piece->f0[i] + theta * piece->f1[i];
	kith_wsvm_feasible(
	    &f->job->problem, C, piece->where, NULL, f->f, at->alpha, &at->b);
	at->known = true;
}

/* The solution at --theta, as the limit from smaller theta. */
static void
keep_theta(struct follow *f, struct kith_wsvm_piece *piece)
{
	const double theta = f->job->call->theta;

	if (f->model.known || theta < 0 || theta > piece->to)
		return;
	kith_wsvm_weights_at(f->job, theta, f->C);
	keep(f, piece, theta, f->C, &f->model);
}

/* Follow a path to the weights where the first path did best. */
static void
go_to_best(struct follow *f)
{
	struct kith_wsvm_piece piece;

	kith_wsvm_weights_at(f->job, f->best.theta, f->C);
	kith_wsvm_aim(f->solver, f->C);
	while (kith_wsvm_next(f->solver, &piece, NULL, NULL))
		if (piece.to >= 1)
			keep(f, &piece, 1, f->C, &f->model);
}

static void
follow_path(struct follow *f)
{
	const size_t n = f->job->n;
	struct kith_wsvm_piece piece;

	kith_wsvm_aim(f->solver, f->job->to);
	while (!f->out->failed &&
	    kith_wsvm_next(f->solver, &piece,
		f->print ? kith_wsvm_print_event : NULL, f->print)) {
		if (f->print)
			kith_wsvm_print_piece(f->print, &piece);
		if (f->valid) {
			kith_wsvm_scores(&piece);
			kith_wsvm_valid_piece(f->valid, piece.from, piece.to,
			    piece.f0 + n, piece.f1 + n);
		}
		keep_theta(f, &piece);
		if (piece.to >= 1 && f->job->call->state_out)
			keep(f, &piece, 1, f->job->to, &f->end);
	}
	if (f->print)
		f->steps = kith_wsvm_print_end(f->print);
	if (f->valid)
		kith_wsvm_valid_end(f->valid);
}

/* Write what was asked for beside the path. */
static int
finish(struct follow *f, struct kith_err *err)
{
	const struct kith_wsvm_call *call = f->job->call;

	assert(f->end.known || !call->state_out);
	if (call->state_out) {
		f->doubtful = !kith_wsvm_state_write(
		    f->job, f->end.alpha, f->end.b, &f->state);
		if (kith_out_close(&f->state, err))
			return -1;
	}
	if (call->best && !call->save_model && f->found)
		kith_wsvm_valid_write(f->valid, &f->best, f->out);
	if (f->found) {
		kith_note("best at theta %g: %g", f->best.theta, f->best.value);
		kith_log_real("best theta", f->best.theta);
		kith_log_real("best", f->best.value);
	}
	if (!call->save_model)
		return 0;
	if (call->best)
		go_to_best(f);
	return kith_wsvm_save(
	    f->job, f->model.alpha, f->model.b, &f->saved, err);
}

static void
report_job(const struct kith_wsvm_job *job)
{
	kith_note("%zu rows, %zu features, %zu variables", job->n, job->X.p,
	    job->problem.variables);
	kith_log_size("rows", job->n);
	if (job->m > 0)
		kith_log_size("validation rows", job->m);
	kith_log_size("features", job->X.p);
	kith_log_size("variables", job->problem.variables);
	kith_log_real("gamma", job->kern.gamma);
	kith_log_size("threads", job->call->threads);
}

/* Open all files: those that cannot be written fail before the path begins. */
static int
open_all(struct follow *f, struct kith_err *err)
{
	const struct kith_wsvm_call *call = f->job->call;

	if ((call->state_out &&
		kith_out_open(&f->state, call->state_out, err)) ||
	    (call->save_model &&
		kith_out_open(&f->saved, call->save_model, err)))
		return -1;
	return kith_out_open(f->out, kith_output(), err);
}

/* A path that could not be written was not followed to its end. */
static void
drop_files(struct follow *f)
{
	const struct kith_wsvm_call *call = f->job->call;

	if (call->state_out)
		kith_out_drop(&f->state);
	if (call->save_model)
		kith_out_drop(&f->saved);
}

static int
run(struct follow *f, struct kith_err *err)
{
	struct kith_wsvm_job *job = f->job;
	const struct kith_wsvm_call *call = job->call;
	const size_t N = job->problem.variables;
	struct kith_wsvm_solution start;
	struct kith_wsvm_count count;

	if ((call->validate &&
		kith_wsvm_valid_rows(job, &f->how, &f->pool, err)) ||
	    (call->state_in &&
		kith_wsvm_state_read(call->state_in, job, &start, err)))
		return -1;
	report_job(job);
	if (kith_dry())
		return kith_wsvm_tell_cost(job, f->out, err);
	if (open_all(f, err))
		return -1;
	KITH_NEW_REALS(&f->pool, N, 1, &f->model.alpha, &f->end.alpha, &f->C);
	KITH_NEW_REALS(&f->pool, job->n, 1, &f->f);
	if (call->validate) {
		f->valid = kith_wsvm_valid_new(
		    &f->how, take_interval, f, &f->pool);
		kith_wsvm_valid_header(&f->how, f->out);
	} else {
		f->print = kith_wsvm_print_new(job, f->out, &f->pool);
	}
	f->solver = kith_wsvm_new(
	    &job->problem, job->from, call->state_in ? &start : NULL, &f->pool);
	follow_path(f);
	if (f->out->failed)
		drop_files(f);
	else if (finish(f, err))
		return -1;
	kith_wsvm_count(f->solver, &count);
	if (f->print)
		kith_log_size("steps", f->steps);
	if (f->doubtful)
		kith_warn("%s is no solution: --state-in will refuse it",
		    call->state_out);
	return kith_wsvm_report_count(&count) | f->doubtful;
}

int
kith_wsvm_follow(
    struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	struct follow f = {.job = job, .out = out};
	const int status = run(&f, err);

	kith_pool_free(&f.pool);
	return status;
}
