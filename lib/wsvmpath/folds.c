/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The part i of N:
 *
 *	1. A variable weighs nothing if one of its rows is in the part.
 *	2. --scale brings all rows into the units of those outside the part.
 *	3. The path goes from the weights at theta 0 to those at theta 1, and is
 *	   validated on the rows of the part: a list of intervals.
 *
 * This is what the command does of two files with --validate.
 */
#include "wsvmpath/folds.h"

#include "base/par.h"
#include "base/pool.h"
#include "table/unit.h"
#include "wsvm/krows.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/pooled.h"
#include "wsvmpath/rescale.h"
#include "wsvmpath/resolve.h"
#include "wsvmpath/solution.h"
#include "wsvmpath/task.h"
#include "wsvmpath/validate_rows.h"
#include "wsvmpath/variables.h"

#include <math.h>
#include <string.h>

/* What came of a part. */
struct fold {
	struct kith_wsvm_intervals told;
	double weight; /* of its rows */
	size_t rows;   /* or queries, that count */
	struct kith_wsvm_count count;
	bool failed;
	struct kith_err err;
	struct kith_pool pool; /* of the intervals */
};

/* All parts. */
struct all {
	const struct kith_wsvm_folds *folds;
	struct fold *fold;
	size_t side, threads; /* parts at a time; threads of each */
	size_t cache;         /* of each */
	/* side, or 1 of all: rows of the kernel; NULL: --scale. */
	struct kith_krows **rows;
	struct kith_pool *pool; /* side */
};

/* The problem of a part; memory in a pool of its own. */
struct work {
	const struct all *all;
	size_t number;
	size_t *row, m;    /* those of the part */
	struct kith_mat X; /* scaled alone, with kern */
	struct kith_kern kern;
	struct kith_wsvm_problem problem;
	double *from, *to; /* variables */
	struct kith_wsvm_valid_how how;
	struct kith_pool pool;
};

/* Find the rows of the part. */
static void
find_rows(struct work *w)
{
	const struct kith_wsvm_folds *folds = w->all->folds;
	const size_t n = folds->job->n;

	KITH_NEW_SIZES(&w->pool, n, 1, &w->row);
	for (size_t i = 0; i < n; i++)
		if (folds->of[i] == w->number)
			w->row[w->m++] = i;
}

/* The weights, which are 0 of what is left out; the variables that are not. */
static size_t
weigh(struct work *w)
{
	const struct kith_wsvm_folds *folds = w->all->folds;
	const struct kith_wsvm_job *job = folds->job;
	const size_t N = job->problem.variables;
	size_t learnt = 0;

	KITH_NEW_REALS(&w->pool, N, 1, &w->from, &w->to);
	for (size_t v = 0; v < N; v++) {
		if (folds->of[job->plus[v]] == w->number ||
		    (job->minus && folds->of[job->minus[v]] == w->number))
			continue;
		w->from[v] = job->from[v];
		w->to[v] = job->to[v];
		learnt++;
	}
	return learnt;
}

/* Nothing to learn from outside a part. */
static int
nothing(const struct work *w, struct kith_err *err)
{
	const struct kith_wsvm_job *job = w->all->folds->job;

	return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
	    "--cv: no %s outside part %zu of %zu", job->minus ? "pair of rows" : "row",
	    w->number + 1, w->all->folds->parts);
}

/* The rows outside the part, of which there are *n. */
static size_t *
learnt_rows(struct work *w, size_t *n)
{
	const struct kith_wsvm_folds *folds = w->all->folds;
	size_t *row;

	KITH_NEW_SIZES(&w->pool, folds->job->n, 1, &row);
	*n = 0;
	for (size_t i = 0; i < folds->job->n; i++)
		if (folds->of[i] != w->number)
			row[(*n)++] = i;
	return row;
}

/* Bring the items into the units of the rows outside the part. */
static int
scale(struct work *w, struct kith_err *err)
{
	const struct kith_wsvm_job *job = w->all->folds->job;
	const struct kith_mat *raw = &job->raw;
	struct kith_wsvm_rescale how = {.job = job, .from = w->from, .to = w->to};

	w->X = kith_mat_new(&w->pool, raw->n, raw->p);
	memcpy(w->X.v, raw->v, raw->n * raw->p * sizeof(*raw->v));
	w->kern = job->kern;
	w->problem.X = &w->X;
	w->problem.kern = &w->kern;
	how.learnt = learnt_rows(w, &how.n);
	return kith_wsvm_rescale(&how, &w->problem, &w->X, err);
}

/* Make the problem of a part, in a thread. */
static int
make(struct work *w, size_t thread, struct kith_err *err)
{
	const struct all *all = w->all;
	const struct kith_wsvm_job *job = all->folds->job;
	struct kith_mat learnt;
	size_t *row, n;

	find_rows(w);
	if (weigh(w) == 0)
		return nothing(w, err);
	w->problem = job->problem;
	w->problem.threads = all->threads;
	w->problem.cache = all->cache;
	if (!all->rows)
		return scale(w, err);
	w->problem.rows = all->rows[thread];
	row = learnt_rows(w, &n);
	learnt = kith_mat_rows(&job->X, row, n, &w->pool);
	w->problem.ridge = kith_wsvm_ridge(job->call->ridge, job->problem.kern, &learnt);
	return 0;
}

/* Follow the path, and validate its pieces. */
static void
follow_path(struct work *w, struct kith_wsvm_valid *valid, struct fold *fold)
{
	struct kith_wsvm *solver;
	struct kith_wsvm_piece piece;
	double *f0, *f1; /* of the rows of the part */

	KITH_NEW_REALS(&w->pool, w->m, 1, &f0, &f1);
	solver = kith_wsvm_new(&w->problem, w->from, NULL, &w->pool);
	kith_wsvm_aim(solver, w->to);
	while (kith_wsvm_next(solver, &piece, NULL, NULL)) {
		kith_wsvm_scores(&piece, w->row, w->m, f0, f1);
		kith_wsvm_valid_piece(valid, piece.from, piece.to, f0, f1);
	}
	kith_wsvm_count(solver, &fold->count);
}

/* Validate the path of a part. */
static void
follow(struct work *w, struct fold *fold)
{
	struct kith_wsvm_valid *valid;

	kith_wsvm_valid_part(&w->all->folds->how, w->row, w->m, &w->how, &w->pool);
	fold->told = (struct kith_wsvm_intervals){
	    .call = w->all->folds->job->call, .pool = &fold->pool};
	valid = kith_wsvm_valid_new(&w->how, kith_wsvm_intervals_take, &fold->told, &w->pool);
	fold->rows = kith_wsvm_valid_count(valid, &fold->weight);
	follow_path(w, valid, fold);
	kith_wsvm_valid_end(valid);
}

static void
work(void *to, size_t block, size_t thread)
{
	const struct all *all = to;
	struct fold *fold = &all->fold[block];
	struct work w = {.all = all, .number = block};

	fold->failed = make(&w, thread, &fold->err) != 0;
	if (!fold->failed)
		follow(&w, fold);
	if (all->rows)
		fold->count.rows = 0; /* all have them */
	kith_pool_free(&w.pool);
}

/*
 * Rows of the kernel for all parts, where one is under way at a time or all
 * rows have room; else for each thread.
 */
static void
share_rows(struct all *all, struct kith_pool *pool)
{
	const struct kith_wsvm_job *job = all->folds->job;
	const struct kith_wsvm_problem *problem = &job->problem;
	struct kith_krows *one;
	bool shared;

	if (job->call->scale != KITH_UNIT_NONE)
		return;
	all->rows = kith_new(pool, all->side, sizeof(struct kith_krows *));
	one = kith_krows_new(
	    problem->kern, problem->X, problem->cache, all->threads, &all->pool[0]);
	shared = all->side == 1 || kith_krows_fill(one, job->call->threads);
	for (size_t i = 0; i < all->side; i++)
		all->rows[i] = shared ? one
				      : kith_krows_new(problem->kern, problem->X, all->cache,
					    all->threads, &all->pool[i]);
}

/* The rows of the kernel that were computed for all. */
static size_t
computed(const struct all *all)
{
	size_t sum = 0;

	for (size_t i = 0; all->rows && i < all->side; i++)
		if (i == 0 || all->rows[i] != all->rows[0])
			sum += kith_krows_computed(all->rows[i]);
	return sum;
}

/* Do the parts; the first failure is the one told. */
static int
run(struct all *all, struct kith_wsvm_count *count, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_wsvm_folds *folds = all->folds;
	const size_t threads = folds->job->call->threads;

	all->side = threads < folds->parts ? threads : folds->parts;
	all->threads = threads / all->side;
	all->cache = folds->job->problem.cache / all->side;
	all->fold = kith_new(pool, folds->parts, sizeof(*all->fold));
	all->pool = kith_new(pool, all->side, sizeof(*all->pool));
	share_rows(all, pool);
	kith_par_tasks(all->side, folds->parts, work, all,
	    &(struct kith_par_phase){"cross-validation", folds->parts, "parts"});
	count->rows += computed(all);
	for (size_t i = 0; i < all->side; i++)
		kith_pool_free(&all->pool[i]);
	for (size_t i = 0; i < folds->parts; i++) {
		if (all->fold[i].failed) {
			*err = all->fold[i].err;
			return -1;
		}
		kith_wsvm_count_add(count, &all->fold[i].count);
	}
	return 0;
}

int
kith_wsvm_folds_paths(const struct kith_wsvm_folds *folds, struct kith_wsvm_part *part,
    size_t *rows, struct kith_wsvm_count *count, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct all all = {.folds = folds};
	const int status = run(&all, count, &tmp, err);

	*rows = 0;
	for (size_t i = 0; i < folds->parts; i++) {
		struct fold *fold = &all.fold[i];
		const struct kith_wsvm_intervals *told = &fold->told;
		struct kith_wsvm_interval *v = kith_new(pool, told->n, sizeof(*v));

		if (told->n > 0)
			memcpy(v, told->v, told->n * sizeof(*v));
		part[i] = (struct kith_wsvm_part){v, told->n, fold->weight};
		*rows += fold->rows;
		kith_pool_free(&fold->pool);
	}
	kith_pool_free(&tmp);
	return status;
}
