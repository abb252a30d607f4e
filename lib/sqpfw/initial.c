/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/initial.h"

#include "base/par.h"
#include "near/heap.h"
#include "sqpfw/pair.h"
#include "sqpfw/scan.h"

#include <stdlib.h>

enum {
	BLOCK = 16, /* groups that a thread takes at a time */
	ALIKE = 16  /* room for points as far as the target, at first */
};

/* Pairs as far as the target, relative to its distance. */
#define TIED 1e-9

struct searches {
	const struct kith_sqpfw *s;
	struct kith_heap *heap; /* of each group */
	double *room;           /* p for each thread */
};

/* A pair to be. */
struct pick {
	double d;
	size_t row;
	uint32_t j, copies;
	bool merged;
};

static void
search(void *to, size_t block, size_t thread)
{
	const struct searches *searches = to;
	const struct kith_sqpfw *s = searches->s;
	const size_t end = (block + 1) * BLOCK;

	for (size_t g = block * BLOCK; g < end && g < 2 * s->points.n; g++) {
		const struct kith_sqpfw_scan scan = {&s->points, s->w_by_feature, g / 2, g % 2};

		if (s->group[g].rank == 0)
			continue;
		kith_sqpfw_scan_nearest(
		    &scan, searches->room + thread * s->points.p, &searches->heap[g]);
		kith_heap_sort(&searches->heap[g]);
	}
}

static int
by_distance(const void *a, const void *b)
{
	const struct pick *s = a, *t = b;

	if (s->d != t->d)
		return s->d < t->d ? -1 : 1;
	return (s->row > t->row) - (s->row < t->row);
}

/* The distance of the target: at which `rank` rows are reached. */
static double
target_distance(const struct kith_sqpfw *s, const struct kith_heap *heap, size_t rank)
{
	size_t rows = 0, k = 0;

	while (rows < rank && k < heap->held)
		rows += s->points.copies[heap->nn[k++].row];
	return heap->nn[k - 1].d;
}

/* All points that are no farther than the target; the heap may lack some. */
static struct kith_heap
widen(const struct kith_sqpfw *s, size_t g, const struct kith_heap *heap, double *room,
    struct kith_pool *pool)
{
	const struct kith_sqpfw_scan scan = {&s->points, s->w_by_feature, g / 2, g % 2};
	const double d = target_distance(s, heap, s->group[g].rank) * (1 + TIED);
	struct kith_heap all = *heap;

	while (all.held == all.k && all.nn[all.held - 1].d <= d) {
		all = (struct kith_heap){.k = 2 * all.k + ALIKE};
		all.nn = kith_new(pool, all.k, sizeof(*all.nn));
		kith_sqpfw_scan_nearest(&scan, room, &all);
		kith_heap_sort(&all);
	}
	while (all.held > 0 && all.nn[all.held - 1].d > d)
		all.held--;
	return all;
}

/* Merge points whose rows are equal for every w; how many pairs that gives. */
static size_t
join(const struct kith_sqpfw *s, size_t g, const struct kith_heap *heap, struct pick *pick)
{
	size_t held = 0;

	for (size_t k = 0; k < heap->held; k++) {
		const size_t j = heap->nn[k].row, row = s->points.first[j];
		const double d = heap->nn[k].d;
		const uint32_t copies = (uint32_t)s->points.copies[j];
		size_t l = held;

		while (l > 0 && pick[l - 1].d >= d * (1 - TIED) &&
		    !kith_sqpfw_pair_same(s, g / 2, pick[l - 1].j, j))
			l--;
		if (l == 0 || pick[l - 1].d < d * (1 - TIED)) {
			pick[held++] = (struct pick){d, row, (uint32_t)j, copies, false};
			continue;
		}
		pick[l - 1].copies += copies;
		pick[l - 1].merged = true;
		if (row < pick[l - 1].row) {
			pick[l - 1].row = row;
			pick[l - 1].j = (uint32_t)j;
		}
	}
	qsort(pick, held, sizeof(*pick), by_distance);
	return held;
}

/* Follow the picks up to the target. */
static void
add_pairs(struct kith_sqpfw *s, uint32_t g, const struct pick *pick, size_t held)
{
	struct kith_sqpfw_group *group = &s->group[g];

	for (size_t k = 0; k < held; k++) {
		const bool last = group->nearer + pick[k].copies >= group->rank;
		const uint32_t at = kith_sqpfw_pair_new(s,
		    &(struct kith_sqpfw_pair){.group = g,
			.j = pick[k].j,
			.copies = pick[k].copies,
			.state = last ? 0 : -1,
			.merged = pick[k].merged});

		if (last) {
			group->target = at;
			group->target_point = pick[k].j;
			group->tied = pick[k].copies;
			break;
		}
		group->nearer += pick[k].copies;
	}
	for (uint32_t at = group->first_pair; at != KITH_SQPFW_NONE; at = s->pairs.pair[at].next)
		kith_sqpfw_pair_measure(s, at);
}

void
kith_sqpfw_initial_targets(struct kith_sqpfw *s)
{
	struct kith_pool tmp = {0};
	const size_t groups = 2 * s->points.n;
	struct searches searches = {s, kith_new(&tmp, groups, sizeof(*searches.heap)),
	    kith_new(&tmp, s->problem.how->threads, s->points.p * sizeof(*searches.room))};

	for (size_t g = 0; g < groups; g++) {
		struct kith_heap *heap = &searches.heap[g];

		heap->k = s->group[g].rank + 1;
		heap->nn = kith_new(&tmp, heap->k, sizeof(*heap->nn));
	}
	kith_par_told(s->problem.how->threads, (groups + BLOCK - 1) / BLOCK, search, &searches,
	    &(struct kith_par_phase){"first targets", groups, "searches"});
	for (uint32_t g = 0; g < groups; g++) {
		struct kith_pool own = {0};
		struct kith_heap all;
		struct pick *pick;

		if (s->group[g].rank == 0)
			continue;
		all = widen(s, g, &searches.heap[g], searches.room, &own);
		pick = kith_new(&own, all.held, sizeof(*pick));
		add_pairs(s, g, pick, join(s, g, &all, pick));
		kith_pool_free(&own);
	}
	kith_pool_free(&tmp);
}
