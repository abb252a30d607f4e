/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/active_set.h"

#include "wsvm/krows.h"
#include "wsvm/krows_sum.h"
#include "wsvm/margin_score.h"
#include "wsvm/nearest.h"

#include <string.h>

/* sum += x; low keeps what rounding takes off high (Neumaier, 1974). */
static void
add_exactly(struct kith_wsvm_sum *sum, double x)
{
	const double high = sum->high + x;

	sum->low += fabs(sum->high) >= fabs(x) ? (sum->high - high) + x
					       : (x - high) + sum->high;
	sum->high = high;
}

/* The sums, when v enters I (a = 1) or leaves it (-1). */
static void
count_in(struct kith_wsvm *s, size_t v, double a)
{
	const double C = a * s->C.from[v], rate = a * s->C.rate[v];
	const double e = s->form.sign[v], root = s->root[v];

	add_exactly(&s->in.sum.C, root * C);
	add_exactly(&s->in.sum.rate, root * rate);
	add_exactly(&s->in.sum.size, root * a * fabs(s->C.rate[v]));
	add_exactly(&s->in.sum.C_sign, e * C);
	add_exactly(&s->in.sum.rate_sign, e * rate);
}

void
kith_wsvm_bounded_sum(struct kith_wsvm *s)
{
	memset(&s->in.sum, 0, sizeof(s->in.sum));
	for (size_t v = 0; v < s->N; v++)
		if (s->set.where[v] == KITH_WSVM_IN)
			count_in(s, v, 1);
	s->in.energy_known = false;
}

/* energy += 2 rate_v score1_v + rate_v^2 Q_vv, with score1 before v enters. */
static void
change_energy(struct kith_wsvm *s, size_t v, double a)
{
	const double rate = s->C.rate[v];
	const double Q = s->diagonal[v] - s->form.ridge;

	s->in.energy_known = s->in.energy_known && !s->in.pending;
	s->in.energy += a * 2 * rate *
		kith_smo_score(&s->form, s->in.score1, v) +
	    rate * rate * Q;
	s->in.energy_max = kith_larger(s->in.energy_max, s->in.energy);
}

/* s_i += a C_v phi_v' Phi(x_i), from kernel rows that are held. */
static void
add_now(struct kith_wsvm *s, size_t v, double a)
{
	const struct kith_smo_form *form = &s->form;

	change_energy(s, v, a);
	for (int side = 0; side < (form->minus ? 2 : 1); side++) {
		const size_t i = side ? form->minus[v] : form->plus[v];
		const double e = form->sign[v] * (side ? -a : a);

		kith_krows_add(s->rows, i, e * s->C.from[v], e * s->C.rate[v],
		    s->in.score0, s->in.score1);
	}
}

/* The same for weights C0 + theta C1, into the coefficients that pend. */
static void
add_later(struct kith_wsvm *s, size_t v, double C0, double C1)
{
	const struct kith_smo_form *form = &s->form;
	const double e = form->sign[v];

	s->in.pending = true;
	s->in.energy_known = false;
	s->in.pending0[form->plus[v]] += e * C0;
	s->in.pending1[form->plus[v]] += e * C1;
	if (!form->minus)
		return;
	s->in.pending0[form->minus[v]] -= e * C0;
	s->in.pending1[form->minus[v]] -= e * C1;
}

/* v enters I (a = 1) or leaves it (-1). */
static void
change_bounded(struct kith_wsvm *s, size_t v, double a, bool at_once)
{
	count_in(s, v, a);
	if (at_once)
		add_now(s, v, a);
	else
		add_later(s, v, a * s->C.from[v], a * s->C.rate[v]);
}

static void
clear_pending(struct kith_wsvm *s)
{
	memset(s->in.pending0, 0, s->n * sizeof(*s->in.pending0));
	memset(s->in.pending1, 0, s->n * sizeof(*s->in.pending1));
	s->in.pending = false;
}

void
kith_wsvm_bounded_apply(struct kith_wsvm *s)
{
	if (!s->in.pending)
		return;
	/* score += K pending */
	kith_krows_product(
	    s->rows, s->in.pending0, s->in.pending1, s->out.f0, s->out.f1);
	for (size_t i = 0; i < s->n; i++) {
		s->in.score0[i] += s->out.f0[i];
		s->in.score1[i] += s->out.f1[i];
	}
	clear_pending(s);
}

void
kith_wsvm_bounded_rebuild(struct kith_wsvm *s)
{
	memset(s->in.score0, 0, s->n * sizeof(*s->in.score0));
	memset(s->in.score1, 0, s->n * sizeof(*s->in.score1));
	clear_pending(s);
	for (size_t v = 0; v < s->N; v++)
		if (s->set.where[v] == KITH_WSVM_IN)
			add_later(s, v, s->C.from[v], s->C.rate[v]);
	kith_wsvm_bounded_apply(s);
	kith_wsvm_bounded_sum(s);
	s->in.events = 0;
}

void
kith_wsvm_bounded_start_rates(struct kith_wsvm *s)
{
	for (size_t v = 0; v < s->N; v++)
		if (s->set.where[v] == KITH_WSVM_IN) {
			add_later(s, v, 0, s->C.rate[v]);
			s->piece.alpha1[v] = s->C.rate[v];
		}
	kith_wsvm_bounded_apply(s);
}

void
kith_wsvm_bounded_split(struct kith_wsvm *s)
{
	const size_t m = s->margin->size;

	memcpy(s->in.score0, s->work.score, s->n * sizeof(*s->in.score0));
	memset(s->in.score1, 0, s->n * sizeof(*s->in.score1));
	for (size_t i = 0; i < m; i++)
		s->work.side[i] = -s->work.x[s->margin->list[i]];
	kith_wsvm_margin_scores(s->margin, s->work.side, s->in.score0);
}

void
kith_wsvm_note_move(struct kith_wsvm *s, size_t v, int8_t was)
{
	if (s->set.was[v] != KITH_WSVM_SAME)
		return;
	s->set.was[v] = was;
	s->set.moved[s->set.n_moved++] = v;
}

void
kith_wsvm_forget_moves(struct kith_wsvm *s)
{
	for (size_t i = 0; i < s->set.n_moved; i++)
		s->set.was[s->set.moved[i]] = KITH_WSVM_SAME;
	s->set.n_moved = 0;
}

bool
kith_wsvm_move(struct kith_wsvm *s, size_t v, enum kith_wsvm_where where)
{
	const enum kith_wsvm_where was = (enum kith_wsvm_where)s->set.where[v];
	const bool margin = was == KITH_WSVM_MARGIN ||
	    where == KITH_WSVM_MARGIN;
	const bool in = where == KITH_WSVM_IN;

	if (was == where)
		return true;
	if (where == KITH_WSVM_MARGIN && s->margin->place[v] == KITH_WSVM_NOT &&
	    !kith_wsvm_margin_enter(s->margin, v))
		return false;
	kith_wsvm_note_move(s, v, (int8_t)was);
	if (s->last.stored[v] != s->last.number) {
		s->last.stored[v] = s->last.number;
		s->last.alpha[v] = kith_wsvm_alpha(s, v, s->last.theta);
	}
	if (was == KITH_WSVM_IN || where == KITH_WSVM_IN)
		change_bounded(s, v, in ? 1 : -1, margin);
	if (was == KITH_WSVM_MARGIN) {
		kith_wsvm_margin_leave(s->margin, v);
		kith_wsvm_nearest_leave(s, s->form.plus[v]);
	}
	s->set.where[v] = (int8_t)where;
	kith_wsvm_check(s, v);
	/* alpha_v = C_v in I, and 0 in O; M is solved for, from what there is. */
	if (where != KITH_WSVM_MARGIN) {
		s->piece.alpha0[v] = in * s->C.from[v];
		s->piece.alpha1[v] = in * s->C.rate[v];
	}
	return true;
}
