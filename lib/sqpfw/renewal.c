/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/renewal.h"

#include "base/par.h"
#include "near/heap.h"
#include "sqpfw/pair.h"
#include "sqpfw/picks.h"
#include "sqpfw/scan.h"

#include <string.h>

enum {
	FEW = 16,  /* points in a list at first, */
	MORE = 32, /* or this, where features are more than MANY */
	MANY = 256,
	WHOLE = 64,  /* groups up to this size are listed whole */
	OFTEN = 150, /* a list renewed after fewer iterations is doubled */
	BLOCK = 8    /* lists that a thread finds at a time */
};

/* The work that is worth starting threads, in features of pairs. */
#define WORTH 4e6
/* So much less than the radius of the first pair outside is the radius. */
#define MARGIN 1e-6
/* A list does not end among pairs as near to the target as this. */
#define TIGHT 1e-12
/* The floor of weights as scales of their changes, in units of 1 / p. */
#define FLOOR .1
/* slack, in units of the distance of the target. */
#define SLACK 1e-3

/* A list to be found. */
struct search {
	struct kith_heap heap; /* keys: the radius that each point allows */
	double inner;          /* max |a_q| + slack */
	uint32_t group;
};

/* Scratch of a renewal. */
struct kith_sqpfw_renewal {
	struct search *search;     /* n */
	size_t n, searches;        /* room for */
	struct kith_neighbour *nn; /* of all searches */
	size_t neighbours;         /* room for */
	double *room;              /* 3 p for each thread */
	uint32_t *again;
};

/* How many points a group has. */
static size_t
size_of(const struct kith_sqpfw *s, uint32_t group)
{
	const size_t *start = s->points.start, y = s->points.of[group / 2];
	const size_t own = start[y + 1] - start[y];

	return group % 2 ? s->points.n - own : own - 1;
}

void
kith_sqpfw_renewal_begin(struct kith_sqpfw *s)
{
	const size_t few = s->points.p > MANY ? MORE : FEW;
	struct kith_sqpfw_renewal *renewal = kith_new(s->pool, 1, sizeof(*renewal));

	renewal->room = kith_new(
	    s->pool, s->problem.how->threads, 3 * s->points.p * sizeof(*renewal->room));
	s->candidates.renewal = renewal;
	s->candidates.floor = FLOOR / (double)s->points.p;
	for (uint32_t g = 0; g < 2 * s->points.n; g++) {
		const size_t all = size_of(s, g);

		s->group[g].list_max = (uint32_t)(all <= WHOLE ? all : few);
	}
}

static void
search_block(void *to, size_t block, size_t thread)
{
	const struct kith_sqpfw *s = to;
	struct kith_sqpfw_renewal *renewal = s->candidates.renewal;
	double *room = renewal->room + thread * 3 * s->points.p;

	for (size_t k = block * BLOCK; k < (block + 1) * BLOCK && k < renewal->n; k++) {
		struct search *it = &renewal->search[k];
		const uint32_t g = it->group;
		const struct kith_sqpfw_inner inner = kith_sqpfw_inner_of(s, g);
		const struct kith_sqpfw_scan scan = {&s->points, s->w_by_feature, g / 2, g % 2};

		kith_sqpfw_scan_by_radius(&scan, s->group[g].target_point, s->candidates.floor,
		    it->inner, kith_sqpfw_inner_has, &inner, room, &it->heap);
		kith_heap_sort(&it->heap);
	}
}

/* |a| of a pair: the root of min over c of sum h (a - c)^2. */
static double
row_norm(const struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair)
{
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, pair);
	double all = 0, sum = 0, square = 0;

	for (size_t k = 0; k < s->points.p; k++) {
		/* |a|^2 = sum h a^2 - (sum h a)^2 / sum h */
		const double h = s->w[k] + s->candidates.floor;
		const double a = (row.j[k] - row.r[k]) *
		    ((row.j[k] - row.i[k]) + (row.r[k] - row.i[k]));

		all += h;
		sum += h * a;
		square += h * a * a;
	}
	return sqrt(fmax(square * (1 + 1e-13) - sum * (sum / all), 0));
}

/*
 * max |a_q| over the pairs q of a group: the nearer ones, and the tied ones too
 * where the nearer and the copies of the target are fewer than its rank.
 * group->excess receives by how much one of them is farther than the target.
 */
static double
largest_inner(struct kith_sqpfw *s, uint32_t g)
{
	struct kith_sqpfw_group *group = &s->group[g];
	const struct kith_sqpfw_pair *pair = s->pairs.pair;
	const int last = kith_sqpfw_inner_last(s, g);
	double most = 0;

	group->excess = 0;
	for (uint32_t at = group->first_pair; at != KITH_SQPFW_NONE; at = pair[at].next) {
		if (pair[at].state > last)
			continue;
		most = fmax(most, row_norm(s, &pair[at]));
		group->excess = fmax(group->excess, kith_sqpfw_pair_gap(s, at));
	}
	return most;
}

/* The distance of the target of a group. */
static double
of_target(const struct kith_sqpfw *s, uint32_t g)
{
	const double *x = kith_sqpfw_point(&s->points, g / 2);
	const double *z = kith_sqpfw_point(&s->points, s->group[g].target_point);
	double d = 0;

	for (size_t f = 0; f < s->positive; f++)
		d += s->w[f] * ((x[f] - z[f]) * (x[f] - z[f]));
	return d;
}

/* Make room for the searches of n groups. */
static void
make_room(struct kith_sqpfw *s, const uint32_t *group, size_t n)
{
	struct kith_sqpfw_renewal *it = s->candidates.renewal;
	size_t need = 0;

	for (size_t k = 0; k < n; k++)
		need += s->group[group[k]].list_max + 1;
	if (n > it->searches) {
		it->searches = 2 * n;
		it->search = kith_grow(s->pool, it->search, it->searches, sizeof(*it->search));
		it->again = kith_grow(s->pool, it->again, it->searches, sizeof(*it->again));
	}
	if (need > it->neighbours) {
		it->neighbours = 2 * need;
		it->nn = kith_grow(s->pool, it->nn, it->neighbours, sizeof(*it->nn));
	}
}

/* Search in n groups, for one more point than their lists hold. */
static void
search_all(struct kith_sqpfw *s, const uint32_t *groups, size_t n)
{
	struct kith_sqpfw_renewal *renewal = s->candidates.renewal;
	size_t at = 0;
	bool worth;

	make_room(s, groups, n);
	renewal->n = n;
	for (size_t k = 0; k < n; k++) {
		struct kith_sqpfw_group *group = &s->group[groups[k]];
		const size_t most = group->list_max + 1;

		group->slack = SLACK * of_target(s, groups[k]);
		renewal->search[k] = (struct search){{renewal->nn + at, most, 0},
		    largest_inner(s, groups[k]) + group->slack, groups[k]};
		at += most;
	}
	worth = (double)n * (double)s->points.n * (double)s->points.p > WORTH;
	kith_par(worth ? s->problem.how->threads : 1, (n + BLOCK - 1) / BLOCK, search_block, s);
}

/*
 * Let what a search found be the candidates of its group.  False, and the list
 * is to be longer, where it would end among pairs as near as the target.
 */
static bool
accept(struct kith_sqpfw *s, struct search *search, uint32_t keep)
{
	struct kith_sqpfw_group *group = &s->group[search->group];
	const struct kith_heap *heap = &search->heap;
	const size_t ld = s->points.ld;
	size_t held = 0;

	group->radius = INFINITY;
	if (heap->held > group->list_max)
		group->radius = heap->nn[group->list_max].d * (1 - MARGIN);
	if (group->radius <= TIGHT) {
		group->list_max *= 2;
		return false;
	}
	while (held < heap->held && held < group->list_max && heap->nn[held].d < group->radius)
		held++;
	kith_sqpfw_picks_take(s, search->group, heap->nn, held, keep);
	memcpy(s->candidates.made_at + search->group * ld, s->w_by_feature,
	    ld * sizeof(*s->w_by_feature));
	return true;
}

void
kith_sqpfw_renewal_make(struct kith_sqpfw *s, const uint32_t *groups, size_t n, uint32_t keep)
{
	struct kith_sqpfw_renewal *it = s->candidates.renewal;

	s->candidates.n_fresh = 0;
	for (size_t k = 0; k < n; k++) {
		struct kith_sqpfw_group *group = &s->group[groups[k]];

		if (group->renewed_at > 0 && s->iterations - group->renewed_at < OFTEN)
			group->list_max *= 2;
		group->renewed_at = s->iterations;
	}
	s->candidates.work += (double)n * (double)s->points.n / 2;
	while (n > 0) {
		size_t left = 0;

		search_all(s, groups, n);
		for (size_t k = 0; k < n; k++)
			if (!accept(s, &it->search[k], keep))
				it->again[left++] = it->search[k].group;
		groups = it->again;
		n = left;
	}
}
