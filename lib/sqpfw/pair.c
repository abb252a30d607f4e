/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/pair.h"

#include "near/alike.h"
#include "sqpfw/awake.h"
#include "sqpfw/rest.h"

#include <string.h>

enum { EACH = 24 }; /* pairs of a point that there is room for at first */

static void
grow(struct kith_sqpfw *s)
{
	const size_t all = s->pairs.room ? 2 * s->pairs.room
					 : EACH * s->points.n;
	struct kith_sqpfw_pair *pair = kith_new(
	    s->pool, all, sizeof(*s->pairs.pair));

	if (s->pairs.n > 0)
		memcpy(pair, s->pairs.pair, s->pairs.n * sizeof(*pair));
	s->pairs.pair = pair;
	s->pairs.queue.place = &pair->queue_place;
	/* A pair may be dropped and found again in a step. */
	s->pairs.seen = kith_grow(
	    s->pool, s->pairs.seen, 2 * all, sizeof(*s->pairs.seen));
	s->pairs.due = kith_grow(
	    s->pool, s->pairs.due, all, sizeof(*s->pairs.due));
	s->pairs.used = kith_grow(
	    s->pool, s->pairs.used, all, sizeof(*s->pairs.used));
	s->candidates.fresh = kith_grow(
	    s->pool, s->candidates.fresh, all, sizeof(*s->candidates.fresh));
	s->pairs.room = all;
}

uint32_t
kith_sqpfw_pair_new(struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair)
{
	struct kith_sqpfw_group *group = &s->group[pair->group];
	uint32_t at = s->pairs.unused;

	if (at != KITH_SQPFW_NONE)
		s->pairs.unused = s->pairs.pair[at].next;
	else {
		if (s->pairs.n == s->pairs.room)
			grow(s);
		at = (uint32_t)s->pairs.n++;
	}
	s->pairs.pair[at] = *pair;
	s->pairs.pair[at].queue_place = KITH_SQPFW_NONE;
	s->pairs.pair[at].next = group->first_pair;
	group->first_pair = at;
	s->pairs.changed = true;
	return at;
}

void
kith_sqpfw_pair_drop(struct kith_sqpfw *s, uint32_t at)
{
	struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	uint32_t *from = &s->group[pair->group].first_pair;

	while (*from != at)
		from = &s->pairs.pair[*from].next;
	*from = pair->next;
	kith_sqpfw_pair_take(s, at);
	pair->state = KITH_SQPFW_UNUSED;
	pair->next = s->pairs.unused;
	s->pairs.unused = at;
	s->pairs.changed = true;
}

void
kith_sqpfw_pair_measure(struct kith_sqpfw *s, uint32_t at)
{
	struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, pair);

	pair->row_norm = kith_sqpfw_rows_norm(
	    s->points.ld, &row, s->pairs.scale);
	if (pair->row_norm < 0)
		pair->row_norm = kith_alike(s->points.p, row.i, row.j, row.r,
				     s->points.rounding)
		    ? 0
		    : -pair->row_norm;
}

double
kith_sqpfw_pair_gap(const struct kith_sqpfw *s, uint32_t at)
{
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, &s->pairs.pair[at]);
	double dot[2]; /* a'w, twice */

	kith_sqpfw_rows_dot(
	    kith_sqpfw_padded(s->positive), &row, s->w, s->w, dot);
	return dot[0];
}

void
kith_sqpfw_pair_queue(struct kith_sqpfw *s, uint32_t at, double gap)
{
	const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	const double away = kith_larger(gap * pair->state, 0);

	if (s->box.on) {
		kith_sqpfw_awake_put(s, at, gap);
		return;
	}
	/* due after |a'w| / |a|; a pair without a row never is */
	kith_sqpfw_queue_put(&s->pairs.queue, at,
	    pair->row_norm > 0 ? away / pair->row_norm * (1 - 1e-12)
			       : INFINITY);
}

void
kith_sqpfw_pair_take(struct kith_sqpfw *s, uint32_t at)
{
	if (s->box.on)
		kith_sqpfw_awake_take(s, at);
	else
		kith_sqpfw_queue_take(&s->pairs.queue, at);
}

void
kith_sqpfw_pair_requeue(struct kith_sqpfw *s, uint32_t at)
{
	kith_sqpfw_pair_take(s, at);
	s->pairs.pair[at].rests = kith_sqpfw_rest_holds(s, at);
	if (s->pairs.pair[at].rests)
		return;
	kith_sqpfw_pair_measure(s, at);
	kith_sqpfw_pair_queue(s, at, kith_sqpfw_pair_gap(s, at));
}

struct kith_sqpfw_seen *
kith_sqpfw_pair_evaluate(struct kith_sqpfw *s, uint32_t at)
{
	struct kith_sqpfw_seen *seen = &s->pairs.seen[s->pairs.n_seen];
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, &s->pairs.pair[at]);
	double got[2]; /* a'w, a'dw */

	kith_sqpfw_rows_dot(
	    kith_sqpfw_padded(s->positive), &row, s->w, s->step.dw, got);
	*seen = (struct kith_sqpfw_seen){got[0], got[1], at};
	s->pairs.n_seen++;
	return seen;
}

bool
kith_sqpfw_pair_same(const struct kith_sqpfw *s, size_t i, size_t a, size_t b)
{
	return kith_alike(s->points.p, kith_sqpfw_point(&s->points, i),
	    kith_sqpfw_point(&s->points, a), kith_sqpfw_point(&s->points, b),
	    s->points.rounding);
}
