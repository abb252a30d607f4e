#include "sqpfw/moved.h"

#include "base/pool.h"
#include "sqpfw/active.h"
#include "sqpfw/state.h"

/* States of the pairs of a point with all others; FARTHER where no item says.
 */
static void
set_states(const struct kith_sqpfw *s, size_t g, int8_t *state)
{
	for (uint32_t at = s->group[g].first; at != KITH_SQPFW_NONE;
	     at = s->item[at].sibling)
		state[s->item[at].j] = s->item[at].state;
}

static void
clear_states(const struct kith_sqpfw *s, size_t g, int8_t *state)
{
	for (uint32_t at = s->group[g].first; at != KITH_SQPFW_NONE;
	     at = s->item[at].sibling)
		state[s->item[at].j] = KITH_SQPFW_FARTHER;
}

/* Tell of items of one state whose pairs differ from those of the other. */
static void
tell_group(
    const struct kith_sqpfw *s, size_t g, const int8_t *other, bool before)
{
	for (uint32_t at = s->group[g].first; at != KITH_SQPFW_NONE;
	     at = s->item[at].sibling) {
		const struct kith_sqpfw_item *item = &s->item[at];
		const int8_t than = other[item->j];

		/* Pairs that both have are told of once. */
		if (item->state == than ||
		    (before && than != KITH_SQPFW_FARTHER))
			continue;
		kith_sqpfw_active_tell(s, at, before ? item->state : than,
		    before ? than : item->state);
	}
}

static void
tell_weights(const struct kith_sqpfw *old, const struct kith_sqpfw *now)
{
	for (size_t f = 0; f < now->points.p; f++)
		if ((old->wf[f] > 0) != (now->wf[f] > 0))
			kith_sqpfw_active_tell_weight(now, f, now->wf[f] > 0);
}

void
kith_sqpfw_tell_moved(
    const struct kith_sqpfw *old, const struct kith_sqpfw *now)
{
	struct kith_pool tmp = {0};
	const size_t n = now->points.n;
	int8_t *was = kith_new(&tmp, n, sizeof(*was));
	int8_t *is = kith_new(&tmp, n, sizeof(*is));

	for (size_t j = 0; j < n; j++)
		was[j] = is[j] = KITH_SQPFW_FARTHER;
	for (size_t g = 0; g < 2 * n; g++) {
		set_states(old, g, was);
		set_states(now, g, is);
		tell_group(old, g, is, true);
		tell_group(now, g, was, false);
		clear_states(old, g, was);
		clear_states(now, g, is);
	}
	tell_weights(old, now);
	kith_pool_free(&tmp);
}
