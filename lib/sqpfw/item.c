#include "sqpfw/item.h"

#include "base/pool.h"
#include "near/alike.h"

#include <math.h>
#include <string.h>

enum { EACH = 24 }; /* room for items of a point, at first */

static void
grow(struct kith_sqpfw *s)
{
	const size_t all = s->room ? 2 * s->room : EACH * s->points.n;
	struct kith_sqpfw_item *item = kith_new(s->pool, all, sizeof(*s->item));

	if (s->items > 0)
		memcpy(item, s->item, s->items * sizeof(*item));
	s->item = item;
	s->pairs.place = &item->place;
	s->seen = kith_grow(s->pool, s->seen, all, sizeof(*s->seen));
	s->due = kith_grow(s->pool, s->due, all, sizeof(*s->due));
	s->fresh = kith_grow(s->pool, s->fresh, all, sizeof(*s->fresh));
	s->room = all;
}

uint32_t
kith_sqpfw_item_new(struct kith_sqpfw *s, uint32_t group, uint32_t j, int state)
{
	uint32_t at = s->free;

	if (at != KITH_SQPFW_NONE)
		s->free = s->item[at].sibling;
	else {
		if (s->items == s->room)
			grow(s);
		at = (uint32_t)s->items++;
	}
	s->item[at] = (struct kith_sqpfw_item){.place = KITH_SQPFW_NONE,
	    .sibling = s->group[group].first,
	    .group = group,
	    .j = j,
	    .copies = (uint32_t)s->points.copies[j],
	    .state = (int8_t)state};
	s->group[group].first = at;
	return at;
}

void
kith_sqpfw_item_drop(struct kith_sqpfw *s, uint32_t at)
{
	struct kith_sqpfw_item *item = &s->item[at];
	uint32_t *from = &s->group[item->group].first;

	while (*from != at)
		from = &s->item[*from].sibling;
	*from = item->sibling;
	kith_sqpfw_queue_take(&s->pairs, at);
	item->state = KITH_SQPFW_FREE;
	item->sibling = s->free;
	s->free = at;
}

void
kith_sqpfw_item_measure(struct kith_sqpfw *s, uint32_t at)
{
	struct kith_sqpfw_item *item = &s->item[at];
	const struct kith_sqpfw_pair pair = kith_sqpfw_pair(s, item);

	item->size = kith_sqpfw_rows_size(s->points.ld, &pair, s->scale);
	if (item->size < 0)
		item->size = kith_alike(s->points.p, pair.i, pair.j, pair.r,
				 s->points.rounding)
		    ? 0
		    : -item->size;
}

void
kith_sqpfw_item_put(struct kith_sqpfw *s, uint32_t at, double gap)
{
	const struct kith_sqpfw_item *item = &s->item[at];
	const double away = kith_sqpfw_larger(gap * item->state, 0);

	kith_sqpfw_queue_put(&s->pairs, at,
	    item->size > 0 ? away / item->size * (1 - 1e-12) : INFINITY);
}

void
kith_sqpfw_item_renew(struct kith_sqpfw *s, uint32_t at)
{
	const struct kith_sqpfw_pair pair = kith_sqpfw_pair(s, &s->item[at]);
	double gap[2];

	kith_sqpfw_queue_take(&s->pairs, at);
	kith_sqpfw_item_measure(s, at);
	kith_sqpfw_rows_at(
	    kith_sqpfw_room(s->positive), &pair, s->w, s->w, gap);
	kith_sqpfw_item_put(s, at, gap[0]);
}

struct kith_sqpfw_seen *
kith_sqpfw_item_see(struct kith_sqpfw *s, uint32_t at)
{
	struct kith_sqpfw_seen *seen = &s->seen[s->seen_n];
	const struct kith_sqpfw_pair pair = kith_sqpfw_pair(s, &s->item[at]);
	double got[2];

	kith_sqpfw_rows_at(
	    kith_sqpfw_room(s->positive), &pair, s->w, s->dw, got);
	*seen = (struct kith_sqpfw_seen){got[0], got[1], at};
	s->seen_n++;
	return seen;
}

bool
kith_sqpfw_item_same(const struct kith_sqpfw *s, size_t i, size_t a, size_t b)
{
	return kith_alike(s->points.p, kith_sqpfw_point(&s->points, i),
	    kith_sqpfw_point(&s->points, a), kith_sqpfw_point(&s->points, b),
	    s->points.rounding);
}
