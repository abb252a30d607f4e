/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/smo_run - what the two rules of choice of wsvm/smo.h share: a run, and
 * the change of one variable in it.
 */
#ifndef KITH_WSVM_SMO_RUN_H
#define KITH_WSVM_SMO_RUN_H

#include "wsvm/smo_form.h"

#include <math.h>
#include <stdint.h>

struct kith_smo_run {
	const struct kith_smo_form *form;
	const size_t *live;
	size_t count;
	double *x, *s;
};

/* As near to a bound, over its size, is on it. */
#define KITH_SMO_NEAR 1e-15

static inline double
kith_smo_clip(double x, double lo, double hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

/* Whether e_v x_v can grow, or shrink, within its bounds. */
static inline bool
kith_smo_grows(const struct kith_smo_run *run, size_t v)
{
	const struct kith_smo_form *form = run->form;

	return form->sign[v] > 0 ? run->x[v] < form->hi[v]
				 : run->x[v] > form->lo[v];
}

static inline bool
kith_smo_shrinks(const struct kith_smo_run *run, size_t v)
{
	const struct kith_smo_form *form = run->form;

	return form->sign[v] > 0 ? run->x[v] > form->lo[v]
				 : run->x[v] < form->hi[v];
}

/* -e_v g_v, by which the objective falls as e_v x_v grows. */
static inline double
kith_smo_gain(const struct kith_smo_run *run, size_t v)
{
	return -run->form->sign[v] *
	    kith_smo_gradient(run->form, run->s, run->x, v);
}

/* The largest part of t by which e_v x_v can grow within its bounds. */
static inline double
kith_smo_room(const struct kith_smo_run *run, size_t v, double t)
{
	const struct kith_smo_form *form = run->form;
	const double e = form->sign[v];
	const double to = kith_smo_clip(
	    run->x[v] + e * t, form->lo[v], form->hi[v]);

	return e * (to - run->x[v]);
}

/* x_v += e_v t, on its bound, if that is finite, where only rounding is between. */
static inline void
kith_smo_shift(struct kith_smo_run *run, size_t v, double t)
{
	const struct kith_smo_form *form = run->form;
	const double lo = form->lo[v], hi = form->hi[v];
	const double x = kith_smo_clip(run->x[v] + form->sign[v] * t, lo, hi);

	run->x[v] = x;
	if (hi < INFINITY && hi - x <= KITH_SMO_NEAR * fabs(hi))
		run->x[v] = hi;
	if (lo > -INFINITY && x - lo <= KITH_SMO_NEAR * (fabs(lo) + fabs(t)))
		run->x[v] = lo;
}

#endif
