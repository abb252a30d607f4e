#include "sqpfw/difference.h"

#include "base/pool.h"
#include "sqpfw/active.h"
#include "sqpfw/state.h"

/* Let state[] be that of the pairs of a group, or, to clear it, FARTHER. */
static void
mark(const struct kith_sqpfw *s, size_t g, int8_t *state, bool clear)
{
	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next)
		state[s->pairs.pair[at].j] = (int8_t)(clear
			? KITH_SQPFW_FARTHER
			: s->pairs.pair[at].state);
}

/* Report the pairs that s follows whose state differs from the other solver's;
 * before: s is the old one. */
static void
report_group(
    const struct kith_sqpfw *s, size_t g, const int8_t *other, bool before)
{
	for (uint32_t at = s->group[g].first_pair; at != KITH_SQPFW_NONE;
	     at = s->pairs.pair[at].next) {
		const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
		const int8_t than = other[pair->j];

		/* Pairs that both follow are reported once. */
		if (pair->state == than ||
		    (before && than != KITH_SQPFW_FARTHER))
			continue;
		kith_sqpfw_active_report(s, at, before ? pair->state : than,
		    before ? than : pair->state);
	}
}

static void
report_weights(const struct kith_sqpfw *old, const struct kith_sqpfw *now)
{
	for (size_t f = 0; f < now->points.p; f++)
		if ((old->w_by_feature[f] > 0) != (now->w_by_feature[f] > 0))
			kith_sqpfw_active_report_weight(
			    now, f, now->w_by_feature[f] > 0);
}

void
kith_sqpfw_difference_report(
    const struct kith_sqpfw *old, const struct kith_sqpfw *now)
{
	struct kith_pool tmp = {0};
	const size_t n = now->points.n;
	int8_t *was = kith_new(&tmp, n, sizeof(*was));
	int8_t *is = kith_new(&tmp, n, sizeof(*is));

	for (size_t j = 0; j < n; j++)
		was[j] = is[j] = KITH_SQPFW_FARTHER;
	for (size_t g = 0; g < 2 * n; g++) {
		mark(old, g, was, false);
		mark(now, g, is, false);
		report_group(old, g, is, true);
		report_group(now, g, was, false);
		mark(old, g, was, true);
		mark(now, g, is, true);
	}
	report_weights(old, now);
	kith_pool_free(&tmp);
}
