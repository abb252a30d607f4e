/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/picks.h"

#include "near/heap.h"
#include "sqpfw/pair.h"

/* Numbers of points whose rows are equal differ by no more, relative to them
 * and at all. */
#define MARGIN 1e-6
#define TIGHT 1e-12

/* A candidate of a list that was found. */
struct kith_sqpfw_pick {
	double d;
	uint32_t j, copies;
	bool merged, there; /* there: the group has that pair already */
};

struct kith_sqpfw_inner
kith_sqpfw_inner_of(const struct kith_sqpfw *s, uint32_t group)
{
	struct kith_sqpfw_inner inner = {.s = s, .group = group};
	uint32_t at = s->group[group].first_pair;

	for (; at != KITH_SQPFW_NONE; at = s->pairs.pair[at].next)
		if (s->pairs.pair[at].state <= 0) {
			if (inner.n < KITH_SQPFW_INNER)
				inner.pair[inner.n] = at;
			inner.n++;
		}
	return inner;
}

/* Whether point j is that of a pair, or merged with it. */
static bool
is_pair(const struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair, size_t j)
{
	return pair->j == j ||
	    (pair->merged && kith_sqpfw_pair_same(s, pair->group / 2, pair->j, j));
}

bool
kith_sqpfw_inner_has(const void *of, size_t j)
{
	const struct kith_sqpfw_inner *inner = of;
	const struct kith_sqpfw *s = inner->s;
	uint32_t at = s->group[inner->group].first_pair;

	if (inner->n <= KITH_SQPFW_INNER) {
		for (size_t k = 0; k < inner->n; k++)
			if (is_pair(s, &s->pairs.pair[inner->pair[k]], j))
				return true;
		return false;
	}
	for (; at != KITH_SQPFW_NONE; at = s->pairs.pair[at].next)
		if (s->pairs.pair[at].state <= 0 && is_pair(s, &s->pairs.pair[at], j))
			return true;
	return false;
}

/* Merge a point with a pick whose row is equal, or let it be the next pick. */
static size_t
add_pick(struct kith_sqpfw *s, uint32_t group, const struct kith_neighbour *nn, size_t held)
{
	struct kith_sqpfw_pick *pick = s->candidates.pick;
	const size_t *first = s->points.first, j = nn->row;

	for (size_t k = held; k-- > 0;) {
		if (pick[k].d < nn->d * (1 - MARGIN) - TIGHT)
			break;
		if (!kith_sqpfw_pair_same(s, group / 2, pick[k].j, j))
			continue;
		pick[k].copies += (uint32_t)s->points.copies[j];
		pick[k].merged = true;
		if (first[j] < first[pick[k].j])
			pick[k].j = (uint32_t)j;
		return held;
	}
	pick[held] = (struct kith_sqpfw_pick){
	    nn->d, (uint32_t)j, (uint32_t)s->points.copies[j], false, false};
	return held + 1;
}

/* The pick of a candidate, or held.  That of a pair to keep may have become one
 * of a point whose row is equal. */
static size_t
pick_of(const struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair, size_t held, bool keep)
{
	const struct kith_sqpfw_pick *pick = s->candidates.pick;
	size_t k = 0;

	while (k < held && pick[k].j != pair->j)
		k++;
	for (size_t l = 0; k == held && keep && l < held; l++)
		if (kith_sqpfw_pair_same(s, pair->group / 2, pair->j, pick[l].j))
			return l;
	return k;
}

/* Let the candidates of a group be the picks, and `keep`. */
static void
exchange(struct kith_sqpfw *s, uint32_t group, size_t held, uint32_t keep)
{
	struct kith_sqpfw_pick *pick = s->candidates.pick;
	uint32_t at = s->group[group].first_pair, next;

	for (; at != KITH_SQPFW_NONE; at = next) {
		struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
		size_t k;

		next = pair->next;
		if (pair->state <= 0)
			continue;
		k = pick_of(s, pair, held, at == keep);
		if (k < held) {
			pick[k].there = true;
			pair->copies = pick[k].copies;
			pair->merged = pick[k].merged;
		} else if (at != keep)
			kith_sqpfw_pair_drop(s, at);
	}
	for (size_t k = 0; k < held; k++) {
		if (pick[k].there)
			continue;
		at = kith_sqpfw_pair_new(s,
		    &(struct kith_sqpfw_pair){.group = group,
			.j = pick[k].j,
			.copies = pick[k].copies,
			.state = 1,
			.merged = pick[k].merged});
		kith_sqpfw_pair_measure(s, at);
		s->candidates.fresh[s->candidates.n_fresh++] = at;
	}
}

void
kith_sqpfw_picks_take(
    struct kith_sqpfw *s, uint32_t group, const struct kith_neighbour *nn, size_t n, uint32_t keep)
{
	size_t held = 0;

	if (n > s->candidates.picks) {
		s->candidates.picks = 2 * n;
		s->candidates.pick = kith_grow(
		    s->pool, s->candidates.pick, s->candidates.picks, sizeof(*s->candidates.pick));
	}
	for (size_t k = 0; k < n; k++)
		held = add_pick(s, group, &nn[k], held);
	exchange(s, group, held, keep);
}
