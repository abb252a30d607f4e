/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each machine of each part is a block of its own, of which the signs of f are
 * kept; the votes of a part are counted once it has them all.
 */
#include "wsvmpath/votes.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/ballots.h"
#include "wsvmpath/intervals.h"
#include "wsvmpath/pairs.h"
#include "wsvmpath/polls.h"
#include "wsvmpath/solution.h"
#include "wsvmpath/task.h"

#include <stdlib.h>

/* A block of work: a machine of a part. */
struct block {
	struct kith_wsvm_signs signs;
	struct kith_wsvm_count count;
	bool failed;
	struct kith_err err;
	struct kith_pool pool;
};

struct votes {
	const struct kith_wsvm_votes *of;
	size_t *class;                     /* of the rows validated on */
	size_t pairs;                      /* machines of a part */
	size_t threads, cache;             /* of each block under way */
	struct block *block;               /* parts x pairs */
	struct kith_wsvm_changes *changes; /* parts */
	struct kith_pool pool;
};

/* The classes of the rows validated on, of those learnt. */
static void
find_classes(struct votes *x)
{
	const struct kith_wsvm_job *job = x->of->job;
	const struct kith_table *t = x->of->of ? &job->rows : &job->asked;
	const size_t m = x->of->how.m;

	KITH_NEW_SIZES(&x->pool, m, 1, &x->class);
	for (size_t i = 0; i < m; i++)
		x->class[i] = t->y[i] == KITH_NO_CLASS
		    ? KITH_NO_CLASS
		    : kith_names_find(&job->rows.class, t->class.name[t->y[i]]);
}

/* The rows that a poll is about, in the pool. */
static void
take_ballots(const struct votes *x, const struct kith_wsvm_poll *poll,
    struct kith_wsvm_ballots *ballots, struct kith_pool *pool)
{
	const double *all = x->of->how.cost;
	size_t *class;
	double *cost;

	KITH_NEW_SIZES(pool, poll->m, 1, &class);
	KITH_NEW_REALS(pool, poll->m, 1, &cost);
	for (size_t i = 0; i < poll->m; i++) {
		class[i] = x->class[poll->asked[i]];
		cost[i] = all ? all[poll->asked[i]] : 1;
	}
	*ballots = (struct kith_wsvm_ballots){
	    .m = poll->m, .c = x->of->job->rows.class.n, .class = class, .cost = cost};
}

/* Follow the path of a machine, for the signs of its f of m rows. */
static void
follow(
    const struct kith_wsvm_polled *machine, size_t m, struct block *block, struct kith_pool *pool)
{
	struct kith_wsvm_piece piece;
	struct kith_wsvm *solver;
	double *f0, *f1; /* m: of the rows asked for, which are the last items */

	KITH_NEW_REALS(pool, m, 1, &f0, &f1);
	solver = kith_wsvm_new(&machine->problem, machine->from, NULL, pool);
	kith_wsvm_aim(solver, machine->to);
	while (kith_wsvm_next(solver, &piece, NULL, NULL)) {
		kith_wsvm_scores(&piece, NULL, m, f0, f1);
		kith_wsvm_signs_piece(&block->signs, piece.from, piece.to, f0, f1);
	}
	kith_wsvm_count(solver, &block->count);
}

/* The signs of f of machine o. */
static void
ask(const struct votes *x, const struct kith_wsvm_poll *poll, size_t o, struct block *block)
{
	struct kith_pool tmp = {0};
	struct kith_wsvm_polled machine;

	kith_wsvm_signs_new(&block->signs, poll->m, &block->pool);
	kith_wsvm_poll_machine(poll, o, &machine, &tmp);
	if (machine.n > 0) {
		machine.problem.threads = x->threads;
		machine.problem.cache = x->cache;
		follow(&machine, poll->m, block, &tmp);
	}
	kith_pool_free(&tmp);
}

static void
work(void *to, size_t number, size_t thread)
{
	const struct votes *x = to;
	const size_t part = number / x->pairs;
	struct block *block = &x->block[number];
	struct kith_wsvm_poll poll;

	(void)thread;
	block->failed = kith_wsvm_poll_make(
			    &poll, x->of->job, x->of->of, part, x->of->parts, &block->err) != 0;
	if (!block->failed)
		ask(x, &poll, number % x->pairs, block);
	kith_wsvm_poll_free(&poll);
}

/* Count the votes of a part. */
static void
count(struct votes *x, size_t part)
{
	struct kith_wsvm_signs *signs;
	struct kith_wsvm_ballots ballots;
	struct kith_wsvm_poll poll;
	struct kith_pool tmp = {0};

	signs = kith_new(&tmp, x->pairs, sizeof(*signs));
	for (size_t o = 0; o < x->pairs; o++)
		signs[o] = x->block[part * x->pairs + o].signs;
	kith_wsvm_poll_rows(&poll, x->of->job, x->of->of, part);
	take_ballots(x, &poll, &ballots, &tmp);
	kith_wsvm_ballots_count(&ballots, signs, &x->changes[part]);
	kith_wsvm_poll_free(&poll);
	kith_pool_free(&tmp);
}

/* Follow all paths; where rows of each part become wrong or right. */
static int
run(struct votes *x, struct kith_wsvm_count *sum, struct kith_err *err)
{
	const struct kith_wsvm_job *job = x->of->job;
	const size_t threads = job->call->threads, parts = x->of->parts;
	size_t blocks, side;

	x->pairs = kith_wsvm_pairs(job);
	blocks = parts * x->pairs;
	side = threads < blocks ? threads : blocks;
	x->threads = threads / side;
	x->cache = job->problem.cache / side;
	x->block = kith_new(&x->pool, blocks, sizeof(*x->block));
	x->changes = kith_new(&x->pool, parts, sizeof(*x->changes));
	for (size_t i = 0; i < parts; i++)
		x->changes[i].pool = &x->block[i * x->pairs].pool;
	find_classes(x);
	kith_par_tasks(
	    side, blocks, work, x, &(struct kith_par_phase){"paths", blocks, "machines"});
	for (size_t i = 0; i < blocks; i++) {
		if (x->block[i].failed) {
			*err = x->block[i].err;
			return -1;
		}
		kith_wsvm_count_add(sum, &x->block[i].count);
	}
	for (size_t i = 0; i < parts; i++)
		count(x, i);
	return 0;
}

static void
end(struct votes *x)
{
	for (size_t i = 0; x->block && i < x->of->parts * x->pairs; i++)
		kith_pool_free(&x->block[i].pool);
	kith_pool_free(&x->pool);
}

void
kith_wsvm_votes_validate(const struct kith_wsvm_votes *votes, struct kith_wsvm_intervals *all,
    struct kith_wsvm_count *sum)
{
	struct votes x = {.of = votes};
	struct kith_wsvm_valid *valid;
	struct kith_err none; /* only parts can fail */

	if (run(&x, sum, &none))
		abort();
	valid = kith_wsvm_valid_new(&votes->how, kith_wsvm_intervals_take, all, &x.pool);
	all->rows = kith_wsvm_valid_count(valid, &(double){0});
	kith_wsvm_valid_changes(valid, 0, 1, &x.changes[0]);
	kith_wsvm_valid_end(valid);
	end(&x);
}

/* The sums of a part. */
static void
sums(const struct votes *x, size_t number, struct kith_wsvm_part *part, size_t *rows,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct kith_wsvm_valid_how how = x->of->how;
	struct kith_wsvm_intervals told = {.call = x->of->job->call, .pool = pool};
	struct kith_wsvm_ballots ballots;
	struct kith_wsvm_valid *valid;
	struct kith_wsvm_poll poll;
	double *y;

	kith_wsvm_poll_rows(&poll, x->of->job, x->of->of, number);
	take_ballots(x, &poll, &ballots, &tmp);
	KITH_NEW_REALS(&tmp, poll.m, 1, &y);
	for (size_t i = 0; i < poll.m; i++)
		y[i] = x->of->how.y[poll.asked[i]];
	how.m = poll.m;
	how.y = y;
	how.cost = ballots.cost;
	how.sums = true;
	valid = kith_wsvm_valid_new(&how, kith_wsvm_intervals_take, &told, &tmp);
	*rows += kith_wsvm_valid_count(valid, &part->weight);
	kith_wsvm_valid_changes(valid, 0, 1, &x->changes[number]);
	kith_wsvm_valid_end(valid);
	part->v = told.v;
	part->n = told.n;
	kith_wsvm_poll_free(&poll);
	kith_pool_free(&tmp);
}

int
kith_wsvm_votes_parts(const struct kith_wsvm_votes *votes, struct kith_wsvm_part *part,
    size_t *rows, struct kith_wsvm_count *sum, struct kith_pool *pool, struct kith_err *err)
{
	struct votes x = {.of = votes};
	const int status = run(&x, sum, err);

	*rows = 0;
	for (size_t i = 0; status == 0 && i < votes->parts; i++)
		sums(&x, i, &part[i], rows, pool);
	end(&x);
	return status;
}
