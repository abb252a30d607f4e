/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *	1. The rows are dealt into parts.
 *	2. The paths of the parts are followed and validated (wsvmpath/folds.h),
 *	   and their measures added (wsvmpath/pooled.h).
 *	3. --best: all rows are learnt from, at the best theta.
 */
#include "wsvmpath/cross.h"

#include "base/pool.h"
#include "cli/cli.h"
#include "table/fold.h"
#include "table/parts.h"
#include "text/out.h"
#include "wsvmpath/calibrate.h"
#include "wsvmpath/folds.h"
#include "wsvmpath/follow.h"
#include "wsvmpath/intervals.h"
#include "wsvmpath/pairs.h"
#include "wsvmpath/pairs_path.h"
#include "wsvmpath/pooled.h"
#include "wsvmpath/solution.h"
#include "wsvmpath/task.h"
#include "wsvmpath/validate_rows.h"
#include "wsvmpath/votes.h"

struct cross {
	struct kith_wsvm_job *job;
	struct kith_wsvm_folds folds; /* of the job */
	size_t *of;                   /* n: the part of each row */
	struct kith_wsvm_count count;
	struct kith_wsvm_intervals all;
	struct kith_pool *pool;
};

/* Deal the queries of ranks, of which each stays whole. */
static int
deal_queries(struct cross *x, struct kith_err *err)
{
	const size_t queries = x->folds.how.queries, parts = x->folds.parts;
	size_t *equal, *of;

	if (parts > queries)
		return kith_fail_at(err, EX_DATAERR, x->job->rows.file, 0,
		    "--cv %zu: only %zu queries", parts, queries);
	KITH_NEW_SIZES(x->pool, parts, 1, &equal);
	KITH_NEW_SIZES(x->pool, queries, 1, &of);
	for (size_t i = 0; i < parts; i++)
		equal[i] = 1;
	kith_fold_deal(NULL, queries, 1, equal, parts, x->job->call->seed, of);
	for (size_t i = 0; i < x->job->n; i++)
		x->of[i] = of[x->folds.how.query[i]];
	return 0;
}

static int
deal(struct cross *x, struct kith_err *err)
{
	const struct kith_wsvm_call *call = x->job->call;

	KITH_NEW_SIZES(x->pool, x->job->n, 1, &x->of);
	x->folds.of = x->of;
	if (call->task == KITH_WSVM_RANK)
		return deal_queries(x, err);
	return kith_parts_deal(&x->job->rows, x->folds.parts, call->seed, x->of, err);
}

/* Follow the paths of all parts, and add their measures. */
static int
follow(struct cross *x, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_wsvm_job *job = x->job;
	struct kith_wsvm_part *part = kith_new(&tmp, x->folds.parts, sizeof(*part));
	int status;

	if (kith_wsvm_is_many(job))
		status = kith_wsvm_votes_parts(
		    &(struct kith_wsvm_votes){job, x->folds.how, x->of, x->folds.parts}, part,
		    &x->all.rows, &x->count, &tmp, err);
	else
		status = kith_wsvm_folds_paths(&x->folds, part, &x->all.rows, &x->count, &tmp, err);
	if (status == 0 && x->all.out)
		kith_wsvm_intervals_header(job->call, x->all.out);
	if (status == 0)
		kith_wsvm_pooled(
		    job->call->measure, part, x->folds.parts, kith_wsvm_intervals_take, &x->all);
	kith_pool_free(&tmp);
	return status;
}

/* Follow all paths, and write the table, or what --best says. */
static int
cross(struct cross *x, struct kith_out *out, struct kith_out *saved, struct kith_err *err)
{
	struct kith_wsvm_job *job = x->job;
	const struct kith_wsvm_call *call = job->call;
	const struct kith_wsvm_interval *best;
	double theta;

	x->all = (struct kith_wsvm_intervals){
	    .call = call, .pool = x->pool, .out = !call->best || saved ? out : NULL};
	if (follow(x, err))
		return -1;
	best = kith_wsvm_intervals_best(&x->all);
	kith_wsvm_intervals_say(&x->all, best);
	if (!call->best && !saved)
		return 0;
	theta = call->best ? best->theta : kith_wsvm_saved_at(call);
	if (saved && call->task == KITH_WSVM_CLASSIFY &&
	    kith_wsvm_calibrate(job, x->of, x->folds.parts, theta, &x->count, err))
		return -1;
	return kith_wsvm_is_many(job) ? kith_wsvm_pairs_give(job, theta, out, saved, &x->count, err)
				      : kith_wsvm_give(job, theta, out, saved, &x->count, err);
}

static int
run(struct cross *x, struct kith_out *out, struct kith_err *err)
{
	struct kith_wsvm_job *job = x->job;
	const char *model = job->call->save_model;
	struct kith_out saved;

	if (kith_wsvm_valid_rows(job, &x->folds.how, x->pool, err) || deal(x, err) ||
	    (model && kith_wsvm_open_model(job, &saved, err)) ||
	    kith_out_open_table(out, kith_output(), err))
		return -1;
	kith_wsvm_report_job(job);
	kith_log_size("parts", x->folds.parts);
	if (kith_wsvm_is_many(job))
		kith_wsvm_pairs_report(job);
	if (cross(x, out, model ? &saved : NULL, err))
		return -1;
	return kith_wsvm_report_count(job->call, &x->count);
}

int
kith_wsvm_cross(struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	struct kith_pool pool = {0};
	struct cross x = {
	    .job = job, .folds = {.job = job, .parts = job->call->parts}, .pool = &pool};
	const int status = run(&x, out, err);

	kith_pool_free(&pool);
	return status;
}
