#include "sqpfw/zero_gap.h"

#include "sqpfw/active.h"
#include "sqpfw/candidates.h"
#include "sqpfw/pair.h"

#include <math.h>

/* The largest gap that counts as 0. */
#define ZERO 1e-11
/* Pairs are looked for that w could tie if it moved by so much. */
#define RANGE 1e-9

/* The length, by either scale, of a change of w by RANGE. */
static double
range_length(const struct kith_sqpfw *s)
{
	return 2 * RANGE / sqrt(s->scale_min);
}

/* Renew the lists that might lack pairs of gap 0. */
static void
renew_lists(struct kith_sqpfw *s)
{
	kith_sqpfw_candidates_test(
	    s, range_length(s), 0, RANGE, KITH_SQPFW_NONE);
	for (size_t k = 0; k < s->candidates.n_fresh; k++)
		kith_sqpfw_pair_requeue(s, s->candidates.fresh[k]);
	for (size_t k = 0; k < s->candidates.n_due; k++)
		kith_sqpfw_candidates_queue(s, s->candidates.due[k]);
	s->candidates.n_due = 0;
}

size_t
kith_sqpfw_zero_gap_tie(struct kith_sqpfw *s)
{
	uint32_t *due;
	size_t n, ties = 0;

	renew_lists(s);
	due = s->pairs.due;
	n = kith_sqpfw_queue_all(&s->pairs.queue, range_length(s), due);
	for (size_t k = 0; k < n; k++) {
		const double gap = kith_sqpfw_pair_gap(s, due[k]);

		if (fabs(gap) <= ZERO && s->active.qr.m < s->positive &&
		    !kith_sqpfw_active_depends(s, due[k]) &&
		    kith_sqpfw_active_tie(s, due[k]))
			ties++;
		else
			kith_sqpfw_pair_queue(s, due[k], gap);
	}
	return ties;
}
