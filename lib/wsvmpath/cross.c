/*
 * The part i of N:
 *
 *	1. Of the variables those are learnt whose rows are all outside the part
 *	   (learn_of()); the items are these rows in their order, and behind
 *	   them the rows of the part.
 *	2. --scale brings both into the units of the former.
 *	3. The path goes from the same weights to the same weights, and is
 *	   validated on the rows of the part: a list of intervals.
 *
 * This is what the command does of two files with --validate, so the lists are
 * the same.  All lists are then added.
 */
#include "wsvmpath/cross.h"

#include "base/par.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "table/fold.h"
#include "table/parts.h"
#include "text/out.h"
#include "wsvmpath/follow.h"
#include "wsvmpath/intervals.h"
#include "wsvmpath/pairs.h"
#include "wsvmpath/pairs_path.h"
#include "wsvmpath/pooled.h"
#include "wsvmpath/solution.h"
#include "wsvmpath/task.h"
#include "wsvmpath/validate_rows.h"
#include "wsvmpath/variables.h"
#include "wsvmpath/votes.h"

#include <math.h>
#include <string.h>

/* A part, and what came of it. */
struct part {
	struct kith_wsvm_intervals told;
	double weight; /* of its rows */
	size_t rows;   /* or queries, that count */
	struct kith_wsvm_count count;
	bool failed;
	struct kith_err err;
	struct kith_pool pool; /* of the intervals */
};

struct cross {
	struct kith_wsvm_job *job;
	struct kith_wsvm_valid_how how; /* of all rows */
	size_t *of;                     /* n: the part of each row */
	struct part *part;
	size_t parts;
	size_t threads, cache; /* of each part under way */
};

/* The problem of a part; memory in a pool of its own. */
struct work {
	const struct cross *x;
	size_t number, learnt; /* of the part; rows outside it */
	size_t *row;           /* n: the items */
	size_t *item;          /* n: where the row is among them */
	struct kith_mat X;
	struct kith_kern kern;
	struct kith_wsvm_problem problem;
	double *from, *to; /* variables */
	struct kith_wsvm_valid_how how;
	struct kith_pool pool;
};

/* Put the rows in order: those outside the part, then those in it. */
static void
order(struct work *w)
{
	const struct cross *x = w->x;
	const size_t n = x->job->n;
	size_t at = 0;

	KITH_NEW_SIZES(&w->pool, n, 1, &w->row, &w->item);
	for (int in = 0; in <= 1; in++) {
		for (size_t i = 0; i < n; i++)
			if ((x->of[i] == w->number) == in) {
				w->item[i] = at;
				w->row[at++] = i;
			}
		w->learnt = in ? w->learnt : at;
	}
}

/* Whether variable v is learnt: its rows are outside the part. */
static bool
is_learnt(const struct work *w, size_t v)
{
	const struct kith_wsvm_job *job = w->x->job;

	return w->item[job->plus[v]] < w->learnt &&
	    (!job->minus || w->item[job->minus[v]] < w->learnt);
}

/* Make the variables that are learnt. */
static void
learn_of(struct work *w)
{
	const struct kith_wsvm_job *job = w->x->job;
	const size_t N = job->problem.variables;
	size_t *plus, *minus, at = 0;
	double *sign, *q;

	KITH_NEW_SIZES(&w->pool, N, 1, &plus, &minus);
	KITH_NEW_REALS(&w->pool, N, 1, &sign, &q, &w->from, &w->to);
	for (size_t v = 0; v < N; v++) {
		if (!is_learnt(w, v))
			continue;
		plus[at] = w->item[job->plus[v]];
		minus[at] = job->minus ? w->item[job->minus[v]] : 0;
		sign[at] = job->sign[v];
		q[at] = job->q[v];
		w->from[at] = job->from[v];
		w->to[at++] = job->to[v];
	}
	w->problem = job->problem;
	w->problem.variables = at;
	w->problem.plus = plus;
	w->problem.minus = job->minus ? minus : NULL;
	w->problem.sign = sign;
	w->problem.q = q;
	w->problem.X = &w->X;
	w->problem.kern = &w->kern;
	w->problem.threads = w->x->threads;
	w->problem.cache = w->x->cache;
}

/* Make the items, scaled where that is due. */
static int
take_items(struct work *w, struct kith_err *err)
{
	const struct kith_wsvm_job *job = w->x->job;
	const bool scaled = job->call->scale != KITH_UNIT_NONE;
	const struct kith_names *feature = &job->learnt.feature;
	struct kith_mat learnt;
	struct kith_unit unit;
	size_t bad;

	w->X = kith_mat_rows(
	    scaled ? &job->raw : &job->X, w->row, job->n, &w->pool);
	w->kern = job->kern;
	learnt = (struct kith_mat){w->learnt, w->X.p, w->X.v};
	if (!scaled) {
		w->problem.ridge = kith_wsvm_ridge(
		    job->call->ridge, &w->kern, &learnt);
		return 0;
	}
	if (kith_unit_fit(
		job->call->scale, &learnt, feature, &unit, &w->pool, err) ||
	    kith_unit_apply(&unit, &w->X, feature, err)) {
		err->file = job->rows.file;
		return -1;
	}
	bad = kith_wsvm_too_large(&w->kern, &w->X);
	if (bad < w->X.n)
		return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
		    "row %zu, scaled for --cv: its kernels are too large for a "
		    "double",
		    kith_table_number(&job->rows, w->row[bad]));
	if (!kith_wsvm_in_range(&w->problem, w->learnt, w->from, w->to))
		return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
		    "weights and kernels, scaled for --cv, are together too "
		    "large for a double");
	w->problem.ridge = kith_wsvm_ridge(
	    job->call->ridge, &w->kern, &learnt);
	return 0;
}

/* Say what the rows of the part are validated by. */
static void
take_how(struct work *w)
{
	const struct kith_wsvm_valid_how *all = &w->x->how;
	const size_t m = w->x->job->n - w->learnt;
	double *y, *cost;
	size_t *query;

	KITH_NEW_REALS(&w->pool, m, 1, &y, &cost);
	KITH_NEW_SIZES(&w->pool, m, 1, &query);
	for (size_t i = 0; i < m; i++) {
		const size_t row = w->row[w->learnt + i];

		y[i] = all->y[row];
		cost[i] = all->cost ? all->cost[row] : 1;
		query[i] = all->query[row];
	}
	w->how = *all;
	w->how.m = m;
	w->how.y = y;
	w->how.cost = all->cost ? cost : NULL;
	w->how.query = query;
	w->how.sums = true;
}

/* Follow the path, and validate it. */
static void
follow(struct work *w, struct part *part)
{
	struct kith_wsvm_valid *valid;
	struct kith_wsvm *solver;
	struct kith_wsvm_piece piece;
	const double *f0, *f1;

	part->told = (struct kith_wsvm_intervals){
	    .call = w->x->job->call, .pool = &part->pool};
	valid = kith_wsvm_valid_new(
	    &w->how, kith_wsvm_intervals_take, &part->told, &w->pool);
	part->rows = kith_wsvm_valid_count(valid, &part->weight);
	solver = kith_wsvm_new(&w->problem, w->from, NULL, &w->pool);
	kith_wsvm_aim(solver, w->to);
	while (kith_wsvm_next(solver, &piece, NULL, NULL)) {
		kith_wsvm_scores_from(&piece, w->learnt, &f0, &f1);
		kith_wsvm_valid_piece(valid, piece.from, piece.to, f0, f1);
	}
	kith_wsvm_valid_end(valid);
	kith_wsvm_count(solver, &part->count);
}

/* Nothing to learn from outside a part. */
static int
nothing(const struct work *w, struct kith_err *err)
{
	const struct kith_wsvm_job *job = w->x->job;

	return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
	    "--cv: no %s outside part %zu of %zu",
	    job->minus ? "pair of rows" : "row", w->number + 1, w->x->parts);
}

static void
work(void *to, size_t block, size_t thread)
{
	const struct cross *x = to;
	struct part *part = &x->part[block];
	struct work w = {.x = x, .number = block};

	(void)thread;
	order(&w);
	learn_of(&w);
	part->failed = w.problem.variables == 0 ? nothing(&w, &part->err)
						: take_items(&w, &part->err);
	if (!part->failed) {
		take_how(&w);
		follow(&w, part);
	}
	kith_pool_free(&w.pool);
}

/* Deal the queries of ranks, of which each stays whole. */
static int
deal_queries(struct cross *x, struct kith_pool *pool, struct kith_err *err)
{
	const size_t queries = x->how.queries;
	size_t *equal, *of;

	if (x->parts > queries)
		return kith_fail_at(err, EX_DATAERR, x->job->rows.file, 0,
		    "--cv %zu: only %zu queries", x->parts, queries);
	KITH_NEW_SIZES(pool, x->parts, 1, &equal);
	KITH_NEW_SIZES(pool, queries, 1, &of);
	for (size_t i = 0; i < x->parts; i++)
		equal[i] = 1;
	kith_fold_deal(
	    NULL, queries, 1, equal, x->parts, x->job->call->seed, of);
	for (size_t i = 0; i < x->job->n; i++)
		x->of[i] = of[x->how.query[i]];
	return 0;
}

static int
deal(struct cross *x, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_wsvm_call *call = x->job->call;

	KITH_NEW_SIZES(pool, x->job->n, 1, &x->of);
	if (call->task == KITH_WSVM_RANK)
		return deal_queries(x, pool, err);
	return kith_parts_deal(&x->job->rows, x->parts, call->seed, x->of, err);
}

/* Follow the paths of all parts; the first failure is the one told. */
static int
follow_parts(
    struct cross *x, struct kith_wsvm_count *count, struct kith_err *err)
{
	const size_t threads = x->job->call->threads;
	const size_t side = threads < x->parts ? threads : x->parts;

	x->threads = threads / side;
	x->cache = x->job->problem.cache / side;
	kith_par_told(side, x->parts, work, x,
	    &(struct kith_par_phase){"cross-validation", x->parts, "parts"});
	for (size_t i = 0; i < x->parts; i++) {
		if (x->part[i].failed) {
			*err = x->part[i].err;
			return -1;
		}
		kith_wsvm_count_add(count, &x->part[i].count);
	}
	return 0;
}

/* Add the parts; write the table, or what --best says. */
static int
finish(struct cross *x, struct kith_out *out, struct kith_out *saved,
    struct kith_wsvm_count *count, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_wsvm_call *call = x->job->call;
	struct kith_wsvm_part *part = kith_new(pool, x->parts, sizeof(*part));
	struct kith_wsvm_intervals all = {.call = call,
	    .pool = pool,
	    .out = !call->best || saved ? out : NULL};
	const struct kith_wsvm_interval *best;

	for (size_t i = 0; x->part && i < x->parts; i++) {
		const struct part *from = &x->part[i];

		all.rows += from->rows;
		part[i] = (struct kith_wsvm_part){
		    from->told.v, from->told.n, from->weight};
	}
	if (!x->part &&
	    kith_wsvm_votes_parts(
		&(struct kith_wsvm_votes){x->job, x->how, x->of, x->parts},
		part, &all.rows, count, pool, err))
		return -1;
	if (all.out)
		kith_wsvm_intervals_header(call, out);
	kith_wsvm_pooled(
	    call->measure, part, x->parts, kith_wsvm_intervals_take, &all);
	best = kith_wsvm_intervals_best(&all);
	kith_wsvm_intervals_say(call, best);
	return !call->best
	    ? 0
	    : kith_wsvm_give(x->job, NULL, best->theta, out, saved, count, err);
}

static int
run(struct cross *x, struct kith_out *out, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_wsvm_job *job = x->job;
	const char *model = job->call->save_model;
	struct kith_wsvm_count count = {0};
	struct kith_out saved;

	if (kith_wsvm_valid_rows(job, &x->how, pool, err) ||
	    deal(x, pool, err) ||
	    (model && kith_wsvm_open_model(job, &saved, err)) ||
	    kith_out_open_table(out, kith_output(), err))
		return -1;
	kith_wsvm_report_job(job);
	kith_log_size("parts", x->parts);
	if (kith_wsvm_is_many(job))
		kith_wsvm_pairs_report(job);
	else
		x->part = kith_new(pool, x->parts, sizeof(*x->part));
	if ((x->part && follow_parts(x, &count, err)) ||
	    finish(x, out, model ? &saved : NULL, &count, pool, err))
		return -1;
	return kith_wsvm_report_count(&count);
}

int
kith_wsvm_cross(
    struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	struct kith_pool pool = {0};
	struct cross x = {.job = job, .parts = job->call->parts};
	const int status = run(&x, out, &pool, err);

	for (size_t i = 0; x.part && i < x.parts; i++)
		kith_pool_free(&x.part[i].pool);
	kith_pool_free(&pool);
	return status;
}
