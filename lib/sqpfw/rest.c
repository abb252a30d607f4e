/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/rest.h"

#include "sqpfw/awake.h"
#include "sqpfw/box.h"
#include "sqpfw/used.h"

enum { STEPS = 256 }; /* after which the work is considered */

/* The work of a step, beside that of before, from which on pairs rest no more. */
#define DEARER 1.5
/* The first box: so much of w_f + floor to either side. */
#define FIRST .02
/* Work with pairs that are awake, over that of making the box, at which it was too
 * small, and too large. */
#define FEW .5
#define MANY 2.

void
kith_sqpfw_rest_begin(struct kith_sqpfw *s, double before)
{
	const size_t used = kith_sqpfw_used(s);

	kith_sqpfw_awake_begin(s);
	for (size_t k = 0; k < used; k++) {
		const uint32_t at = s->pairs.used[k];

		if (s->pairs.pair[at].queue_place == KITH_SQPFW_NONE)
			continue;
		kith_sqpfw_queue_take(&s->pairs.queue, at);
		kith_sqpfw_awake_put(s, at, 0);
	}
	kith_sqpfw_awake_refresh(s);
	kith_sqpfw_box_begin(s, &s->box, FIRST);
	s->box.bare = true;
	s->box.before = before;
	s->box.work = 0;
	s->box.start = s->steps;
}

bool
kith_sqpfw_rest_dear(struct kith_sqpfw *s)
{
	const size_t steps = s->steps - s->box.start;

	if (!s->box.on || s->candidates.box.on || steps < STEPS)
		return false;
	s->box.dear = s->box.work / (double)steps;
	s->box.work = 0;
	s->box.start = s->steps;
	return s->box.dear > DEARER * s->box.before;
}

void
kith_sqpfw_rest_end(struct kith_sqpfw *s)
{
	const size_t used = kith_sqpfw_used(s);

	for (size_t k = 0; k < used; k++) {
		struct kith_sqpfw_pair *pair = &s->pairs.pair[s->pairs.used[k]];

		pair->queue_place = KITH_SQPFW_NONE;
		pair->rests = false;
	}
	s->awake.n = 0;
	s->box.on = false;
}

bool
kith_sqpfw_rest_holds(const struct kith_sqpfw *s, uint32_t at)
{
	const struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, pair);
	double got[2]; /* a'middle, sum |a_f| half_f */

	if (!s->box.on)
		return false;
	kith_sqpfw_rows_range(s->points.ld, &row, s->box.middle, s->box.half, got);
	return got[0] * pair->state > got[1];
}

bool
kith_sqpfw_rest_ends(const struct kith_sqpfw *s, double tau)
{
	return s->box.on &&
	    (s->box.evaluated > MANY * s->box.looked || kith_sqpfw_box_left(s, &s->box, tau));
}

void
kith_sqpfw_rest_count(struct kith_sqpfw *s)
{
	double work;

	if (!s->box.on)
		return;
	work = KITH_SQPFW_PASS * (double)s->awake.n;
	s->candidates.work += work;
	s->box.work += work + KITH_SQPFW_SEE * (double)s->pairs.n_seen;
	s->box.evaluated += work / KITH_SQPFW_LOOK;
	kith_sqpfw_box_go(s, &s->box, 0);
}

size_t
kith_sqpfw_rest_renew(struct kith_sqpfw *s, double tau, int round)
{
	const size_t used = kith_sqpfw_used(s);
	size_t n = 0;

	/* wider, where boxes cost more than pairs that are awake */
	if (round == 0)
		kith_sqpfw_box_reshape(s, &s->box, tau, s->box.evaluated < FEW * s->box.looked);
	kith_sqpfw_box_place(s, &s->box, tau, round);
	s->box.looked = 0;
	for (size_t k = 0; k < used; k++) {
		const uint32_t at = s->pairs.used[k];
		struct kith_sqpfw_pair *pair = &s->pairs.pair[at];

		if (pair->state != 1 && pair->state != -1)
			continue;
		s->box.looked++;
		if (pair->rests) {
			pair->rests = kith_sqpfw_rest_holds(s, at);
			if (pair->rests)
				continue;
			s->pairs.due[n++] = at;
		} else if (pair->queue_place != KITH_SQPFW_NONE && kith_sqpfw_rest_holds(s, at)) {
			kith_sqpfw_awake_take(s, at);
			pair->rests = true;
		}
	}
	s->box.work += KITH_SQPFW_LOOK * s->box.looked;
	s->candidates.work += KITH_SQPFW_LOOK * s->box.looked;
	s->candidates.box.evaluated += KITH_SQPFW_LOOK * s->box.looked;
	return n;
}
