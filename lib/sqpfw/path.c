#include "sqpfw/sqpfw.h"

#include "sqpfw/active.h"
#include "sqpfw/eqp.h"
#include "sqpfw/scale.h"
#include "sqpfw/solve.h"
#include "sqpfw/step.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Theta that grows by less, relative to itself, stands still. */
#define STILL 1e-12
/* The first leap, relative to theta; the next are so many times larger. */
#define LEAP 1e-9
#define LONGER 4
/* Theta that grows by more leaves behind what made it leap. */
#define GROWS 1e-4
/* The least theta that a leap is relative to. */
#define LEAST 1e-6

enum {
	PATIENCE = 50, /* breakpoints at one theta before it leaps */
	AGAIN = 5      /* those more before it leaps again */
};

/* What happens next, and how far theta goes until then. */
struct ahead {
	struct kith_sqpfw_leave leave;
	struct kith_sqpfw_block block;
	double far;
	bool moves; /* w does */
};

static void
look_ahead(struct kith_sqpfw *s, double most, struct ahead *ahead)
{
	ahead->block.by = KITH_SQPFW_FREELY;
	kith_sqpfw_scale_renew(s);
	ahead->moves = kith_sqpfw_eqp_slope(s);
	kith_sqpfw_eqp_first(s, &ahead->leave);
	ahead->far = fmin(most - s->theta, ahead->leave.size);
	if (!ahead->moves)
		return;
	kith_sqpfw_step_aim(s);
	ahead->far = kith_sqpfw_step_length(s, ahead->far, &ahead->block);
}

/* Go there: w, theta, and what becomes active or leaves; whether it does. */
static bool
go_ahead(struct kith_sqpfw *s, const struct ahead *ahead, double *before)
{
	if (ahead->far > GROWS * s->theta) {
		s->stalls = 0;
		s->leap = 0;
	} else
		s->stalls += ahead->far <= STILL * s->theta;
	s->theta += ahead->far;
	if (ahead->moves) {
		kith_sqpfw_step_go(s, ahead->far);
		if (ahead->block.by == KITH_SQPFW_BY_WEIGHT)
			s->wf[s->feature[ahead->block.which]] = 0;
	}
	memcpy(before, s->wf, s->points.p * sizeof(*before));
	if (ahead->block.by != KITH_SQPFW_FREELY)
		kith_sqpfw_step_block(s, &ahead->block);
	else if (ahead->far >= ahead->leave.size)
		kith_sqpfw_eqp_leave(s, &ahead->leave);
	else
		return false;
	return true;
}

/*
 * Whether what happens at this theta goes in circles, as rows that depend on
 * each other make it; then theta leaps ahead, and w is solved for there.
 */
static bool
leap(struct kith_sqpfw *s, double last, double *before)
{
	const size_t most = PATIENCE + 2 * (s->qr.m + s->positive);

	if (s->stalls <= most)
		return false;
	s->stalls = most - AGAIN;
	s->leap = s->leap > 0 ? LONGER * s->leap : LEAP;
	memcpy(before, s->wf, s->points.p * sizeof(*before));
	s->theta = fmin(last, s->theta + s->leap * fmax(s->theta, LEAST));
	return true;
}

enum kith_sqpfw_step
kith_sqpfw_next(struct kith_sqpfw *s, double most, double *before)
{
	const int unit = -2 * s->points.exponent;
	const double last = scalbn(most, unit), largest = scalbn(DBL_MAX, unit);
	struct ahead ahead;

	s->given = NAN;
	while (!leap(s, last, before)) {
		look_ahead(s, last, &ahead);
		if (ahead.far == INFINITY || s->theta + ahead.far > largest) {
			memcpy(before, s->wf, s->points.p * sizeof(*before));
			return KITH_SQPFW_END;
		}
		if (go_ahead(s, &ahead, before))
			break;
		if (!(s->theta < last)) {
			s->theta = last;
			s->given = most;
			return KITH_SQPFW_MOST;
		}
	}
	s->iterations++;
	return kith_sqpfw_solve_here(s) ? KITH_SQPFW_BREAK : KITH_SQPFW_LIMIT;
}
