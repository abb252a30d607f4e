/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/now - the engine of lib/wsvm before it gives a piece.
 */
#ifndef KITH_TEST_WSVM_NOW_H
#define KITH_TEST_WSVM_NOW_H

#include "wsvm/draw.h"
#include "wsvm/leg.h"
#include "wsvm/legs.h"
#include "wsvm/quick.h"
#include "wsvm/restart.h"

/* A path up to where a piece is solved for: from theta to `end` of the leg. */
struct now {
	struct task t;
	struct kith_wsvm *s;
	double from, end;
	double alpha0[400]; /* as the engine had it */
};

/*
 * The piece after so many others, of a margin of two or more, on a path whose
 * weights grow to so many times what they were; false: there is none.
 */
static inline bool
begin(struct now *now, size_t type, size_t pieces, double grow)
{
	struct task *t = &now->t;

	draw_plain(t, type);
	for (size_t v = 0; v < t->N; v++)
		t->to[v] = t->from[v] * (1 + grow * kith_rng_unit(&rng));
	now->s = kith_wsvm_new(&t->problem, t->from, NULL, &pool);
	kith_wsvm_aim(now->s, t->to);
	for (size_t k = 0; kith_wsvm_leg_next(now->s, &now->end, NULL, NULL) ==
	     KITH_WSVM_LINE;
	     k++) {
		if (now->end == 1)
			return false;
		if (k >= pieces && now->s->margin->size > 1)
			break;
		kith_wsvm_leg_pass(now->s, now->end);
	}
	now->from = kith_wsvm_path_theta(now->s, now->s->last.theta);
	kith_wsvm_restart_recall(now->s);
	memcpy(now->alpha0, now->s->piece.alpha0, t->N * sizeof(*now->alpha0));
	return true;
}

/* All alpha of M are other than those of a solution by so much. */
static inline void
disturb(struct now *now, double by)
{
	const struct kith_wsvm_margin *m = now->s->margin;

	for (size_t i = 0; i < m->size; i++) {
		const size_t v = m->list[i];

		now->s->piece.alpha0[v] = now->alpha0[v] + (i % 2 ? by : -by);
	}
}

static inline bool
passes(const struct now *now)
{
	bool within;

	return kith_wsvm_quick(now->s, now->end, &within);
}

/* Passes where x is `by` times the limit more, just below it alone. */
static inline bool
passes_to(const struct now *now, double *x, double limit, double far)
{
	const double was = *x;
	bool right = true;

	*x = was + limit * (1 - far);
	right &= passes(now);
	*x = was + limit * (1 + far);
	right &= !passes(now);
	*x = was;
	return right;
}

#endif
