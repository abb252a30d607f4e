/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/shares.h"

#include "sqpfw/eqp.h"
#include "sqpfw/state.h"

#include <math.h>
#include <string.h>

/* Make room for a share of each entry of pair[]. */
static void
widen(struct kith_sqpfw *s)
{
	if (s->shares.room < s->pairs.n) {
		s->shares.room = s->pairs.room;
		s->shares.of = kith_grow(
		    s->pool, s->shares.of, s->shares.room, sizeof(*s->shares.of));
	}
	memset(s->shares.of, 0, s->pairs.n * sizeof(*s->shares.of));
	s->shares.n = s->pairs.n;
}

/*
 * The multipliers of the ties, into active.y.  The parts z and d of the factor,
 * which the next step goes on with, are put back.
 */
static void
find_multipliers(struct kith_sqpfw *s)
{
	struct kith_sqpfw_qr *qr = &s->active.qr;
	struct kith_pool tmp = {0};
	double *z = kith_new(&tmp, qr->m, sizeof(*z));
	double *d = kith_new(&tmp, qr->ld, sizeof(*d));

	memcpy(z, qr->z, qr->m * sizeof(*z));
	memcpy(d, qr->d, qr->ld * sizeof(*d));
	kith_sqpfw_eqp_residual(s);
	kith_sqpfw_qr_split(qr, s->residual);
	kith_sqpfw_eqp_multipliers(s);
	memcpy(qr->z, z, qr->m * sizeof(*z));
	memcpy(qr->d, d, qr->ld * sizeof(*d));
	kith_pool_free(&tmp);
}

void
kith_sqpfw_shares_find(struct kith_sqpfw *s)
{
	widen(s);
	find_multipliers(s);
	for (size_t g = 0; g < 2 * s->points.n; g++)
		if (s->group[g].rank > 0)
			s->shares.of[s->group[g].target] = 1;
	/* beta^ / (theta/n), and that of the target 1 less the others (13b) */
	for (size_t t = 0; t < kith_sqpfw_ties_n(s); t++) {
		const uint32_t at = s->active.tie[t];
		const uint32_t g = s->pairs.pair[at].group;
		const double share = s->active.y[t + 1] /
		    (s->theta * kith_sqpfw_target_share(s, g));

		s->shares.of[at] = share;
		s->shares.of[s->group[g].target] -= share;
	}
}

double
kith_sqpfw_shares_ask(const void *of, size_t i, bool miss, size_t j)
{
	const struct kith_sqpfw *s = of;
	const size_t other = s->points.point[j];
	const struct kith_sqpfw_group *group = &s->group[2 * s->points.point[i] + miss];

	for (uint32_t at = group->first_pair; at != KITH_SQPFW_NONE; at = s->pairs.pair[at].next)
		if (s->pairs.pair[at].j == other)
			return at < s->shares.n ? s->shares.of[at] : NAN;
	return NAN;
}
