/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One against one, each machine of each part is a block of its own, of which the
 * signs of f are kept; the votes of a part are counted once it has them all.
 * Against the rest, the machines of a part are followed side by side, for which f
 * is the largest depends on all of them.
 */
#include "wsvmpath/votes.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/abreast.h"
#include "wsvmpath/ballots.h"
#include "wsvmpath/intervals.h"
#include "wsvmpath/pairs.h"
#include "wsvmpath/polls.h"
#include "wsvmpath/solution.h"
#include "wsvmpath/task.h"

#include <stdlib.h>

/* A block of work: a machine of a part, or all of them. */
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
	size_t pairs, each;                /* each: blocks of a part */
	size_t threads, cache;             /* of each block under way */
	struct block *block;               /* parts x each */
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

/* One machine against one: the signs of its f. */
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

/* Which f is the largest, on a piece of all paths. */
struct rest {
	struct kith_wsvm_largest largest;
	struct kith_wsvm_changes *changes;
};

static void
on_piece(void *on, double from, double to, const double *const *f0, const double *const *f1)
{
	struct rest *rest = on;

	kith_wsvm_largest_piece(&rest->largest, from, to, f0, f1, rest->changes);
}

/* A machine against the rest. */
struct rival {
	struct kith_wsvm_polled machine;
	struct kith_wsvm_lane lane;
	struct kith_pool pool;
};

struct rivals {
	const struct votes *x;
	const struct kith_wsvm_poll *poll;
	struct rival *rival;
};

static void
begin(void *to, size_t block, size_t thread)
{
	const struct rivals *all = to;
	struct rival *r = &all->rival[block];
	struct kith_wsvm_problem *problem = &r->machine.problem;

	(void)thread;
	kith_wsvm_poll_machine(all->poll, block, &r->machine, &r->pool);
	if (r->machine.n == 0)
		return;
	problem->threads = 1;
	problem->cache = all->x->cache / all->x->pairs;
	r->lane.solver = kith_wsvm_new(problem, r->machine.from, NULL, &r->pool);
	kith_wsvm_aim(r->lane.solver, r->machine.to);
}

/* Add what the path took. */
static void
add_count(const struct kith_wsvm_lane *lane, struct kith_wsvm_count *sum)
{
	struct kith_wsvm_count count;

	if (!lane->solver)
		return;
	kith_wsvm_count(lane->solver, &count);
	kith_wsvm_count_add(sum, &count);
}

/* All machines against the rest, side by side. */
static void
ask_all(const struct votes *x, const struct kith_wsvm_poll *poll, struct kith_wsvm_changes *changes,
    struct block *block)
{
	const size_t c = x->pairs;
	struct kith_pool tmp = {0};
	struct rivals all = {x, poll, kith_new(&tmp, c, sizeof(*all.rival))};
	struct kith_wsvm_lane *lane = kith_new(&tmp, c, sizeof(*lane));
	struct rest rest = {.changes = changes};
	struct kith_wsvm_ballots ballots;

	kith_par(x->threads, c, begin, &all);
	for (size_t o = 0; o < c; o++)
		lane[o] = all.rival[o].lane;
	take_ballots(x, poll, &ballots, &tmp);
	kith_wsvm_largest_new(&rest.largest, &ballots, &tmp);
	kith_wsvm_abreast(lane, c, poll->m, x->threads, on_piece, &rest);
	for (size_t o = 0; o < c; o++) {
		add_count(&lane[o], &block->count);
		kith_pool_free(&all.rival[o].pool);
	}
	kith_pool_free(&tmp);
}

static void
work(void *to, size_t number, size_t thread)
{
	const struct votes *x = to;
	const size_t part = number / x->each;
	struct block *block = &x->block[number];
	struct kith_wsvm_poll poll;

	(void)thread;
	block->failed = kith_wsvm_poll_make(
			    &poll, x->of->job, x->of->of, part, x->of->parts, &block->err) != 0;
	if (!block->failed && x->each == x->pairs)
		ask(x, &poll, number % x->each, block);
	else if (!block->failed)
		ask_all(x, &poll, &x->changes[part], block);
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

	signs = kith_new(&tmp, x->each, sizeof(*signs));
	for (size_t o = 0; o < x->each; o++)
		signs[o] = x->block[part * x->each + o].signs;
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
	const bool rest = job->call->multi == KITH_WSVM_REST;
	size_t blocks, side;

	x->pairs = kith_wsvm_pairs(job);
	x->each = rest ? 1 : x->pairs;
	blocks = parts * x->each;
	side = threads < blocks ? threads : blocks;
	x->threads = threads / side;
	x->cache = job->problem.cache / side;
	x->block = kith_new(&x->pool, blocks, sizeof(*x->block));
	x->changes = kith_new(&x->pool, parts, sizeof(*x->changes));
	for (size_t i = 0; i < parts; i++)
		x->changes[i].pool = &x->block[i * x->each].pool;
	find_classes(x);
	kith_par_told(side, blocks, work, x,
	    &(struct kith_par_phase){"paths", blocks, rest ? "parts" : "machines"});
	for (size_t i = 0; i < blocks; i++) {
		if (x->block[i].failed) {
			*err = x->block[i].err;
			return -1;
		}
		kith_wsvm_count_add(sum, &x->block[i].count);
	}
	for (size_t i = 0; i < parts && !rest; i++)
		count(x, i);
	return 0;
}

static void
end(struct votes *x)
{
	for (size_t i = 0; x->block && i < x->of->parts * x->each; i++)
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
