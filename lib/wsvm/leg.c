/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The path of alpha(theta), as wsvm/problem.h defines it.  The variables are in
 * the sets O (out), M (margin) and I (in).  While these stay the same
 *
 *	alpha_O = 0     alpha_I = from_I + theta rate_I
 *
 *	[ Q_MM  e_M ] [ alpha_M ]     [ e_M s_M + q_M ]
 *	[ e_M'   0  ] [    b    ] = - [ e_I' alpha_I  ]              eq. (10)
 *
 *	s = K_I (e alpha)_I     f = s + K_M (e alpha)_M + b
 *	g_v = e_v f_v + q_v + ridge alpha_v
 *
 * with K the kernel matrix and e the signs, so all are affine in theta.  One
 * event, in kith_wsvm_leg_next():
 *
 *  1. Pivot (wsvm/pivot.c): at the breakpoint theta, choose the set of each
 *     variable that is open there.  One open variable moves between M and its
 *     bound; with several, the rates dalpha / dtheta solve a QP of their own;
 *     where M is empty, b has an interval (wsvm/bias.c).  A move changes s
 *     (wsvm/active_set.c) and the factor of Q_MM (wsvm/margin_kkt.c).
 *  2. Direction (wsvm/piece.c): solve eq. (10) for both parts of
 *     alpha_M = alpha0 + theta alpha1 and b = b0 + theta b1.
 *  3. Ratio test (wsvm/ratio_test.c): the next breakpoint is the least theta'
 *     from theta on at which
 *
 *	alpha0 + theta' alpha1 = 0 or C(theta')     for v in M
 *	g0 + theta' g1 = 0, g1 of violating sign    for v in O or I
 *
 *     where only gradients that may reach 0 are computed.
 *     Variables within rounding of their event there are open.
 *  4. Check, sound_end(): a violation of eq. (6) at theta that no rounding
 *     explains, or STUCK pieces of no length in a row: compute s anew, and then
 *     solve anew past theta (wsvm/restart.c).
 *  5. Report the moves; give the piece from theta to theta' if it has a length,
 *     and go to theta'.
 */
#include "wsvm/leg.h"

#include "base/progress.h"
#include "base/sort.h"
#include "wsvm/active_set.h"
#include "wsvm/columns.h"
#include "wsvm/krows.h"
#include "wsvm/piece.h"
#include "wsvm/pivot.h"
#include "wsvm/ratio_test.h"
#include "wsvm/restart.h"

#include <assert.h>
#include <string.h>

enum {
	STUCK = 60,    /* pieces of no length in a row */
	REBUILD = 1000 /* events, and half of the live, until s is rebuilt */
};

#define HORIZON 1e-3 /* theta, how far candidates are looked for at first */
#define BROKEN 4e-13 /* a violation, over its terms, that is no rounding */

void
kith_wsvm_leg_freeze(struct kith_wsvm *s)
{
	const double theta = s->theta;

	kith_wsvm_piece_scores(s);
	for (size_t i = 0; i < s->n; i++) {
		s->in.score0[i] += theta * s->in.score1[i];
		s->piece.f0[i] += theta * s->piece.f1[i];
		s->in.score1[i] = s->piece.f1[i] = 0;
	}
	s->piece.b0 += theta * s->piece.b1;
	s->piece.b1 = 0;
	for (size_t v = 0; v < s->N; v++) {
		s->piece.alpha0[v] += theta * s->piece.alpha1[v];
		s->C.from[v] = theta < 1 ? kith_wsvm_weight(s, v, s->theta)
					 : s->C.to[v];
		s->C.rate[v] = s->piece.alpha1[v] = 0;
		if (s->set.where[v] == KITH_WSVM_IN)
			s->piece.alpha0[v] = s->C.from[v];
		if (s->set.where[v] == KITH_WSVM_MARGIN && !(s->C.from[v] > 0))
			kith_wsvm_move(s, v, KITH_WSVM_OUT);
		s->C.to[v] = s->C.from[v];
	}
	s->theta = 1;
}

/*
 * The variables that are open at the start of a path; one without weight goes
 * to O or I by the sign of its gradient.
 */
static void
find_open(struct kith_wsvm *s)
{
	double most = 0;

	for (size_t i = 0; i < s->margin->size; i++)
		most = fmax(most, s->piece.alpha0[s->margin->list[i]]);
	s->event.n_open = 0;
	for (size_t c = 0; c < s->C.n_live; c++) {
		const size_t v = s->C.live[c];
		const double C = s->C.from[v];
		const double alpha = s->piece.alpha0[v];
		double g = kith_smo_score(&s->form, s->piece.f0, v) +
		    s->form.q[v] + s->form.ridge * alpha;
		bool open;

		g += s->form.bias ? s->form.sign[v] * s->piece.b0 : 0;
		open = fabs(g) <= kith_wsvm_few(s, v);
		if (!(C > 0))
			kith_wsvm_move(
			    s, v, g > 0 || open ? KITH_WSVM_OUT : KITH_WSVM_IN);
		else if (s->set.where[v] == KITH_WSVM_MARGIN)
			open = alpha <= 1e-12 * fmin(C, most) ||
			    alpha >= C - 1e-12 * C;
		if (open)
			s->event.open[s->event.n_open++] = v;
	}
}

void
kith_wsvm_leg_aim(struct kith_wsvm *s, const double *to, bool first)
{
	kith_wsvm_state_tolerance(s, s->piece.alpha0);
	s->C.rate_max = 0;
	for (size_t v = 0; v < s->N; v++) {
		assert(to[v] >= 0 && isfinite(to[v]));
		/* One that weighs nothing yet is out, and its rate not in s. */
		if (!(s->C.from[v] > 0))
			kith_wsvm_move(s, v, KITH_WSVM_OUT);
		s->C.rate[v] = to[v] - s->C.from[v];
		s->C.to[v] = to[v];
		s->C.rate_max = fmax(s->C.rate_max, fabs(s->C.rate[v]));
	}
	kith_wsvm_bounded_start_rates(s);
	kith_wsvm_bounded_sum(s);
	s->theta = s->event.tie_end = 0;
	s->restart.piece_due = false;
	kith_wsvm_state_live(s);
	s->last.theta = 0;
	find_open(s);
	kith_wsvm_ratio_check_all(s);
	s->candidate.horizon = HORIZON;
	if (first) {
		kith_wsvm_forget_moves(s);
		s->restart.step = KITH_WSVM_RESTART_STEP;
	}
	s->event.due = true;
	s->event.zero_steps = 0;
	memset(s->event.decided, 0, s->N * sizeof(*s->event.decided));
}

/* Report the moves; one from weight 0 had no set before. */
static void
report(struct kith_wsvm *s, kith_wsvm_on_event *on_event, void *to)
{
	const size_t m = s->margin->size;

	kith_sort_sizes(s->set.moved, s->set.n_moved);
	for (size_t i = 0; i < s->set.n_moved; i++) {
		const size_t v = s->set.moved[i];
		const struct kith_wsvm_event event = {
		    kith_wsvm_path_theta(s, s->theta), v,
		    (enum kith_wsvm_where)s->set.was[v],
		    (enum kith_wsvm_where)s->set.where[v]};

		if (event.was == event.becomes ||
		    !(kith_wsvm_weight(s, v, s->theta) > 0))
			continue;
		s->count.events++;
		s->in.events++;
		s->count.margin += (double)m;
		if (on_event)
			on_event(to, &event);
	}
	kith_wsvm_forget_moves(s);
}

/* Compute s anew; f may differ by rounding, so every gradient is checked. */
static void
rebuild(struct kith_wsvm *s)
{
	kith_wsvm_bounded_rebuild(s);
	kith_wsvm_ratio_check_all(s);
}

/* Steps 2 to 4: the end of the piece from theta on. */
static double
sound_end(struct kith_wsvm *s)
{
	double end;

	if (s->in.events > REBUILD + s->C.n_live / 2)
		rebuild(s);
	end = kith_wsvm_ratio_test(s);
	if (s->piece.violation > BROKEN) {
		rebuild(s);
		end = kith_wsvm_ratio_test(s);
	}
	while ((s->piece.violation > BROKEN || s->event.zero_steps > STUCK) &&
	    s->event.tie_end < 1) {
		kith_wsvm_restart(s);
		end = kith_wsvm_ratio_test(s);
	}
	return end;
}

void
kith_wsvm_leg_pass(struct kith_wsvm *s, double end)
{
	s->candidate.horizon = end - s->last.theta;
	kith_wsvm_restart_store(s, end);
	s->restart.step = KITH_WSVM_RESTART_STEP;
	s->theta = end;
	s->event.zero_steps = 0;
}

enum kith_wsvm_got
kith_wsvm_leg_next(
    struct kith_wsvm *s, double *end, kith_wsvm_on_event *on_event, void *to)
{
	while (s->theta < 1) {
		if (s->event.due)
			kith_wsvm_pivot(s);
		*end = sound_end(s);
		kith_progress_add(1);
		kith_progress_value("theta", kith_wsvm_path_theta(s, s->theta));
		report(s, on_event, to);
		s->count.residual = fmax(s->count.residual, s->piece.violation);
		if (s->restart.piece_due)
			return KITH_WSVM_BRIDGE;
		if (*end == 1 || !kith_wsvm_same_theta(s->theta, *end))
			return KITH_WSVM_LINE;
		s->theta = kith_larger(s->theta, *end);
		s->event.zero_steps++;
	}
	return KITH_WSVM_NO_MORE;
}
