/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/boxed.h"

#include "base/par.h"
#include "near/heap.h"
#include "sqpfw/box.h"
#include "sqpfw/picks.h"
#include "sqpfw/rows.h"
#include "sqpfw/scan.h"

#include <string.h>

enum {
	BLOCK = 8,   /* lists that a thread finds at a time */
	STEPS = 1024 /* after which the work is considered */
};

/* Passes in so many steps that are worth boxes. */
#define PASSES 5.
/* The first box: so much of w_f + floor to either side. */
#define FIRST .02
/* slack, in units of the distance of the target at w, and of the largest in the
 * box: that of rounding. */
#define SLACK 1e-3
#define ROUNDING 1e-9

/* What a thread works with. */
struct worker {
	struct kith_pool pool;     /* of what it has found */
	double *room;              /* 4 p */
	struct kith_neighbour *nn; /* n */
};

/* Scratch of a pass. */
struct kith_sqpfw_boxed {
	double *middle, *half;  /* p: by feature */
	struct worker *worker;  /* of each thread */
	struct kith_heap *heap; /* of each group */
	size_t round;           /* boxes made in steps that followed each other */
	size_t last;            /* the step of the last one */
};

/* All pairs, those of both orders. */
static double
all_pairs(const struct kith_sqpfw *s)
{
	return (double)s->points.n * (double)s->points.n;
}

void
kith_sqpfw_boxed_begin(struct kith_sqpfw *s)
{
	struct kith_sqpfw_boxed *it = kith_new(s->pool, 1, sizeof(*it));
	const size_t threads = s->problem.how->threads;

	kith_sqpfw_box_begin(s, &s->candidates.box, FIRST);
	KITH_NEW_REALS(s->pool, s->points.ld, 1, &it->middle, &it->half);
	it->heap = kith_new(s->pool, 2 * s->points.n, sizeof(*it->heap));
	it->worker = kith_new(s->pool, threads, sizeof(*it->worker));
	for (size_t t = 0; t < threads; t++) {
		it->worker[t].room = kith_new(s->pool, 4 * s->points.p, sizeof(double));
		it->worker[t].nn = kith_new(s->pool, s->points.n, sizeof(*it->worker[t].nn));
	}
	s->candidates.boxed = it;
}

void
kith_sqpfw_boxed_consider(struct kith_sqpfw *s)
{
	struct kith_sqpfw_candidates *lists = &s->candidates;

	if (lists->box.on || s->steps - lists->from < STEPS)
		return;
	if (s->box.on && lists->work > PASSES * all_pairs(s))
		kith_sqpfw_boxed_begin(s);
	lists->work = 0;
	lists->from = s->steps;
}

/* The most that a pair q may be farther than the target r in the box. */
static double
largest_inner(const struct kith_sqpfw *s, uint32_t g)
{
	const struct kith_sqpfw_group *group = &s->group[g];
	const struct kith_sqpfw_pair *pair = s->pairs.pair;
	const int last = kith_sqpfw_inner_last(s, g);
	double most = 0;

	for (uint32_t at = group->first_pair; at != KITH_SQPFW_NONE; at = pair[at].next) {
		const struct kith_sqpfw_row row = kith_sqpfw_row(s, &pair[at]);
		double got[2]; /* a'middle, sum |a_f| half_f */

		if (pair[at].state > last)
			continue;
		kith_sqpfw_rows_range(
		    s->points.ld, &row, s->candidates.box.middle, s->candidates.box.half, got);
		most = kith_larger(most, got[0] + got[1]);
	}
	return most;
}

/* By how much pairs outside of a list are farther than the target. */
static double
slack_of(const struct kith_sqpfw *s, uint32_t g)
{
	const struct kith_sqpfw_box *box = &s->candidates.box;
	const double *x = kith_sqpfw_point(&s->points, g / 2);
	const double *z = kith_sqpfw_point(&s->points, s->group[g].target_point);
	double slack = 0;

	for (size_t f = 0; f < s->points.p; f++)
		slack += (SLACK * s->w[f] + ROUNDING * (box->middle[f] + box->half[f])) *
		    ((x[f] - z[f]) * (x[f] - z[f]));
	return slack;
}

/* Find the list of a group. */
static void
search(struct kith_sqpfw *s, uint32_t g, struct worker *worker)
{
	struct kith_sqpfw_boxed *it = s->candidates.boxed;
	const struct kith_sqpfw_inner inner = kith_sqpfw_inner_of(s, g);
	const struct kith_sqpfw_scan scan = {&s->points, it->middle, g / 2, g % 2};
	struct kith_heap heap = {worker->nn, s->points.n, 0};

	s->group[g].slack = slack_of(s, g);
	kith_sqpfw_scan_by_box(&scan, s->group[g].target_point, it->half,
	    largest_inner(s, g) + s->group[g].slack, kith_sqpfw_inner_has, &inner, worker->room,
	    &heap);
	kith_heap_sort(&heap);
	it->heap[g] = (struct kith_heap){NULL, heap.held, heap.held};
	if (heap.held > 0)
		it->heap[g].nn = memcpy(kith_new(&worker->pool, heap.held, sizeof(*heap.nn)),
		    heap.nn, heap.held * sizeof(*heap.nn));
}

static void
search_block(void *to, size_t block, size_t thread)
{
	struct kith_sqpfw *s = to;

	for (size_t g = block * BLOCK; g < (block + 1) * BLOCK && g < 2 * s->points.n; g++)
		if (s->group[g].rank > 0)
			search(s, (uint32_t)g, &s->candidates.boxed->worker[thread]);
}

/* Let the lists of all groups be those of the box. */
static void
renew(struct kith_sqpfw *s, uint32_t keep)
{
	struct kith_sqpfw_boxed *it = s->candidates.boxed;
	const size_t groups = 2 * s->points.n;
	const size_t threads = s->problem.how->threads;

	for (size_t f = 0; f < s->points.p; f++) {
		it->middle[s->feature[f]] = s->candidates.box.middle[f];
		it->half[s->feature[f]] = s->candidates.box.half[f];
	}
	kith_par(threads, (groups + BLOCK - 1) / BLOCK, search_block, s);
	for (uint32_t g = 0; g < groups; g++) {
		if (s->group[g].rank == 0)
			continue;
		kith_sqpfw_picks_take(s, g, it->heap[g].nn, it->heap[g].held, keep);
		/* no radius: the box is tested, not the list */
		kith_sqpfw_queue_take(&s->candidates.queue, g);
		s->group[g].radius = INFINITY;
		s->group[g].excess = 0;
	}
	for (size_t t = 0; t < threads; t++)
		kith_pool_free(&it->worker[t].pool);
}

void
kith_sqpfw_boxed_test(struct kith_sqpfw *s, double tau, uint32_t keep)
{
	struct kith_sqpfw_box *box = &s->candidates.box;
	struct kith_sqpfw_boxed *it = s->candidates.boxed;

	s->candidates.n_fresh = 0;
	if (!kith_sqpfw_box_left(s, box, tau))
		return;
	it->round = s->steps - it->last <= 1 ? it->round + 1 : 0;
	it->last = s->steps;
	/* wider, where passes cost more than what the lists do */
	kith_sqpfw_box_reshape(s, box, tau, box->evaluated < all_pairs(s));
	kith_sqpfw_box_place(s, box, tau, (int)it->round);
	renew(s, keep);
}
