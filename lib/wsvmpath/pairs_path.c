/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/pairs_path.h"

#include "base/par.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "text/piece.h"
#include "text/spool.h"
#include "wsvmpath/follow.h"
#include "wsvmpath/intervals.h"
#include "wsvmpath/pairs.h"
#include "wsvmpath/print.h"
#include "wsvmpath/solution.h"
#include "wsvmpath/tell_cost.h"
#include "wsvmpath/validate_rows.h"
#include "wsvmpath/variables.h"
#include "wsvmpath/votes.h"

/* All machines. */
struct paths {
	const struct kith_wsvm_job *job;
	size_t n;              /* machines */
	size_t threads, cache; /* of each under way */
	struct kith_spool spool;
	bool prints, short_of; /* short_of: stop where theta is reached */
	double theta;          /* of the model; -1: none */
	double *coef, *bias;   /* rows x n, n, at theta */
	struct kith_wsvm_count *count; /* n */
	size_t *steps;                 /* n */
	struct kith_pool pool;
};

/* Keep the coefficients of machine o at theta. */
static void
keep(struct paths *x, size_t o, const struct kith_wsvm_pair_job *made,
    struct kith_wsvm_piece *piece)
{
	const struct kith_wsvm_job *job = &made->job;
	struct kith_pool tmp = {0};
	struct kith_wsvm_kept kept;
	double *coef;

	KITH_NEW_REALS(&tmp, job->problem.variables, 1, &kept.alpha);
	KITH_NEW_REALS(&tmp, job->n, 1, &coef);
	kith_wsvm_keep(piece, x->theta, &kept);
	kith_wsvm_coef(job, kept.alpha, coef);
	for (size_t i = 0; i < job->n; i++)
		x->coef[made->row[i] * x->n + o] = coef[i];
	x->bias[o] = kept.b;
	kith_pool_free(&tmp);
}

/* Follow the path of machine o; what it prints goes to out. */
static void
follow(struct paths *x, size_t o, struct kith_wsvm_pair_job *made,
    struct kith_out *out)
{
	const struct kith_wsvm_job *job = &made->job;
	struct kith_wsvm_print *print = NULL;
	struct kith_wsvm_piece piece = {.to = -1};
	struct kith_wsvm *solver;
	bool due = x->theta >= 0;

	if (x->prints) {
		kith_out_lead_with(out, made->pair.cell);
		print = kith_wsvm_print_new(job, out, &made->pool);
	}
	solver = kith_wsvm_new(&job->problem, job->from, NULL, &made->pool);
	kith_wsvm_aim(solver, job->to);
	while (!(x->short_of && piece.to >= x->theta) && !out->failed &&
	    kith_wsvm_next(
		solver, &piece, print ? kith_wsvm_print_event : NULL, print)) {
		if (print)
			kith_wsvm_print_piece(print, &piece);
		if (due && x->theta <= piece.to) {
			keep(x, o, made, &piece);
			due = false;
		}
	}
	if (print && piece.to >= 0)
		x->steps[o] = kith_wsvm_print_end(print);
	kith_wsvm_count(solver, &x->count[o]);
}

static void
work(void *to, size_t block, size_t thread)
{
	struct paths *x = to;
	struct kith_out *out = kith_spool_begin(&x->spool, block);
	struct kith_wsvm_pair_job made;

	(void)thread;
	kith_wsvm_pair_make(x->job, block, &made);
	made.job.problem.threads = x->threads;
	made.job.problem.cache = x->cache;
	follow(x, block, &made, out);
	kith_spool_end(&x->spool, block);
	kith_wsvm_pair_free(&made);
}

/* Follow all paths; what was done is added to *count. */
static void
follow_all(struct paths *x, struct kith_out *out, struct kith_wsvm_count *count)
{
	const struct kith_wsvm_job *job = x->job;
	const size_t threads = job->call->threads;
	size_t side;

	x->n = kith_wsvm_pairs(job);
	side = threads < x->n ? threads : x->n;
	x->threads = threads / side;
	x->cache = job->problem.cache / side;
	KITH_NEW_REALS(&x->pool, x->n, 1, &x->bias);
	KITH_NEW_REALS(&x->pool, x->theta < 0 ? 0 : job->n, x->n, &x->coef);
	KITH_NEW_SIZES(&x->pool, x->n, 1, &x->steps);
	x->count = kith_new(&x->pool, x->n, sizeof(*x->count));
	kith_spool_new(&x->spool, out, x->n);
	kith_par_told(side, x->n, work, x,
	    &(struct kith_par_phase){"paths", x->n, "machines"});
	kith_spool_free(&x->spool);
	for (size_t o = 0; o < x->n; o++)
		kith_wsvm_count_add(count, &x->count[o]);
}

/* Begin the table of all machines. */
static void
header(const struct kith_wsvm_job *job, struct kith_out *out)
{
	struct kith_wsvm_pair pair;

	kith_wsvm_pair_of(job, 0, &pair);
	kith_out_lead(out, pair.column, pair.columns);
	kith_wsvm_print_header(job, out);
}

/* Write the model of all machines, with the rows that one of them needs. */
static int
save(struct paths *x, struct kith_out *out, struct kith_err *err)
{
	const struct kith_wsvm_job *job = x->job;
	struct kith_machine machine = job->learnt;
	struct kith_pool *pool = &x->pool;
	size_t *row, *number, rows = 0;
	double C;

	KITH_NEW_SIZES(pool, job->n, 1, &row, &number);
	for (size_t i = 0; i < job->n; i++) {
		bool any = false;

		for (size_t o = 0; o < x->n; o++)
			any |= x->coef[i * x->n + o] != 0;
		if (!any)
			continue;
		if (job->rows.id_name) {
			const struct kith_cell id = kith_texts_at(
			    &job->rows.id, i);

			kith_texts_add(&machine.id, &id, pool);
		}
		for (size_t o = 0; o < x->n; o++)
			x->coef[rows * x->n + o] = x->coef[i * x->n + o];
		number[rows] = kith_table_number(&job->rows, i);
		row[rows++] = i;
	}
	machine.kern.metric = &job->learnt.metric;
	machine.X = kith_mat_rows(&job->X, row, rows, pool);
	machine.coef = x->coef;
	machine.bias = x->bias;
	machine.number = number;
	if (kith_wsvm_C(job->call, x->theta, &C))
		machine.C = &C;
	return kith_wsvm_write_model(job, &machine, out, err);
}

int
kith_wsvm_pairs_give(const struct kith_wsvm_job *job, double theta,
    struct kith_out *out, struct kith_out *saved, struct kith_wsvm_count *count,
    struct kith_err *err)
{
	struct kith_wsvm_call call = *job->call;
	struct kith_wsvm_job at = *job;
	struct paths x = {
	    .job = &at, .prints = !saved, .short_of = true, .theta = theta};
	int got;

	call.print = KITH_WSVM_COEF;
	call.at = (struct kith_reals){1, &theta};
	at.call = &call;
	if (!saved)
		header(&at, out);
	follow_all(&x, out, count);
	got = saved ? save(&x, saved, err) : 0;
	kith_pool_free(&x.pool);
	return got;
}

void
kith_wsvm_pairs_report(const struct kith_wsvm_job *job)
{
	kith_note("%zu classes, %zu machines, %s", job->rows.class.n,
	    kith_wsvm_pairs(job),
	    job->call->multi == KITH_WSVM_REST ? "one against the rest"
					       : "one against one");
	kith_log_size("classes", job->rows.class.n);
	kith_log_size("machines", kith_wsvm_pairs(job));
}

/* Print all paths, and save the model at --theta. */
static int
print_all(struct paths *x, struct kith_out *out, struct kith_out *saved,
    struct kith_err *err)
{
	struct kith_wsvm_count count = {0};
	size_t steps = 0;

	header(x->job, out);
	follow_all(x, out, &count);
	if (saved && out->failed)
		kith_out_drop(saved);
	else if (saved && save(x, saved, err))
		return -1;
	for (size_t o = 0; o < x->n; o++)
		steps += x->steps[o];
	kith_log_size("steps", steps);
	return kith_wsvm_report_count(x->job->call, &count);
}

/* Print the errors of all machines together, and what --best says. */
static int
validate(const struct kith_wsvm_job *job, struct kith_wsvm_votes *votes,
    struct kith_out *out, struct kith_out *saved, struct kith_pool *pool,
    struct kith_err *err)
{
	const struct kith_wsvm_call *call = job->call;
	struct kith_wsvm_intervals all = {.call = call,
	    .pool = pool,
	    .out = !call->best || saved ? out : NULL};
	const struct kith_wsvm_interval *best;
	struct kith_wsvm_count count = {0};

	if (all.out)
		kith_wsvm_intervals_header(call, out);
	kith_wsvm_votes_validate(votes, &all, &count);
	best = kith_wsvm_intervals_best(&all);
	kith_wsvm_intervals_say(call, best);
	if (call->best &&
	    kith_wsvm_pairs_give(job, best->theta, out, saved, &count, err))
		return -1;
	return kith_wsvm_report_count(call, &count);
}

static int
run(const struct kith_wsvm_job *job, struct kith_out *out,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_wsvm_call *call = job->call;
	struct kith_out model = {.fd = -1};
	struct kith_out *saved = call->save_model ? &model : NULL;
	struct paths x = {.job = job, .prints = true, .theta = call->theta};
	struct kith_wsvm_votes votes = {.job = job, .parts = 1};
	int status;

	if (call->state_in || call->state_out)
		return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
		    "%zu classes: a state (%s) is that of two",
		    job->rows.class.n,
		    call->state_in ? "--state-in" : "--state-out");
	if (call->validate && kith_wsvm_valid_rows(job, &votes.how, pool, err))
		return -1;
	kith_wsvm_report_job(job);
	kith_wsvm_pairs_report(job);
	if (kith_dry())
		return kith_wsvm_tell_cost(job, out, err);
	if ((saved && kith_wsvm_open_model(job, saved, err)) ||
	    kith_out_open_table(out, kith_output(), err))
		return -1;
	if (call->validate)
		return validate(job, &votes, out, saved, pool, err);
	status = print_all(&x, out, saved, err);
	kith_pool_free(&x.pool);
	return status;
}

int
kith_wsvm_pairs_follow(
    struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	struct kith_pool pool = {0};
	const int status = run(job, out, &pool, err);

	kith_pool_free(&pool);
	return status;
}
