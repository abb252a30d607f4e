#include "sqpfw/active.h"

#include "base/pool.h"
#include "sqpfw/item.h"

#include <assert.h>
#include <string.h>

static void
tell(const struct kith_sqpfw *s, struct kith_sqpfw_event event)
{
	event.theta = kith_sqpfw_theta(s);
	if (s->how->tell)
		s->how->tell(s->how->to, &event);
}

void
kith_sqpfw_active_tell(
    const struct kith_sqpfw *s, uint32_t at, int was, int becomes)
{
	const struct kith_sqpfw_item *item = &s->item[at];

	tell(s,
	    (struct kith_sqpfw_event){
		.kind = item->group % 2 ? KITH_SQPFW_MISS : KITH_SQPFW_HIT,
		.row = s->points.first[item->group / 2],
		.other = s->points.first[item->j],
		.was = (enum kith_sqpfw_state)was,
		.becomes = (enum kith_sqpfw_state)becomes});
}

/* Add the squared differences to a group's target, or those to another j. */
static void
add_target(struct kith_sqpfw *s, size_t g, double share)
{
	const double *x = kith_sqpfw_point(&s->points, g / 2);
	const double *z = kith_sqpfw_point(&s->points, s->group[g].r);

	for (size_t f = 0; f < s->points.p; f++)
		s->g[f] += share * ((z[f] - x[f]) * (z[f] - x[f]));
}

void
kith_sqpfw_active_gradient(struct kith_sqpfw *s)
{
	s->stale = true;
	memset(s->g, 0, s->points.ld * sizeof(*s->g));
	for (size_t g = 0; g < 2 * s->points.n; g++)
		if (s->group[g].need > 0)
			add_target(s, g, kith_sqpfw_share(s, g));
	s->exchanges = 0;
}

/* The row of a pair in the features of positive weight, into a. */
static const double *
row_of(struct kith_sqpfw *s, uint32_t at)
{
	const size_t n = kith_sqpfw_room(s->positive);
	const struct kith_sqpfw_pair pair = kith_sqpfw_pair(s, &s->item[at]);

	kith_sqpfw_rows_put(n, &pair, s->a);
	for (size_t f = s->positive; f < n; f++)
		s->a[f] = 0;
	return s->a;
}

static void
append_ones(struct kith_sqpfw *s)
{
	for (size_t f = 0; f < kith_sqpfw_room(s->positive); f++)
		s->a[f] = f < s->positive;
	kith_sqpfw_qr_append(&s->qr, s->a, 0);
}

/* Have room for so many ties. */
static void
widen(struct kith_sqpfw *s, size_t ties)
{
	if (s->tie && ties <= s->ties_room)
		return;
	s->ties_room = 2 * ties + 16;
	s->tie = kith_grow(s->pool, s->tie, s->ties_room, sizeof(*s->tie));
	s->y = kith_grow(s->pool, s->y, s->ties_room + 1, sizeof(*s->y));
	s->z = kith_grow(s->pool, s->z, s->ties_room + 1, sizeof(*s->z));
}

void
kith_sqpfw_active_factor(struct kith_sqpfw *s)
{
	const size_t ties = s->qr.m > 0 ? kith_sqpfw_ties_n(s) : 0;
	size_t kept = 0;

	widen(s, ties);
	s->stale = true;
	kith_sqpfw_qr_clear(&s->qr, s->positive);
	append_ones(s);
	for (size_t t = 0; t < ties; t++)
		if (s->qr.m < s->positive &&
		    kith_sqpfw_qr_append(&s->qr, row_of(s, s->tie[t]), 0))
			s->tie[kept++] = s->tie[t];
	/* Rows that were independent have become dependent. */
	s->broken |= kept < ties;
}

bool
kith_sqpfw_active_tie(struct kith_sqpfw *s, uint32_t at, double least)
{
	struct kith_sqpfw_item *item = &s->item[at];
	struct kith_sqpfw_group *group = &s->group[item->group];
	const size_t ties = kith_sqpfw_ties_n(s);

	if (!kith_sqpfw_qr_append(&s->qr, row_of(s, at), least))
		return false;
	widen(s, ties + 1);
	s->tie[ties] = at;
	if (item->state < 0)
		group->nearer -= item->copies;
	group->tied += item->copies;
	item->was = item->state;
	item->state = 0;
	return true;
}

void
kith_sqpfw_active_undo(struct kith_sqpfw *s, size_t ties)
{
	for (size_t t = kith_sqpfw_ties_n(s); t-- > ties;) {
		struct kith_sqpfw_item *item = &s->item[s->tie[t]];
		struct kith_sqpfw_group *group = &s->group[item->group];

		item->state = item->was;
		group->tied -= item->copies;
		if (item->state < 0)
			group->nearer += item->copies;
		kith_sqpfw_qr_delete(&s->qr, t + 1);
		kith_sqpfw_item_renew(s, s->tie[t]);
	}
}

/* The first tie of the group takes its target's place; the tie. */
static size_t
follow(struct kith_sqpfw *s, uint32_t g)
{
	const size_t ties = kith_sqpfw_ties_n(s);
	size_t t = 0;

	while (s->item[s->tie[t]].group != g)
		t++;
	add_target(s, g, -kith_sqpfw_share(s, g));
	s->group[g].target = s->tie[t];
	s->group[g].r = s->item[s->tie[t]].j;
	add_target(s, g, kith_sqpfw_share(s, g));
	s->exchanges++;
	kith_sqpfw_qr_add(&s->qr, t + 1, -s->theta * kith_sqpfw_share(s, g));
	for (size_t l = t + 1; l < ties; l++)
		if (s->item[s->tie[l]].group == g)
			kith_sqpfw_qr_subtract(&s->qr, t + 1, l + 1);
	return t;
}

void
kith_sqpfw_active_free(struct kith_sqpfw *s, uint32_t at, int state)
{
	struct kith_sqpfw_item *item = &s->item[at];
	const uint32_t g = item->group;
	const bool target = s->group[g].target == at;
	const size_t ties = kith_sqpfw_ties_n(s);
	size_t t = 0;

	if (target)
		t = follow(s, g);
	else
		while (s->tie[t] != at)
			t++;
	kith_sqpfw_qr_delete(&s->qr, t + 1);
	memmove(s->tie + t, s->tie + t + 1, (ties - t - 1) * sizeof(*s->tie));
	s->group[g].tied -= item->copies;
	if (state < 0)
		s->group[g].nearer += item->copies;
	item->state = (int8_t)state;
	kith_sqpfw_active_tell(s, at, KITH_SQPFW_TIED, state);
	if (!target) {
		kith_sqpfw_item_renew(s, at);
		return;
	}
	for (at = s->group[g].first; at != KITH_SQPFW_NONE;
	     at = s->item[at].sibling)
		if (s->item[at].state != 0)
			kith_sqpfw_item_renew(s, at);
}

static void
swap(double *x, size_t a, size_t b)
{
	const double v = x[a];

	x[a] = x[b];
	x[b] = v;
}

static void
swap_positions(struct kith_sqpfw *s, size_t a, size_t b)
{
	const size_t f = s->feature[a];

	kith_sqpfw_points_swap(&s->points, a, b);
	swap(s->w, a, b);
	swap(s->prior, a, b);
	swap(s->g, a, b);
	swap(s->scale, a, b);
	swap(s->spent, a, b);
	s->feature[a] = s->feature[b];
	s->feature[b] = f;
	s->place[s->feature[a]] = a;
	s->place[f] = b;
}

void
kith_sqpfw_active_tell_weight(
    const struct kith_sqpfw *s, size_t f, bool positive)
{
	tell(s,
	    (struct kith_sqpfw_event){.kind = KITH_SQPFW_WEIGHT,
		.row = f,
		.was = positive ? KITH_SQPFW_ZERO : KITH_SQPFW_POSITIVE,
		.becomes = positive ? KITH_SQPFW_POSITIVE : KITH_SQPFW_ZERO});
}

void
kith_sqpfw_active_zero(struct kith_sqpfw *s, size_t position)
{
	const size_t f = s->feature[position];

	s->w[position] = 0;
	s->wf[f] = 0;
	s->df[f] = 0;
	kith_sqpfw_qr_leave(&s->qr, position);
	s->positive--;
	swap_positions(s, position, s->positive);
	kith_sqpfw_active_tell_weight(s, f, false);
}

void
kith_sqpfw_active_positive(struct kith_sqpfw *s, size_t position)
{
	const size_t at = s->positive, ties = kith_sqpfw_ties_n(s);

	swap_positions(s, position, at);
	s->positive++;
	for (size_t t = 0; t < ties; t++) {
		const struct kith_sqpfw_pair pair = kith_sqpfw_pair(
		    s, &s->item[s->tie[t]]);

		s->y[t + 1] = (pair.j[at] - pair.r[at]) *
		    ((pair.j[at] - pair.i[at]) + (pair.r[at] - pair.i[at]));
	}
	s->y[0] = 1;
	kith_sqpfw_qr_enter(&s->qr, s->y, s->prior[at] - s->theta * s->g[at]);
	kith_sqpfw_active_tell_weight(s, s->feature[at], true);
}
