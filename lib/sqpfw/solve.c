#include "sqpfw/solve.h"

#include "sqpfw/active.h"
#include "sqpfw/eqp.h"
#include "sqpfw/item.h"
#include "sqpfw/scale.h"
#include "sqpfw/step.h"

#include <float.h>
#include <math.h>

/* Targets exchanged before the gradient is computed anew. */
enum { EXCHANGES = 256 };

/* Steps of length 0 in a row that change nothing. */
enum { VAIN = 100 };

/* An objective that falls by less, relative to itself, does not fall. */
#define FALL 1e-15

/* How far the objective has come, and releases that did not lower it. */
struct watch {
	double best;
	size_t idle;
};

/* Whether releases have led nowhere for so long that more will not either. */
static bool
stuck(const struct kith_sqpfw *s, struct watch *watch)
{
	const double F = kith_sqpfw_eqp_objective(s);

	if (F < watch->best - FALL * fabs(watch->best)) {
		watch->best = F;
		watch->idle = 0;
		return false;
	}
	return ++watch->idle > 200 + 4 * (s->positive + s->qr.m);
}

/*
 * Nothing leaves the active set: tie pairs that touch, which may block another
 * way, and see whether something does then.  The release, or that dw is not 0.
 */
static bool
try_touching(struct kith_sqpfw *s, struct kith_sqpfw_leave *leave)
{
	const size_t ties = kith_sqpfw_ties_n(s);

	leave->what = KITH_SQPFW_NOTHING;
	if (kith_sqpfw_step_touching(s) == 0)
		return false;
	if (!kith_sqpfw_eqp_direction(s))
		kith_sqpfw_eqp_release(s, leave);
	else
		leave->what = KITH_SQPFW_A_MOVE;
	if (leave->what != KITH_SQPFW_NOTHING) {
		for (size_t t = ties; t < kith_sqpfw_ties_n(s); t++)
			kith_sqpfw_active_tell(s, s->tie[t],
			    s->item[s->tie[t]].was, KITH_SQPFW_TIED);
		return true;
	}
	kith_sqpfw_active_undo(s, ties);
	return false;
}

/* One step along dw; whether it came to anything. */
static bool
walk(struct kith_sqpfw *s)
{
	struct kith_sqpfw_block block;
	double tau;

	kith_sqpfw_scale_renew(s);
	kith_sqpfw_step_aim(s);
	tau = kith_sqpfw_step_length(s, 1, &block);
	kith_sqpfw_step_go(s, tau);
	kith_sqpfw_step_block(s, &block);
	return tau > 0 || block.by != KITH_SQPFW_FREELY;
}

bool
kith_sqpfw_solve_here(struct kith_sqpfw *s)
{
	const size_t most = s->how->max_iter, from = s->iterations;
	struct watch watch = {DBL_MAX, 0};
	struct kith_sqpfw_leave leave;
	size_t vain = 0;

	if (s->exchanges > EXCHANGES)
		kith_sqpfw_active_gradient(s);
	s->stale = true;
	s->done = false;
	s->limited = false;
	while (most == 0 || s->iterations - from < most) {
		const bool exact = s->stale;

		if (s->broken)
			return false;
		s->iterations++;
		if (kith_sqpfw_eqp_direction(s)) {
			vain = walk(s) ? 0 : vain + 1;
			s->broken |= vain > VAIN;
			continue;
		}
		kith_sqpfw_eqp_release(s, &leave);
		if (leave.what == KITH_SQPFW_NOTHING && !exact) {
			s->stale = true; /* to be sure */
			s->iterations--;
			continue;
		}
		if (leave.what == KITH_SQPFW_NOTHING &&
		    !try_touching(s, &leave)) {
			s->done = true;
			return true;
		}
		if (stuck(s, &watch))
			return false;
		kith_sqpfw_eqp_leave(s, &leave);
	}
	s->limited = true;
	return false;
}
